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
	// Open opens the service of the profile with its vault. If the vault cannot be opened,
	// OpenAgain tries again, with time for the person to answer a prompt, and OpenUnsaved goes on
	// without a vault. They are called off the UI's goroutine, after the first frame.
	Open, OpenAgain, OpenUnsaved Opener
	// Activity is the log of requests, which the service's Observe fills; nil is an empty one.
	Activity *traffic.Log
	// Lists limits the memory that the lists of all UIs take; nil is no limit.
	Lists *lists.Budget
	// State keeps settings between runs; nil keeps nothing.
	State *files.State
	// Tips are accounts to try, in the demo.
	Tips []session.Tip
	// SignInAs is the address in the sign-in form if no session is restored; "" for none.
	SignInAs string
	// Check makes the UI start with the form that checks an address.
	Check bool
	// Input, Output and Environ are the terminal and its environment variables; nil means those of
	// the process.
	Input   io.Reader
	Output  io.Writer
	Environ []string
	// AmbiguousWidth is how wide characters of ambiguous width are on the terminal: narrow, wide or
	// auto, as package config names them; "" is auto.
	AmbiguousWidth string
	// Size is the size of a Remote terminal, and Resizes has the newest change of it; it may be
	// nil. The caller has to limit sizes that come from outside, as each cell takes memory.
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
	// Folder is the working directory, as it is shown; "" if it is not known.
	Folder string
	// Remote means that the person is on another machine, such as over SSH. The program cannot be
	// suspended then, and writes no files.
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
	// Key is the key for which the session can be kept, if its vault is optional; nil for none.
	Key *session.Key
	// Places keeps where the person was, for the next time that the session is restored; nil keeps
	// nothing. It is called off the UI's goroutine.
	Places Places
	// Log receives what no screen shows, such as that the place was not kept; nil discards it.
	Log *slog.Logger
	// Reports is the directory for crash reports; empty for none.
	Reports string
	// Version is the version of the program, for crash reports and HTTP Archives.
	Version string
	// Late, if set, receives errors that occur while the UI ends, when its screen is gone.
	Late func(error)
	// Crashed, if set, receives the crash report instead of a file.
	Crashed func(report string)
}

// Face is how the UI explains problems. Commands over SSH use it as well, since visitors have no
// shell in which they could run another command.
var Face = screen.Face

// Places keeps where the person was with a saved session, as at most 4 KiB of the UI's own format.
type Places interface {
	LoadPlace(ctx context.Context) ([]byte, error)
	SavePlace(ctx context.Context, place []byte) error
}

// Opener opens a service. It may take long, and fails when ctx ends.
type Opener func(ctx context.Context) (Opened, error)

// Opened is an open service.
type Opened struct {
	Service *session.Service
	// Warning is a sentence for the person, such as that nothing will be saved; empty for none.
	Warning string
}

