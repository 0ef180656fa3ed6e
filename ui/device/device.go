// Package device is the tab in which a device login is tried and its answer
// explained (interface sections 2.4, 4.5 and 7). The form is the lowest screen; the answer, the
// results of this run and the comparison of two of them are pushed over it.
package device

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Service performs a device login.
type Service interface {
	DeviceLogin(ctx context.Context, r api.DeviceLoginRequest) (*api.LoginResult, error)
}

// Options say what the screen works with.
type Options struct {
	Service  Service
	Username string // the address in the e-mail field at first
	Host     string // of the service, for the text that waits for its answer
	// History has the results of this run; nil keeps those of this screen alone.
	History *History
	// Complete completes an abbreviated e-mail address; nil changes nothing.
	Complete func(typed string) string
}

// Model is the form of a device login, with the attempt that is under way or the failure of the
// last one.
type Model struct {
	*form.Model // nil until Init: most people never open the form, and its fields take memory
	env         *screen.Env
	options     Options

	card    *form.Card
	again   string    // a sentence about what another result has filled in; "" for nothing
	started time.Time // when the attempt was sent
	failure *failure  // of the last attempt; nil for none
}

// New makes the screen.
func New(env *screen.Env, o Options) *Model {
	o.History = cmp.Or(o.History, &History{})
	return &Model{env: env, options: o}
}

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	m.Model = form.New(m.env.Theme, m.inputs()...)
	m.Submit, m.Changed = m.send, m.changed
	m.card = &form.Card{
		Model:   m.Model,
		Heading: title,
		Cells:   cardCells,
		About:   m.filled,
		Said:    m.said,
		Effect:  m.effect,
	}
	m.begin()
	return nil
}

// changed drops the failure of the last attempt when a field is refused, which replaces it.
func (m *Model) changed() tea.Cmd {
	if m.Refused() {
		m.failure = nil
	}
	return nil
}

// Close implements [screen.Screen]. The form may never have been shown.
func (m *Model) Close() {
	if m.Model != nil {
		m.Model.Close()
	}
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	if m.Busy() {
		return []screen.Action{{ID: screen.DeviceCancel, Run: screen.Do(m.cancel)}}
	}
	toResults := m.results().ListAction(screen.DeviceResults, m, m.open)
	return append(m.Model.Actions("log in", true), toResults)
}

// cancel cancels the attempt, unless the answer has come while a palette offered to cancel it.
func (m *Model) cancel() {
	if !m.Busy() {
		return
	}
	m.Sending.Cancel()
	m.failed(&problem.Error{Problem: problem.Problem{
		Sentence: "The device login was cancelled.",
		Kind:     problem.Cancelled,
	}})
}

// cardCells is the width of the form in cells, if there is room.
const cardCells = 72

// View implements [screen.Screen]: the form, or in its place what is waited for and since when. The
// lower border says what sending the form does.
func (m *Model) View() screen.View {
	if m.Model == nil { // its tab was never shown
		return screen.View{Title: title, Body: screen.Column{}}
	}
	v := m.Model.View()
	v.Title, v.Side = title, m.side()
	v.Body = m.card.Alone()
	if m.Busy() {
		v.Body = m.card.AloneWith(m.waiting())
		return v
	}
	effect := Effect(m.Value(fieldID), m.Value(fieldName))
	heard := screen.Text{Text: effect + ". The request is sent only once."}
	v.Body = screen.Column{v.Body, screen.Heard{Part: heard}}
	return v
}

// Beside implements [screen.Screen]: the newest result stands there.
func (m *Model) Beside(width int) int {
	if len(m.options.History.Entries) == 0 {
		return 0
	}
	return screen.UsualSide(width)
}

// effect says in the lower border what sending the form does.
func (m *Model) effect() string {
	if m.Busy() {
		return ""
	}
	return m.env.Theme.Warn.Render(Effect(m.Value(fieldID), m.Value(fieldName)))
}

// title is the name of the screen.
const title = "Device login"

// waiting says what is waited for, and since when.
func (m *Model) waiting() screen.Part {
	t := m.env.Theme
	host := safetext.Clip(m.options.Host, maxWaiting)
	email := safetext.Clip(m.Value(fieldEmail), maxWaiting)
	what := "waiting for " + host + " to log in the device of " + email + t.Glyphs.More
	started := m.started.Local().Format(time.TimeOnly)
	since := "Since " + started + ", " + human.Span(m.env.Now().Sub(m.started)) + "."
	return screen.Column{
		screen.Text{Style: t.Accent, Text: what},
		screen.Silent{Part: screen.Text{Text: since}},
		screen.Blank{},
		screen.Text{Style: t.Muted, Text: sentOnce},
	}
}

// maxWaiting is how many cells of what is waited for are shown.
const maxWaiting = 200

