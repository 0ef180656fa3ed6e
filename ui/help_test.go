package ui

import (
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestTheHelpStandsInSectionsAndFindsWhatIsTyped(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 40)
		d.goInto("ada")
		d.Press("?").Expect("Keys on Shares", "Lists of records ─", "Filter syntax ─")
		frame := d.Frame()
		if first, list := strings.Index(frame, "Lists of records ─"), strings.Index(frame, "Marks in a list ─"); list < 0 || first > list {
			t.Errorf("the section of the screen is not the first:\n%s", frame)
		}
		d.Type("no such field").Expect("Symbols ─", "· the record has no such field").Press("esc")
		d.Press("?").Expect("Keys on Shares")
		d.Type("export").Expect("save the listed rows").Gone("Every list ─")
		d.Type("zzz").Expect("Nothing matches")
		d.Press("esc").Gone("Keys on")
		d.Press("?").Expect("Keys on").Press("?").Gone("Keys on")
		d.Press("?").Expect("Keys on").Press("q").Gone("Keys on").Expect("42 shares")
		d.Press("?").Expect("Keys on")
		d.Type("count the values").Expect("▌b").Press("enter").Gone("Keys on").Expect("Value ▲")
		d.Press("esc").Expect("42 shares").Press("?").Expect("Keys on")
		d.Type("compare the two").Expect("(unavailable: no share is marked").Press("enter").Expect("Not now: no share is marked").Press("esc")
		d.Press("?").Expect("Keys on")
		d.Type("no such field").Press("enter").Expect("Not now: this line is no key")
	})
}
