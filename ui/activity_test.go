package ui

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
)

func TestTheActivityListsWhatBecameOfTheSessionButNoHints(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 160, 30)
		d.goInto("ada")
		d.Press("3", "ctrl+l").Expect("Not now: there is no result yet")
		d.Press("4", "R").Expect("The access token was renewed.")
		d.Press("5").Expect("/token")
		for range 2 { // the message below the list, and the note in it
			d.Expect("The access token was renewed.")
			d.model.root.toast.text = ""
			d.Press("down")
		}
		d.Gone("Not now")
	})
}

func TestWhyAKeyDidNothingIsGoneWithTheNextKeyThatDoesSomething(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 160, 30)
		d.goInto("ada")
		d.Press("3", "ctrl+l").Expect("Not now: there is no result yet")
		if frame := d.Press("4").Settle().Frame(); !strings.Contains(frame, "Session ends") || strings.Contains(frame, "Not now") {
			t.Errorf("after another key there is\n%s", frame)
		}
	})
}

func TestWhyAKeyDidNothingIsGoneWithTheNextActionOnTheSameScreen(t *testing.T) {
	for key, why := range map[string]string{"b": "b does nothing here", "v": "Not now: no domain is marked"} {
		uitest.Run(t, func(t *testing.T, s *uitest.Service) {
			d := open(t, s, 160, 30)
			d.signIn("ada")
			d.Press(key).Expect(why)
			if d.Press("down").Settle(); d.Shows(why) { // without time passing, which would remove it as well
				t.Errorf("after %s and another key there is\n%s", key, d.Frame())
			}
		})
	}
}

func TestWhatOnePersonAskedForIsNotShownToTheNext(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		var calls atomic.Int64
		moving := func() time.Time { return uitest.Noon.Add(time.Duration(calls.Add(1)) * time.Millisecond) }
		d := openAt(t, s, 120, 30, moving)
		d.goInto("ada")
		d.Press("5").Expect("/gateway/")
		d.Press("esc", "esc", "o")
		d.signIn("ben")
		d.Press("enter").Expect("row 1 of")
		d.Press("5").Expect("/token")
		if frame := d.Frame(); strings.Contains(frame, "ada@") || strings.Contains(frame, "failed") || strings.Contains(frame, "row 1 of 2") || strings.Contains(frame, "lookup") {
			t.Errorf("the list still has what another person did:\n%s", frame)
		}
		d.Press("enter").Expect("Times ─", "First byte")
	})
}