// sentOnce is said while the program waits: it never repeats a device login by itself.
const sentOnce = "The login is sent only once, because it may create a device."

// side shows the newest result.
func (m *Model) side() screen.Side {
	t := m.env.Theme
	if len(m.options.History.Entries) == 0 {
		return screen.Side{}
	}
	e := m.options.History.Entries[0]
	mark, style := e.verdictMark(t)
	results := human.Count(len(m.options.History.Entries), "result", "results")
	groups := []fields.Group{answerFields(e.answer.LoginResult), asked(e.sent)}
	return screen.Side{
		Border: screen.Pane{
			Title:  "Result " + strconv.Itoa(e.number),
			Note:   "answered at " + human.Clock(e.at, m.env.Now()),
			Foot:   m.env.Keys.Key(screen.DeviceResults) + " " + results,
			Border: style,
		},
		Body: screen.Column{
			screen.Marked{Mark: style.Render(mark), Style: style.Bold(), Text: e.verdict()},
			screen.Text{Text: safetext.Clip(e.meaning().Meaning, maxMeaning)},
			screen.Blank{},
			fields.Groups{Theme: t, Groups: groups},
		},
	}
}

// maxMeaning is how many cells explain a result beside the form.
const maxMeaning = 300

// filled says above the form what it was filled with.
func (m *Model) filled() screen.Part {
	return screen.Text{Style: m.env.Theme.Accent, Text: m.again}
}

// said is below the form what went wrong, or how to enter it.
func (m *Model) said() screen.Part {
	t := m.env.Theme
	switch {
	case m.failure != nil:
		return m.failure.part(t)
	case !m.Typing():
		key := m.env.Keys.Key(screen.FormEdit)
		return screen.KeyLine{Theme: t, Key: key, Text: "to fill in the form"}
	}
	return screen.Column{}
}

// Effect is what a device login changes at the service.
func Effect(deviceID, deviceName string) string {
	switch {
	case deviceID != "":
		return "logs in the device with this id"
	case deviceName == "":
		return "needs the name or the id of a device"
	}
	return `creates the device "` + safetext.Clip(deviceName, maxName) + `"`
}

// maxName is how many cells of a name are shown in a sentence.
const maxName = 40

// failed says what went wrong, with the focus where the next try begins.
func (m *Model) failed(err error) {
	m.failure = &failure{screen.Describe(err), api.MayHaveActed(err)}
	m.Start(fieldPassword)
}

// begin shows the form, which the person then enters with a key: a key that was meant for the
// screen before must not become text in a field.
func (m *Model) begin() {
	m.Start("")
	m.Leave()
}

// fillAgain fills in the form with what was sent for a result, but with another value in one field.
// why names that value.
func (m *Model) fillAgain(e *entry, field, value, why string) {
	m.again, m.failure = "Again with "+why+": type the password.", nil
	for _, f := range m.inputs() {
		if f.Secret {
			continue
		}
		text := e.sent[f.Key]
		if f.Key == field {
			text = value
		}
		m.Set(f.Key, text)
		if f.Folded && text != "" {
			m.Unfold()
		}
	}
	m.Start(fieldPassword)
}

// The keys of the fields of the form.
const (
	fieldEmail     = "email"
	fieldName      = "name"
	fieldID        = "id"
	fieldType      = "type"
	fieldDomain    = "domain"
	fieldReseller  = "reseller"
	fieldIP        = "ip"
	fieldLatitude  = "lat"
	fieldLongitude = "lon"
	fieldLocation  = "geo"
	fieldDirectory = "ad"
	fieldPlain     = "plain"
	fieldPassword  = "password"
)

// plainToo is the value of the field fieldPlain that sends the password in a second parameter.
const plainToo = "both"

// inputs are the query parameters of interface section 4.5 that a person can know.
func (m *Model) inputs() []form.Field {
	types := []form.Option{{Label: "not sent", Value: ""}}
	for _, t := range api.DeviceTypes {
		types = append(types, form.Option{Label: t, Value: t})
	}
	return []form.Field{
		{
			Key:      fieldEmail,
			Label:    "E-mail",
			Value:    m.options.Username,
			Hint:     "whose device logs in",
			Complete: m.options.Complete,
			Check:    form.CheckEmail,
			Required: "type the user's e-mail address",
		},
		{Key: fieldName, Label: "Device name", Value: "gatehouse", Hint: "a new one, normally"},
		{Key: fieldID, Label: "Device id", Hint: "of an existing one"},
		{Key: fieldType, Label: "Device type", Hint: "←/→ choose", Options: types},
		{Key: fieldDomain, Label: "Domain id", Folded: true, Hint: "from Domain.Config"},
		{Key: fieldReseller, Label: "Reseller id", Folded: true, Hint: "of the company"},
		{Key: fieldIP, Label: "Device IP", Folded: true, Hint: "its address"},
		{Key: fieldLatitude, Label: "Latitude", Folded: true, Hint: "where it is: 55.67"},
		{Key: fieldLongitude, Label: "Longitude", Folded: true, Hint: "where it is: 12.57"},
		{
			Key:    fieldLocation,
			Label:  "Location",
			Folded: true,
			Hint:   "where it is, as JSON",
			Check:  checkJSON,
		},
		{
			Key:    fieldDirectory,
			Label:  "Directory token",
			Folded: true,
			Secret: true,
			Hint:   "of Active Directory",
		},
		{
			Key:    fieldPlain,
			Label:  "Password field",
			Folded: true,
			Hint:   "a few want both",
			Options: []form.Option{
				{Label: "as password2 only", Value: ""},
				{Label: "as password2 and password", Value: plainToo},
			},
		},
		{
			Key:      fieldPassword,
			Label:    "Password",
			Secret:   true,
			Hint:     "sent once",
			Required: "type the password",
		},
	}
}

