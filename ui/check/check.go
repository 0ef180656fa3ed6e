// Package check is the screen of the support desk. It asks for an address, checks it, and shows a
// card with the verdict while the checks run. The form is the lowest screen; the card and what it
// leads to are pushed over it.
package check

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/device"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Checker checks addresses.
type Checker interface {
	// Run checks an address, as [check.Checker.Run] does.
	Run(ctx context.Context, r check.Request, progress func(check.Check)) check.Report
}

// Options say how the screen starts and what it works with.
type Options struct {
	// NewChecker makes a checker that remembers nothing of earlier checks.
	NewChecker func() Checker
	// Address is the address in the form at first.
	Address string
	// Begin checks the address at once.
	Begin bool
	// SignIn makes the form ask for the password of the address.
	SignIn bool
	// Complete completes an abbreviated address; nil changes nothing.
	Complete func(typed string) string
	// Status returns the status of the session of the person at the program; nil for no session.
	Status func() session.Status
	// WriteBundle writes a report and the requests made for it, for a ticket.
	WriteBundle func(w io.Writer, r check.Report) error
	// History has the reports of this run of the program; nil keeps those of this screen alone.
	History *History
	// Draft keeps the content of a form that was left before it was sent; nil keeps it within this
	// screen.
	Draft *Draft

	jobs int // how many addresses of a list are checked at the same time; 0 is 8
}

// Model is the form in which a person says what to check.
type Model struct {
	*form.Model
	env     *screen.Env
	options Options

	card *form.Card

	why    string  // what the form asks for if it was filled in for the person; "" otherwise
	begun  bool    // the person has not seen the form: back from the card leaves the screen
	isSent bool    // the content of the form was sent
	opens  *entry  // the report to open at first; nil for none
	over   *card   // the card that the form was opened from; nil for the lowest screen
	list   reports // the earlier reports under the form
}

// New makes the screen.
func New(env *screen.Env, o Options) *Model {
	o.History, o.Draft = cmp.Or(o.History, &History{}), cmp.Or(o.Draft, &Draft{})
	m := &Model{env: env, options: o, begun: o.Begin}
	m.reset(o.Address)
	switch {
	case o.SignIn:
		m.fill(check.Request{Email: o.Address})
		m.why = withSignIn(o.Address)
	case o.Address == "":
		m.restore()
	}
	return m
}

// heading is what the form asks.
const heading = "Who cannot get in?"

// title is the title of the form and of all that is opened over it.
const title = "Check"

func (m *Model) Init() tea.Cmd {
	switch {
	case m.opens != nil:
		return m.openReport(m.opens)
	case !m.begun || m.over != nil:
		return nil
	}
	return m.check(check.Request{Email: m.options.Address})
}

// Update implements [screen.Screen]. A list of addresses that is pasted into the field for one is
// checked at once.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	pasted, isPaste := msg.(tea.PasteMsg)
	isForAddress := isPaste && m.Typing() && m.Focused() == fieldEmail
	if isForAddress && batch.MayBeMany(pasted.Content) {
		return m.readList(pasted.Content)
	}
	return m.Model.Update(msg)
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	if m.list.entered {
		return m.listActions()
	}
	toReports := m.reportsAction()
	isBelow := m.OnLast() && !m.env.Theme.Options.Spoken // the reports are below the last field
	if toReports.Enabled() && isBelow {
		return m.Model.Actions("check", false, toReports)
	}
	toReports.Quiet = true
	return append(m.Model.Actions("check", false), toReports)
}

// check opens the card of a request, which begins the checks.
func (m *Model) check(r check.Request) tea.Cmd {
	return m.lead(func(desk *Model) screen.Screen {
		sent := newCard(desk, r)
		if m.over != nil {
			sent.table, sent.reopened = m.over.table, m.over.reopened
		}
		return sent
	})
}

// lead shows a screen that the form leads to: over the form or, if the form was opened from a
// card, in place of that card. made makes the screen for the Model that it stands over.
func (m *Model) lead(made func(desk *Model) screen.Screen) tea.Cmd {
	if m.over == nil {
		return m.env.Root.Push(m, made(m))
	}
	desk := m.over.desk
	return tea.Batch(m.env.Root.Pop(m.over), m.env.Root.Push(desk, made(desk)))
}

