package check

import (
	"slices"
	"strings"

	"gatehouse/ui/device"
	"gatehouse/ui/screen"
)

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
	return screen.Wrapped(m.env.Theme.Muted, text+"\n\n"+m.aboutLists(), width)
}

// aboutLists says how many addresses are checked at once.
func (m *Model) aboutLists() string {
	if m.env.Remote {
		return "Paste several addresses to get a table."
	}
	return "Paste several addresses, or type the name of a file, to get a table."
}
