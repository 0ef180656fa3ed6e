package ui

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// guard is the model that the library runs. If anything in the UI panics, it notes the crash and
// quits, so that the terminal is restored. Drawing is part of an update, and so guarded as well.
type guard struct{ root *root }

func (g guard) Init() tea.Cmd { return g.root.start() }

func (g guard) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if recover() == nil {
			return
		}
		stack := callers()
		if panicked, ok := msg.(panicMsg); ok {
			stack = panicked.stack
		}
		during := fmt.Sprintf("%T", msg)
		if to, ok := msg.(screen.Addressed); ok {
			during += fmt.Sprintf(" %T", to.To)
		}
		g.root.crash = &crash{stack, during}
		model, cmd = g, tea.Quit
	}()
	if panicked, ok := msg.(panicMsg); ok {
		panic(panicked)
	}
	return g, g.process(msg)
}

// View implements [tea.Model]: the library has nothing to draw.
func (g guard) View() tea.View { return tea.View{} }

// panicMsg reports a panic in a command or a spawned goroutine.
type panicMsg struct{ stack []uintptr }

// guardedBy runs work outside the program's loop. A panic in it is sent as a message, for [guard].
func guardedBy(send func(tea.Msg), work func()) {
	defer func() {
		if recover() != nil {
			send(panicMsg{callers()})
		}
	}()
	work()
}

// guarded returns a command that gives a panicMsg if cmd, or a command of its batch, panics.
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

// maxStack is the maximum number of calls in a stack trace.
const maxStack = 64

// callers is the stack of a panic, from the panic on. The deferred function that recovers from it
// has to call it.
func callers() []uintptr {
	const skipped = 3 // runtime.Callers, callers and the deferred function
	stack := make([]uintptr, maxStack)
	return stack[:runtime.Callers(skipped, stack)]
}

// crash is where a panic happened. Its value is not in it, as it may contain anything, secrets
// included.
type crash struct {
	stack []uintptr
	// during is the type of the message that was handled, without its contents.
	during string
}

// report makes the crash report, which goes to the Crashed of the options or into a file, and
// returns the error for the person.
func (r *root) report() error {
	p := problem.Problem{
		Sentence: "The UI stopped because of a bug.",
		Hint:     "Start it again. If it happens again, please report what you did before.",
	}
	if r.options.Remote {
		p.Hint = "Connect again. " +
			"If it happens again, tell the operator of this server what you did before."
	}
	var text bytes.Buffer
	r.describeCrash(&text)
	if r.options.Crashed != nil {
		r.options.Crashed(text.String())
	} else if r.options.Reports != "" {
		name := "crash-" + r.env.Now().UTC().Format("20060102-150405.000") + ".txt"
		path := filepath.Join(r.options.Reports, name)
		if files.System().Write(path, text.Bytes()) == nil { // a private file
			p.Hint = "A report is in " + safetext.Line(path) +
				", without anything you typed or saw: please attach it."
		}
	}
	return &problem.Error{Problem: p}
}

// describeCrash writes the text of the crash report: the version, the screen, the type of the
// message, and the stack.
func (r *root) describeCrash(w io.Writer) {
	title := "none"
	if page := r.page(); page != nil {
		title = r.stack.PageView().Title
	}
	fmt.Fprintf(w, "Gatehouse %s, %s, %s/%s\n",
		r.options.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "screen: %s, %dx%d\nmessage: %s\n\n", title, r.width, r.height, r.crash.during)
	frames := runtime.CallersFrames(r.crash.stack)
	for {
		frame, more := frames.Next()
		fmt.Fprintf(w, "%s %s:%d\n", frame.Function, filepath.Base(frame.File), frame.Line)
		if !more {
			break
		}
	}
}
