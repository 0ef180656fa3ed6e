// Package signin is the screen on which a person signs in with e-mail and
// password (interface section 5, the password grant).
package signin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Service signs in and looks up a primary domain.
type Service interface {
	SignIn(ctx context.Context, s session.SignIn) error
	Lookup(ctx context.Context, email string) (string, error)
}

// Options say what the screen starts with.
type Options struct {
	// Username fills the e-mail field: of the session that ended.
	Username string
	// Authorities can be chosen among when there are several; the first is used
	// when the person does not choose.
	Authorities []string
	// Reason is why the person has to sign in, or empty.
	Reason string
	// Tips are accounts to try, in the demo.
	Tips []session.Tip
	// Key is what a session can be kept for, which is offered then; nil where it cannot be
	// chosen. Kept is the session that is kept for it now: then the choice begins ticked. It is
	// nil where there is none.
	Key  *session.Key
	Kept *KeptSession
	// Retry tries again to reach the session that was kept; nil where that would not help.
	Retry func() tea.Cmd
}

// KeptSession is whose session is kept for a key, and since when.
type KeptSession struct {
	Username string
	Since    time.Time
}

// Model is the screen.
type Model struct {
	*form.Model
	card    *form.Card
	env     *screen.Env
	service Service
	options Options
	// listed are the tips that are offered.
	listed []session.Tip
	lookup *lookup
	// answered are the look-ups that found a domain, by what was typed: nobody is asked twice.
	answered map[string]*lookup
	problem  *problem.Problem
	refused  bool // the password was, the last time
	// What follows is settled with the room.
	width      int
	wordmark   []string // drawn for a theme and a width
	drawnFor   styles.Options
	drawnWidth int
}

// New makes the screen.
func New(env *screen.Env, service Service, o Options) *Model {
	fields := []form.Field{
		{
			Key: "email", Label: "E-mail", Value: o.Username, Noted: true,
			Check:    form.CheckEmail,
			Required: form.TypeEmail,
			Complete: func(typed string) string { return session.Complete(typed, o.Tips) },
		},
		{Key: "password", Label: "Password", Secret: true, Noted: true, Required: "type the password"},
	}
	if len(o.Authorities) > 1 {
		choice := form.Field{Key: "authority", Label: "Authority", Hint: "←/→ choose who checks the password", Folded: true}
		for _, name := range o.Authorities {
			choice.Options = append(choice.Options, form.Option{Label: session.AuthorityTitle(name), Value: name})
		}
		fields = append([]form.Field{choice}, fields...)
	}
	if o.Key != nil {
		fields = append(fields, form.Field{Key: "keep", Label: "Keep me signed in", Toggle: true, Value: screen.If(o.Kept != nil, form.On)})
	}
	m := &Model{Model: form.New(env.Theme, fields...), env: env, service: service, options: o, lookup: &lookup{tip: -1}, answered: map[string]*lookup{}}
	m.listed = slices.DeleteFunc(slices.Clone(o.Tips), func(t session.Tip) bool { return t.Unlisted })
	m.card = &form.Card{Model: m.Model, Heading: title, Cells: cardCells, About: m.reason, Said: m.message}
	m.Submit, m.Clicked = m.signIn, m.watchEmail
	return m
}

// cardCells is how wide the form is at most.
const cardCells = 56

func (m *Model) Init() tea.Cmd {
	if m.options.Username == "" {
		m.Start("email")
		return nil
	}
	m.Start("password")
	return m.watchEmail()
}

func (m *Model) Close() {
	m.lookup.work.Cancel()
	m.Model.Close()
}

func (m *Model) Actions() []screen.Action {
	if m.Busy() {
		return []screen.Action{{ID: screen.SignInCancel, Run: screen.Do(func() {
			m.Sending.Cancel()
			m.problem = &problem.Problem{Sentence: "Signing in was cancelled.", Hint: "Type the password to try again.", Kind: problem.Cancelled}
			m.Start("password")
		})}}
	}
	list := make([]screen.Action, 0, 16) // room for those that the program adds
	if len(m.listed) > 0 {               // one after the other is filled in
		list = append(list,
			screen.Action{ID: screen.SignInAccount, Run: func() tea.Cmd { return m.fill(m.lookup.tip + 1) }},
			screen.Action{ID: screen.SignInAccountBefore, Run: func() tea.Cmd { return m.fill(max(m.lookup.tip, 0) - 1) }})
	}
	list = append(list, m.Model.Actions("sign in", false)...)
	// The check is with the password, if that was refused.
	check := screen.Action{ID: screen.RootCheck, Title: "check an address without signing in", Typing: true, Run: func() tea.Cmd {
		address := session.Complete(m.Value("email"), m.options.Tips)
		if m.refused {
			return m.env.Root.CheckSignIn(address)
		}
		return m.env.Root.Check(address)
	}}
	at := slices.IndexFunc(list, func(a screen.Action) bool { return a.ID == screen.FormNext }) + 1
	switch {
	case m.width < 60: // the footer has room for one
		check.Title, at = "check", 0
	case m.width < 100:
		check.Title = "check an address"
	}
	list = slices.Insert(list, at, check)
	if m.options.Retry != nil {
		list = slices.Insert(list, at, screen.Action{ID: screen.SignInRetry, Run: m.options.Retry})
	}
	for i, a := range list {
		if a.ID == screen.FormFold {
			list[i].Title, list[i].Description = "authority", "choose who checks the password"
		}
	}
	return list
}

