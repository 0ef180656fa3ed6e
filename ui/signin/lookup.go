package signin

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// pause is how long the typing of the e-mail rests before its domain is asked for.
const pause = 350 * time.Millisecond

// lookup finds the primary domain of the e-mail in the form, so that a person
// sees where the password will go before typing it.
type lookup struct {
	email  string // what it is about
	cancel context.CancelFunc
	done   bool
	domain string
	err    error
}

// pauseMsg tells that the typing has rested since a look-up was thought of,
// lookedUpMsg what one has found.
type pauseMsg struct{ lookup *lookup }

type lookedUpMsg struct {
	lookup *lookup
	domain string
	err    error
}

func (l *lookup) stop() {
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// begun reports that the service was asked.
func (l *lookup) begun() bool { return l.done || l.cancel != nil }

// lookupUpdate takes what belongs to the look-up of the e-mail as it is now.
func (m *Model) lookupUpdate(msg tea.Msg) tea.Cmd {
	l := m.lookup
	switch msg := msg.(type) {
	case pauseMsg:
		if msg.lookup == l && !l.begun() {
			return m.ask(l.email)
		}
	case lookedUpMsg:
		if msg.lookup == l {
			l.stop()
			l.done, l.domain, l.err = true, msg.domain, msg.err
		}
	}
	return nil
}

// watchEmail begins a look-up when the e-mail has changed and is complete: at
// once when the focus has left the field, otherwise when the typing rests.
func (m *Model) watchEmail() tea.Cmd { return m.watch(m.form.Focused() != "email") }

// watch is watchEmail; atOnce leaves out the rest.
func (m *Model) watch(atOnce bool) tea.Cmd {
	email := m.form.Value("email")
	changed := email != m.lookup.email
	if changed {
		m.lookup.stop()
		m.lookup = &lookup{email: email}
	}
	if m.lookup.begun() || !IsWhole(email) {
		return nil
	}
	if atOnce {
		return m.ask(email)
	}
	if !changed {
		return nil
	}
	rested := pauseMsg{m.lookup}
	return screen.After(m.env.Context, pause, screen.Addressed{To: m, Msg: rested})
}

func (m *Model) ask(email string) tea.Cmd {
	ctx, cancel := context.WithCancel(m.env.Context)
	l := &lookup{email: email, cancel: cancel}
	m.lookup = l
	return screen.Reply(m, func() tea.Msg {
		defer cancel()
		found, err := m.service.Lookup(ctx, email)
		return lookedUpMsg{l, found.PrimaryDomain, err}
	})
}

// line says what is known of the e-mail: its primary domain.
func (m *Model) line() string {
	t, l := m.env.Theme, m.lookup
	_, unknown := errors.AsType[*api.NoDomainError](l.err)
	switch {
	case l.cancel != nil:
		return t.Muted.Render("looking up the primary domain" + t.Glyphs.More)
	case !l.done:
		return ""
	case unknown:
		return t.Warn.Render(t.Glyphs.Warning + " no primary domain; check the spelling")
	case l.err != nil:
		return t.Muted.Render("look-up failed; signing in may still work")
	}
	return t.Good.Render(t.Glyphs.Good) + " " + safetext.Line(hostname.Readable(l.domain))
}

// foundLabel stands before the primary domain that a look-up has found.
const foundLabel = "Primary domain: "

// LookedUp says what a look-up of the primary domain before signing in has found:
// a person sees where the password will go. Unknown is true where the service knows
// no domain for the address. The domain is not safe on a terminal.
func LookedUp(domain string, err error) (text string, unknown bool) {
	if _, unknown := errors.AsType[*api.NoDomainError](err); unknown {
		return "No primary domain was found for this address. Is it spelled correctly?", true
	}
	if err != nil {
		return "The primary domain could not be looked up; signing in may still work.", false
	}
	return foundLabel + hostname.Readable(domain), false
}

// IsWhole tells whether a text can be a whole e-mail address: something, an at
// sign, and a name with a dot that has something behind it.
func IsWhole(email string) bool {
	local, host, ok := strings.Cut(strings.TrimSpace(email), "@")
	dot := strings.LastIndexByte(host, '.')
	return ok && local != "" && dot > 0 && len(host)-dot > 2 && !strings.ContainsAny(host, "@ ")
}
