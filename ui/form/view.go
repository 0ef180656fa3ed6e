package form

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// lines is how many lines all fields take with a pitch; below the last one no line
// is left empty.
func (m *Model) lines(pitch int) int { return pitch*len(m.shown()) - (pitch - fieldLines) }

// Lines is how many lines all fields take if labels stand beside them, with room between
// them or not.
func (m *Model) Lines(roomy bool) int {
	if roomy {
		return m.lines(roomyLines)
	}
	return m.lines(fieldLines)
}

// Height is how many lines the form needs for all its fields and the line below.
// With more it sets them apart.
func (m *Model) Height() int {
	if m.Beside {
		return m.lines(fieldLines)
	}
	return m.lines(fieldLines) + 1
}

// Layout draws the form in at most so many lines: the fields, and what is wrong or
// a hint on the focused one below. Where only a few lines are left, the focused
// field has them.
func (m *Model) Layout(width, height int) {
	if m.Beside {
		m.visible = max(min(height, m.lines(roomyLines)), 1)
		if m.visible < m.lines(roomyLines) {
			m.visible = min(m.visible, m.lines(fieldLines))
		}
		m.frame = m.fields(width)
		return
	}
	m.visible = height - 1
	if height < 3 {
		m.visible = max(height, 1)
		m.frame = m.fields(width)
		return
	}
	if m.visible = min(m.visible, m.lines(roomyLines)); m.visible < m.lines(roomyLines) {
		m.visible = min(m.visible, m.lines(fieldLines))
	}
	m.frame = m.fields(width) + "\n" + m.below(width)
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
	if width != m.width || m.theme.Options != m.options || pitch != m.pitch || m.Beside != m.beside {
		m.width, m.options, m.pitch, m.beside = width, m.theme.Options, pitch, m.Beside
		for _, in := range m.inputs {
			in.drawn = nil
		}
	}
	top, lines := m.top(), []string{}
	for i, in := range m.shown() {
		if i < top/pitch || i > (top+m.visible-1)/pitch {
			continue
		}
		mask, _ := utf8.DecodeRuneInString(m.theme.Glyphs.Bullet)
		in.text.EchoCharacter = mask
		switch {
		case m.Beside:
			in.layOutBeside(&m.theme.Form, width, m.labels(), pitch, m.noteOf(in))
		case in.drawn == nil:
			in.layOut(&m.theme.Form, width, pitch)
		}
		lines = append(lines, in.drawn...)
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

// noteOf is what stands below a field beside its label: what is wrong with it, its note, or
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

// below is the line below the fields.
func (m *Model) below(width int) string {
	text, style := m.focused().Hint, m.theme.Form.Hint
	if m.wrong != nil {
		text, style = m.wrong.Error(), m.theme.Form.Error
	}
	position := ""
	if m.visible < m.lines(fieldLines) {
		position = fmt.Sprintf("%d of %d fields", m.at+1, len(m.shown()))
	}
	return screen.Sides(style.Render(safetext.Truncate(text, width)), m.theme.Form.Hint.Render(position), width)
}

// top is the first line that is visible: the field with the focus comes first
// where not all fit.
func (m *Model) top() int { return max(min(m.at*m.pitch, m.lines(m.pitch)-m.visible), 0) }

// Click gives the focus to the field on a line of the last Layout, counted from 0.
// A click on a choice that has the focus takes the next of its options.
func (m *Model) Click(y int) {
	to := (m.top() + y) / m.pitch
	if y < 0 || y >= m.visible || to >= len(m.shown()) {
		return
	}
	if m.paused {
		m.resume()
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
