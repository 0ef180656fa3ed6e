package screentest

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Root is a [screen.Root] that carries nothing out and remembers what it was asked
// for: a value of one of the types below, the last one last.
type Root struct{ Told []any }

// The requests, as the methods of [screen.Root] take them.
type (
	EnterDomain struct{ Domain string }
	SignedIn    struct{}
	SignInAgain struct {
		From   screen.Screen
		Reason string
		Then   func() tea.Cmd
	}
	Copy struct{ Text, What string }
	Say  struct {
		Text string
		Bad  bool
	}
	Visited struct {
		Title string
		Open  func() tea.Cmd
	}
	FoundReseller struct{ ID string }
	Push          struct{ Over, Pushed screen.Screen }
	Pop           struct{ Popped screen.Screen }
)

func (r *Root) asked(request any) tea.Cmd {
	r.Told = append(r.Told, request)
	return nil
}

// EnterDomain implements [screen.Root].
func (r *Root) EnterDomain(domain string) tea.Cmd { return r.asked(EnterDomain{domain}) }

// SignedIn implements [screen.Root].
func (r *Root) SignedIn() tea.Cmd { return r.asked(SignedIn{}) }

// SignInAgain implements [screen.Root].
func (r *Root) SignInAgain(from screen.Screen, reason string, then func() tea.Cmd) tea.Cmd {
	return r.asked(SignInAgain{from, reason, then})
}

// Copy implements [screen.Root].
func (r *Root) Copy(text, what string) tea.Cmd { return r.asked(Copy{text, what}) }

// Say implements [screen.Root].
func (r *Root) Say(text string, bad bool) tea.Cmd { return r.asked(Say{text, bad}) }

// Visited implements [screen.Root].
func (r *Root) Visited(title string, open func() tea.Cmd) tea.Cmd {
	return r.asked(Visited{title, open})
}

// FoundReseller implements [screen.Root].
func (r *Root) FoundReseller(id string) tea.Cmd { return r.asked(FoundReseller{id}) }

// Push implements [screen.Root].
func (r *Root) Push(over, pushed screen.Screen) tea.Cmd { return r.asked(Push{over, pushed}) }

// Pop implements [screen.Root].
func (r *Root) Pop(popped screen.Screen) tea.Cmd { return r.asked(Pop{popped}) }