// left leaves a card or a table that stands over the form: back to the form that it was sent from, or
// to where the person came from.
func (m *Model) left(c screen.Screen) tea.Cmd {
	if m.begun {
		return m.env.Root.Pop(m)
	}
	if m.isSent {
		m.reset("")
		m.restore()
	} else {
		m.list = reports{}
		m.Enter()
	}
	return m.env.Root.Pop(c)
}

// again opens a form over a card that is filled in for a request and asks for the password. why
// is what the form says about that.
func (m *Model) again(c *card, r check.Request, why string) tea.Cmd {
	form := m.formOver(c)
	form.fill(r)
	form.why = why
	return m.env.Root.Push(c, form)
}

// another opens a form over a card, to check another address.
func (m *Model) another(c *card) tea.Cmd { return m.env.Root.Push(c, m.formOver(c)) }

// formOver makes a form that is opened from a card. It has the draft of an earlier form.
func (m *Model) formOver(c *card) *Model {
	o := m.options
	o.Address, o.Begin, o.SignIn = "", false, false
	form := New(m.env, o)
	form.over = c
	return form
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
	if !m.signedIn() {
		return false
	}
	domains := m.options.Status().Claims.AllDomains()
	return slices.ContainsFunc(domains, func(d string) bool { return strings.EqualFold(d, domain) })
}

// readable is a host name as people read it, clipped and safe for a terminal.
func readable(name string) string { return safetext.Clip(hostname.Readable(name), maxName) }

// maxName is how many cells of a name are shown in a sentence.
const maxName = 60

// The fields of the form.
const (
	fieldEmail    = "email"
	fieldDomain   = "domain"
	fieldName     = "name"
	fieldID       = "id"
	fieldControl  = "control"
	fieldPassword = "password"
)

// reset empties the form, but for an address. It gives the focus to the first field, so that what
// a person types, perhaps a password, is not taken for keys.
func (m *Model) reset(address string) {
	m.why, m.isSent, m.list = "", false, reports{}
	m.Model = form.New(m.env.Theme, m.fields(address)...)
	m.Submit = m.send
	m.card = &form.Card{
		Model:   m.Model,
		Heading: heading,
		Cells:   cardCells,
		About:   m.asked,
		Effect:  m.effect,
	}
	m.Start(fieldEmail)
}

// fields are the fields of the form. The password comes last, as it is asked for when all else is
// known.
func (m *Model) fields(address string) []form.Field {
	list := []form.Field{
		{
			Key:      fieldEmail,
			Label:    "E-mail",
			Value:    address,
			Hint:     m.hint(),
			Complete: m.complete,
			Expand:   m.expand,
			Check:    m.checkAddress,
			Required: "type the person's e-mail address",
		},
		{
			Key:    fieldDomain,
			Label:  "Domain",
			Folded: true,
			Hint:   "empty: the primary one",
			Check:  domainOnly,
		},
		{Key: fieldName, Label: "Device name", Folded: true, Hint: "a new one, normally"},
		{Key: fieldID, Label: "Device id", Folded: true, Hint: "of an existing one"},
	}
	if m.signedIn() {
		list = append(list, form.Field{
			Key:    fieldControl,
			Label:  "Also as you",
			Folded: true,
			Hint:   "to compare; ←/→ choose",
			Options: []form.Option{
				{Label: "no", Value: ""},
				{Label: "with my session", Value: "yes"},
			},
		})
	}
	return append(list, form.Field{
		Key:    fieldPassword,
		Label:  "Password",
		Folded: true,
		Secret: true,
		Hint:   "empty: without signing in",
	})
}

// hint says what can be typed into the field for the address.
func (m *Model) hint() string {
	if m.env.Remote {
		return "one address, or several pasted at once"
	}
	return "one address, several, or a file; tab completes its name"
}

// checkAddress says what is wrong with a text that was typed into the field for the address.
func (m *Model) checkAddress(typed string) error {
	switch {
	case batch.MayBeMany(typed):
		return nil
	case !batch.IsFileName(typed):
		return form.CheckEmail(typed)
	case m.env.Remote:
		return errors.New("files cannot be read here: paste the addresses")
	}
	return nil
}

// expand completes the name of a file. An address stays as it is.
func (m *Model) expand(typed string) string {
	isAddress := strings.Contains(typed, "@") && !batch.IsFileName(typed)
	if m.env.Remote || typed == "" || isAddress {
		return typed
	}
	return files.Complete(typed)
}

