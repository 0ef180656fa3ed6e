package ui

import (
	"strings"
	"testing"
)

func TestDeviceLoginExplainsEachCode(t *testing.T) {
	for name, want := range map[string][]string{
		"ada":  {"U100", "does not explain"},
		"dora": {"U107", "not validated"},
		"eli":  {"U103", "no primary domain"},
		"finn": {"U105", "differs"},
		"wes":  {"WIPE"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, demoVariables(t), 100, 30)
			d.signIn(name)
			d.press("enter")
			d.deviceLogin()
			d.wait(want...)
		})
	}
}

func TestResultsAreKeptFromDomainToDomainAndTokensAreNot(t *testing.T) {
	d := open(t, demoVariables(t), 120, 60)
	d.signIn("ada")
	d.press("enter")
	d.deviceLogin()
	d.wait("U100", "UserDomainToken: •••")
	d.press("v")
	d.gone("UserDomainToken: •••")
	d.press("4", "3")
	d.wait("UserDomainToken: •••")
	d.press("esc", "esc", "esc")
	d.wait("4 domains")
	d.press("down", "enter", "3")
	d.wait("Device name")
	d.press("ctrl+r")
	d.wait("1 result of this run", "Answered with U100")
}

func TestResultsOfAnotherPersonAreNotKept(t *testing.T) {
	d := open(t, demoVariables(t), 120, 60)
	d.signIn("ada")
	d.press("enter")
	d.deviceLogin()
	d.wait("U100")
	d.press("4", "S")
	d.wait("Password")
	d.press("shift+tab", "ctrl+u")
	d.write("ben@harbor.example")
	d.press("tab")
	d.submit()
	d.wait("2 domains")
	d.press("enter", "3", "ctrl+r")
	d.wait("Not now: there is no result yet")
}

func TestAResellerFoundByADeviceLoginOpensTheCompanies(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_RESELLER_ID")
	d := open(t, v, 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("Reseller id")
	d.press("esc")
	d.deviceLogin()
	d.wait("U100")
	d.press("2")
	d.wait("companies", "row 1 of")
}

func TestWhatIsFoldedAwayIsNotSent(t *testing.T) {
	d := open(t, demoVariables(t), 100, 40)
	d.signIn("ada")
	d.press("enter", "3")
	d.wait("Device name")
	d.press("ctrl+o", "tab", "tab", "tab", "tab")
	d.write("a-foreign-domain-id")
	d.wait("a-foreign-domain-id")
	d.press("ctrl+o", "tab", "tab", "tab", "tab")
	d.submit()
	d.wait("U100")
}

func TestAnotherResellersCompaniesAreNotShownAsTheFirstOnes(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("25 companies of reseller 7d3c1b52")
	d.press("i", "shift+tab", "ctrl+u")
	d.write("another")
	d.press("enter", "enter")
	d.wait("Could not get the companies of reseller another")
	if frame := d.frame(); strings.Contains(frame, "Harbor Office") {
		t.Errorf("the companies of the first reseller are still shown:\n%s", frame)
	}
}

func TestResellersWhoseIdsBeginAlikeAreToldApart(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("25 companies")
	d.press("i", "shift+tab")
	d.write("x")
	d.press("enter", "enter")
	d.wait("Could not get the companies")
	if frame := d.frame(); strings.Contains(frame, "Harbor Office") || strings.Contains(frame, "Shown as of") {
		t.Errorf("the companies of the first reseller are still shown:\n%s", frame)
	}
}

func TestWhatIsRevealedIsMaskedWhenItsScreenIsLeft(t *testing.T) {
	d := open(t, demoVariables(t), 120, 60)
	d.goInto("ada")
	d.deviceLogin()
	d.wait("U100")
	leave := map[string]func(){
		"another tab": func() { d.press("1") },
		"the domains": func() { d.press("ctrl+p"); d.write("domains"); d.press("enter") },
		"the sign-in": func() { d.press("4", "S"); d.wait("Password"); d.press("esc") },
		"the palette": func() { d.press("ctrl+p"); d.write("companies"); d.press("enter") },
	}
	for name, away := range leave {
		for _, shown := range []struct{ tab, masked, back string }{{"3", "UserDomainToken: •••", "U100"}, {"4", "•••  ", "not verified"}} {
			d.press(shown.tab)
			d.wait(shown.masked)
			d.press("v")
			d.gone(shown.masked)
			away()
			for d.model.root.place() == nil {
				d.press("enter")
			}
			d.press(shown.tab)
			d.wait(shown.back)
			if !strings.Contains(d.frame(), shown.masked) {
				t.Fatalf("tab %s, left for %s, still shows what was revealed:\n%s", shown.tab, name, d.frame())
			}
		}
	}
}
