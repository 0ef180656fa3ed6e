// Package check is the screen of the support desk: it asks for an address, checks it, and
// shows the card with the verdict, live while the checks run. The form is the lowest screen;
// the card and what it leads to are pushed over it.
package check

import (
	"context"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Checker checks addresses.
type Checker interface {
	// Run is that of [check.Checker].
	Run(ctx context.Context, r check.Request, progress func(check.Check)) check.Report
}

// Options are what the screen is made with.
type Options struct {
	// NewChecker makes a checker that remembers nothing of earlier checks.
	NewChecker func() Checker
	// Address stands in the form at first, or is checked at once with Begin. With SignIn the form
	// asks for its password first.
	Address       string
	Begin, SignIn bool
	// Complete writes out an address that was typed in short; nil changes nothing.
	Complete func(typed string) string
	// Status is that of the session.
	Status func() session.Status
	// WriteBundle writes a report and the requests made for it, for a ticket.
	WriteBundle func(w io.Writer, r check.Report) error
	// History are the reports of this run; nil: those of this screen alone.
	History *History

	jobs int // how many addresses of a list are checked at the same time; 0 is 8
}

// Model is the form in which a person says what to check.
type Model struct {
	*form.Model
	env     *screen.Env
	options Options

	remark remark
	begun  bool // by a person who did not see the form first: back from the card leads out
}

// remark is what is said above the form; bad marks what has to be mended.
type remark struct {
	text string
	bad  bool
}

// New makes the screen.
func New(env *screen.Env, o Options) *Model {
	if o.History == nil {
		o.History = &History{}
	}
	m := &Model{env: env, options: o, begun: o.Begin}
	m.reset(o.Address)
	if o.SignIn {
		m.fill(check.Request{Email: o.Address})
		m.remark.text = withSignIn(o.Address)
	}
	return m
}

func (m *Model) Title() string { return title }

// title is that of the form and of all that is opened over it.
const title = "Check"

func (m *Model) Init() tea.Cmd {
	if !m.begun {
		return nil
	}
	return m.check(check.Request{Email: m.options.Address})
}

func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if pasted, ok := msg.(tea.PasteMsg); ok && m.Typing() && m.Focused() == fieldEmail && mayBeMany(pasted.Content) {
		return m.readList(pasted.Content)
	}
	return m.Model.Update(msg)
}

func (m *Model) Actions() []screen.Action { return m.Model.Actions("check", false) }

// close leads back to where the person came from, with all that lies over the form.
func (m *Model) close() tea.Cmd { return m.env.Root.Pop(m) }

// check opens the card of a request and begins.
func (m *Model) check(r check.Request) tea.Cmd { return m.env.Root.Push(m, newCard(m, r)) }

// left is what leaving a card does: back to the form that it was sent from, or to where the
// person came from.
func (m *Model) left(c screen.Screen) tea.Cmd {
	if m.begun {
		return m.close()
	}
	m.reset("")
	return m.env.Root.Pop(c)
}

// again leads from a card to the form, filled as it was sent, to type the password: it is
// not kept. Over a table it is a form of its own, so that the table stays.
func (m *Model) again(c *card, r check.Request, why string) tea.Cmd {
	popped := m.env.Root.Pop(c)
	if c.table != nil {
		over := *m
		over.fill(r)
		over.remark = remark{text: why}
		return tea.Batch(popped, m.env.Root.Push(c.table, &over))
	}
	m.begun = false
	m.fill(r)
	m.remark = remark{text: why}
	return popped
}

// signedIn reports whether somebody is signed in at the program.
func (m *Model) signedIn() bool {
	if m.options.Status == nil {
		return false
	}
	state := m.options.Status().State
	return state != session.SignedOut && state != session.Ended
}

// reaches reports whether the session of the program reaches a domain.
func (m *Model) reaches(domain string) bool {
	return m.signedIn() && slices.ContainsFunc(m.options.Status().Claims.AllDomains(), func(d string) bool { return strings.EqualFold(d, domain) })
}

// readable writes a host name as people read it, safe on a terminal.
func readable(name string) string { return safetext.Clip(hostname.Readable(name), maxName) }

// maxName is how many cells of a name are shown in a sentence.
const maxName = 60
