package paint

import (
	"strings"
	"testing"
)

// wideTerminal is the text of a line on a terminal that gives ambiguous characters two cells, and
// the cell of a caret in it.
func wideTerminal(line string, width, caret int) (text string, at int) {
	s := Screen{comparison: comparisons.New().(*comparison)}
	row, _ := s.layOut(nil, line, Frame{Width: width})
	fitted, at := fitWide(row, caret)
	var b strings.Builder
	for _, c := range fitted {
		b.WriteString(c.text)
	}
	return strings.TrimRight(b.String(), " "), at
}

func TestOnAWideTerminalEachTextBeginsWhereItWasLaidOut(t *testing.T) {
	for name, tt := range map[string]struct {
		line, want string
		caret, at  int
	}{
		"ASCII":                   {"name  12 kB", "name  12 kB", 3, 3},
		"a letter":                {"né    12 kB", "né   12 kB", 2, 3},
		"letters of a field":      {"/ éé", "/ éé", 4, 6},
		"within them":             {"/ éé", "/ éé", 3, 4},
		"an empty field":          {"/   words", "/   words", 2, 2},
		"no blank to go on into":  {"ééé  12 kB", "é~  12 kB", 6, 6},
		"just enough":             {"éé   12 kB", "éé 12 kB", 0, 0},
		"half of a wide one":      {"aééé  b", "aé~  b", 0, 0},
		"wide ones alone":         {"日本  12 kB", "日本  12 kB", 2, 2},
		"to the end of the line":  {"     ééééééééééé", "     ééééééé~", 0, 0},
		"in a box":                {"|é  |", "|é |", 1, 1},
		"a box that is full":      {"|éé|b", "|~ |b", 1, 1},
		"a title in a border":     {"+- é ---+", "+- é --+", 0, 0},
		"a letter with a mark":    {"é́   b", "é́  b", 0, 0},
		"a blank between columns": {"é b  c", "é b c", 2, 3},
	} {
		got, at := wideTerminal(tt.line, 20, tt.caret)
		if got != tt.want || at != tt.at {
			t.Errorf("%s: %q becomes %q, want %q; the caret at %d is at %d, want %d", name, tt.line, got, tt.want, tt.caret, at, tt.at)
		}
	}
}
