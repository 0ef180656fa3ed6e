package ui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatehouse/session"
	"gatehouse/ui/device"
	"gatehouse/ui/domains"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// opened has the service of the profile, or the error of opening it.
type opened struct {
	Opened
	err      error
	restored restored
}

// restored is what came of restoring the saved session: its error, or else the place that
// is kept with it, nil if there is none.
type restored struct {
	err   error
	place []byte
}

// open opens the profile and restores its saved session.
func (r *root) open(opener Opener) tea.Cmd {
	r.closeOverlays()
	r.waiting = "opening the session"
	return screen.Reply(nil, func() (o opened) {
		if o.Opened, o.err = opener(r.env.Context); o.err == nil {
			o.restored = r.restore(o.Service)
		}
		return o
	}, r.opened)
}

// restore restores the saved session and loads its place.
func (r *root) restore(service *session.Service) restored {
	if err := service.Session.Restore(r.env.Context); err != nil {
		return restored{err: err}
	}
	return restored{place: r.places.load(r.env.Context)}
}

func (r *root) opened(o opened) tea.Cmd {
	if o.err != nil {
		return r.notOpened(o.err)
	}
	r.service, r.warning = o.Service, o.Warning
	unsubscribe := r.service.Session.Subscribe(func(e session.Event) {
		r.send(screen.Addressed{Take: func() tea.Cmd { return r.sessionEvent(e) }})
	})
	r.stop = append(r.stop, unsubscribe)
	r.renewal.Reset(r.service.Session.RenewIn())
	shown := r.restored(o.restored)
	if r.options.Check {
		shown = tea.Batch(shown, r.Check(""))
	}
	return shown
}

// keepRenewed renews the session before it is needed, and has a timer do so again. It is called by
// the timer: nothing waits for that in an idle UI, of which a server has thousands.
func (r *root) keepRenewed() {
	if ctx := r.env.Context; ctx.Err() == nil {
		guardedBy(r.send, func() { r.service.Session.KeepRenewed(ctx) })
		r.renewal.Reset(r.service.Session.RenewIn())
	}
}

// restored shows the restored session, or the form and why there is none. A kept session
// that cannot be reached can be tried again; without it the person can sign in as well.
func (r *root) restored(came restored) tea.Cmd {
	if came.err == nil {
		return r.comeBack(came.place)
	}
	o := signin.Options{Reason: reason(came.err)}
	if _, away := errors.AsType[*session.VaultError](came.err); away && r.service.Session.CanKeep() {
		described := screen.Describe(came.err)
		o.Reason = "A session may be kept for your " + r.keyKind() + ". " + described.Sentence + " " + r.env.Keys.Key(screen.SignInRetry) + " tries again; you can sign in without it."
		o.Retry = func() tea.Cmd {
			r.closeOverlays()
			r.closeSignIn()
			r.waiting = "reaching the kept session"
			return screen.Reply(nil, func() restored { return r.restore(r.service) }, r.restored)
		}
	}
	return r.showForm(o)
}

// keyKind is what a session is kept for: "key" or "certificate".
func (r *root) keyKind() string { return cmp.Or(r.options.Key, &session.Key{}).Kind() }

// reason says why the person has to sign in; empty if nobody has signed in yet.
func reason(err error) string {
	if errors.Is(err, session.ErrSignedOut) {
		return ""
	}
	described := screen.Describe(err)
	return described.Sentence + " " + described.Hint
}

// showForm shows the sign-in form over everything else, with options; those that depend on the
// service are filled in.
func (r *root) showForm(o signin.Options) tea.Cmd {
	r.closeOverlays()
	r.closeSignIn()
	status := r.service.Session.Status()
	o.Username, o.Authorities, o.Tips = cmp.Or(status.Username, r.options.SignInAs), r.service.Profile.Authorities(), r.options.Tips
	if r.service.Session.CanKeep() {
		o.Key = cmp.Or(r.options.Key, &session.Key{})
		if status.Saved && status.State != session.Ended {
			o.Kept = &signin.KeptSession{Username: status.Username, Since: status.SignedInAt}
		}
	}
	return r.stack.Push(signin.New(r.env, account{r.service}, o))
}

