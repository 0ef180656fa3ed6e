package ui

import (
	"runtime"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/paint"
)

// guard is the program's model. It draws the frame as part of each update, so
// that a panic anywhere in the UI ends the program in order.
type guard struct {
	root  *root
	frame *paint.Frame
	seen  *trace
}

func newGuard(r *root) guard { return guard{r, new(paint.Frame), new(trace)} }

// Init implements [tea.Model].
func (g guard) Init() tea.Cmd { return g.root.start() }

// Update implements [tea.Model].
func (g guard) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if recover() == nil {
			return
		}
		stack := callers()
		if panicked, ok := msg.(panicMsg); ok {
			stack = panicked.stack
		}
		g.root.crash = &crash{stack: stack, messages: g.seen.names()}
		model, cmd = g, tea.Quit
	}()
	g.seen.add(msg)
	if panicked, ok := msg.(panicMsg); ok {
		panic(panicked)
	}
	cmd = guarded(g.root.update(msg))
	*g.frame = g.root.view()
	g.root.painter.Show(*g.frame, byPerson(msg))
	return g, cmd
}

// View implements [tea.Model]. The library has nothing to draw.
func (g guard) View() tea.View { return tea.View{} }

// byPerson reports whether a message tells of something the person did, and waits
// to see the answer of.
func byPerson(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg, tea.WindowSizeMsg:
		return true
	}
	return false
}

// panicMsg tells of a panic in a command or a spawned goroutine.
type panicMsg struct{ stack []uintptr }

// spawn runs what lasts on a goroutine of its own. Its panic is told, so that the
// program still ends in order.
func spawn(send func(tea.Msg), work func()) {
	go func() {
		defer func() {
			if recover() != nil {
				send(panicMsg{callers()})
			}
		}()
		work()
	}()
}

// guarded makes a command's panic a message. The commands of a batch are
// guarded one by one.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if recover() != nil {
				msg = panicMsg{callers()}
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

// deepest is how many calls of a stack are kept.
const deepest = 64

// callers is the stack of a panic, for the function that recovers from it.
func callers() []uintptr {
	stack := make([]uintptr, deepest)
	return stack[:runtime.Callers(3, stack)]
}
