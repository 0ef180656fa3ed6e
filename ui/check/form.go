package check

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/ui/form"
)

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
	m.remark = remark{}
	m.Model = form.New(m.env.Theme, m.fields(address)...)
	m.Submit = m.send
	m.Start(fieldEmail)
}

// fields are what can be said of a check. The password comes last: it is what is asked for
// when all else is known.
func (m *Model) fields(address string) []form.Field {
	list := []form.Field{
		{Key: fieldEmail, Label: "E-mail", Value: address, Complete: m.options.Complete, Hint: "of the person who cannot get in", Check: needed},
		{Key: fieldDomain, Label: "Domain", Folded: true, Hint: "that the person wants to reach; leave empty for the primary one"},
		{Key: fieldName, Label: "Device name", Folded: true, Hint: "logs in a new device with this name"},
		{Key: fieldID, Label: "Device id", Folded: true, Hint: "logs in an existing device"},
	}
	if m.signedIn() {
		list = append(list, form.Field{Key: fieldControl, Label: "Control", Folded: true, Hint: "←/→ asks the same hosts with your own session", Options: []form.Option{
			{Label: "no", Value: ""}, {Label: "with my session", Value: "yes"},
		}})
	}
	return append(list, form.Field{Key: fieldPassword, Label: "Password", Folded: true, Secret: true, Hint: "signs the person in, once; leave empty to skip the sign-in"})
}

func needed(value string) error {
	if strings.TrimSpace(value) == "" {
		return errors.New("type the person's e-mail address")
	}
	return nil
}

// send checks what the form contains, unless something is missing. The password leaves
// the form.
func (m *Model) send() tea.Cmd {
	r := m.request()
	if read := m.readList(r.Email); read != nil {
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
