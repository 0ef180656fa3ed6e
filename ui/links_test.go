package ui

import (
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

// follow follows the first value of the open record that leads somewhere by the words.
func (d *driver) follow(words string) {
	d.t.Helper()
	for range 40 {
		if strings.Contains(d.Frame(), words) {
			d.Press("enter")
			return
		}
		d.Press("down")
	}
	d.t.Fatalf("no value of the record leads on by %q:\n%s", words, d.Frame())
}

func TestEscLeadsBackToTheRecordWhoseLinkWasFollowed(t *testing.T) {
	const company, person, reseller = "enter company", "enter filter", "enter companies"
	tests := map[string]struct{ tab, link, reached string }{
		"company of a share":    {"1", company, "1 of 25 companies"},
		"owner of a share":      {"1", person, "/ Owner="},
		"reseller of a company": {"2", reseller, "25 companies"},
	}
	for name, test := range tests {
		t.Run(name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := open(t, s, 140, 50)
			d.goInto("ada")
			d.Press(test.tab).Expect("row 1 of").Press("down", "down", "enter").Expect("3 of")
			before := recordOf(d)
			d.follow(test.link)
			d.Expect(test.reached, "row ")
			d.Press("esc").Expect("3 of")
			if after := recordOf(d); after != before {
				t.Errorf("esc leads to\n%s\nwant\n%s", after, before)
			}
			d.Press("esc").Expect("row 3 of")
			if strings.Contains(d.Frame(), "clear filter") {
				t.Errorf("the list is still filtered:\n%s", d.Frame())
			}
		}))
	}
}

// recordOf is the line with the title and the place of the open record.
func recordOf(d *driver) string {
	for line := range strings.Lines(d.Frame()) {
		if strings.Contains(line, "3 of ") {
			return line
		}
	}
	return ""
}

func TestAFollowedLinkStaysOpenInItsTab(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 140, 50)
		d.goInto("ada")
		d.Press("enter").Expect("1 of 42")
		d.follow("enter company")
		d.Expect("1 of 25 companies").Press("2").Expect("25 companies of reseller", "row 1 of 25").Gone("Id=")
		d.Press("1").Expect("1 of 25 companies").Press("esc").Expect("1 of 42")
	})
}
