package ui

import (
	"fmt"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

// tourOf opens the demo with its tour.
func tourOf(t *testing.T, s *uitest.Service, width, height int) *driver {
	d := open(t, s, width, height)
	d.Expect("E-mail")
	d.beginTour()
	return d
}

// beginTour has the palette begin the tour.
func (d *driver) beginTour() {
	d.t.Helper()
	d.Press("ctrl+p").Type("tour").Press("enter").Expect("Tour ")
}

func TestTheTourLeadsThroughTheProgram(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := tourOf(t, s, size.width, size.height)
			for i, step := range []func(){
				func() { d.Press("down", "down", "down").Type("demo").Press("enter") },
				func() { d.Expect("harbor.example").Press("enter") },
				func() { d.Expect("row 1 of").Press("/").Type("board").Press("enter") },
				func() { d.Press("right", "s") },
				func() { d.Press("enter") },
				func() { d.Press("esc", "b") },
				func() { d.Press("esc", "5") },
				func() { d.Press("ctrl+p") },
			} {
				d.Expect(fmt.Sprintf("Tour %d of 8", i+1))
				d.Golden(fmt.Sprintf("ui/tour-%d-%dx%d", i+1, size.width, size.height))
				step()
			}
			d.Expect("That was the tour.")
			if d.model.root.tour != nil {
				t.Error("the tour goes on")
			}
		}))
	}
}

func TestAStepOfTheTourIsDoneByWhatTheProgramDid(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := tourOf(t, s, 100, 30)
		d.Type("ada").Press("tab", "d", "e", "m", "o", "enter").Expect("Tour 2 of 8")
		d.Press("down", "r", "y").Expect("Tour 2 of 8")
		d.Click("minato.example").Settle()
		d.Click("minato.example").Expect("Tour 3 of 8", "minato.example ›")
		d.Press("/").Type("a").Expect("Tour 3 of 8")
		d.Press("esc").Expect("Tour 3 of 8")
		d.Press("/").Type("a").Press("down").Expect("Tour 4 of 8")
	})
}

func TestEscEndsTheTourWhereItHasNoOtherMeaning(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := tourOf(t, s, 100, 30)
		d.Press("esc").Expect("Tour 1 of 8") // the form is let go of
		d.Press("esc").Gone("Tour 1 of 8")
		d.Expect("Sign in")
		d.beginTour()
		d.Press("enter")
		d.signIn("ada")
		d.Press("enter").Expect("row 1 of")
		d.Press("/").Type("board").Press("enter").Expect("Tour 4 of 8")
		d.Press("esc").Expect("42 shares", "Tour 4 of 8") // of the filter
		d.Press("esc").Gone("Tour").Expect("42 shares")
		d.Press("esc").Expect("4 domains")
	})
}
