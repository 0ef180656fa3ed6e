package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTheWayBackAndTheHelpStandAtTheEndOfEveryFooter(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		d := open(t, demoVariables(t), 80, 10)
		resize := func(width int) { d.update(tea.WindowSizeMsg{Width: width, Height: 10}) }
		footer := func(want string) {
			t.Helper()
			d.drain()
			lines := strings.Split(d.frame(), "\n")
			if last := lines[len(lines)-1]; !strings.HasSuffix(last, want) || strings.HasPrefix(last, " ") {
				t.Errorf("%d cells: the footer is %q, want %q at its end", width, last, want)
			}
		}
		d.wait("E-mail")
		resize(width)
		footer("esc leave form  f1 keys")
		resize(80)
		d.signIn("ada")
		resize(width)
		footer("esc leave  ? keys")
		d.press("enter")
		d.wait("42 shares")
		d.gone("loading")
		footer("esc back  ? keys")
	}
}

func TestAFooterThatIsTooNarrowKeepsItsFirstKeyAndTheHelp(t *testing.T) {
	d := open(t, demoVariables(t), 80, 10)
	d.wait("E-mail")
	d.update(tea.WindowSizeMsg{Width: 24, Height: 10})
	if frame := d.frame(); !strings.Contains(frame, "enter next") || !strings.HasSuffix(frame, "f1 keys") {
		t.Errorf("the footer lacks a key\n%s", frame)
	}
}
