package form

import (
	"iter"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Height is the number of lines that all fields take in a width, without lines between them.
func (m *Model) Height(width int) int { return m.layout(width, 0).total }

// RoomyHeight is the number of lines that all fields take with an empty line between them. It is
// Height if there is a field with no line below it: then the form is a list without gaps.
func (m *Model) RoomyHeight(width int) int { return m.layout(width, math.MaxInt).total }

// layout says where the fields of a form are drawn.
type layout struct {
	// from is the line of each field, below are the lines under it: its note, its hint or what is
	// wrong with it.
	from  []int
	below [][]string
	// total is the number of lines. Of these, visible lines are shown, beginning with line top.
	total, top, visible int
}

// layout lays out the form in a width and height. There are empty lines between the fields if there
// is room for all of them. If there is not even room for the fields, the one with the focus is
// shown at the top.
func (m *Model) layout(width, height int) layout {
	l := layout{}
	gaps := len(m.shown) - 1
	for _, in := range m.shown {
		below := m.below(in, width)
		l.below = append(l.below, below)
		if len(below) == 0 {
			gaps = 0
		}
		l.from = append(l.from, l.total)
		l.total += 1 + len(below)
	}
	if l.total+gaps <= height && gaps > 0 {
		l.total += gaps
		for i := range l.from {
			l.from[i] += i
		}
	}
	l.visible = max(min(height, l.total), 1)
	l.top = max(min(l.from[m.at], l.total-l.visible), 0)
	return l
}

// field is the index of the field to which a line belongs.
func (l layout) field(line int) int {
	at, exact := slices.BinarySearch(l.from, line)
	if !exact {
		at--
	}
	return at
}

// isVisible reports whether a line of a field, or one below it, is shown.
func (l layout) isVisible(field int) bool {
	end := l.from[field] + 1 + len(l.below[field])
	return end > l.top && l.from[field] < l.top+l.visible
}

// labelRoom is the width of the labels in a form of a width.
func (m *Model) labelRoom(width int) int { return min(m.labels(), width/2) }

// Draw implements [screen.Part]: each field with its hint, and what is wrong with it.
func (m *Model) Draw(width, height int) screen.Drawing {
	l := m.layout(width, height)
	lines := make([]string, l.total)
	var spots []screen.Spot
	for i, in := range m.shown {
		if !l.isVisible(i) {
			continue
		}
		drawn := in.draw(m.theme, width, m.labelRoom(width))
		lines[l.from[i]] = drawn.String()
		copy(lines[l.from[i]+1:], l.below[i])
		for _, caret := range drawn.Spots {
			caret.Y = l.from[i] - l.top
			spots = append(spots, caret)
		}
	}
	click := func(_, y int) tea.Cmd {
		m.click(l.field(l.top + y))
		return m.changed()
	}
	return screen.Drawing{
		Lines: lines[l.top : l.top+l.visible],
		Spots: append(spots, screen.Spot{Width: width, Height: l.visible, Click: click}),
	}
}

// Say implements [screen.Part]. Nothing is said: the person is asked for one field after the other.
func (m *Model) Say() iter.Seq[string] { return screen.Texts() }

// Below is a [screen.Part]: the form as the content of a pane, with parts above it that say what it
// is for or what went wrong. They are cut where the field with the focus needs the room.
func (m *Model) Below(said ...screen.Part) screen.Part { return below{m, said} }

// fieldLines is the room that is kept for the field with the focus: its line and one below it.
const fieldLines = 2

// below is the part that [Model.Below] makes.

type below struct {
	*Model
	said screen.Column
}

// Draw implements [screen.Part].
func (b below) Draw(width, height int) screen.Drawing {
	inner := max(width-2, 1)
	room := max(height-min(b.Height(inner), fieldLines), 0)
	said := screen.AtMost(b.said.Draw(inner, math.MaxInt).Lines, room, inner)
	said = append(said[:len(said):len(said)], "")
	head := screen.Lines(said[:min(len(said), room)])
	form := screen.Fill{Above: []screen.Part{head}, Part: b.Model, MinLines: 1}
	return screen.Indent{Part: form, Left: 1, Right: 1}.Draw(width, height)
}

// Say implements [screen.Part].
func (b below) Say() iter.Seq[string] { return b.said.Say() }

// labelGap is the number of cells between the longest label and the contents of its field.
const labelGap = 3

// labels is the number of cells that the labels take, with the gap behind them. The label of a box
// to tick is behind the box.
func (m *Model) labels() int {
	longest := 0
	for _, in := range m.shown {
		if !in.Toggle {
			longest = max(longest, safetext.Width(in.Label))
		}
	}
	return longest + labelGap
}

// maxWrong is the number of lines for what is wrong with a field.
const maxWrong = 4

// below are the lines under a field: what is wrong with it, its note, or its hint if there is no
// room for the hint behind the contents.
func (m *Model) below(in *input, width int) []string {
	indent := m.labelRoom(width)
	if in.Toggle {
		indent = len(toggleIndent)
	}
	room := max(width-indent, 1)
	var part screen.Part
	switch {
	case in == m.focused() && m.wrong != nil:
		text := m.theme.Glyphs.Bad + " " + m.wrong.Error()
		part = screen.Text{Style: m.theme.Bad, Text: text, MaxLines: maxWrong}
	case in.note != "":
		part = screen.Lines{screen.Cut(in.note, room)}
	case in.Hint != "" && !in.hintsBehind(room):
		part = screen.Text{Style: m.theme.Muted, Text: in.Hint}
	case in.Toggle || in.Noted:
		part = screen.Blank{}
	default:
		return nil
	}
	return screen.Indented(slices.Clone(part.Draw(room, math.MaxInt).Lines), indent)
}

// click moves the focus to a field, and ticks it if it is a box. If the field has the focus and is
// a choice, it chooses the next option.
func (m *Model) click(to int) {
	if m.Busy() || to >= len(m.shown) {
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

// Wheel moves the focus to the next field, or to the one before if lines is negative.
func (m *Model) Wheel(lines int) {
	if m.Typing() {
		m.wrong = nil
		m.move(m.at + min(max(lines, -1), 1))
	}
}

// contentCells is the room for the contents of a field with a hint behind them, hintGap that
// between them.
const (
	contentCells = 24
	hintGap      = 2
)

// hintsBehind reports whether there is room for the hint behind the contents, if they have room
// cells together.
func (in *input) hintsBehind(room int) bool {
	return !in.Toggle && in.Hint != "" && contentCells+hintGap+safetext.Width(in.Hint) <= room
}

// draw draws the field: its label in labels cells, its contents with the caret, and its hint behind
// them. The hint is left out if there is no room for it, or while the contents take its room.
func (in *input) draw(theme *styles.Theme, width, labels int) screen.Drawing {
	label := theme.Muted
	if in.text.Focused() {
		label = theme.Key
	}
	if in.Toggle {
		return screen.Drawing{Lines: []string{in.drawToggle(theme, label, width)}}
	}
	room := max(width-labels, 1)
	body, caret := in.body(theme, room)
	if in.hintsBehind(room) {
		if gap := contentCells + hintGap - screen.Cells(body); gap >= hintGap {
			body += strings.Repeat(" ", gap) + theme.Muted.Render(in.Hint)
		}
	}
	line := label.Render(safetext.Fit(in.Label, labels-1)) + " " + body
	drawn := screen.Drawing{Lines: []string{screen.Cut(line, width)}}
	if caret != noCaret {
		drawn.Spots = []screen.Spot{screen.CaretAt(labels+caret, 0)}
	}
	return drawn
}

// drawToggle draws a box with its label, and the key that reaches or ticks it: the footer has no
// room for these keys in 80 columns, and names none that are text in other fields.
func (in *input) drawToggle(theme *styles.Theme, label styles.Style, width int) string {
	style, key := theme.Text, "  tab moves here"
	switch {
	case in.text.Focused() && in.value() == On:
		style, key = theme.Key, "  space unticks it"
	case in.text.Focused():
		style, key = theme.Key, "  space ticks it"
	}
	box := style.Render(in.Options[in.chosen].Label)
	if safetext.Width(toggleIndent+in.Label+key) > width {
		key = ""
	}
	return screen.Cut(box+" "+label.Render(in.Label)+theme.Muted.Render(key), width)
}

// toggleIndent is as wide as a box and the space after it.
const toggleIndent = "    "

// noCaret is the cell of the caret in a field without one.
const noCaret = -1

// body draws the contents of the field in room cells, and returns the cell of the caret, or
// noCaret.
func (in *input) body(theme *styles.Theme, room int) (text string, caret int) {
	switch {
	case !in.text.Focused():
		return theme.Text.Render(screen.Cut(in.shown(theme), room)), noCaret
	case len(in.Options) == 0:
		return screen.DrawTyped(theme.Text, in.shown(theme), in.text.Position(), room)
	}
	isFirst, isLast := in.chosen == 0, in.chosen == len(in.Options)-1
	left := theme.Accent.Faint(isFirst).Render("← ")
	right := theme.Accent.Faint(isLast).Render(" →")
	option := theme.Key.Render(in.Options[in.chosen].Label)
	return screen.Cut(left+option+right, room), noCaret
}
