// Package ui is what a person sees: the root model, which routes between the
// screens, and the screens below it.
package ui

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// Options say what the UI works on.
type Options struct {
	// Open opens the profile's service, its vault included. Where the vault cannot
	// be opened, OpenAgain tries once more for a person who may be answering a
	// prompt, and OpenUnsaved goes on without a vault. They are called off the
	// UI's goroutine, after the first frame.
	Open, OpenAgain, OpenUnsaved Opener
	// Activity lists the requests; the service's Observe fills it.
	Activity *activity.Log
	// Records has lists held once that are the same, among all who are given the same
	// pool; nil is one of this UI's own, for an answer that comes again.
	Records *records.Pool
	// State is what is remembered between runs; nil is nothing.
	State *files.State
	// Tips are accounts to try, in the demo.
	Tips []signin.Tip
	// Input, Output and Environ are the terminal and its variables; nil is the
	// process's own.
	Input   io.Reader
	Output  io.Writer
	Environ []string
	// Size is how large a terminal is that is not the process's own, and Resizes
	// tells of each change, until it is closed; nil tells of none. Whoever has them
	// from outside bounds them, for each cell costs memory.
	Size    Size
	Resizes <-chan Size
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Keys is the key map; nil is the one that people have who changed nothing.
	Keys *screen.KeyMap
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
	// Notices are sentences of the operator, such as that the program ends soon.
	// Each stays on the screen until the next comes; nil is none.
	Notices <-chan string
	// Reports is the directory for a report of a mistake in the program; empty
	// writes none. Version stands in it.
	Reports, Version string
	// Late is told what went wrong when the UI was ending, and its screen was gone already; nil
	// for nobody.
	Late func(error)
	// Crashed is given that report in the place of a file; nil where files are right.
	Crashed func(report string)
}

// Opener opens a service. It may take its time, and ends with the context.
type Opener func(ctx context.Context) (Opened, error)

// Opened is a service that can be used, and what the person should know of it.
type Opened struct {
	Service *session.Service
	// Warning is one sentence, such as that nothing will be saved; or empty.
	Warning string
}

// Run shows the UI until the person quits or the context ends. The terminal is
// put back as it was in every case.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := newTerminal(o)
	r := newRoot(ctx, o, nil)
	r.coloured(t.profile)
	defer r.close()

	loop, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	program := tea.NewProgram(newGuard(r), append(t.options(), tea.WithContext(loop), tea.WithFilter(r.leaveTerminal))...)
	r.send = program.Send
	r.painter = paint.Start(t.output, paint.Options{
		Ask: t.questions(), Gap: t.gap(),
		Panicked: func() { program.Send(panicMsg{callers()}) },
	})

	// The painter gives the terminal back before the library does.
	putBack := sync.OnceFunc(func() { within(r.painter.Close) })
	stop := context.AfterFunc(ctx, func() {
		putBack()
		end()
	})
	defer stop()
	defer putBack()

	spawn(r.send, func() { follow(ctx, o.Resizes, func(s Size) { program.Send(tea.WindowSizeMsg(s)) }) })
	if o.Remote {
		input := remoteInput{send: program.Send}
		spawn(r.send, func() { input.run(ctx, o.Input) })
	}
	_, err := program.Run()
	if r.crash != nil {
		return r.report()
	}
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}
