package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestWhatIsWrongLeavesRoomForTheRows(t *testing.T) {
	v := demoVariables(t)
	body := library(90)
	gateway := dripping(t, v, body, upTo(t, body, 60))
	d := open(t, v, 80, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("loading: 60 shares")
	gateway.change(func() { gateway.cut = true })
	d.wait("cut off after")
	gateway.change(func() { gateway.body, gateway.allowed, gateway.cut = []byte("<html>"), whole, false })
	d.press("r")
	d.wait("Shown as of", "cut off after")
	d.update(tea.WindowSizeMsg{Width: 40, Height: 10})
	d.wait("Shown as of", "cut off after", "…", "›Share 1")
}
