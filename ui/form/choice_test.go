package form_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/styles"
	"gatehouse/ui/form"
)

// What is chosen in a field is louder than the text beside it only where keys choose.
func TestAChoiceWithoutTheFocusLooksLikeTheTextOfAField(t *testing.T) {
	theme := styles.New(styles.Options{})
	m := form.New(theme, form.Field{Key: "name", Label: "Name"},
		form.Field{Key: "type", Label: "Type", Options: []form.Option{{Label: "one", Value: "1"}, {Label: "two", Value: "2"}}})
	loud := theme.Key.Render("one")
	for focus, want := range map[string]bool{"name": false, "type": true} {
		m.Start(focus)
		drawn := m.Draw(30, 5)
		if got := strings.Contains(drawn, loud); got != want || strings.Contains(ansi.Strip(drawn), "→") != want {
			t.Errorf("with the focus on %s the choice is loud: %v\n%s", focus, got, drawn)
		}
	}
}