// checkJSON says that a text is not JSON; an empty text is allowed.
func checkJSON(value string) error {
	if value != "" && !json.Valid([]byte(value)) {
		return errors.New("this is not valid JSON")
	}
	return nil
}

// sent returns the values of the form by the keys of its fields, without the secrets.
func (m *Model) sent() map[string]string {
	values := map[string]string{}
	for _, f := range m.inputs() {
		if !f.Secret {
			values[f.Key] = m.Value(f.Key)
		}
	}
	return values
}

// request makes a request of the values of the form, and removes the secrets from the form.
func (m *Model) request() api.DeviceLoginRequest {
	r := api.DeviceLoginRequest{
		DeviceName: m.Value(fieldName),
		DeviceID:   m.Value(fieldID),
		Email:      m.Value(fieldEmail),
		DeviceType: m.Value(fieldType),
		Domain:     m.Value(fieldDomain),
		ResellerID: m.Value(fieldReseller),
		DeviceIP:   m.Value(fieldIP),
		Latitude:   m.Value(fieldLatitude),
		Longitude:  m.Value(fieldLongitude),
		DeviceGeo:  m.Value(fieldLocation),

		ActiveDirectoryToken: m.Take(fieldDirectory),
		Password:             m.Take(fieldPassword),
	}
	if r.DeviceID != "" {
		r.DeviceName = ""
	}
	if m.Value(fieldPlain) == plainToo {
		r.PlainPassword = r.Password
	}
	return r
}

// answered is the outcome of a login, with the answer as it was read off the UI's goroutine.
type answered struct {
	reading *reading
	sealed  *reading // without its tokens, for the history
	err     error
}

// send begins an attempt with the values of the form.
func (m *Model) send() (begun tea.Cmd) {
	m.failure, m.again, m.started = nil, "", m.env.Now()
	sent, request := m.sent(), m.request()
	theme := *m.env.Theme // a copy, as the theme may change meanwhile
	login := func(ctx context.Context) answered { return m.login(ctx, request, &theme) }
	take := func(outcome answered) tea.Cmd { return m.answered(sent, outcome) }
	m.Sending, begun = screen.Begin(m.env, m, login, take)
	return tea.Batch(begun, screen.Redraw(m.Sending.Context, m, time.Second))
}

// login sends a login and reads the answer.
func (m *Model) login(
	ctx context.Context, request api.DeviceLoginRequest, theme *styles.Theme,
) answered {
	result, err := m.options.Service.DeviceLogin(ctx, request)
	if err != nil {
		return answered{err: err}
	}
	reading, err := read(result, theme, m.env.Now)
	if err != nil {
		return answered{err: err}
	}
	sealed, err := read(result.Sealed(), theme, m.env.Now)
	return answered{reading, sealed, err}
}

// answered shows the outcome of an attempt. sent are the values of the form, see [Model.sent].
func (m *Model) answered(sent map[string]string, outcome answered) tea.Cmd {
	if outcome.err != nil {
		m.failed(outcome.err)
		return nil
	}
	added := &entry{
		number: m.options.History.Made + 1,
		at:     m.env.Now(),
		sent:   sent,
		answer: outcome.sealed,
	}
	m.options.History.Add(added)
	return m.env.Root.Push(m, newAnswer(m, added, outcome.reading))
}

// failure is why an attempt had no answer.
type failure struct {
	problem problem.Problem
	acted   bool // the service may have logged the device in all the same
}

// part explains the failure, and says how to try again.
func (f *failure) part(t *styles.Theme) screen.Part {
	next := "To try again, type the password."
	if f.acted {
		next = "The service may have created the device all the same. " +
			"To try again, type the password; this may create another device."
	}
	return screen.Column{
		screen.Text{Style: t.Bad, Text: t.Glyphs.Bad + " " + f.problem.Sentence},
		screen.Text{Text: strings.TrimSpace(f.problem.Hint + " " + next)},
	}
}
