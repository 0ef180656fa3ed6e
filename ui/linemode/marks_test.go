package linemode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRowsAreMarkedByTheirNumbers(t *testing.T) {
	for text, want := range map[string][]int{
		"3": {2}, "1-3": {0, 1, 2}, "2 to 4": {1, 2, 3}, "1, 3": {0, 2}, "1 and 2": {0, 1}, "4-5 1": {3, 4, 0}, "ALL": {0, 1, 2, 3, 4}, "1..2": {0, 1},
		"2 2": {1}, "2-4 1-5 3": {1, 2, 3, 0, 4}, strings.Repeat("1-5 ", 1000): {0, 1, 2, 3, 4},
		"": nil, "0": nil, "6": nil, "3-2": nil, "x": nil, "1-9": nil, "-1": nil, "99999999999": nil,
	} {
		got, ok := rowNumbers(text, 5)
		if ok != (want != nil) || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %t; want %v", text, got, ok, want)
		}
	}
}

func TestMarkedRowsAreSaidComparedAndExported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "marked.csv")
	answers := signedIn("ada", "1", "marks", "mark", "mark 99", "mark 2-3", "marks", "export "+file, "mark 5", "unmark 3", "marks", "compare", "back", "unmark", "marks")
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"No listed row is marked.", `Type "mark" and numbers from 1 to 42`, `Type "mark" and numbers from 1 to 42`, "2 rows are marked", "2. Marked. Name: 議事録.", "3. Marked. Name: Skibstegninger.",
		"Wrote 2 marked shares", "3 rows are marked", "2 rows are marked", "2. Marked. Name: 議事録.", "5. Marked. Name: فواتير.", "Compare", "No listed row is marked.")
	written, err := os.ReadFile(file)
	if err != nil || strings.Count(string(written), "\n") != 3 {
		t.Errorf("the file has %q, %v", written, err)
	}
}
