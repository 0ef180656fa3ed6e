// Package check is the screen of the support desk: it asks for an address, checks it, and
// shows the card with the verdict, live while the checks run. The form is the lowest screen;
// the card and what it leads to are pushed over it.
package check

import (
	"iter"
	"math"

	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
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
	// Status is the status of the session.
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

	explained bool // what is checked stands beside the form

	remark remark
	begun  bool    // by a person who did not see the form first: back from the card leads out
	opens  *entry  // the report that it begins with; nil: none
	over   *card   // that the form was opened from, and comes back to; nil: it is the lowest one
	list   reports // of before
}

// remark is what is said above the form; bad marks what has to be corrected.
type remark struct {
	text string
	bad  bool
}

// New makes the screen.
func New(env *screen.Env, o Options) *Model {
	o.History = cmp.Or(o.History, &History{})
	m := &Model{env: env, options: o, begun: o.Begin}
	m.reset(o.Address)
	if o.SignIn {
		m.fill(check.Request{Email: o.Address})
		m.remark.text = withSignIn(o.Address)
	}
	return m
}

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

func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if pasted, ok := msg.(tea.PasteMsg); ok && m.Typing() && m.Focused() == fieldEmail && batch.MayBeMany(pasted.Content) {
		return m.readList(pasted.Content)
	}
	return m.Model.Update(msg)
}

func (m *Model) Actions() []screen.Action {
	if m.list.entered {
		return m.listActions()
	}
	list, toReports := m.Model.Actions("check", false), m.reportsAction()
	if toReports.Enabled() && m.OnLast() && !m.env.Theme.Options.Spoken { // there is no field below
		return append([]screen.Action{list[0], toReports}, list[1:]...)
	}
	toReports.Quiet = true
	return append(list, toReports)
}

// check opens the card of a request and begins.
func (m *Model) check(r check.Request) tea.Cmd {
	return m.lead(func(desk *Model) screen.Screen {
		sent := newCard(desk, r)
		if m.over != nil {
			sent.table, sent.reopened = m.over.table, m.over.reopened
		}
		return sent
	})
}

// lead shows what comes of the form: over it or, if that was opened from a card, in place of the card.
func (m *Model) lead(made func(desk *Model) screen.Screen) tea.Cmd {
	if m.over == nil {
		return m.env.Root.Push(m, made(m))
	}
	desk := m.over.desk
	return tea.Batch(m.env.Root.Pop(m.over), m.env.Root.Push(desk, made(desk)))
}

// left is what leaving a card does: back to the form that it was sent from, or to where the
// person came from.
func (m *Model) left(c screen.Screen) tea.Cmd {
	if shown, ok := c.(*card); ok && shown.reopened {
		return m.env.Root.Pop(c)
	}
	if m.begun {
		return m.env.Root.Pop(m)
	}
	m.reset("")
	return m.env.Root.Pop(c)
}

// again leads from a card to a form over it, filled as it was sent, to type the password: it is
// not kept.
func (m *Model) again(c *card, r check.Request, why string) tea.Cmd {
	form := m.formOver(c)
	form.fill(r)
	form.remark.text = why
	return m.env.Root.Push(c, form)
}

// another leads from a card to an empty form over it.
func (m *Model) another(c *card) tea.Cmd { return m.env.Root.Push(c, m.formOver(c)) }

// formOver is an empty form that is opened from a card.
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
	return m.signedIn() && slices.ContainsFunc(m.options.Status().Claims.AllDomains(), func(d string) bool { return strings.EqualFold(d, domain) })
}

// readable writes a host name as people read it, safe on a terminal.
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

// reset empties the form but for an address. Its first field has the focus: what a person types
// here, a password perhaps, must not be taken for keys.
func (m *Model) reset(address string) {
	m.remark, m.list = remark{}, reports{}
	m.Model = form.New(m.env.Theme, m.fields(address)...)
	m.Submit = m.send
	m.Start(fieldEmail)
}

// fields are what can be said of a check. The password comes last: it is what is asked for
// when all else is known.
func (m *Model) fields(address string) []form.Field {
	list := []form.Field{
		{Key: fieldEmail, Label: "E-mail", Value: address, Complete: m.complete, Hint: "of the person who cannot get in", Required: "type the person's e-mail address"},
		{Key: fieldDomain, Label: "Domain", Folded: true, Hint: "domain to reach; empty: the primary one", Check: domainOnly},
		{Key: fieldName, Label: "Device name", Folded: true, Hint: "the service normally creates this device"},
		{Key: fieldID, Label: "Device id", Folded: true, Hint: "logs in the device with this id"},
	}
	if m.signedIn() {
		list = append(list, form.Field{Key: fieldControl, Label: "Control", Folded: true, Hint: "←/→ choose whether to ask with your session too", Options: []form.Option{
			{Label: "no", Value: ""}, {Label: "with my session", Value: "yes"},
		}})
	}
	return append(list, form.Field{Key: fieldPassword, Label: "Password", Folded: true, Secret: true, Hint: "signs in once; empty: no sign-in"})
}

