package lists_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

// TestTheReferenceOfFiltersIsWhatTheyUnderstand compares the table in docs/filters.md with the help.
func TestTheReferenceOfFiltersIsWhatTheyUnderstand(t *testing.T) {
	text, err := os.ReadFile("../../docs/filters.md")
	if err != nil {
		t.Fatal(err)
	}
	var written []lists.Help
	row := regexp.MustCompile("(?m)^\\| `(.+)` \\| (.+) \\|$")
	for _, cells := range row.FindAllStringSubmatch(string(text), -1) {
		bar := strings.NewReplacer(`\|`, "|")
		written = append(written, lists.Help{Example: bar.Replace(cells[1]), Meaning: bar.Replace(cells[2])})
	}
	if diff := cmp.Diff(lists.QueryHelp(), written); diff != "" {
		t.Errorf("docs/filters.md (-want +got):\n%s", diff)
	}
}