// complete completes an abbreviated address. The name of a file stays as it is.
func (m *Model) complete(typed string) string {
	if m.options.Complete == nil || batch.IsFileName(typed) {
		return typed
	}
	return m.options.Complete(typed)
}

// domainOnly says what is wrong with a text that was typed as a domain.
func domainOnly(text string) error {
	if _, err := check.ParseDomain(text); err != nil {
		return errors.New("type a domain such as harbor.example")
	}
	return nil
}

// send checks what the form asks for, unless something is missing. It removes the password from
// the form.
func (m *Model) send() tea.Cmd {
	r := m.request()
	if read := m.readList(r.Email); read != nil {
		m.Start(fieldEmail)
		return read
	}
	if wantsDevice(r) && m.Value(fieldPassword) == "" {
		m.Refuse(fieldPassword, errors.New("a device login needs the password"))
		return nil
	}
	r.Password = m.Take(fieldPassword)
	m.sent()
	m.Start(fieldEmail)
	return m.check(r)
}

// request is the request that the form describes, without the password.
func (m *Model) request() check.Request {
	r := check.Request{
		Email: m.Value(fieldEmail), Domain: m.Value(fieldDomain),
		DeviceName: m.Value(fieldName), DeviceID: m.Value(fieldID),
		Control: m.Value(fieldControl) != "",
	}
	if r.DeviceID != "" {
		r.DeviceName = ""
	}
	return r
}

// fill fills in the form for a request, and gives the focus to the password.
func (m *Model) fill(r check.Request) {
	m.reset("")
	for key, value := range map[string]string{
		fieldEmail: r.Email, fieldDomain: r.Domain, fieldName: r.DeviceName, fieldID: r.DeviceID,
	} {
		m.Set(key, value)
	}
	if r.Control && m.signedIn() {
		m.Set(fieldControl, "yes")
	}
	m.Unfold()
	m.Start(fieldPassword)
}

// wantsDevice reports whether a request logs a device in.
func wantsDevice(r check.Request) bool { return r.DeviceName != "" || r.DeviceID != "" }

// cardCells is the width of the form in cells, if there is room.
const cardCells = 72

// Settle implements [screen.Screen].
func (m *Model) Settle(screen.Room) {
	m.list.cursor.SetCount(len(m.options.History.Entries))
	m.list.cursor.Layout(maxEarlier)
}

// View implements [screen.Screen].
func (m *Model) View() screen.View {
	v := m.Model.View()
	v.Title = title
	v.Body = bodyPart{m}
	return v
}

// effect says in the lower border of the form how the address is checked.
func (m *Model) effect() string {
	switch r := m.request(); {
	case wantsDevice(r):
		return m.env.Theme.Warn.Render("with a sign-in; " + device.Effect(r.DeviceID, r.DeviceName))
	case m.Value(fieldPassword) != "":
		return "with a sign-in, once"
	}
	return "without signing in"
}

// bodyPart is the form, with the earlier reports and an explanation below.
type bodyPart struct{ *Model }

// Draw implements [screen.Part]. While the person chooses a report and there is not room for all,
// the reports stand alone.
func (m bodyPart) Draw(width, height int) screen.Drawing {
	earlier := len(m.earlier().Draw(m.card.Inner(width), height).Lines)
	if m.list.entered && earlier+1 > m.card.Free(width, height) {
		return m.earlier().Draw(width, height)
	}
	return m.card.Alone(m.earlier(), m.about()).Draw(width, height)
}

// Say implements [screen.Part].
func (m bodyPart) Say() iter.Seq[string] {
	effect := screen.Texts(heading, "This form checks "+m.effect()+".")
	return screen.Concat(m.asked().Say(), effect, m.about().Say(), m.earlier().Say())
}

// asked says what the form asks for, if it was filled in for the person.
func (m *Model) asked() screen.Part {
	return screen.Text{Style: m.env.Theme.Accent, Text: m.why}
}

// about explains what is checked.
func (m *Model) about() screen.Part {
	text := "Without signing in, Gatehouse checks the address, the hosts, their certificates and clocks. " +
		m.env.Keys.Press(screen.FormFold) + " to add a sign-in, a domain or a device."
	if m.Unfolded() {
		text = "Without a password, Gatehouse checks the address, the hosts, their certificates and clocks. " +
			"With the password, it also checks the sign-in, its claims and the shares of each domain. " +
			"With a device, it tries a device login, once."
	}
	return screen.Text{Style: m.env.Theme.Muted, Text: text}
}
