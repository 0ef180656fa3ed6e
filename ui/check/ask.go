package check

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/device"
	"gatehouse/ui/screen"
)

const (
	// boxWidth is how wide the form is at most, and leastBox how many lines it takes at
	// least to stand in a box.
	boxWidth, leastBox = 76, 8
	// boxPadding is how far the form stands from the sides of its box.
	boxPadding = 2
)

// Layout implements [screen.Screen]: the form in a box, with what it does below.
func (m *Model) Layout(width, height int) {
	if width < leastPane || height < leastBox {
		m.formAt = 0
		m.form.Layout(width, height)
		m.frame = screen.Box(m.form.View()+"\n"+strings.Join(m.notes(width), "\n"), width, height)
		return
	}
	t := m.env.Theme
	box := min(width-2, boxWidth)
	pane := screen.Pane{Title: "Who cannot get in?", Note: m.note(), Padding: boxPadding, Border: &t.Line}
	if m.form.Typing() {
		pane.Border = &t.BoxLine
	}
	inner, _ := pane.Inner(box, height)
	notes := m.notes(box - 2*boxPadding)
	fields := min(m.form.Height(), height-2)
	if height < fields+2+len(notes)+1 {
		notes = nil
	}
	free := 0
	if height > fields+4+len(notes)+1 {
		free = 1
	}
	top := max((height-fields-2*free-len(notes)-3)/3, 0)
	left := (width - box) / 2
	m.form.Layout(inner, fields)
	text := strings.Repeat("\n", free) + m.form.View()
	m.formAt = top + 1 + free
	lines := make([]string, top, height)
	lines = append(lines, screen.Indented(strings.Split(pane.Draw(t, text, box, fields+free+2), "\n"), left)...)
	if len(notes) > 0 {
		lines = append(append(lines, ""), screen.Indented(notes, left+1+boxPadding)...)
	}
	m.frame = screen.Box(strings.Join(lines, "\n"), width, height)
}

func (m *Model) View() string { return m.frame }

// note says whether the check signs the person in.
func (m *Model) note() string {
	switch r := m.request(); {
	case m.form.Value(fieldPassword) == "":
		return "without signing in"
	case wantsDevice(r):
		return "signs in, and logs a device in"
	}
	return "signs in, once"
}

// notes are what is said below the form: what has to be mended, what sending it does, and
// how to enter it.
func (m *Model) notes(width int) []string {
	t := m.env.Theme
	var lines []string
	add := func(render func(...string) string, text string) {
		for line := range strings.SplitSeq(screen.Wrap(text, width), "\n") {
			lines = append(lines, render(line))
		}
	}
	switch r := m.request(); {
	case m.remark.text != "" && m.remark.bad:
		add(t.Bad.Render, t.Glyphs.Bad+" "+m.remark.text)
	case m.remark.text != "":
		add(t.Accent.Render, m.remark.text)
	case wantsDevice(r):
		add(t.Warn.Render, t.Glyphs.Warning+" "+device.Consequence(safetext.Line(r.DeviceID), r.DeviceName))
	default:
		add(t.Muted.Render, "Checks what can be known from outside: the address, the hosts, their certificates and clocks. "+
			m.env.Keys.Key("form.fold")+" adds a sign-in, a domain or a device.")
		add(t.Muted.Render, m.aboutLists())
	}
	if !m.form.Typing() {
		lines = append(lines, screen.Cut(t.Key.Render(m.env.Keys.Key("form.edit"))+t.Muted.Render(" fills in the form"), width))
	}
	return lines
}

// aboutLists says how many addresses are checked at once.
func (m *Model) aboutLists() string {
	if m.env.Remote {
		return "Several addresses, pasted, become a table."
	}
	return "Several pasted addresses, or the name of a file, give a table."
}

func (m *Model) Click(_, y int) tea.Cmd {
	m.form.Click(y - m.formAt)
	return nil
}

func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	m.form.Wheel(lines)
	return nil
}
