package form_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/styles"
	"gatehouse/ui/form"
)

func TestFieldsStandApartWhereThereIsRoomForAllOfThem(t *testing.T) {
	m := form.New(styles.New(styles.Options{}), form.Field{Key: "a", Label: "First"}, form.Field{Key: "b", Label: "Second"})
	m.Start("")
	for _, test := range []struct {
		height int
		want   []string
	}{
		{5, []string{"First", "", "", "Second", ""}},
		{4, []string{"First", "", "Second", ""}},
	} {
		lines := strings.Split(ansi.Strip(m.Draw(30, test.height)), "\n")
		for i, line := range lines {
			lines[i] = strings.Trim(line, " ┃")
		}
		if diff := cmp.Diff(test.want, lines); diff != "" {
			t.Errorf("in %d lines (-want +got):\n%s", test.height, diff)
		}
	}
}
