package ui

import (
	"testing"

	"gatehouse/ui/uitest"
)

func TestWhatIsWrongLeavesRoomForTheRows(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := library(90)
		gateway := dripping(s, body, upTo(t, body, 60))
		d := open(t, s, 80, 24)
		d.signIn("ada")
		d.Press("enter")
		d.Expect("loading: 60 shares")
		gateway.change(func() { gateway.cut = true })
		d.Expect("cut off after")
		gateway.change(func() { gateway.body, gateway.allowed, gateway.cut = []byte("<html>"), whole, false })
		d.Press("r")
		d.Expect("Shown as of", "cut off after")
		d.Resize(40, 10)
		d.Expect("Shown as of", "cut off after", "…", "›Share 1")
	})
}
