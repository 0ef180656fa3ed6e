package ui

import (
	"io"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

func TestLeavingAsksFirst(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	d.press("esc")
	d.wait("Leave Gatehouse?")
	d.press("esc")
	d.wait("4 domains")
	d.press("esc", "o")
	d.wait("Sign in", "E-mail")
	if d.quit {
		t.Error("signing out has quit")
	}
	d.press("esc", "esc", "q")
	d.until("the end", func() bool { return d.quit })
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
			g := newGuard(newRoot(t.Context(), Options{}, painter))
			if name == "in an update" {
				g.root.cover(panicking{})
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
type panicking struct{ leave }

func (panicking) actions(*root) []screen.Action { panic("canary") }

func TestEscapeTwiceInAHurryGoesBackTwice(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.goInto("ada")
	d.press("enter", "alt+esc")
	d.wait("4 domains")
}
