package ui

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

func TestAnAddressIsCheckedWithoutSigningIn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.Expect("ctrl+k check an address without signing in").Type("finn").Press("ctrl+k")
		d.Expect("Gatehouse › Check › finn@harbor.example", "No fault seen from outside")
		d.Press("esc").Expect("Sign in", "finn").Press("ctrl+u", "ctrl+k").Expect("Who cannot get in?")
		d.Press("esc").Expect("Sign in")
	})
}

func TestACheckLeadsBackToWhereItCameFrom(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.signIn("ada")
		d.Press("i").Expect("Gatehouse › Check ", "Who cannot get in?").Press("esc").Expect("4 domains")
		d.Press("enter").Expect("row 1 of")
		d.Press("ctrl+k").Expect("Who cannot get in?").Press("esc").Expect("row 1 of")
		d.Press("ctrl+p").Type("check an").Expect("find out why someone can't get in").Press("enter").Expect("Who cannot get in?")
		d.Type("ada").Press("enter").Expect("checks in", "Gatehouse › Check › ada@harbor.example")
	})
}

func TestThePaletteOpensReportsOfThisRun(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.Type("nobody@harbor.example").Press("ctrl+k").Expect("No primary domain found").Press("esc").Expect("Sign in")
		d.Press("ctrl+p").Type("nobody").Expect("Reports", "No primary domain found").Press("enter")
		d.Expect("Gatehouse › Check › nobody@harbor.example").Press("esc").Expect("Sign in")
		d.Press("ctrl+u")
		d.signIn("ada")
		d.Press("i").Type("eli").Press("enter").Expect("eli@harbor.example ·", "checks in")
		d.Press("ctrl+p").Type("nobody").Press("enter").Expect("nobody@harbor.example ·")
		d.Press("esc").Expect("eli@harbor.example ·") // what was shown is there again
	})
}

func TestThePaletteOpensAListOfThisRun(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.signIn("ada")
		d.Press("i").Type("ada@harbor.example, nobody@harbor.example").Press("enter").Expect("1 fail").Gone("checking")
		d.Press("esc", "esc").Expect("4 domains")
		d.Press("ctrl+p").Type("2 addresses").Expect("Reports", "1 ok, 1 fail").Press("enter")
		d.Expect("Summary", "Gatehouse › Check › 2 addresses").Press("enter").Expect("nobody@harbor.example ·")
		d.Press("esc").Expect("row 1 of 2").Press("esc").Expect("4 domains")
	})
}

func TestAFormOfACheckIsThereAgainUntilItIsSent(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.signIn("ada")
		d.Press("i").Type("eli@harbor").Press("esc").Expect("4 domains")
		d.Press("enter").Expect("row 1 of").Press("ctrl+k").Expect("eli@harbor ").Type(".example")
		d.Press("enter").Expect("checks in").Press("esc").Expect("Who cannot get in?").Gone("E-mail eli")
	})
}

func TestTheAddressInARecordIsChecked(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.goInto("ada")
		d.Press("enter")
		record := d.Frame()
		for range 40 {
			if slices.ContainsFunc(d.live(), func(a screen.Action) bool { return strings.Contains(a.Description, "can't this person") }) {
				break
			}
			d.Press("down")
		}
		d.Press("ctrl+k").Expect("› Check ›", "@harbor.example", "checks in")
		d.Press("esc").Expect(strings.Split(record, "\n")[0])
	})
}

func TestAWrongPasswordLeadsToACheckWithASignIn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 34)
		d.Type("finn").Press("tab").Type("wrong").Press("enter").Expect("Wrong e-mail").Press("ctrl+k")
		d.Expect("With a sign-in as finn@harbor.example: type the password.", "without signing in").Type("wrong").Press("enter").Expect("✗ Sign-in rejected")
		d.Press("esc", "esc").Expect("Sign in")
	})
}
