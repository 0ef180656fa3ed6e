package check

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/ui/device"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
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
		{Key: fieldEmail, Label: "E-mail", Value: address, Complete: m.options.Complete, Hint: "of the person who cannot get in", Required: "type the person's e-mail address"},
		{Key: fieldDomain, Label: "Domain", Folded: true, Hint: "that the person wants to reach; leave empty for the primary one"},
		{Key: fieldName, Label: "Device name", Folded: true, Hint: "logs in with this name; the service may create the device"},
		{Key: fieldID, Label: "Device id", Folded: true, Hint: "logs in the device with this id"},
	}
	if m.signedIn() {
		list = append(list, form.Field{Key: fieldControl, Label: "Control", Folded: true, Hint: "←/→ asks the same hosts with your own session", Options: []form.Option{
			{Label: "no", Value: ""}, {Label: "with my session", Value: "yes"},
		}})
	}
	return append(list, form.Field{Key: fieldPassword, Label: "Password", Folded: true, Secret: true, Hint: "signs the person in, once; leave empty to skip the sign-in"})
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

// Draw draws the form, below what has to be mended or is asked for.
func (m *Model) Draw(width, height int) string {
	said, about := m.said(width-2), m.about(width-2)
	room := height - len(about) - 1
	if m.Beside || room <= m.Height()+len(said) {
		return m.DrawBelow(said, width, height)
	}
	form := m.DrawBelow(said, width, min(room, m.RoomyHeight()+len(said)+1))
	return form + "\n\n" + strings.Join(screen.Indented(about, 1), "\n")
}

// Pane says in its lower border what sending the form does.
func (m *Model) Pane() screen.Pane {
	pane := screen.Pane{Title: "Who cannot get in?"}
	switch r := m.request(); {
	case wantsDevice(r):
		pane.Foot = m.env.Theme.Warn.Render(device.Effect(r.DeviceID, r.DeviceName))
	case m.Value(fieldPassword) != "":
		pane.Foot = "signs in, once"
	case m.Unfolded():
		pane.Foot = "signs in if there is a password"
	default:
		pane.Foot = "without signing in"
	}
	return pane
}

// Side shows what is checked, and the reports of before.
func (m *Model) Side(width, height int) (screen.Pane, string) {
	lines := m.about(width)
	if earlier := m.options.History.Lines(m.env.Theme, nil, width); len(earlier) > 0 {
		lines = slices.Concat(lines, []string{"", screen.Section(m.env.Theme, "Earlier", width)}, earlier)
	}
	return screen.Pane{Title: "What is checked"}, strings.Join(lines, "\n")
}

// said is what has to be mended, or what is asked for.
func (m *Model) said(width int) []string {
	t := m.env.Theme
	switch {
	case m.remark.text == "":
		return nil
	case m.remark.bad:
		return screen.Wrapped(t.Bad, t.Glyphs.Bad+" "+m.remark.text, width)
	}
	return screen.Wrapped(t.Accent, m.remark.text, width)
}

// about says what is checked, in muted lines.
func (m *Model) about(width int) []string {
	text := "Without signing in, Gatehouse checks the address, the hosts, their certificates and clocks. Press " +
		m.env.Keys.Key("form.fold") + " to add a sign-in, a domain or a device."
	if m.Unfolded() {
		text = "Without a password, Gatehouse checks the address, the hosts, their certificates and clocks. With the password, it also checks the sign-in, its claims and the shares of each domain. With a device, it tries a device login, once."
	}
	lists := "Paste several addresses, or type the name of a file, to get a table."
	if m.env.Remote {
		lists = "Paste several addresses to get a table."
	}
	return screen.Wrapped(m.env.Theme.Muted, text+"\n\n"+lists, width)
}
