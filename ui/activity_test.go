package ui

import (
	"strings"
	"testing"
)

func TestWhatOnePersonAskedForIsNotShownToTheNext(t *testing.T) {
	d := open(t, demoVariables(t), 120, 30)
	d.goInto("ada")
	d.press("5")
	d.wait("/…/shares", "client secret, password")
	d.press("esc", "esc", "o")
	d.signIn("ben")
	d.press("enter")
	d.wait("row 1 of")
	d.press("5")
	d.wait("client secret, password")
	if frame := d.frame(); strings.Contains(frame, "ada@") || strings.Count(frame, "/…/shares") != 1 {
		t.Errorf("the list still has what another person did:\n%s", frame)
	}
	d.press("enter")
	d.wait("Timing", "first byte after")
}
