// Package ui is what a person sees: the root model, which routes between the
// screens, and the screens below it.
package ui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/state"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/keymap"
	"gatehouse/ui/signin"
)

// framesPerSecond keeps the wait for the first frame under 10 ms; the library's
// own 60 would make it 17.
const framesPerSecond = 120

// Options say what the UI works on.
type Options struct {
	// Open opens the profile's service, its vault included. Where the vault cannot
	// be opened, OpenAgain tries once more for a person who may be answering a
	// prompt, and OpenUnsaved goes on without a vault. They are called off the
	// UI's goroutine, after the first frame.
	Open, OpenAgain, OpenUnsaved Opener
	// Activity lists the requests; the service's Observe fills it.
	Activity *activity.Log
	// State is what is remembered between runs; nil is nothing.
	State *state.Store
	// Tips are accounts to try, in the demo.
	Tips []signin.Tip
	// Input, Output and Environ are the terminal and its variables; nil is the
	// process's own.
	Input   io.Reader
	Output  io.Writer
	Environ []string
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Keys is the key map; nil is the one that people have who changed nothing.
	Keys *keymap.Map
	// Theme is what the person wants in place of the colours that fit the terminal.
	Theme styles.Choice
	// NoMouse leaves the mouse to the terminal, until the person takes it. Where the
	// person is Remote, so does a state that says nothing of it.
	NoMouse bool
	// Remote is true where the person sits elsewhere than the program runs, as over
	// SSH: it cannot be suspended then.
	Remote bool
	// Clipboard puts text on the clipboard of the person's desktop; nil where only
	// the terminal's can be reached.
	Clipboard func(ctx context.Context, text string) error
	// Reports is the directory for a report of a mistake in the program; empty
	// writes none. Version stands in it.
	Reports, Version string
}

// Opener opens a service. It may take its time, and ends with the context.
type Opener func(ctx context.Context) (Opened, error)

// Opened is a service that can be used, and what the person should know of it.
type Opened struct {
	Service *session.Service
	// Notice is one sentence, such as that nothing will be saved; or empty.
	Notice string
}

// Run shows the UI until the person quits or the context ends. The terminal is
// put back as it was in every case.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	root := newRoot(ctx, o)
	program := tea.NewProgram(newGuard(root), options(ctx, o)...)
	root.send = program.Send
	defer root.close()

	restore := saveTitle(o)
	_, err := program.Run()
	restore()
	if root.crash != nil {
		return root.report()
	}
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}

func options(ctx context.Context, o Options) []tea.ProgramOption {
	// The caller's context ends with the signals that end a program.
	list := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond)}
	if o.Input != nil {
		list = append(list, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		list = append(list, tea.WithOutput(o.Output))
	}
	if o.Environ != nil {
		list = append(list, tea.WithEnvironment(o.Environ))
	}
	return list
}
