package form_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
	"gatehouse/ui/form"
)

func TestWhatIsPastedBecomesOneLine(t *testing.T) {
	for _, c := range []struct{ field, pasted, want string }{
		{"name", "one\ntwo\r\nthree\r\n", "one two three"},
		{"name", "tab\tbed", "tab bed"},
		{"secret", "pass word\r\n\n", "pass word"},
		{"secret", "two\nlines", ""},
		{"secret", "tab\tbed", ""},
	} {
		m := form.New(styles.New(styles.Options{}), form.Field{Key: "name", Label: "Name"}, form.Field{Key: "secret", Label: "Secret", Secret: true})
		m.Init(c.field)
		uitest.Draw(m, 40, 10)
		m.Update(tea.PasteMsg{Content: c.pasted})
		if got := m.Value(c.field); got != c.want || m.Done() {
			t.Errorf("%q pasted into %s is %q, want %q; done: %v", c.pasted, c.field, got, c.want, m.Done())
		}
	}
}
