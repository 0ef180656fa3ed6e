package ui

import (
	"strings"
	"testing"
	"unicode"

	"gatehouse/internal/testkit/uitest"
)

// isSign reports whether a character is neither ASCII nor part of a name.
func isSign(r rune) bool {
	return r > unicode.MaxASCII && (unicode.IsSymbol(r) || unicode.IsPunct(r)) && r < '🀀'
}

func TestATerminalWithoutUnicodeIsGivenASCIISigns(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 40)
		d.model.root.styling.ASCII = true
		d.model.root.restyle()
		d.model.root.settle()
		check := func(screen string) {
			t.Helper()
			if frame := d.Frame(); strings.ContainsFunc(frame, isSign) {
				t.Errorf("%s has signs that are not ASCII:\n%s", screen, frame)
			}
		}
		d.signIn("ada")
		check("the list of domains")
		d.Press("?").Expect("Keys on Domains", "down/j")
		check("the help")
		d.Press("esc", "enter", "2").Expect("25 companies")
		d.Press("/").Type("office aps").Press("enter").Expect("of 25").Press("e").Expect("Export 1 company") // no name with a sign is left
		check("the export")
		d.Press("esc", "4").Expect("Session ends")
		check("the token")
		d.Press("3").Expect("Device name")
		check("the device login")
		d.Press("5").Expect("GET")
		check("the activity")
	})
}