func (m *Model) Update(msg tea.Msg) tea.Cmd {
	sent := m.Model.Update(msg)
	if m.Busy() {
		return sent
	}
	return tea.Batch(sent, m.watchEmail())
}

// fill puts one of the accounts to try into the form; its password is left to type. Behind
// the last one comes the first.
func (m *Model) fill(tip int) tea.Cmd {
	m.Set("email", m.listed[(tip+len(m.listed))%len(m.listed)].Account)
	m.Start("password")
	return m.watch(false) // the key may be held
}

func (m *Model) signIn() tea.Cmd {
	m.problem, m.refused = nil, false
	request := session.SignIn{Username: m.Value("email"), Password: m.Take("password"), Authority: m.Value("authority"), Keep: m.keeps()}
	attempt := screen.NewWork(m.env)
	m.Sending = attempt
	send := func() error { return m.service.SignIn(attempt.Context, request) }
	return screen.Reply(m, send, func(err error) tea.Cmd { return m.signedIn(attempt, err) })
}

// signedIn takes what came of an attempt. It can come through although it was cancelled; the
// session is there then, whatever this form says.
func (m *Model) signedIn(attempt *screen.Work, err error) tea.Cmd {
	if !attempt.UnderWay() && (err != nil || m.Busy()) {
		return nil
	}
	attempt.Cancel()
	if err != nil {
		return m.failed(err)
	}
	return m.env.Root.SignedIn()
}

// failed shows the form again, with the password to be typed again.
func (m *Model) failed(err error) tea.Cmd {
	described := screen.Describe(err)
	_, wrong := errors.AsType[*session.WrongPasswordError](err)
	m.refused = wrong
	if refused, ok := errors.AsType[*api.TokenError](err); ok && wrong {
		described.Sentence = fmt.Sprintf("Wrong e-mail or password (%s, %d).", safetext.Line(refused.Host), refused.Status)
		described.Hint = m.env.Keys.Press(screen.RootCheck) + " to check the account."
	}
	if _, away := errors.AsType[*session.VaultError](err); away && m.keeps() {
		described.Hint = "The password was not sent. To sign in without keeping the session, untick the box; or try again."
	}
	m.problem = &described
	m.Start("password")
	return nil
}

// pause is how long the typing of the e-mail rests before its domain is asked for.
const pause = 350 * time.Millisecond

// lookup finds the primary domain of the e-mail in the form, so that a person
// sees where the password will go before typing it.
type lookup struct {
	typed string       // what it is about
	email string       // the address in that
	tip   int          // which of the accounts to try that is, or -1
	work  *screen.Work // nil: the service was not asked
	done  bool
	found
}

// found is what a look-up has found.
type found struct {
	domain string
	err    error
}

// about is the look-up of the address in what was typed, not begun yet.
func (m *Model) about(typed string) *lookup {
	whole := session.Complete(typed, m.options.Tips)
	return &lookup{typed: typed, email: whole, tip: slices.IndexFunc(m.listed, func(tip session.Tip) bool { return strings.EqualFold(tip.Account, whole) })}
}

// watchEmail begins a look-up when the e-mail has changed and is complete: at
// once when the focus has left the field, otherwise when the typing rests.
func (m *Model) watchEmail() tea.Cmd { return m.watch(m.Focused() != "email") }

// watch is watchEmail; atOnce leaves out the rest.
func (m *Model) watch(atOnce bool) tea.Cmd {
	typed := m.Value("email")
	changed := typed != m.lookup.typed
	if changed { // what was said is of another address
		m.problem, m.refused = nil, false
		m.lookup.work.Cancel()
		m.lookup = cmp.Or(m.answered[typed], m.about(typed))
	}
	l := m.lookup
	switch {
	case l.work != nil || !form.IsWholeEmail(typed) || !atOnce && !changed:
		return nil
	case atOnce:
		return m.ask(l)
	}
	return screen.After(m.env.Context, pause, screen.Addressed{To: m, Take: func() tea.Cmd {
		if m.lookup != l || l.work != nil {
			return nil
		}
		return m.ask(l)
	}})
}

func (m *Model) ask(l *lookup) (asked tea.Cmd) {
	l.work, asked = screen.Begin(m.env, m, func(ctx context.Context) found {
		domain, err := m.service.Lookup(ctx, l.email)
		return found{domain, err}
	}, func(f found) tea.Cmd {
		if l.done, l.found = true, f; f.err == nil {
			m.answered[l.typed] = l
		}
		return nil
	})
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
		return t.Muted.Render("look-up failed" + screen.If(m.problem == nil, "; signing in may still work"))
	}
	return t.Good.Render(t.Glyphs.Good) + " " + safetext.Line(hostname.Readable(l.domain))
}
