package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit/uitest"
)

func TestTheMouseReachesEveryScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 108, 30)
		d.Expect("E-mail")
		d.Type("ada@harbor.example").Click("Password").Type("demo").Click("enter sign in").Expect("4 domains")
		d.Click("enter open").Expect("42 shares", "row 1 of")
		d.Wheel(tea.MouseWheelDown, 2).Expect("row 7 of 42")
		d.Wheel(tea.MouseWheelUp, 2).Click("Board minutes").Expect("▌ Board minutes")
		d.Click("Board minutes").Expect("Shares › Board minutes", "esc back")
		d.Click("Owner ").Click("t tree").Click("▾ ShareRelations").Expect("▸ ShareRelations")
		d.Wheel(tea.MouseWheelDown, 1).Press("q").Expect("▌ Board minutes")
		d.Click("Changed").Expect("Changed ▲")
		d.Click("Changed ▲").Expect("Changed ▼")
		d.Click("2 Companies").Expect("25 companies")
		d.Click("3 Device login").Expect("Device name")
		d.Click("4 Token").Expect("not verified")
		d.Click("5 Activity").Expect("entries")
		d.Click("? keys").Expect("Keys on Activity")
		d.Click("esc back").Gone("Keys on Activity")
		d.Click("esc back").Expect("4 domains")
		d.Click("esc leave").Expect("Leave Gatehouse?")
		d.Click("esc stay").Expect("4 domains")
		d.Press("esc").Click("q quit")
		d.Until("the end", func() bool { return d.Quit })
	})
}

func TestAClickBesideEverythingDoesNothing(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.goInto("ada")
		before := d.Settle().Frame()
		for y := range 24 {
			d.Update(tea.MouseClickMsg{X: 79, Y: y, Button: tea.MouseRight})
			d.Update(tea.MouseClickMsg{X: 200, Y: 100 + y, Button: tea.MouseLeft})
		}
		if after := d.Frame(); after != before {
			t.Errorf("the frame changed to\n%s", after)
		}
	})
}

func TestWhoHasTheMouseIsChosenAndRemembered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		remembered := files.MemoryState()
		has := func(want bool, o Options) *driver {
			t.Helper()
			o.Open, o.State = neverOpens, remembered
			d := start(t, o, 120, 24)
			d.Settle()
			if taken := d.model.root.frame.Mouse; taken != want {
				t.Errorf("%+v: the program has the mouse: %v", o, taken)
			}
			return d
		}
		has(false, Options{Remote: true})
		d := has(true, Options{})
		d.Press("ctrl+t").Expect("ignores the mouse", "ctrl+t turns it on")
		d = has(false, Options{})
		d.Press("ctrl+t").Expect("Mouse on")
		has(true, Options{Remote: true})
		has(false, Options{NoMouse: true})
	})
}

func TestClicksThatAreNotHeardAreNotOffered(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		const offered = "a click fills one in"
		for name, heard := range map[string]bool{"xterm-256color": true, "linux": false, "vt100": false} {
			d := start(t, Options{Open: neverOpens, Environ: []string{"TERM=" + name}}, 120, 30)
			r := d.model.root
			r.options.Environ = []string{"TERM=" + name}
			r.detect()
			if got := r.view().Mouse; got != heard {
				t.Errorf("%s: the mouse is asked for: %v", name, got)
			}
			d.Press("ctrl+t").Expect(map[bool]string{true: "now ignores the mouse", false: "Not now: this terminal reports no clicks."}[heard])
			if r.view().Mouse {
				t.Errorf("%s: the mouse is asked for after it was turned off", name)
			}
		}
		d := open(t, s, 120, 40)
		d.Expect(offered)
		d.Press("ctrl+t").Expect("now ignores the mouse", "fills one in").Gone(offered)
	})
}
