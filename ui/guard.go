package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
)

// errCrash is what is told of a panic: its text could hold anything, secrets
// included.
var errCrash = &problem.Error{Problem: problem.Problem{
	Sentence: "The UI stopped because of a mistake in the program.",
	Hint:     "Start it again. If it happens again, tell whoever maintains Gatehouse what you did before.",
}}

// guard is the program's model. It draws the frame as part of each update, so
// that a panic anywhere in the UI ends the program in order, and so that asking
// for the view costs nothing.
type guard struct {
	root  *root
	frame *tea.View
}

// Init implements [tea.Model].
func (g guard) Init() tea.Cmd { return g.root.start() }

// Update implements [tea.Model].
func (g guard) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if recover() != nil {
			g.root.crash = errCrash
			cmd = tea.Quit
		}
	}()
	if panicked, ok := msg.(panicMsg); ok {
		panic(panicked)
	}
	cmd = guarded(g.root.update(msg))
	*g.frame = g.root.view()
	return g, cmd
}

// View implements [tea.Model].
func (g guard) View() tea.View { return *g.frame }

// panicMsg tells of a panic in a command, which runs on a goroutine of its own.
type panicMsg struct{}

// guarded makes a command's panic a message. The commands of a batch are
// guarded one by one.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if recover() != nil {
				msg = panicMsg{}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = guarded(c)
			}
		}
		return msg
	}
}
