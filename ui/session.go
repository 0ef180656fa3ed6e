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

// opened is the result of opening the profile: the error, or its service and the result of
// restoring the saved session.
type opened struct {
	Opened
	err      error
	restored restored
}

// restored is the result of restoring the saved session: the error, or the place that was saved
// with it, nil if there is none.
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

// opened goes on once the profile is open, or could not be opened.
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

// keepRenewed renews the session before it expires, and sets the timer that calls it to do so again.
// With a timer, an idle UI needs no goroutine that waits: a server has thousands of them.
func (r *root) keepRenewed() {
	if ctx := r.env.Context; ctx.Err() == nil {
		guardedBy(r.send, func() { r.service.Session.KeepRenewed(ctx) })
		r.renewal.Reset(r.service.Session.RenewIn())
	}
}

// restored shows the restored session, or the sign-in form with the reason. If a session is kept for
// a key and cannot be reached, the form offers to try again.
func (r *root) restored(result restored) tea.Cmd {
	if result.err == nil {
		return r.comeBack(result.place)
	}
	o := signin.Options{Reason: reason(result.err)}
	_, isOfVault := errors.AsType[*session.VaultError](result.err)
	if isOfVault && r.service.Session.CanKeep() {
		described := screen.Describe(result.err)
		o.Reason = "A session may be kept for your " + r.keyKind() + ". " + described.Sentence + " " +
			r.env.Keys.Key(screen.SignInRetry) + " tries again; you can sign in without it."
		o.Retry = r.restoreAgain
	}
	return r.showForm(o)
}

// restoreAgain tries once more to restore the session that is kept for a key.
func (r *root) restoreAgain() tea.Cmd {
	r.closeOverlays()
	r.closeSignIn()
	r.waiting = "reaching the kept session"
	return screen.Reply(nil, func() restored { return r.restore(r.service) }, r.restored)
}

// keyKind says whether a session is kept for a "key" or a "certificate".
func (r *root) keyKind() string { return cmp.Or(r.options.Key, &session.Key{}).Kind() }

// reason says why the person has to sign in; "" if nobody has signed in yet.
func reason(err error) string {
	if errors.Is(err, session.ErrSignedOut) {
		return ""
	}
	described := screen.Describe(err)
	return described.Sentence + " " + described.Hint
}

// showForm shows the sign-in form over everything else. It fills in the options that depend on the
// service.
func (r *root) showForm(o signin.Options) tea.Cmd {
	r.closeOverlays()
	r.closeSignIn()
	status := r.service.Session.Status()
	o.Username = cmp.Or(status.Username, r.options.SignInAs)
	o.Authorities = r.service.Profile.Authorities()
	o.Tips = r.options.Tips
	if r.service.Session.CanKeep() {
		o.Key = cmp.Or(r.options.Key, &session.Key{})
		if status.Saved && status.State != session.Ended {
			o.Kept = &signin.KeptSession{Username: status.Username, Since: status.SignedInAt}
		}
	}
	return r.stack.Push(signin.New(r.env, account{r.service}, o))
}

// SignInAgain implements [screen.Root]. A form that is already shown stays, as the person may be
// typing. If the person did not ask for the form, and it would take the keyboard away from
// something else, the reason is only announced.
func (r *root) SignInAgain(from screen.Screen, reason string, then func() tea.Cmd) tea.Cmd {
	if r.signIn() != nil {
		return nil
	}
	isAskedFor := reason == ""
	disturbs := !r.shows(from) || r.modal() || r.typing()
	if !isAskedFor && disturbs {
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

// SignedIn implements [screen.Root]: it goes back to where the person was, or shows the list of
// domains. If another person has signed in, it drops all that was the previous one's.
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
		o := domains.Options{Service: r.service, Session: r.service.Session}
		shown = r.stack.Push(domains.New(r.env, o))
	}
	if resume != nil {
		shown = tea.Batch(shown, resume())
	}
	return shown
}

// identity is who is signed in: the same name at another authority is another person.
type identity struct{ username, authority string }

func identityOf(s session.Status) identity { return identity{s.Username, s.Authority} }

// person is all that the UI remembers of the person who is signed in. It is replaced as a whole
// for another person, see [root.forget].
type person struct {
	user    identity
	used    []screen.EntryID // entries of the palette, the one that was used last first
	resume  func() tea.Cmd   // run after the person has signed in again; may be nil
	results *device.History  // of device logins
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

// signOut ends the session and shows the sign-in form. It closes the screens first: a list that
// fails because the session is gone must not show the form as well.
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

// sessionEvent tells the person what the session did in the background.
func (r *root) sessionEvent(e session.Event) tea.Cmd {
	r.renewal.Reset(r.service.Session.RenewIn())
	switch e.Kind {
	case session.EventSignedIn:
		// A sign-in form that was closed meanwhile does not report the sign-in.
		isOther := identityOf(r.service.Session.Status()) != r.user
		if r.signIn() == nil && r.domains() != nil && isOther {
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
