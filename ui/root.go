package ui

import (
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/screen"
)

// root holds the stack of screens, passes each message to the screen it is for, and draws
// the frame around the uppermost one.
type root struct {
	options Options
	env     *screen.Env
	terminal
	// send sends a message to the program from outside its loop.
	send func(tea.Msg)
	// rest stops the clock of the library's renderer, which has nothing to draw; nil leaves
	// it on, where the library has a terminal to restore.
	rest func() error
	stop []func()

	// When something is drawn: see clock.go.
	opening  bool        // there is nothing to look at yet
	ticking  *time.Timer // nil: the clock stands still
	pause    *time.Timer // ends when nothing has happened for a while; nil: nothing has yet
	quitting bool        // nothing more is drawn

	// service is nil until the profile has been opened.
	service *session.Service
	screens
	person               // who is signed in, and what is theirs
	news                 // what they are told
	places  *placeKeeper // nil: the place is not kept
	waiting string       // what is being done while there is no screen
	crash   *crash       // nil: there was none

	// These are updated after each message.
	focused screen.Screen
	actions []screen.Action // enabled and disabled ones, with keys and texts
	chrome  chrome
}

func newRoot(ctx context.Context, given *Options) *root {
	r := &root{options: *given, send: func(tea.Msg) {}, waiting: "opening the session", person: newPerson()}
	o := &r.options
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.State == nil {
		o.State = files.MemoryState()
	}
	if o.Activity == nil {
		o.Activity = &activity.Log{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Keys == nil {
		o.Keys = Keys()
	}
	styling := styles.Options{Choice: o.Theme}
	r.env = &screen.Env{Context: ctx, Theme: styles.New(styling), Now: o.Now, Keys: o.Keys, State: o.State, Lists: o.Lists, Folder: o.Folder, Remote: o.Remote, Root: r}
	r.news = news{env: r.env, activity: o.Activity}
	r.terminal = terminal{options: o, env: r.env, news: &r.news, styling: styling, suspendable: canSuspend()}
	if o.Places != nil {
		r.places = &placeKeeper{store: o.Places, log: o.Log}
	}
	r.restoreMouse()
	r.settle()
	return r
}

// start opens the profile while the first frame is already shown.
func (r *root) start() tea.Cmd {
	r.painter.Enter()
	if r.options.Remote {
		r.opening = true
		r.pauseAfter(slowGap)
	}
	if o := r.options; o.Resizes != nil || o.Notices != nil {
		spawn(r.send, func() { follow(r.env.Context, o.Resizes, o.Notices, r.send) })
	}
	rest := func() tea.Msg { // or an idle visitor would wake the server each second
		if r.rest != nil {
			_ = r.rest() // it fails only where there is a terminal
		}
		return nil
	}
	return guarded(tea.Batch(r.open(r.options.Open), rest))
}

func (r *root) close() {
	for _, timer := range []*time.Timer{r.pause, r.ticking} {
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
