// Package ui is the terminal UI: the root model with its stack of screens and the frame
// around them, and the terminal. The screens are in the packages below it.
package ui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/check"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
	"gatehouse/ui/traffic"
)

// Options configure the UI.
type Options struct {
	// Open opens the profile's service, including its vault. If the vault cannot be
	// opened, OpenAgain retries, with time for the person to answer a prompt, and
	// OpenUnsaved continues without a vault. They are called off the UI's goroutine,
	// after the first frame.
	Open, OpenAgain, OpenUnsaved Opener
	// Activity lists the requests; the service's Observe fills it.
	Activity *traffic.Log
	// Lists limits the memory that the lists of all UIs take; nil is no limit.
	Lists *lists.Budget
	// State keeps settings between runs; nil keeps nothing.
	State *files.State
	// Tips are accounts to try, in the demo.
	Tips []session.Tip
	// SignInAs is who is to sign in if no session is restored; "" leaves that open.
	SignInAs string
	// Check makes the UI begin with the check of an address.
	Check bool
	// Input, Output and Environ are the terminal and its variables; nil is the one of the
	// process.
	Input   io.Reader
	Output  io.Writer
	Environ []string
	// AmbiguousWidth is how wide characters of ambiguous width are on the terminal: narrow, wide or
	// auto, as package config names them; "" is auto.
	AmbiguousWidth string
	// Size is the size of a Remote terminal, and Resizes holds the newest change of it; nil has
	// none. The caller has to limit sizes that come from outside: each cell costs memory.
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
	// Folder is where files are written whose names have none; "" is unknown.
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
	// Notices are sentences of the operator for a Remote person, such as that the program ends
	// soon. Each is shown until the next; nil is none.
	Notices <-chan string
	// Toasts are sentences about what the program is doing, such as that it waits for a prompt
	// on the desktop. Each is shown for a moment; nil is none.
	Toasts <-chan string
	// Key is what the session can be kept for, where its vault is optional; nil if
	// that is not known.
	Key *session.Key
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

// Face is how the UI explains problems. Commands over SSH use it too: their person has no shell to
// run other commands in.
var Face = screen.Face

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

	untilRestored, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var run func() error
	if o.Remote {
		l := &loop{ctx: untilRestored, end: end, resizes: o.Resizes, notices: o.Notices, model: guard{r}}
		l.mu.Lock() // until it runs
		r.send, run = l.send, func() error { l.run(o.Size); return nil }
	} else {
		send := func(msg tea.Msg) { r.program.Send(msg) }
		r.program = tea.NewProgram(guard{r}, append(r.programOptions(send), tea.WithContext(untilRestored))...)
		r.send, run = r.program.Send, func() error { _, err := r.program.Run(); return err }
	}
	r.startPainter(r.send)
	if r.suspendable {
		suspend := func() { r.send(r.owed.before(tea.SuspendMsg{})()) }
		r.stops = hearStops(untilRestored, suspend, func() { r.send(resumedMsg{}) })
	}

	// The painter restores the terminal before the library does.
	restoreTerminal := sync.OnceFunc(func() { withRestoreTimeout(r.painter.Close) })
	stop := context.AfterFunc(ctx, func() {
		restoreTerminal()
		r.owed.wait()
		end()
	})
	defer stop()
	defer restoreTerminal()

	if o.Remote {
		input := keyboard{send: r.send, answered: r.answered} // which waits until the loop runs
		go guardedBy(r.send, func() { input.run(ctx, o.Input) })
	}
	if o.Toasts != nil {
		go guardedBy(r.send, func() { forward(untilRestored, o.Toasts, r.send) })
	}
	err := run()
	if r.crash != nil {
		return r.report()
	}
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}

// root holds the stack of screens, passes each message to the screen it is for, and draws
// the frame around the uppermost one.
type root struct {
	options Options
	env     *screen.Env
	terminal
	// send sends a message to the program from outside its loop.
	send func(tea.Msg)
	stop []func()

	// What the UI is doing, and when it draws: see phase.go.
	phase   phase
	ticking *time.Timer // nil: the clock stands still
	pause   *time.Timer // ends when nothing has happened for a while; stopped until something has
	renewal *time.Timer // the next look at the session; stopped until there is one
	frame   paint.Frame // what was shown last
	dropped uint64      // hash of its content; 0: that is kept

	// service is nil until the profile has been opened.
	service *session.Service
	screens
	person                 // who is signed in, and what is theirs
	checked *check.History // reports, of the whole run
	draft   *check.Draft   // of a check that was not begun
	news                   // what they are told
	places  *placeKeeper   // nil: the place is not kept
	waiting string         // what is being done while there is no screen
	crash   *crash         // nil: there was none

	// These are updated after each message.
	focused screen.Screen
	actions []screen.Action // enabled and disabled ones, with keys and texts
	chrome  chrome
}

func newRoot(ctx context.Context, given *Options) *root {
	r := &root{options: *given, send: func(tea.Msg) {}, waiting: "opening the session", person: newPerson(), checked: &check.History{}, draft: &check.Draft{}}
	o := &r.options
	if o.Now == nil {
		o.Now = time.Now
	}
	o.State, o.Activity = cmp.Or(o.State, files.MemoryState()), cmp.Or(o.Activity, &traffic.Log{})
	o.Log, o.Keys = cmp.Or(o.Log, slog.New(slog.DiscardHandler)), cmp.Or(o.Keys, Keys())
	r.env = &screen.Env{
		Context: ctx, Theme: &styles.Theme{}, Now: o.Now, Me: r.me, Keys: o.Keys, Earlier: screen.NewHistory(),
		State: o.State, Lists: o.Lists, Folder: o.Folder, Remote: o.Remote, Root: r,
	}
	r.renewal = time.AfterFunc(sleepDelay, r.keepRenewed)
	r.renewal.Stop()
	r.pause = time.AfterFunc(sleepDelay, func() { r.send(pauseMsg{}) })
	r.pause.Stop()
	r.news = news{env: r.env, activity: o.Activity}
	r.terminal = terminal{options: o, env: r.env, news: &r.news, styling: styles.Options{Choice: o.Theme}, suspendable: !o.Remote && canSuspend()}
	if o.Places != nil {
		r.places = &placeKeeper{store: o.Places, log: o.Log}
	}
	// The choice of an earlier run holds, unless the options turn the mouse off. Over a network
	// the terminal keeps the mouse until the person changes that.
	used := !o.Remote
	o.State.Get(mouseKey, &used)
	o.NoMouse = o.NoMouse || !used
	r.clicks = true // unless more is known of the terminal
	r.hearClicks()
	r.settle()
	return r
}

// me is the address of who is signed in, "" if nobody is.
func (r *root) me() string { return r.service.Session.Status().Username }

// start opens the profile while the first frame is already shown.
func (r *root) start() tea.Cmd {
	r.painter.Enter()
	if r.options.Remote {
		r.become(opening)
		r.pause.Reset(slowGap)
	}
	return guarded(r.open(r.options.Open))
}

func (r *root) close() {
	for _, timer := range []*time.Timer{r.pause, r.ticking, r.renewal} {
		if timer != nil {
			timer.Stop()
		}
	}
	for _, stop := range r.stop {
		stop()
	}
	if save := r.savePlace(context.WithoutCancel(r.env.Context)); save != nil && r.crash == nil {
		save()
	}
	r.screens.close()
	if r.service != nil {
		if err := r.service.Close(); err != nil && r.options.Late != nil {
			r.options.Late(err)
		}
	}
}
