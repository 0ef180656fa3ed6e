package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// neverOpens is a profile that stays closed.
func neverOpens(context.Context) (Opened, error) { return Opened{}, errors.New("not here") }

func TestThePaletteReachesActionsScreensAndDomains(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	for typed, want := range map[string]string{
		"devlog":      "Device name",
		"token":       "not verified",
		"domains":     "4 domains",
		"sign out":    "4 domains", // no action of this screen
		"keyswrkhere": "Keys on",
	} {
		d.press("ctrl+p")
		d.wait("go to:")
		d.write(typed)
		d.press("enter")
		if typed == "sign out" {
			d.press("esc")
		}
		d.wait(want)
		if typed == "keyswrkhere" {
			d.press("esc")
		}
		d.gone("go to:")
		d.press("esc")
		for !strings.Contains(d.frame(), "4 domains") {
			d.press("esc")
		}
		if strings.Contains(d.frame(), "Leave Gatehouse?") {
			d.press("esc")
		}
	}
}

func TestThePaletteListsTheRecordsOpenedLastFirst(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("enter")
	opened := d.model.root.recent.visits[0].title
	d.wait(opened)
	d.press("esc", "down", "enter", "esc", "4")
	d.wait("not verified")
	d.press("ctrl+p")
	d.wait("record", opened)
	d.press("down", "enter")
	d.wait("Shares › "+opened, "esc back")
	if visits := d.model.root.recent.visits; len(visits) != 2 {
		t.Errorf("%d records are remembered", len(visits))
	}
}

func TestThePaletteOpensWhileAFieldHasTheFocus(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.wait("E-mail")
	d.write("ada")
	d.press("ctrl+p")
	d.write("quit")
	d.wait("go to: quit")
	d.press("esc")
	d.wait("ada")
	d.press("ctrl+p")
	d.write("quit")
	d.press("enter")
	d.until("the end", func() bool { return d.quit })
}

func TestWhatAPersonOpenedIsForgottenWithTheirSession(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("enter", "esc", "esc", "esc", "o")
	d.wait("E-mail")
	if n := len(d.model.root.recent.visits); n != 0 {
		t.Errorf("%d records are remembered", n)
	}
}
