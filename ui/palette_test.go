package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// neverOpens is a profile that stays closed.
func neverOpens(context.Context) (Opened, error) { return Opened{}, errors.New("not here") }

func TestThePaletteOffersTheRecordsOpenedLast(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, uitest.Library(30), 100, 30)
		d.Press("down", "enter").Expect("Shares › Share 2").Press("esc", "/").Type("name:9").Press("enter", "4").Expect("not verified")
		d.Press("ctrl+p").Expect("Recent").Type("share 2").Press("enter").Expect("Shares › Share 2").Gone("1 of 3")
		d.Press("esc", "r").Expect("30 shares").Press("ctrl+p").Type("share 2").Expect("Nothing matches")
	})
}

func TestThePaletteStaysWhereItIs(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 31)
		d.signIn("ada")
		head := func() int {
			t.Helper()
			for y, line := range strings.Split(d.Frame(), "\n") {
				if strings.Contains(line, " of ") && strings.Contains(line, "│ › ") || strings.Contains(line, "do, or where to go") {
					return y
				}
			}
			t.Fatalf("there is no palette:\n%s", d.Frame())
			return 0
		}
		d.Press("ctrl+p").Expect("where to go")
		at := head()
		d.Type("theme").Expect("High contrast").Gone("Go to")
		if now := head(); now != at {
			t.Errorf("with less to show it moves from line %d to %d", at, now)
		}
		d.Press(d.model.root.env.Keys.Key(screen.RootMouse)).Expect("ignores the mouse")
		if now := head(); now != at {
			t.Errorf("with a message it moves from line %d to %d", at, now)
		}
	})
}

func TestThePaletteCutsNoDescription(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 40)
		d.Expect("E-mail")
		entries := d.model.root.entries()
		d.Press("ctrl+p").Expect("where to go").Gone("?/f1").Gone("ctrl+k/i") // which are text here
		for _, i := range entries {
			d.Type(i.Title).Expect(i.Title, i.Note).Press("ctrl+u")
		}
		d.Type("zzz").Press("ctrl+p").Expect("Nothing matches")
	})
}

func TestThePaletteKnowsTheAccountAndTheThemes(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.signIn("ada")
		d.Press("ctrl+p").Type("high").Expect("High contrast").Press("enter").Expect("until you quit")
		if d.model.root.styling.Choice == (styles.Choice{}) {
			t.Error("the theme is the old one")
		}
		d.Press("ctrl+p").Type("lookup").Expect("Check an address").Press("ctrl+u").Type("look up").Expect("Check an address").Press("ctrl+u")
		d.Type("urls").Press("enter").Expect("URLs of")
		d.Press("esc", "ctrl+p").Expect("Recent").Press("esc")
		d.Press("ctrl+p").Type("sign out").Press("enter").Expect("E-mail")
	})
}