// Run shows the UI until the person quits or ctx ends, and restores the terminal. The error is one
// of the terminal, or says that the UI has crashed.
//
// A server calls it for each visitor, so its stack has to stay small.
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
		l := &loop{
			ctx:     untilRestored,
			end:     end,
			resizes: o.Resizes,
			notices: o.Notices,
			model:   guard{r},
		}
		l.mu.Lock() // until it runs
		r.send, run = l.send, func() error { l.run(o.Size); return nil }
	} else {
		send := func(msg tea.Msg) { r.program.Send(msg) }
		options := append(r.programOptions(send), tea.WithContext(untilRestored))
		r.program = tea.NewProgram(guard{r}, options...)
		r.send, run = r.program.Send, func() error { _, err := r.program.Run(); return err }
	}
	r.startPainter(r.send)
	if r.suspendable {
		suspend := func() { r.send(r.pendingAnswers.before(tea.SuspendMsg{})()) }
		r.stops = hearStops(untilRestored, suspend, func() { r.send(resumedMsg{}) })
	}

	// The painter restores the terminal before the library does.
	restoreTerminal := sync.OnceFunc(func() { withRestoreTimeout(r.painter.Close) })
	stop := context.AfterFunc(ctx, func() {
		restoreTerminal()
		r.pendingAnswers.wait()
		end()
	})
	defer stop()
	defer restoreTerminal()

	if o.Remote {
		input := keyboard{send: r.send, answered: r.answered} // sending waits until the loop runs
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

// root is the model of the UI. It holds the stack of screens, passes each message to the screen
// that it is for, and draws the frame around the uppermost one.
type root struct {
	options Options
	env     *screen.Env
	terminal
	// send sends a message to the program from outside its loop.
	send func(tea.Msg)
	stop []func()

	// What the UI is doing, and when it draws: see phase.go.
	phase   phase
	ticking *time.Timer // until the next [clockMsg]; nil if no time is shown
	pause   *time.Timer // until the next [pauseMsg]; stopped before the first message
	renewal *time.Timer // until the session is looked at again; stopped if there is none
	frame   paint.Frame // that was shown last
	dropped uint64      // the hash of its content if that was dropped to save memory; else 0

	// service is nil until the profile has been opened.
	service *session.Service
	screens
	person                 // who is signed in, and what is remembered of them
	checked *check.History // the reports of this run
	draft   *check.Draft   // of a check that was not begun
	news                   // the messages beside the screens
	places  *placeKeeper   // nil if no place is saved
	waiting string         // what is being done while there is no screen
	crash   *crash         // nil for none

	// These are updated after each message.
	focused screen.Screen
	actions []screen.Action // enabled and disabled ones, with keys and texts
	chrome  chrome
}

// newRoot makes a UI that is not connected to a program and a terminal yet.
func newRoot(ctx context.Context, given *Options) *root {
	r := &root{
		options: *given,
		send:    func(tea.Msg) {},
		waiting: "opening the session",
		person:  newPerson(),
		checked: &check.History{},
		draft:   &check.Draft{},
	}
	o := &r.options
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.State == nil {
		o.State = files.MemoryState()
	}
	if o.Activity == nil {
		o.Activity = &traffic.Log{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Keys == nil {
		o.Keys = Keys()
	}
	r.env = &screen.Env{
		Context: ctx,
		Theme:   &styles.Theme{},
		Now:     o.Now,
		Me:      r.me,
		Keys:    o.Keys,
		Earlier: screen.NewHistory(),
		State:   o.State,
		Lists:   o.Lists,
		Folder:  o.Folder,
		Remote:  o.Remote,
		Root:    r,
	}
	r.renewal = time.AfterFunc(sleepDelay, r.keepRenewed)
	r.renewal.Stop()
	r.pause = time.AfterFunc(sleepDelay, func() { r.send(pauseMsg{}) })
	r.pause.Stop()
	r.news = news{env: r.env, activity: o.Activity}
	r.terminal = terminal{
		options:     o,
		env:         r.env,
		news:        &r.news,
		styling:     styles.Options{Choice: o.Theme},
		suspendable: !o.Remote && canSuspend(),
	}
	if o.Places != nil {
		r.places = &placeKeeper{store: o.Places, log: o.Log}
	}
	// The choice of an earlier run holds, unless the options turn the mouse off. Over a network
	// the terminal keeps the mouse until the person changes that.
	usesMouse := !o.Remote
	o.State.Get(mouseKey, &usesMouse)
	o.NoMouse = o.NoMouse || !usesMouse
	r.clicks = true // until more is known of the terminal
	r.hearClicks()
	r.settle()
	return r
}

// me is the e-mail address of the signed-in user; "" if nobody is signed in.
func (r *root) me() string { return r.service.Session.Status().Username }

// start takes over the terminal, and opens the profile while the first frame is shown.
func (r *root) start() tea.Cmd {
	r.painter.Enter()
	if r.options.Remote {
		r.become(opening)
		r.pause.Reset(slowGap)
	}
	return guarded(r.open(r.options.Open))
}

// close ends all work, saves the place, and closes the service.
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