// SignInAgain implements [screen.Root]. A form that is already shown stays: the person may be
// typing. If nobody asked for the form, and it would take the keyboard away
// from something else, there is only a toast.
func (r *root) SignInAgain(from screen.Screen, reason string, then func() tea.Cmd) tea.Cmd {
	switch unasked := reason != ""; {
	case r.signIn() != nil:
		return nil
	case unasked && (!r.shows(from) || r.modal() || r.typing()):
		return r.announce(reason, true)
	}
	r.resume = then
	return r.showForm(signin.Options{Reason: reason})
}

// account adapts the service for the sign-in form.
type account struct{ *session.Service }

func (a account) SignIn(ctx context.Context, in session.SignIn) error {
	return a.Session.SignIn(ctx, in)
}

// SignedIn implements [screen.Root]: it returns to where the person was, or to the list
// of domains. Nothing of another user is kept.
func (r *root) SignedIn() tea.Cmd {
	r.closeOverlays() // those of the form
	r.closeSignIn()
	resume := r.resume
	r.resume = nil
	r.hear("You are signed in as " + r.service.Session.Status().Username + ".")
	if user := identityOf(r.service.Session.Status()); user != r.user {
		r.forget()
		r.user, resume = user, nil
	}
	r.tick()
	var shown tea.Cmd
	if list := r.domains(); list != nil {
		shown = list.Refresh()
	} else {
		shown = r.stack.Push(domains.New(r.env, domains.Options{Service: r.service, Session: r.service.Session}))
	}
	if resume != nil {
		shown = tea.Batch(shown, resume())
	}
	return shown
}

// identity is the current user: with another authority, the same name is another person.
type identity struct{ username, authority string }

func identityOf(s session.Status) identity { return identity{s.Username, s.Authority} }

// person is what the UI holds for the person who is signed in. It is replaced as a whole for
// another person, see [root.forget].
type person struct {
	user    identity
	used    []string        // titles of the entries of the palette used last, newest first
	resume  func() tea.Cmd  // run after signing in; may be nil
	results *device.History // of device logins
}

func newPerson() person { return person{results: &device.History{}} }

// forget drops everything that was shown to the previous user.
func (r *root) forget() {
	r.screens.close() // first, so that no more requests are made
	if r.user != (identity{}) {
		r.options.Activity.Clear(r.env.Now())
	}
	r.person = newPerson()
}

// signOut closes the screens first: a list that fails because the session is gone must
// not show the sign-in form again.
func (r *root) signOut() tea.Cmd {
	r.closeOverlays()
	r.waiting = "signing out"
	r.forget()
	erase := func() error { return r.service.Session.SignOut(r.env.Context) }
	return screen.Reply(nil, erase, func(err error) tea.Cmd {
		r.hear("You are signed out.")
		var o signin.Options
		if err != nil {
			o.Reason = reason(err)
		}
		return r.showForm(o)
	})
}

// sessionEvent shows what the session did in the background, without moving the focus.
func (r *root) sessionEvent(e session.Event) tea.Cmd {
	r.renewal.Reset(r.service.Session.RenewIn())
	switch e.Kind {
	case session.EventSignedIn:
		// A form that was closed while it was signing in does not report it.
		if r.signIn() == nil && r.domains() != nil && identityOf(r.service.Session.Status()) != r.user {
			return r.SignedIn()
		}
	case session.EventRenewed:
		r.tick()
		return r.announce("The access token was renewed.", false)
	case session.EventDelayed:
		return r.announce(reason(e.Err), true)
	case session.EventEnded:
		if r.signIn() != nil {
			return nil // the form says why it is there
		}
		return r.announce(reason(e.Err), true)
	}
	if e.Err != nil {
		return r.announce(screen.Describe(e.Err).Sentence, true)
	}
	return nil
}
