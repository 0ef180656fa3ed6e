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

// guard is the program's model. It ends the program in an orderly way if something in the UI
// panics, drawing included, which is part of each update.
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

// guardedBy does something outside the program's loop. A panic in it is sent as a message, so that
// the program still ends in an orderly way.
func guardedBy(send func(tea.Msg), work func()) {
	defer func() {
		if recover() != nil {
			send(panicMsg{callers()})
		}
	}()
	work()
}

// guarded turns a panic in a command into a message, also for each command of a batch.
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

// callers is the stack of a panic; the function that recovers from it calls this.
func callers() []uintptr {
	stack := make([]uintptr, maxStack)
	return stack[:runtime.Callers(3, stack)]
}

// crash is a panic. Its value may contain anything, secrets included, and is not kept.
type crash struct {
	stack []uintptr
	// during is the type of the message that led to it, never its contents.
	during string
}

// report writes or passes on the crash report and returns the error for the person.
func (r *root) report() error {
	p := problem.Problem{
		Sentence: "The UI stopped because of a bug.",
		Hint:     "Start it again. If it happens again, please report what you did before.",
	}
	if r.options.Remote {
		p.Hint = "Connect again. If it happens again, tell the operator of this server what you did before."
	}
	var text bytes.Buffer
	r.describe(&text)
	if r.options.Crashed != nil {
		r.options.Crashed(text.String())
	} else if r.options.Reports != "" {
		path := filepath.Join(r.options.Reports, "crash-"+r.env.Now().UTC().Format("20060102-150405.000")+".txt")
		if files.System().Write(path, text.Bytes()) == nil { // a private file
			p.Hint = "A report is in " + safetext.Line(path) + ", without anything you typed or saw: please attach it."
		}
	}
	return &problem.Error{Problem: p}
}

func (r *root) describe(w io.Writer) {
	title := "none"
	if page := r.page(); page != nil {
		title = r.stack.PageView().Title
	}
	fmt.Fprintf(w, "Gatehouse %s, %s, %s/%s\n", r.options.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
