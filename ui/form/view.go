package form

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/intake"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Height is how many lines the form needs for all its fields in a width.
func (m *Model) Height(width int) int { return m.layout(width, 0).total }

// RoomyHeight is how many lines it takes with room between them, as it has where each of them has
// a line below it.
func (m *Model) RoomyHeight(width int) int { return m.layout(width, math.MaxInt).total }

// layout is how a form is drawn in so many lines.
type layout struct {
	// from is the line on which each field begins, below what stands under each.
	from  []int
	below [][]string
	// total is how many lines there are, of which as many are visible from top on.
	total, top, visible int
}

// layout lays the form out around the field with the focus. The fields stand apart where there is
// room for all of them; where there is not, the one with the focus comes first.
func (m *Model) layout(width, height int) layout {
	l := layout{}
	apart := len(m.shown) - 1 // lines
	for _, in := range m.shown {
		below := m.below(in, width)
		l.below = append(l.below, below)
		if len(below) == 0 {
			apart = 0
		}
		l.from = append(l.from, l.total)
		l.total += 1 + len(below)
	}
	if l.total+apart <= height && apart > 0 {
		l.total += apart
		for i := range l.from {
			l.from[i] += i
		}
	}
	l.visible = max(min(height, l.total), 1)
	l.top = max(min(l.from[m.at], l.total-l.visible), 0)
	return l
}

// field is the index of the field on a line, or below the one before it.
func (l layout) field(line int) int {
	at, exact := slices.BinarySearch(l.from, line)
	if !exact {
		at--
	}
	return at
}

// labelRoom is how many cells the labels have.
func (m *Model) labelRoom(width int) int { return min(m.labels(), width/2) }

// Draw implements [screen.Part]: each field with its hint, and what is wrong with it.
func (m *Model) Draw(width, height int) screen.Drawing {
	l := m.layout(width, height)
	lines := make([]string, l.total)
	var spots []screen.Spot
	for i, in := range m.shown {
		if end := l.from[i] + 1 + len(l.below[i]); end <= l.top || l.from[i] >= l.top+l.visible {
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
		if m.Clicked == nil {
			return nil
		}
		return m.Clicked()
	}
	return screen.Drawing{
		Lines: lines[l.top : l.top+l.visible],
		Spots: append(spots, screen.Spot{Width: width, Height: l.visible, Click: click}),
	}
}

// Say implements [screen.Part]: fields are asked for one after the other.
func (m *Model) Say() iter.Seq[string] { return screen.Texts() }

// Below is a [screen.Part]: the form as the content of a pane, below parts that say what it is filled
// with or what went wrong, as far as they leave room for the focused field.
func (m *Model) Below(said ...screen.Part) screen.Part { return below{m, said} }

// fieldLines are kept for the field with the focus and what stands below it.
const fieldLines = 2

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
	form := screen.Fill{Above: []screen.Part{head}, Part: b.Model, Least: 1}
	return screen.Indent{Part: form, Left: 1, Right: 1}.Draw(width, height)
}

// Say implements [screen.Part].
func (b below) Say() iter.Seq[string] { return b.said.Say() }

// labels is how many cells the labels take beside the fields.
func (m *Model) labels() int {
	longest := 0
	for _, in := range m.shown {
		if !in.Toggle {
			longest = max(longest, safetext.Width(in.Label))
		}
	}
	return longest + 3
}

// mostWrong is how many lines say what is wrong with a field.
const mostWrong = 4

// below are the lines under a field: what is wrong with it, its note, or its hint where there is no
// room for that behind its contents.
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
		part = screen.Text{Style: m.theme.Bad, Text: text, Most: mostWrong}
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

// click gives the focus to a field. On a choice that has it, it takes the next of its options.
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

// Wheel moves the focus by one field, down counting up.
func (m *Model) Wheel(lines int) {
	if m.Typing() {
		m.wrong = nil
		m.move(m.at + min(max(lines, -1), 1))
	}
}

// Field describes one input.
type Field struct {
	// Key names the field to the screen; Label and Hint name it to people.
	Key, Label, Hint string
	// Value is what stands there at first, nothing if it cannot be shown as it is.
	Value string
	// Options make the field a choice among them.
	Options []Option
	// Toggle makes the field a box to tick, with the label after it and the hint below. It
	// is empty at first, and On where it is ticked. Nobody has to go there to send the form.
	Toggle bool
	// Ready says that what stands there will do: nobody has to go there to send the form.
	Ready bool
	// Noted keeps the line below the field for a note, see [Model.SetNote].
	Noted bool
	// Secret masks what is typed.
	Secret bool
	// Folded hides the field until the form is unfolded.
	Folded bool
	// Complete writes out what was typed in short, when the field is left; nil changes
	// nothing.
	Complete func(string) string
	// Expand writes out what was typed as far as it is clear, when tab is pressed; nil
	// changes nothing.
	Expand func(string) string
	// Required says that the field must not be empty, as a sentence for people; "": it may be.
	Required string
	// Check returns what is wrong with a value, as a sentence for people.
	Check func(string) error
}

// On is the value of a [Field] that is a ticked Toggle.
const On = "on"

