package ui

import (
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestResultsAreKeptFromDomainToDomainAndTokensAreNot(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 60)
		d.signIn("ada")
		d.Press("enter")
		d.deviceLogin()
		d.Expect("U100", "Domain token •••")
		d.Press("*").Gone("Domain token •••")
		d.Press("4", "3").Expect("Domain token •••")
		d.Press("esc", "esc").Expect("4 domains")
		d.Press("down", "enter", "3").Expect("Device name")
		d.Press("ctrl+l").Expect("1 result", "Looks fine; the code is")
		d.Press("esc", "1").Expect("row 1 of")
		d.Press("ctrl+p").Type("device logins").Expect("ada@harbor.example")
		d.Press("ctrl+u").Type("looks fine").Expect("Device logins", "ada@harbor.example").Press("enter")
		d.Expect("U100", "Domain token •••").Press("esc").Expect("Device name")
		d.Press("esc").Expect("4 domains").Press("ctrl+p").Type("looks fine").Press("enter").Expect("U100")
	})
}

func TestWhatIsRevealedIsMaskedWhenItsScreenIsLeft(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 60)
		d.goInto("ada")
		d.deviceLogin()
		d.Expect("U100")
		leave := map[string]func(){
			"another tab": func() { d.Press("1") },
			"the domains": func() { d.Press("ctrl+p"); d.Type("domains"); d.Press("enter") },
			"the sign-in": func() { d.Press("4", "ctrl+r"); d.Expect("Password"); d.Press("esc") },
			"the palette": func() { d.Press("ctrl+p"); d.Type("companies"); d.Press("enter") },
		}
		for name, away := range leave {
			for _, shown := range []struct{ tab, masked, back string }{{"3", "Domain token •••", "U100"}, {"4", "••• ", "not verified"}} {
				d.Press(shown.tab).Expect(shown.masked)
				d.Press("*").Gone(shown.masked)
				away()
				for d.model.root.domain() == nil {
					d.Press("enter")
				}
				d.Press(shown.tab).Expect(shown.back)
				if !d.Shows(shown.masked) {
					t.Fatalf("tab %s, left for %s, still shows what was revealed:\n%s", shown.tab, name, d.Frame())
				}
			}
		}
	})
}
