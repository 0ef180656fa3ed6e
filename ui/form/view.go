package form

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// lines is how many lines all fields take with a pitch; below the last one no line
// is left empty.
func (m *Model) lines(pitch int) int { return pitch*len(m.shown()) - (pitch - fieldLines) }

// Height is how many lines the form needs for all its fields.
func (m *Model) Height() int { return m.lines(fieldLines) }

// RoomyHeight is how many lines it takes with room between them.
func (m *Model) RoomyHeight() int { return m.lines(roomyLines) }

// Layout draws the form in a limited number of lines, around the field with the focus: each field
// with what is wrong with it, its note or its hint below. They stand apart where there is room
// for all of them.
func (m *Model) Layout(width, height int) {
	m.visible = max(min(height, m.lines(roomyLines)), 1)
	if m.visible < m.lines(roomyLines) {
		m.visible = min(m.visible, m.lines(fieldLines))
	}
	m.above, m.frame = 0, m.fields(width)
}

// LayoutBelow draws the form as the content of a pane, below drawn lines that say what it is
// filled with or what went wrong, as far as they leave room for the focused field.
func (m *Model) LayoutBelow(said []string, width, height int) {
	const minForm = 4
	said = append(said[:len(said):len(said)], "")
	said = said[:min(len(said), max(height-min(m.Height(), minForm), 0))]
	m.Layout(max(width-2, 1), height-len(said))
	m.above = len(said)
	m.frame = screen.Box(strings.Join(screen.Indented(append(said, strings.Split(m.frame, "\n")...), 1), "\n"), width, height)
}

// View is the form as it was laid out last.
func (m *Model) View() string { return m.frame }

// fields are the lines around the field with the focus, apart from each other if
// there is room for all of them.
func (m *Model) fields(width int) string {
	pitch := fieldLines
	if m.visible >= m.lines(roomyLines) {
		pitch = roomyLines
	}
	m.pitch = pitch
	top, lines := m.top(), []string{}
	for i, in := range m.shown() {
		if i < top/pitch || i > (top+m.visible-1)/pitch {
			continue
		}
		mask, _ := utf8.DecodeRuneInString(m.theme.Glyphs.Bullet)
		in.text.EchoCharacter = mask
		lines = append(lines, in.draw(&m.theme.Form, width, min(m.labels(), width/2), pitch, m.noteOf(in))...)
	}
	lines = lines[top%pitch:]
	return strings.Join(lines[:min(len(lines), m.visible)], "\n")
}

// labels is how many cells the labels take beside the fields.
func (m *Model) labels() int {
	longest := 0
	for _, in := range m.shown() {
		if !in.Toggle {
			longest = max(longest, safetext.Width(in.Label))
		}
	}
	return longest + 3
}

// noteOf is what stands below a field: what is wrong with it, its note, or
// its hint.
func (m *Model) noteOf(in *input) string {
	switch {
	case in == m.focused() && m.wrong != nil:
		return m.theme.Form.Error.Render(m.theme.Glyphs.Bad + " " + m.wrong.Error())
	case in.note != "":
		return in.note
	case in == m.focused() || in.Toggle:
		return m.theme.Form.Hint.Render(in.Hint)
	}
	return ""
}

// top is the first line that is visible: the field with the focus comes first
// where not all fit.
func (m *Model) top() int { return max(min(m.at*m.pitch, m.lines(m.pitch)-m.visible), 0) }

// Click gives the focus to the field on a line of the last Layout, counted from 0.
// A click on a choice that has the focus takes the next of its options.
func (m *Model) Click(y int) {
	y -= m.above
	to := (m.top() + y) / m.pitch
	if y < 0 || y >= m.visible || to >= len(m.shown()) {
		return
	}
	if m.paused {
		m.Enter()
	}
	if to == m.at && len(m.focused().Options) > 0 {
		m.focused().update(tea.KeyPressMsg{Code: tea.KeyRight})
		return
	}
	m.wrong = nil
	m.move(to)
	if m.focused().Toggle {
		m.focused().update(tea.KeyPressMsg{Code: tea.KeyRight})
	}
}

// Wheel moves the focus by one field, down counting up.
func (m *Model) Wheel(lines int) {
	if !m.paused {
		m.wrong = nil
		m.move(m.at + min(max(lines, -1), 1))
	}
}
