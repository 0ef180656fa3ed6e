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

// Draw draws the form in a limited number of lines, around the field with the focus: each field
// with what is wrong with it, its note or its hint below. They stand apart where there is room
// for all of them.
func (m *Model) Draw(width, height int) string {
	m.above, m.pitch = 0, fieldLines
	if height >= m.lines(roomyLines) {
		m.pitch = roomyLines
	}
	m.visible = max(min(height, m.lines(m.pitch)), 1)
	mask, _ := utf8.DecodeRuneInString(m.theme.Glyphs.Bullet)
	top, lines := m.top(), []string{}
	for i, in := range m.shown() {
		if i < top/m.pitch || i > (top+m.visible-1)/m.pitch {
			continue
		}
		in.text.EchoCharacter = mask
		lines = append(lines, in.draw(m.theme, width, min(m.labels(), width/2), m.pitch, m.noteOf(in))...)
	}
	lines = lines[top%m.pitch:]
	return strings.Join(lines[:min(len(lines), m.visible)], "\n")
}

// DrawBelow draws the form as the content of a pane, below drawn lines that say what it is
// filled with or what went wrong, as far as they leave room for the focused field.
func (m *Model) DrawBelow(said []string, width, height int) string {
	const minForm = 4
	said = append(said[:len(said):len(said)], "")
	said = said[:min(len(said), max(height-min(m.Height(), minForm), 0))]
	drawn := strings.Split(m.DrawUnder(said, max(width-2, 1), height), "\n")
	return screen.Box(strings.Join(screen.Indented(drawn, 1), "\n"), width, height)
}

// DrawUnder draws the form under lines.
func (m *Model) DrawUnder(lines []string, width, height int) string {
	drawn := m.Draw(width, max(height-len(lines), 1))
	m.above = len(lines)
	return strings.Join(append(lines[:len(lines):len(lines)], drawn), "\n")
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
		return m.theme.Bad.Render(m.theme.Glyphs.Bad + " " + m.wrong.Error())
	case in.note != "":
		return in.note
	case in == m.focused() || in.Toggle:
		return m.theme.Muted.Render(in.Hint)
	}
	return ""
}

// top is the first line that is visible: the field with the focus comes first
// where not all fit.
func (m *Model) top() int { return max(min(m.at*m.pitch, m.lines(m.pitch)-m.visible), 0) }

// Click gives the focus to the field on a line of the last Draw, counted from 0.
// A click on a choice that has the focus takes the next of its options.
func (m *Model) Click(_, y int) tea.Cmd {
	y -= m.above
	to := (m.top() + y) / m.pitch
	if y < 0 || y >= m.visible || to >= len(m.shown()) {
		return nil
	}
	if m.paused {
		m.Enter()
	}
	if to == m.at && len(m.focused().Options) > 0 {
		m.focused().update(tea.KeyPressMsg{Code: tea.KeyRight})
		return nil
	}
	m.wrong = nil
	m.move(to)
	if m.focused().Toggle {
		m.focused().update(tea.KeyPressMsg{Code: tea.KeyRight})
	}
	return nil
}

// Wheel moves the focus by one field, down counting up.
func (m *Model) Wheel(lines int) {
	if !m.paused {
		m.wrong = nil
		m.move(m.at + min(max(lines, -1), 1))
	}
}
