package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatehouse/ui/uitest"
)

// neverOpens is a profile that stays closed.
func neverOpens(context.Context) (Opened, error) { return Opened{}, errors.New("not here") }

func TestThePaletteReachesActionsScreensAndDomains(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.signIn("ada")
		for typed, want := range map[string]string{
			"devlog":      "Device name",
			"token":       "not verified",
			"domains":     "4 domains",
			"sign out":    "4 domains", // no action of this screen
			"keyswrkhere": "Keys on",
		} {
			d.Press("ctrl+p")
			d.Expect("go to:")
			d.Type(typed)
			d.Press("enter")
			if typed == "sign out" {
				d.Press("esc")
			}
			d.Expect(want)
			if typed == "keyswrkhere" {
				d.Press("esc")
			}
			d.Gone("go to:")
			d.Press("esc")
			for !strings.Contains(d.Frame(), "4 domains") {
				d.Press("esc")
			}
			if strings.Contains(d.Frame(), "Leave Gatehouse?") {
				d.Press("esc")
			}
		}
	})
}

func TestThePaletteListsTheRecordsOpenedLastFirst(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("enter")
		opened := d.model.root.recent.visits[0].title
		d.Expect(opened)
		d.Press("esc", "down", "enter", "esc", "4")
		d.Expect("not verified")
		d.Press("ctrl+p")
		d.Expect("record", opened)
		d.Press("down", "enter")
		d.Expect("Shares › "+opened, "esc back")
		if visits := d.model.root.recent.visits; len(visits) != 2 {
			t.Errorf("%d records are remembered", len(visits))
		}
	})
}

func TestThePaletteOpensWhileAFieldHasTheFocus(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.Expect("E-mail")
		d.Type("ada")
		d.Press("ctrl+p")
		d.Type("quit")
		d.Expect("go to: quit")
		d.Press("esc")
		d.Expect("ada")
		d.Press("ctrl+p")
		d.Type("quit")
		d.Press("enter")
		d.Until("the end", func() bool { return d.Quit })
	})
}

func TestWhatAPersonOpenedIsForgottenWithTheirSession(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("enter", "esc", "esc", "esc", "o")
		d.Expect("E-mail")
		if n := len(d.model.root.recent.visits); n != 0 {
			t.Errorf("%d records are remembered", n)
		}
	})
}
