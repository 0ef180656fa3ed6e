package form_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
		m.Start(c.field)
		m.Draw(40, 10)
		m.Update(tea.PasteMsg{Content: c.pasted})
		if got := m.Value(c.field); got != c.want {
			t.Errorf("%q pasted into %s is %q, want %q", c.pasted, c.field, got, c.want)
		}
	}
}

func TestWhatIsTypedBehindATabIsNotInTheFieldBefore(t *testing.T) {
	name := form.Field{Key: "name", Label: "Name", Check: func(string) error { return errors.New("never right") }}
	m := form.New(styles.New(styles.Options{}), name, form.Field{Key: "secret", Label: "Secret", Secret: true})
	m.Start("name")
	m.Draw(40, 10)
	m.Update(tea.PasteMsg{Content: "ada"})
	m.Update(tea.KeyPressMsg{Code: tea.KeyTab})
	m.Update(tea.PasteMsg{Content: "demo"})
	if m.Value("name") != "ada" || m.Value("secret") != "demo" {
		t.Errorf("%q and %q", m.Value("name"), m.Value("secret"))
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	if got := ansi.Strip(m.Draw(40, 10)); m.Focused() != "name" || !strings.Contains(got, "never right") {
		t.Errorf("in %s:\n%s", m.Focused(), got)
	}
}
