package ui

import (
	"strings"
	"testing"

	"gatehouse/ui/uitest"
)

func TestTheWayBackAndTheHelpStandAtTheEndOfEveryFooter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for _, width := range []int{40, 80, 120} {
			d := open(t, s, 80, 10)
			resize := func(width int) { d.Resize(width, 10) }
			footer := func(want string) {
				t.Helper()
				d.Settle()
				lines := strings.Split(d.Frame(), "\n")
				if last := lines[len(lines)-1]; !strings.HasSuffix(last, want) || strings.HasPrefix(last, " ") {
					t.Errorf("%d cells: the footer is %q, want %q at its end", width, last, want)
				}
			}
			d.Expect("E-mail")
			resize(width)
			footer("esc leave form  f1 keys")
			resize(80)
			d.signIn("ada")
			resize(width)
			footer("esc leave  ? keys")
			d.Press("enter")
			d.Expect("42 shares")
			d.Gone("loading")
			footer("esc back  ? keys")
		}
	})
}

func TestAFooterThatIsTooNarrowKeepsItsFirstKeyAndTheHelp(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 10)
		d.Expect("E-mail")
		d.Resize(24, 10)
		if frame := d.Frame(); !strings.Contains(frame, "enter next") || !strings.HasSuffix(frame, "f1 keys") {
			t.Errorf("the footer lacks a key\n%s", frame)
		}
	})
}
