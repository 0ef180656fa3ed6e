package ui

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// crash is a mistake in the program. What the panic said could hold anything,
// secrets included, and is not kept.
type crash struct {
	stack []uintptr
	// messages are the types of what the UI was told last.
	messages []string
}

// mostSeen is how many messages are remembered.
const mostSeen = 20

// trace remembers the types of the last messages, never what is in them.
type trace struct {
	types [mostSeen][2]reflect.Type
	total int
}

func (t *trace) add(msg tea.Msg) {
	types := [2]reflect.Type{reflect.TypeOf(msg)}
	if to, ok := msg.(screen.Addressed); ok {
		types[1] = reflect.TypeOf(to.Msg)
	}
	t.types[t.total%mostSeen] = types
	t.total++
}

// names lists the types, the newest last.
func (t *trace) names() []string {
	list := []string{}
	for i := max(t.total-mostSeen, 0); i < t.total; i++ {
		name := fmt.Sprint(t.types[i%mostSeen][0])
		if inner := t.types[i%mostSeen][1]; inner != nil {
			name += " " + inner.String()
		}
		list = append(list, name)
	}
	return list
}

// report passes the crash on and returns what is told of it.
func (r *root) report() error {
	told := problem.Problem{
		Sentence: "The UI stopped because of a mistake in the program.",
		Hint:     "Start it again. If it happens again, tell whoever maintains Gatehouse what you did before.",
	}
	if r.options.Remote {
		told.Hint = "Connect again. If it happens again, tell whoever runs this server what you did before."
	}
	if r.options.Crashed != nil {
		var text strings.Builder
		r.describe(&text)
		r.options.Crashed(text.String())
	} else if path, err := r.writeReport(); err == nil && path != "" {
		told.Hint = "What is known of it stands in " + safetext.Line(path) + ", without anything you typed or saw: please send it to whoever maintains Gatehouse."
	}
	return &problem.Error{Problem: told}
}

// writeReport writes a file that only the person can read, in a directory for
// nobody else; without a directory there is none.
func (r *root) writeReport() (string, error) {
	if r.options.Reports == "" {
		return "", nil
	}
	path := filepath.Join(r.options.Reports, "crash-"+r.env.Now().UTC().Format("20060102-150405.000")+".txt")
	var text bytes.Buffer
	r.describe(&text)
	return path, files.System().Write(path, text.Bytes())
}

func (r *root) describe(w io.Writer) {
	title := "none"
	if page := r.page(); page != nil {
		title = page.Title()
	}
	fmt.Fprintf(w, "Gatehouse %s, %s, %s/%s\n", r.options.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "screen: %s, %dx%d\n\n", title, r.width, r.height)
	frames := runtime.CallersFrames(r.crash.stack)
	for {
		frame, more := frames.Next()
		fmt.Fprintf(w, "%s %s:%d\n", frame.Function, filepath.Base(frame.File), frame.Line)
		if !more {
			break
		}
	}
	fmt.Fprintf(w, "\nmessages, the newest last:\n%s\n", strings.Join(r.crash.messages, "\n"))
}
