// Package device is the tab in which a device login is tried and its answer
// explained (interface sections 2.4, 4.5 and 7). The form lies lowest; the wait for an
// answer, the answer, the results of this run and the comparison of two of them are
// pushed over it.
package device

import (
	"context"
	"encoding/json"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/styles"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Service performs a device login.
type Service interface {
	DeviceLogin(ctx context.Context, r api.DeviceLoginRequest) (*api.LoginResult, error)
}

// Options are what the screen is made with.
type Options struct {
	Service  Service
	Username string   // fills the e-mail field
	Host     string   // whose answer is waited for
	History  *History // nil: one of this screen alone
}

// Model is the form, and what went wrong with the last attempt.
type Model struct {
	env     *screen.Env
	service Service
	host    string
	history *History

	form    *form.Model
	again   string   // the device id of another result that the form was filled with, if any
	failure *failure // of the attempt before

	width, height int
	above         int // lines above the form
}

// New makes the screen.
func New(env *screen.Env, o Options) *Model {
	if o.History == nil {
		o.History = &History{}
	}
	return &Model{
		env: env, service: o.Service, host: o.Host, history: o.History,
		form: form.New(env.Theme, fields(o.Username)...),
	}
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Device login" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	m.begin()
	return nil
}

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return m.form.Typing() }

// Close implements [screen.Screen].
func (m *Model) Close() {}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.form.Update(msg); m.form.Done() {
		return m.send()
	}
	return nil
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	return append(m.form.Actions("log in", nil), m.resultsAction(m))
}

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) {
	m.width, m.height, m.above = width, height, 0
	switch {
	case m.failure != nil:
		m.above = min(6, height/2)
	case m.again != "":
		m.above = min(3, height/3)
	}
	m.form.Layout(width, height-m.above)
}

// View implements [screen.Screen]: the form, with what went wrong or what it was
// filled with above.
func (m *Model) View() string {
	inputs := screen.Box(m.form.View(), m.width, m.height-m.above)
	if m.above == 0 {
		return inputs
	}
	return screen.Box(m.remark(m.env.Theme), m.width, m.above) + "\n" + inputs
}

func (m *Model) remark(t *styles.Theme) string {
	if m.failure != nil {
		return m.failure.view(t, m.width)
	}
	text := "Again with device id " + safetext.Clip(m.again, 40) + ": type the password."
	return t.Accent.Render(screen.Wrap(text, m.width)) + "\n"
}

// Click implements [screen.MouseHandler].
func (m *Model) Click(_, y int) tea.Cmd {
	m.form.Click(y - m.above)
	return nil
}

// Wheel implements [screen.MouseHandler].
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	m.form.Wheel(lines)
	return nil
}

// resultsAction leads from a screen to the results of this run.
func (m *Model) resultsAction(from screen.Screen) screen.Action {
	a := screen.Action{ID: "device.results", Run: func() tea.Cmd { return m.env.Root.Push(from, newResults(m, from)) }}
	if len(m.history.entries) == 0 {
		a.Reason = "there is no result yet"
	}
	return a
}

// failed says what went wrong, with the focus where the next try begins.
func (m *Model) failed(err error) {
	m.failure = newFailure(err)
	m.form.Init("password")
}

// begin puts the focus on the first field.
func (m *Model) begin() { m.form.Init("") }

// fillAgain fills the form as it was sent for a result, with the device id that came
// back.
func (m *Model) fillAgain(e *entry) {
	m.again, m.failure = e.answer.DeviceID, nil
	m.fill(e.sent)
	m.form.Set("id", m.again)
	m.form.Init("password")
}

// fields are the query parameters of interface section 4.5 that a person can know.
func fields(username string) []form.Field {
	return []form.Field{
		{Key: "email", Label: "E-mail", Value: username, Check: needed("type the user's e-mail address")},
		{Key: "name", Label: "Device name", Value: "gatehouse", Hint: "the name of the device to create; not used when an id is given"},
		{Key: "id", Label: "Device id", Hint: "of a device that has logged in before; leave empty to create one by name"},
		{Key: "type", Label: "Device type", Hint: "←/→ choose", Options: deviceTypes()},
		{Key: "domain", Label: "Domain id", Folded: true, Hint: "DomainId from the Domain.Config file"},
		{Key: "reseller", Label: "Reseller id", Folded: true},
		{Key: "ip", Label: "Device IP", Folded: true, Hint: "the IP address of the device"},
		{Key: "lat", Label: "Latitude", Folded: true},
		{Key: "lon", Label: "Longitude", Folded: true},
		{Key: "geo", Label: "Location", Folded: true, Hint: `location metadata of the device, as JSON`, Check: jsonOrEmpty},
		{Key: "ad", Label: "Active Directory token", Folded: true, Secret: true},
		{Key: "plain", Label: "Password field", Folded: true, Hint: "password2 is always sent; some services want password as well", Options: []form.Option{
			{Label: "password2 alone", Value: ""}, {Label: "password2 and password", Value: "both"},
		}},
		{Key: "password", Label: "Password", Secret: true, Check: needed("type the password")},
	}
}

func deviceTypes() []form.Option {
	options := []form.Option{{Label: "not sent", Value: ""}}
	for _, t := range api.DeviceTypes() {
		options = append(options, form.Option{Label: string(t), Value: string(t)})
	}
	return options
}

// sent is what the form holds besides secrets, by the keys of its fields.
func (m *Model) sent() map[string]string {
	values := map[string]string{}
	for _, f := range fields("") {
		if !f.Secret {
			values[f.Key] = m.form.Value(f.Key)
		}
	}
	return values
}

// fill puts values back into the form, and unfolds it if a folded field is among them.
func (m *Model) fill(values map[string]string) {
	for _, f := range fields("") {
		if f.Secret {
			continue
		}
		m.form.Set(f.Key, values[f.Key])
		if f.Folded && values[f.Key] != "" {
			m.form.Unfold()
		}
	}
}

// request moves the form's values into a request; the secrets leave the form.
func (m *Model) request() api.DeviceLoginRequest {
	r := api.DeviceLoginRequest{
		DeviceName: m.form.Value("name"),
		DeviceID:   m.form.Value("id"),
		Email:      m.form.Value("email"),
		DeviceType: api.DeviceType(m.form.Value("type")),
		Domain:     m.form.Value("domain"),
		ResellerID: m.form.Value("reseller"),
		DeviceIP:   m.form.Value("ip"),
		Latitude:   m.form.Value("lat"),
		Longitude:  m.form.Value("lon"),
		DeviceGeo:  m.form.Value("geo"),

		ActiveDirectoryToken: m.form.Take("ad"),
		Password:             m.form.Take("password"),
	}
	if r.DeviceID != "" {
		r.DeviceName = ""
	}
	if m.form.Value("plain") == "both" {
		r.PlainPassword = r.Password
	}
	return r
}

func needed(message string) func(string) error {
	return func(value string) error {
		if secret.New(value).IsEmpty() {
			return errors.New(message)
		}
		return nil
	}
}

func jsonOrEmpty(value string) error {
	if value != "" && !json.Valid([]byte(value)) {
		return errors.New("this is not valid JSON")
	}
	return nil
}
