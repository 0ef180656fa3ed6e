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
	email string       // what it is about
	work  *screen.Work // nil: the service was not asked
	done  bool
	found
}

// found is what a look-up has found.
type found struct {
	domain string
	err    error
}

// watchEmail begins a look-up when the e-mail has changed and is complete: at
// once when the focus has left the field, otherwise when the typing rests.
func (m *Model) watchEmail() tea.Cmd { return m.watch(m.form.Focused() != "email") }

// watch is watchEmail; atOnce leaves out the rest.
func (m *Model) watch(atOnce bool) tea.Cmd {
	email := m.form.Value("email")
	changed := email != m.lookup.email
	if changed {
		m.lookup.work.Cancel()
		m.lookup = &lookup{email: email}
	}
	l := m.lookup
	if l.work != nil || !IsWhole(email) {
		return nil
	}
	if atOnce {
		return m.ask(email)
	}
	if !changed {
		return nil
	}
	return screen.After(m.env.Context, pause, screen.Addressed{To: m, Take: func() tea.Cmd {
		if m.lookup != l || l.work != nil {
			return nil
		}
		return m.ask(email)
	}})
}

func (m *Model) ask(email string) (asked tea.Cmd) {
	l := &lookup{email: email}
	l.work, asked = screen.Begin(m.env, m, func(ctx context.Context) found {
		user, err := m.service.Lookup(ctx, email)
		return found{user.PrimaryDomain, err}
	}, func(f found) tea.Cmd {
		l.done, l.found = true, f
		return nil
	})
	m.lookup = l
	return asked
}

// line says what is known of the e-mail: its primary domain.
func (m *Model) line() string {
	t, l := m.env.Theme, m.lookup
	_, unknown := errors.AsType[*api.NoDomainError](l.err)
	switch {
	case l.work.UnderWay():
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