// complete writes out an address; the name of a file stays.
func (m *Model) complete(typed string) string {
	if m.options.Complete == nil || batch.IsFileName(typed) {
		return typed
	}
	return m.options.Complete(typed)
}

func domainOnly(text string) error {
	if _, err := check.ParseDomain(text); err != nil {
		return errors.New("type a domain such as harbor.example")
	}
	return nil
}

// send checks what the form contains, unless something is missing. The password leaves
// the form.
func (m *Model) send() tea.Cmd {
	r := m.request()
	if read := m.readList(r.Email); read != nil {
		m.Start(fieldEmail)
		return read
	}
	if wantsDevice(r) && m.Value(fieldPassword) == "" {
		m.remark = remark{"A device login needs the password.", true}
		m.Start(fieldPassword)
		return nil
	}
	r.Password = m.Take(fieldPassword)
	m.begun = false
	m.Start(fieldEmail)
	return m.check(r)
}

// request is what the form holds, without the password.
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

// fill puts a request into the form, to type its password.
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

// Settle implements [screen.Screen].
func (m *Model) Settle(room screen.Room) {
	m.explained = room.Panes
	m.list.cursor.SetCount(len(m.options.History.Entries))
	m.list.cursor.Layout(maxEarlier)
	m.Model.Settle(screen.Room{Width: room.Width - 2})
}

// View implements [screen.Screen].
func (m *Model) View() screen.View {
	v := m.Model.View()
	v.Title, v.Frame, v.Border = title, screen.InPane, screen.Pane{Title: "Who cannot get in?", Foot: m.effect()}
	v.Body, v.Side = body{m}, m.side()
	return v
}

// effect says what sending the form does.
func (m *Model) effect() string {
	switch r := m.request(); {
	case wantsDevice(r):
		return m.env.Theme.Warn.Render(device.Effect(r.DeviceID, r.DeviceName))
	case m.Value(fieldPassword) != "":
		return "signs in, once"
	case m.Unfolded():
		return "signs in if there is a password"
	}
	return "does not sign in"
}

// body is the form, below what has to be corrected or is asked for, and above what is checked where
// nothing beside it says that.
type body struct{ *Model }

// Draw implements [screen.Part].
func (m body) Draw(width, height int) screen.Drawing {
	said := len(m.said().Draw(width-2, height).Lines)
	least, roomy := m.Height()+said+1, m.RoomyHeight()+said+1
	below := m.earlier().Draw(width, height/2)
	if !m.list.entered && least+len(below.Lines) >= height {
		below = screen.Drawing{}
	}
	about := screen.Indent{Part: m.about(), Left: 1, Right: 1}.Draw(width, math.MaxInt)
	if m.explained || least+len(below.Lines)+1+len(about.Lines) >= height {
		about = screen.Drawing{}
	}
	foot := blocks{below, about}
	form := min(roomy, height-foot.lines())
	above := screen.Padded{Part: m.Below(m.said())}.Draw(width, max(form, 0))
	return screen.Padded{Part: foot.under(above)}.Draw(width, height)
}

// blocks are drawings below each other, each below an empty line; those without lines are left out.
type blocks []screen.Drawing

// lines is how many lines they take.
func (b blocks) lines() (sum int) {
	for _, d := range b {
		if len(d.Lines) > 0 {
			sum += len(d.Lines) + 1
		}
	}
	return sum
}

// under is a [screen.Part]: the blocks below another drawing.
func (b blocks) under(above screen.Drawing) screen.Part {
	all := screen.Column{screen.Drawn(above)}
	for _, d := range b {
		if len(d.Lines) > 0 {
			all = append(all, screen.Blank{}, screen.Drawn(d))
		}
	}
	return all
}

// Say implements [screen.Part].
func (m body) Say() iter.Seq[string] {
	return screen.Concat(m.said().Say(), screen.Texts("This check "+m.effect()+"."), m.about().Say(), m.earlier().Say())
}

// side says what is checked.
func (m *Model) side() screen.Side {
	return screen.Side{Border: screen.Pane{Title: "What is checked"}, Body: m.about()}
}

// said is what has to be corrected, or what is asked for.
func (m *Model) said() screen.Part {
	t := m.env.Theme
	if m.remark.bad {
		return screen.Text{Style: t.Bad, Text: t.Glyphs.Bad + " " + m.remark.text}
	}
	return screen.Text{Style: t.Accent, Text: m.remark.text}
}

// about says what is checked.
func (m *Model) about() screen.Part {
	text := "Without signing in, Gatehouse checks the address, the hosts, their certificates and clocks. Press " +
		m.env.Keys.Key(screen.FormFold) + " to add a sign-in, a domain or a device."
	if m.Unfolded() {
		text = "Without a password, Gatehouse checks the address, the hosts, their certificates and clocks. " +
			"With the password, it also checks the sign-in, its claims and the shares of each domain. " +
			"With a device, it tries a device login, once."
	}
	lists := "Paste several addresses, or type the name of a file, to get a table."
	if m.env.Remote {
		lists = "Paste several addresses to get a table."
	}
	style := m.env.Theme.Muted
	return screen.Column{screen.Text{Style: style, Text: text}, screen.Blank{}, screen.Text{Style: style, Text: lists}}
}
