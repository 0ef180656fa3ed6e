package check

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/device"
	"gatehouse/ui/screen"
)

// Layout draws the form, below what has to be mended or is asked for.
func (m *Model) Layout(width, height int) {
	m.form.LayoutBelow(m.said(width-2), width, height)
	m.frame = m.form.View()
	if m.Beside {
		return
	}
	said, about := m.said(width-2), m.about(width-2)
	if room := height - len(about) - 1; room > m.form.Height()+len(said) {
		m.form.LayoutBelow(said, width, min(room, m.form.RoomyHeight()+len(said)+1))
		m.frame = m.form.View() + "\n\n" + strings.Join(screen.Indented(about, 1), "\n")
	}
}

func (m *Model) View() string { return m.frame }

// Pane says in its lower border what sending the form does.
func (m *Model) Pane() screen.Pane {
	pane := screen.Pane{Title: "Who cannot get in?"}
	switch r := m.request(); {
	case wantsDevice(r):
		pane.Foot = m.env.Theme.Warn.Render(device.Effect(r.DeviceID, r.DeviceName))
	case m.form.Value(fieldPassword) != "":
		pane.Foot = "signs in, once"
	case m.form.Unfolded():
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
	var text string
	switch {
	case m.remark.text != "" && m.remark.bad:
		text = t.Bad.Render(screen.Wrap(t.Glyphs.Bad+" "+m.remark.text, width))
	case m.remark.text != "":
		text = t.Accent.Render(screen.Wrap(m.remark.text, width))
	default:
		return nil
	}
	return strings.Split(text, "\n")
}

// about says what is checked, in muted lines.
func (m *Model) about(width int) []string {
	text := "Without signing in, Gatehouse checks the address, the hosts, their certificates and clocks. Press " +
		m.env.Keys.Key("form.fold") + " to add a sign-in, a domain or a device."
	if m.form.Unfolded() {
		text = "Without a password, Gatehouse checks the address, the hosts, their certificates and clocks. With the password, it also checks the sign-in, its claims and the shares of each domain. With a device, it tries a device login, once."
	}
	t := m.env.Theme.Muted
	return strings.Split(t.Render(screen.Wrap(text, width))+"\n\n"+t.Render(screen.Wrap(m.aboutLists(), width)), "\n")
}

// aboutLists says how many addresses are checked at once.
func (m *Model) aboutLists() string {
	if m.env.Remote {
		return "Paste several addresses to get a table."
	}
	return "Paste several addresses, or type the name of a file, to get a table."
}

func (m *Model) Click(_, y int) tea.Cmd {
	m.form.Click(y)
	return nil
}

func (m *Model) Wheel(lines int) { m.form.Wheel(lines) }
