// Package ui is the terminal UI: the root model with its stack of screens and the frame
// around them, and the terminal. The screens are in the packages below it.
package ui

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// Options configure the UI.
type Options struct {
	// Open opens the profile's service, including its vault. If the vault cannot be
	// opened, OpenAgain retries, with time for the person to answer a prompt, and
	// OpenUnsaved continues without a vault. They are called off the UI's goroutine,
	// after the first frame.
	Open, OpenAgain, OpenUnsaved Opener
	// Activity lists the requests; the service's Observe fills it.
	Activity *activity.Log
	// Lists bounds what the lists of all UIs take of memory; nil is no limit.
	Lists *records.Budget
	// State keeps settings between runs; nil keeps nothing.
	State *files.State
	// Tips are accounts to try, in the demo.
	Tips []signin.Tip
	// SignInAs is who is to sign in, where no session is restored; "" leaves that open.
	SignInAs string
	// Check begins with the check of an address.
	Check bool
	// Input, Output and Environ are the terminal and its variables; nil is that of the
	// process.
	Input   io.Reader
	Output  io.Writer
	Environ []string
	// Size is the size of a terminal that is not the process's, and Resizes holds the newest
	// change; nil has none. The caller has to limit sizes that come from outside: each cell
	// costs memory.
	Size    Size
	Resizes <-chan Size
	// Now is the clock; nil is the real one.
	Now func() time.Time
	// Keys is the key map; nil is the default one.
	Keys *screen.KeyMap
	// Theme is the theme that the person chose.
	Theme styles.Choice
	// NoMouse leaves the mouse to the terminal until the person changes that. For a
	// Remote person that is the default.
	NoMouse bool
	// Folder is where files are written whose names have none; "" is not said.
	Folder string
	// Remote is set if the person is on another machine, such as over SSH; the program
	// cannot be suspended then.
	Remote bool
	// Clipboard puts text on the clipboard of the person's desktop, or of tmux; nil if only
	// the terminal's can be reached.
	Clipboard func(ctx context.Context, text string) error
	// Browser opens an https address in the browser of the person's desktop, and may wait
	// for the browser's end; nil if no desktop can be reached.
	Browser func(address string) error
	// Notices are sentences of the operator, such as that the program ends soon. Each is
	// shown until the next; nil is none.
	Notices <-chan string
	// Key is what the session can be kept for, where its vault is optional; nil if
	// that is not known.
	Key *signin.Key
	// Places keeps the place where the person was, for the next time that the session is
	// restored; nil keeps none. It is called off the UI's goroutine.
	Places Places
	// Log receives what no screen shows, such as that the place was not kept; nil discards it.
	Log *slog.Logger
	// Reports is the directory for crash reports, none if empty. Version is part of them.
	Reports, Version string
	// Late, if set, receives errors that occur while the UI ends, when its screen is gone.
	Late func(error)
	// Crashed, if set, receives the crash report instead of a file.
	Crashed func(report string)
}

// Places keeps one place with a saved session: bytes of the UI's own, at most 4 KiB.
type Places interface {
	LoadPlace(ctx context.Context) ([]byte, error)
	SavePlace(ctx context.Context, place []byte) error
}

// Opener opens a service. It may take long, and ends with the context.
type Opener func(ctx context.Context) (Opened, error)

// Opened is an open service, and what the person should know about it.
type Opened struct {
	Service *session.Service
	// Warning is a sentence, such as that nothing will be saved, or empty.
	Warning string
}

// Run shows the UI until the person quits or the context ends. The terminal is always
// restored.
//
// A server calls it once for each visitor, so its stack has to stay small.
func Run(ctx context.Context, o *Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRoot(ctx, o)
	r.detect()
	defer r.close()

	loop, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	program := tea.NewProgram(newGuard(r), append(r.programOptions(), tea.WithContext(loop))...)
	r.send = program.Send
	if o.Remote && r.own == nil {
		r.rest = program.ReleaseTerminal
	}
	r.startPainter(func() { program.Send(panicMsg{callers()}) })

	// The painter restores the terminal before the library does.
	restoreTerminal := sync.OnceFunc(func() { withRestoreTimeout(r.painter.Close) })
	stop := context.AfterFunc(ctx, func() {
		restoreTerminal()
		end()
	})
	defer stop()
	defer restoreTerminal()

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
