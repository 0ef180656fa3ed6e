package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/config"
	"gatehouse/internal/problem"
	"gatehouse/session"
	"gatehouse/ui/domains"
	"gatehouse/ui/human"
	"gatehouse/ui/signin"
)

// openedMsg brings the service of the profile, or why there is none.
type openedMsg struct {
	opened Opened
	err    error
	// restored is what came of opening the saved session.
	restored error
}

// signedOutMsg tells that the session is forgotten, or why not wholly.
type signedOutMsg struct{ err error }

// sessionMsg is an event of the session.
type sessionMsg struct{ event session.Event }

// clockMsg lets the life left in the header go on.
type clockMsg struct{ number int }

// open opens the profile and the session that was saved in it.
func (r *root) open(how Opener) tea.Cmd {
	r.overlay = nil
	return func() tea.Msg {
		opened, err := how(r.env.Context)
		if err != nil {
			return openedMsg{err: err}
		}
		return openedMsg{opened: opened, restored: opened.Service.Session.Restore(r.env.Context)}
	}
}

func (r *root) sessionUpdate(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		return r.opened(msg)
	case signedOutMsg:
		return r.signedOut(msg)
	case sessionMsg:
		return r.sessionEvent(msg.event)
	case clockMsg:
		return r.tick(msg)
	}
	return nil
}

func (r *root) opened(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		r.overlay = closed{problem: problem.Describe(msg.err, problem.Screen)}
		return nil
	}
	r.service, r.notice = msg.opened.Service, msg.opened.Notice
	unsubscribe := r.service.Session.Subscribe(func(e session.Event) { r.send(sessionMsg{e}) })
	r.stop = append(r.stop, unsubscribe)
	if msg.restored == nil {
		return tea.Batch(r.keep(), r.signedIn())
	}
	return tea.Batch(r.keep(), r.showSignIn(reason(msg.restored), nil))
}

// keep lets the session renew itself for as long as the UI is open.
func (r *root) keep() tea.Cmd {
	return func() tea.Msg {
		r.service.Session.Keep(r.env.Context)
		return nil
	}
}

// reason says why somebody has to sign in; that nobody has yet needs no words.
func reason(err error) string {
	if errors.Is(err, session.ErrSignedOut) {
		return ""
	}
	described := problem.Describe(err, problem.Screen)
	return described.Sentence + " " + described.Hint
}

// showSignIn puts the form in front of everything else. Cancel leads back to
// what lies below it; nil where there is nothing.
func (r *root) showSignIn(why string, cancel func() tea.Cmd) tea.Cmd {
	r.overlay = nil
	r.closeSignIn()
	r.signin = signin.New(r.env, account{r.service}, signin.Options{
		Username:    r.service.Session.Status().Username,
		Authorities: authorities(r.service.Profile),
		Reason:      why,
		Tips:        r.options.Tips,
		Cancel:      cancel,
	})
	return r.signin.Init()
}

func (r *root) hideSignIn() tea.Cmd {
	r.resume = nil
	r.closeSignIn()
	return nil
}

func (r *root) closeSignIn() {
	if r.signin != nil {
		r.signin.Close()
		r.signin = nil
	}
}

// account is the service as the sign-in form needs it.
type account struct{ *session.Service }

// SignIn implements [signin.Service].
func (a account) SignIn(ctx context.Context, in session.SignIn) error {
	return a.Session.SignIn(ctx, in)
}

// authorities are those that can be chosen, the profile's own first.
func authorities(p *config.Profile) []string {
	list := p.Authorities()
	slices.SortStableFunc(list, func(a, b string) int {
		return rank(b == p.Authority) - rank(a == p.Authority)
	})
	return list
}

func rank(first bool) int {
	if first {
		return 1
	}
	return 0
}

// signedIn leads to where the person was, or to the list of domains. What
// another person saw is not kept.
func (r *root) signedIn() tea.Cmd {
	r.closeSignIn()
	resume := r.resume
	r.resume = nil
	if user := r.service.Session.Status().Username; user != r.user {
		r.user, r.inside, r.reseller, resume = user, false, "", nil
		r.leavePlace()
	}
	if r.domains == nil {
		r.domains = domains.New(r.env, r.service.Session.Status)
	}
	r.domains.Refresh()
	if resume == nil {
		return r.startClock()
	}
	return tea.Batch(r.startClock(), resume())
}

func (r *root) signOut() tea.Cmd {
	r.overlay = nil
	return func() tea.Msg { return signedOutMsg{r.service.Session.SignOut(r.env.Context)} }
}

func (r *root) signedOut(msg signedOutMsg) tea.Cmd {
	r.leavePlace()
	r.inside, r.domains, r.user, r.reseller = false, nil, "", ""
	why := ""
	if msg.err != nil {
		why = reason(msg.err)
	}
	return r.showSignIn(why, nil)
}

// sessionEvent shows what the session did by itself, without taking the focus.
func (r *root) sessionEvent(e session.Event) tea.Cmd {
	switch e.Kind {
	case session.EventRenewed:
		return tea.Batch(r.say("The access token was renewed.", false), r.startClock())
	case session.EventDelayed:
		return r.say(r.delayed(e.Err), true)
	case session.EventEnded:
		return r.say("The session is over: "+reason(e.Err), true)
	}
	if e.Err != nil {
		return r.say(problem.Describe(e.Err, problem.Screen).Sentence, true)
	}
	return nil
}

// delayed says when a renewal is tried again, and why it has to be.
func (r *root) delayed(err error) string {
	text := problem.Describe(err, problem.Screen).Sentence
	if delay, ok := errors.AsType[*session.DelayedError](err); ok {
		text = "Trying again in " + human.Span(delay.RetryAt.Sub(r.env.Now())) + ". " + text
	}
	return text
}

// startClock lets the life left in the header run; a clock started before stops.
func (r *root) startClock() tea.Cmd {
	r.clock++
	return r.tick(clockMsg{r.clock})
}

// tick waits until the life left reads differently: by the minute while there
// is more than an hour, then by the second.
func (r *root) tick(msg clockMsg) tea.Cmd {
	if msg.number != r.clock {
		return nil
	}
	left := r.service.Session.Status().ExpiresAt.Sub(r.env.Now())
	if left <= 0 {
		return nil
	}
	wait := time.Second
	if left > time.Hour {
		wait = left%time.Minute + time.Second
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return msg })
}

// warnAhead is how long before its end for good a session is warned of.
const warnAhead = 72 * time.Hour

// lastDays warns that no renewal will help any more soon.
func (r *root) lastDays() string {
	if r.service == nil || r.signin != nil {
		return ""
	}
	end := r.service.Session.Status().RefreshEndsAt
	left := end.Sub(r.env.Now())
	if end.IsZero() || left > warnAhead {
		return ""
	}
	return "The session ends for good in " + human.Span(left) + ": sign in again before (S on Domains or Token)."
}