// Option is one choice of a field: what people read and the value it stands for.
type Option struct{ Label, Value string }

// input is a field with its contents.
type input struct {
	Field
	text   textinput.Model
	chosen int    // of the options
	note   string // drawn below the field
	away   bool   // not shown, see [Model.Hide]
	// damaged is set while something is missing in it that was typed.
	damaged bool
}

// clear forgets the contents of the field, and keeps no copy of it.
func (in *input) clear() {
	in.text, in.chosen, in.damaged = textinput.New(), 0, false
	in.text.Prompt = ""
	if in.Secret {
		in.text.EchoMode = textinput.EchoPassword
	}
}

// set changes the contents of the field. A choice stays on its first option where
// none has the value.
func (in *input) set(value string) {
	in.text.SetValue(value)
	in.damaged = false
	in.chosen = max(slices.IndexFunc(in.Options, func(o Option) bool { return o.Value == value }), 0)
}

func (in *input) value() string {
	if len(in.Options) > 0 {
		return in.Options[in.chosen].Value
	}
	return in.text.Value()
}

func (in *input) check() error {
	value := in.value()
	if !in.Secret { // of which space may be a part
		value = strings.TrimSpace(value)
	}
	switch {
	case in.damaged:
		return errDamaged
	case in.Required != "" && value == "":
		return errors.New(in.Required)
	case in.Check == nil:
		return nil
	}
	return in.Check(in.value())
}

// shown is the contents as people read them.
func (in *input) shown(theme *styles.Theme) string {
	switch {
	case len(in.Options) > 0:
		return in.Options[in.chosen].Label
	case in.Secret:
		return strings.Repeat(theme.Glyphs.Bullet, utf8.RuneCountInString(in.text.Value()))
	}
	return in.text.Value()
}

// focus and blur say whether keys go to the field. Its commands are dropped, here
// and below: they would blink the cursor, which redraws for nothing, or read the
// clipboard of the machine that runs the program, which need not be the person's.
func (in *input) focus() { in.text.Focus() }

func (in *input) blur() {
	if in.text.Focused() {
		in.text.Blur()
	}
}

// restart goes to the end of the contents of the field.
func (in *input) restart() { in.text.CursorEnd() }

// update takes a key or a paste.
func (in *input) update(msg tea.Msg) {
	if len(in.Options) > 0 {
		in.choose(msg)
		return
	}
	if in.Secret {
		msg = trimMark(msg)
	} else {
		msg = screen.CleanInput(msg)
	}
	in.text, _ = in.text.Update(msg)
	in.damaged = in.damaged && in.value() != ""
}

// trimMark cuts a byte-order mark before what is typed or pasted into a secret, which is taken as it is
// otherwise.
func trimMark(msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		msg.Text = intake.TrimMark(msg.Text)
		return msg
	case tea.PasteMsg:
		msg.Content = intake.TrimMark(msg.Content)
		return msg
	}
	return msg
}

// choose takes the option before or the next one, from either end to the other.
func (in *input) choose(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return
	}
	switch key.String() {
	case "left":
		in.chosen += len(in.Options) - 1
	case "right", "space":
		in.chosen++
	}
	in.chosen %= len(in.Options)
}

// contentCells is how many cells the contents of a field have before its hint.
const contentCells = 24

// hintsBehind reports whether there is room for the hint behind the contents, of so many cells for
// both.
func (in *input) hintsBehind(room int) bool {
	return !in.Toggle && in.Hint != "" && contentCells+2+safetext.Width(in.Hint) <= room
}

// draw draws the field: its label in labels cells, its contents beside that with the caret, and its
// hint behind those where there is room. Contents that take its room are shown in its place.
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
	if free := contentCells + 2 - screen.Cells(body); in.hintsBehind(room) && free >= 2 {
		body += strings.Repeat(" ", free) + theme.Muted.Render(in.Hint)
	}
	drawn := screen.Drawing{Lines: []string{screen.Cut(label.Render(safetext.Fit(in.Label, labels-1))+" "+body, width)}}
	if caret >= 0 {
		drawn.Spots = []screen.Spot{screen.CaretAt(labels+caret, 0)}
	}
	return drawn
}

// drawToggle draws the box with the label after it.
func (in *input) drawToggle(theme *styles.Theme, label styles.Style, width int) string {
	// The footer has no room for these keys in 80 columns, and names none that are text elsewhere.
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

// body draws the contents of the field in so many cells, and gives the cell of the caret; -1: nothing
// is typed there.
func (in *input) body(theme *styles.Theme, room int) (text string, caret int) {
	switch {
	case !in.text.Focused(): // quieter than the field with the focus
		return theme.Text.Render(screen.Cut(in.shown(theme), room)), -1
	case len(in.Options) == 0:
		return screen.DrawTyped(theme.Text, in.shown(theme), in.text.Position(), room)
	}
	arrow, left, right := theme.Accent, "← ", " →"
	left, right = arrow.Faint(in.chosen == 0).Render(left), arrow.Faint(in.chosen == len(in.Options)-1).Render(right)
	return screen.Cut(left+theme.Key.Render(in.Options[in.chosen].Label)+right, room), -1
}
