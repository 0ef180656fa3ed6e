package ui

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/ui/paint"
)

// spins are the scenes that never rest: something is waited for.
var spins = map[string]bool{"device login under way": true, "shares loading": true, "signing in": true}

// requireSleep has the screen drop what it has drawn, and draw it again.
func (d *driver) requireSleep(scene string) {
	d.t.Helper()
	d.Resize(130, 40) // with panes
	r := d.model.root
	d.Pass(4 * sleepDelay)
	if spins[scene] {
		return
	}
	if !r.env.Asleep || r.actions != nil || r.chrome.above != nil {
		d.t.Fatal("it is still awake")
	}
	before, redraw := d.Frame(), r.canvas.Redraw
	d.Update(clockMsg{})
	if after := d.Frame(); after != before || !r.env.Asleep {
		d.t.Errorf("the clock wakes it: %v, and it was\n%s\nand is\n%s", !r.env.Asleep, before, after)
	}
	d.Resize(r.width, r.height)
	if after := d.Frame(); after != before || r.env.Asleep || r.canvas.Redraw != redraw+1 {
		d.t.Errorf("asleep: %v, redrawn %d times, and it was\n%s\nand is\n%s", r.env.Asleep, r.canvas.Redraw-redraw, before, after)
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
			if d.model.root.env.Asleep {
				t.Fatal("it sleeps")
			}
		}
		d.Pass(sleepDelay + time.Second)
		d.model.root.painter = paint.Start(io.Discard, paint.Options{}) // as if a write had failed
		d.Update(clockMsg{})
		if !d.model.root.env.Asleep || !strings.Contains(d.model.root.frame.Content, "row 6 of") {
			t.Errorf("it does not sleep, or draws\n%s", d.model.root.frame.Content)
		}
		d.Press("down").Expect("row 7 of") // the actions are there again
	})
}

// lifeShown is the life of the token behind its bar: in the header, in the pane of the session
// and on the page of the token.
var lifeShown = regexp.MustCompile(`━ (\d+m(?: \d+s)?)`)

// TestWhoOnlyLooksSeesNoSecondsUntilTheLastMinutes is about a token of an hour.
func TestWhoOnlyLooksSeesNoSecondsUntilTheLastMinutes(t *testing.T) {
	for name, keys := range map[string][]string{"a list": nil, "the list of domains": {"esc"}, "the token": {"4"}} {
		t.Run(name, func(t *testing.T) {
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				k := uitest.NewKeeper(t)
				d := connect(t, s, k, 120, 40)
				d.signInKeeping("ada")
				d.Press("enter").Expect("row 1 of 42")
				d.hangUp()
				k.Change(profile(t, s), func(r *session.Record) {
					r.Refresh, r.ExpiresAt = secret.New(""), uitest.Noon.Add(42*time.Minute+30*time.Second)
					r.RequestedAt = r.ExpiresAt.Add(-time.Hour)
				})
				d = connect(t, s, k, 120, 40)
				d.Expect("row 1 of 42").Press(keys...)
				shows := func(want string) {
					t.Helper()
					found := lifeShown.FindAllStringSubmatch(d.Frame(), -1)
					if len(found) == 0 {
						t.Errorf("it shows no time:\n%s", d.Frame())
					}
					for _, shown := range found {
						if shown[1] != want {
							t.Errorf("it shows %q, want %q:\n%s", shown[1], want, d.Frame())
						}
					}
				}
				shows("42m 30s")
				d.Pass(2 * sleepDelay) // the place is saved meanwhile
				shows("42m")
				d.Pass(10 * time.Minute)
				shows("32m")
				d.Press("?").Expect("Keys").Press("esc")
				shows("32m 14s")
				d.Pass(time.Second)
				shows("32m 13s")
				d.Pass(27*time.Minute + 8*time.Second)
				shows("5m")
				d.Pass(10 * time.Second)
				shows("4m 55s")
			})
		})
	}
}
