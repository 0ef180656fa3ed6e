package ui

import (
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
)

// spins are the scenes that never rest: something is waited for.
var spins = map[string]bool{"device login under way": true, "shares loading": true, "signing in": true}

// TestWhoComesBackToASleepingScreenFindsItAsItWas has every screen drop what it has drawn,
// and draw it again.
func TestWhoComesBackToASleepingScreenFindsItAsItWas(t *testing.T) {
	for _, in := range someScenes(2) {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				for _, way := range in.ways {
					d := in.play(t, s, way)
					d.Resize(130, 40) // with panes
					r := d.model.root
					d.Pass(4 * sleepDelay)
					if spins[in.name] {
						continue
					}
					if !r.asleep || r.actions != nil || r.frame.above != nil {
						t.Fatal("it is still awake")
					}
					before := d.model.frame.Content
					d.Update(clockMsg{})
					if after := d.model.frame.Content; after != before || !r.asleep {
						t.Errorf("the clock wakes it: %v, and it was\n%s\nand is\n%s", !r.asleep, before, after)
					}
					d.Resize(r.width, r.height)
					if after := d.model.frame.Content; after != before || r.asleep {
						t.Errorf("asleep: %v, and it was\n%s\nand is\n%s", r.asleep, before, after)
					}
				}
			})
		})
	}
}

func TestWhoPressesKeysNowAndThenKeepsTheScreenAwake(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 40)
		d.signIn("ada")
		d.Press("enter").Expect("row 1 of")
		for range 5 {
			d.Pass(sleepDelay - time.Second)
			d.Press("down")
			if d.model.root.asleep {
				t.Fatal("it sleeps")
			}
		}
		d.Pass(sleepDelay + time.Second)
		if !d.model.root.asleep {
			t.Error("it does not sleep")
		}
		d.Press("down").Expect("row 7 of") // the actions are there again
	})
}
