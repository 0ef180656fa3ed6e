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
	// Username is the e-mail address in the form at first, such as that of the last session.
	Username string
	// Authorities are the authorities that can check the password. If there are several, the person
	// can choose one; the first is the default.
	Authorities []string
	// Reason says why the person has to sign in; "" for no reason.
	Reason string
	// Tips are accounts to try, in the demo.
	Tips []session.Tip
	// Key is the key for which the session can be kept, if the person ticks a box; nil if there is
	// no choice. Kept is the session that is kept for the key now, so that the box is ticked at
	// first; nil if there is none.
	Key  *session.Key
	Kept *KeptSession
	// Retry tries again to reach the kept session; nil if that would not help.
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
	// listed are the tips that the screen shows.
	listed []session.Tip
	lookup *lookup // of the e-mail address in the form
	// answered are the look-ups that found a domain, by the typed address, so that none is made
	// twice.
	answered map[string]*lookup
	problem  *problem.Problem // of the last attempt; nil if there is none
	refused  bool             // the authority rejected the password of the last attempt

	width int // of the screen
	// wordmark is drawn for the options of a theme and a width.
	wordmark   []string
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
		fields = append([]form.Field{authorityField(o.Authorities)}, fields...)
	}
	if o.Key != nil {
		fields = append(fields, form.Field{
			Key:    "keep",
			Label:  "Keep me signed in",
			Toggle: true,
			Value:  screen.If(o.Kept != nil, form.On),
		})
	}
	m := &Model{
		Model:    form.New(env.Theme, fields...),
		env:      env,
		service:  service,
		options:  o,
		lookup:   &lookup{tip: noTip},
		answered: map[string]*lookup{},
	}
	isUnlisted := func(t session.Tip) bool { return t.Unlisted }
	m.listed = slices.DeleteFunc(slices.Clone(o.Tips), isUnlisted)
	m.card = &form.Card{
		Model:   m.Model,
		Heading: title,
		Cells:   cardCells,
		About:   m.reason,
		Said:    m.message,
	}
	m.Submit, m.Changed = m.signIn, m.watchEmail
	return m
}

// authorityField is the field in which the person chooses one of several authorities.
func authorityField(names []string) form.Field {
	f := form.Field{
		Key:    "authority",
		Label:  "Authority",
		Hint:   "←/→ choose who checks the password",
		Folded: true,
	}
	for _, name := range names {
		option := form.Option{Label: session.AuthorityTitle(name), Value: name}
		f.Options = append(f.Options, option)
	}
	return f
}

// cardCells is the width of the form in cells, if there is room.
const cardCells = 56

// The widths below which the footer has no room for the whole title of the check.
const (
	shortTitleWidth = 100
	wordTitleWidth  = 60
)

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
		return []screen.Action{{ID: screen.SignInCancel, Run: screen.Do(m.cancel)}}
	}
	const capacity = 16 // with those that the root adds
	list := make([]screen.Action, 0, capacity)
	besides := m.besides()
	isNarrow := m.width < wordTitleWidth // the footer shows the first action alone
	if isNarrow {
		list, besides = append(list, besides...), nil
	}
	if len(m.listed) > 0 {
		next := func() tea.Cmd { return m.fill(m.lookup.tip + 1) }
		before := func() tea.Cmd { return m.fill(max(m.lookup.tip, 0) - 1) }
		list = append(list,
			screen.Action{ID: screen.SignInAccount, Run: next},
			screen.Action{ID: screen.SignInAccountBefore, Run: before},
		)
	}
	list = append(list, m.Model.Actions("sign in", false, besides...)...)
	for i, a := range list {
		if a.ID == screen.FormFold {
			list[i].Title, list[i].Description = "authority", "choose who checks the password"
		}
	}
	return list
}

// besides are the actions of the screen that are not about its form, with titles for the width.
func (m *Model) besides() (list []screen.Action) {
	if m.options.Retry != nil {
		list = append(list, screen.Action{ID: screen.SignInRetry, Run: m.options.Retry})
	}
	check := screen.Action{
		ID:     screen.RootCheck,
		Title:  "check an address without signing in",
		Typing: true,
		Run:    m.check,
	}
	switch {
	case m.width < wordTitleWidth:
		check.Title = "check"
	case m.width < shortTitleWidth:
		check.Title = "check an address"
	}
	return append(list, check)
}

// cancel cancels the attempt.
func (m *Model) cancel() {
	m.Sending.Cancel()
	m.problem = &problem.Problem{
		Sentence: "Signing in was cancelled.",
		Hint:     "Type the password to try again.",
		Kind:     problem.Cancelled,
	}
	m.Start("password")
}

// check checks the address in the form. If the password was rejected, the check signs in as well.
func (m *Model) check() tea.Cmd {
	address := session.Complete(m.Value("email"), m.options.Tips)
	if m.refused {
		return m.env.Root.CheckSignIn(address)
	}
	return m.env.Root.Check(address)
}

