package ui

import (
	"io"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

func TestLeavingAsksFirst(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.signIn("ada")
		d.Press("esc").Expect("Leave Gatehouse?")
		d.Press("esc").Expect("4 domains")
		d.Press("esc", "o").Expect("Sign in", "E-mail")
		if d.Quit {
			t.Error("signing out has quit")
		}
		d.Press("esc", "q")
		d.Until("the end", func() bool { return d.Quit })
	})
}

func TestAPanicEndsTheProgramInOrder(t *testing.T) {
	for name, msg := range map[string]tea.Msg{
		"in an update":   tea.KeyPressMsg{Code: 'x', Text: "x"},
		"in a command":   guarded(func() tea.Msg { panic("canary") })(),
		"inside a batch": guarded(tea.Batch(func() tea.Msg { panic("canary") }, func() tea.Msg { return nil }))().(tea.BatchMsg)[0](),
	} {
		t.Run(name, func(t *testing.T) {
			painter := paint.Start(io.Discard, paint.Options{})
			defer painter.Close(t.Context())
			g := guard{newRoot(t.Context(), &Options{})}
			g.root.painter = painter
			if name == "in an update" {
				g.root.stack.Push(&panicking{})
			}
			_, cmd := g.Update(msg)
			if cmd == nil || g.root.crash == nil {
				t.Fatal("the program goes on")
			}
			if _, ok := cmd().(tea.QuitMsg); !ok {
				t.Errorf("ended with %v", cmd())
			}
		})
	}
}

// panicking is an overlay with a mistake in it.
type panicking struct{ screen.Question }

func (*panicking) Update(tea.Msg) tea.Cmd { panic("canary") }

func (*panicking) Actions() []screen.Action { panic("canary") }

func TestEscapeTwiceInAHurryGoesBackTwice(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.goInto("ada")
		d.Press("enter", "alt+esc").Expect("4 domains")
	})
}