// fill puts one of the demo accounts into the form, without its password. The number may be one
// beyond either end, and wraps around.
func (m *Model) fill(tip int) tea.Cmd {
	m.Set("email", m.listed[(tip+len(m.listed))%len(m.listed)].Account)
	m.Start("password")
	return m.watch(false) // the key may be held
}

// signIn begins an attempt with the values of the form, and removes the password from the form.
func (m *Model) signIn() tea.Cmd {
	m.problem, m.refused = nil, false
	request := session.SignIn{
		Username:  m.Value("email"),
		Password:  m.Take("password"),
		Authority: m.Value("authority"),
		Keep:      m.keeps(),
	}
	attempt := screen.NewWork(m.env)
	m.Sending = attempt
	send := func() error { return m.service.SignIn(attempt.Context, request) }
	return screen.Reply(m, send, func(err error) tea.Cmd { return m.signedIn(attempt, err) })
}

// signedIn goes on after an attempt. An attempt that was cancelled may have worked all the same, and
// then the person is signed in, unless another attempt is under way.
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

// failed shows why an attempt failed, and asks for the password again.
func (m *Model) failed(err error) tea.Cmd {
	described := screen.Describe(err)
	_, m.refused = errors.AsType[*session.WrongPasswordError](err)
	if refused, ok := errors.AsType[*api.TokenError](err); ok && m.refused {
		host := safetext.Line(refused.Host)
		described.Sentence = fmt.Sprintf("Wrong e-mail or password (%s, %d).", host, refused.Status)
		described.Hint = m.env.Keys.Press(screen.RootCheck) + " to check the account."
	}
	if _, isOfVault := errors.AsType[*session.VaultError](err); isOfVault && m.keeps() {
		described.Hint = "The password was not sent. " +
			"To sign in without keeping the session, untick the box; or try again."
	}
	m.problem = &described
	m.Start("password")
	return nil
}

// lookupDelay is how long nothing is typed before the domain of the address is looked up.
const lookupDelay = 350 * time.Millisecond

// lookup finds the primary domain of the e-mail address in the form, so that a person sees where
// the password will go before typing it.
type lookup struct {
	typed string       // the text of the field
	email string       // the whole address
	tip   int          // the number of the demo account that it is, or noTip
	work  *screen.Work // nil if the service was not asked
	done  bool         // found is the result
	found
}

// noTip is the number of an account that is not one of the demo.
const noTip = -1

// found is the result of a look-up.
type found struct {
	domain string
	err    error
}

// newLookup makes the look-up for a text of the field. The service is not asked yet.
func (m *Model) newLookup(typed string) *lookup {
	email := session.Complete(typed, m.options.Tips)
	tip := slices.IndexFunc(m.listed, func(tip session.Tip) bool {
		return strings.EqualFold(tip.Account, email)
	})
	return &lookup{typed: typed, email: email, tip: tip}
}

// watchEmail looks up the e-mail address if it has changed and is whole: at once if the focus has
// left the field, or else once nothing was typed for lookupDelay.
func (m *Model) watchEmail() tea.Cmd { return m.watch(m.Focused() != "email") }

// watch is watchEmail. atOnce means that it does not wait.
func (m *Model) watch(atOnce bool) tea.Cmd {
	typed := m.Value("email")
	hasChanged := typed != m.lookup.typed
	if hasChanged {
		m.problem, m.refused = nil, false // they are about the address before
		m.lookup.work.Cancel()
		m.lookup = cmp.Or(m.answered[typed], m.newLookup(typed))
	}
	l := m.lookup
	isDue := hasChanged || atOnce
	if l.work != nil || !form.IsWholeEmail(typed) || !isDue {
		return nil
	}
	if atOnce {
		return m.ask(l)
	}
	ask := func() tea.Cmd {
		isOver := m.lookup != l || l.work != nil
		if isOver {
			return nil
		}
		return m.ask(l)
	}
	return screen.After(m.env.Context, lookupDelay, screen.Addressed{To: m, Take: ask})
}

// ask asks the service for the domain of a look-up.
func (m *Model) ask(l *lookup) (asked tea.Cmd) {
	find := func(ctx context.Context) found {
		domain, err := m.service.Lookup(ctx, l.email)
		return found{domain, err}
	}
	l.work, asked = screen.Begin(m.env, m, find, func(f found) tea.Cmd {
		l.done, l.found = true, f
		if f.err == nil {
			m.answered[l.typed] = l
		}
		return nil
	})
	return asked
}

// line is the note beside the e-mail address: its primary domain, or the state of the look-up.
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
		mayWork := screen.If(m.problem == nil, "; signing in may still work")
		return t.Muted.Render("look-up failed" + mayWork)
	}
	return t.Good.Render(t.Glyphs.Good) + " " + safetext.Line(hostname.Readable(l.domain))
}
