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

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// lines is how many lines all fields take with a pitch; below the last one no line
// is left empty.
func (m *Model) lines(pitch int) int { return pitch*len(m.shown) - (pitch - fieldLines) }

// Height is how many lines the form needs for all its fields.
func (m *Model) Height() int { return m.lines(fieldLines) }

// RoomyHeight is how many lines it takes with room between them.
func (m *Model) RoomyHeight() int { return m.lines(roomyLines) }

// layout is how a form is drawn in so many lines: how many each field has, and which of all lines are
// visible.
type layout struct{ pitch, top, visible int }

// layout lays the form out around the field with the focus. The fields stand apart where there is
// room for all of them; where there is not, the one with the focus comes first.
func (m *Model) layout(height int) layout {
	l := layout{pitch: fieldLines}
	if height >= m.lines(roomyLines) {
		l.pitch = roomyLines
	}
	l.visible = max(min(height, m.lines(l.pitch)), 1)
	l.top = max(min(m.at*l.pitch, m.lines(l.pitch)-l.visible), 0)
	return l
}

// Settle gives the form its room: a long text is scrolled to the cursor.
func (m *Model) Settle(room screen.Room) { m.focused().settle(m.theme, m.bodyRoom(room.Width)) }

// bodyRoom is how many cells the contents of a field have beside the labels.
func (m *Model) bodyRoom(width int) int { return max(width-m.labelRoom(width), 1) }

// labelRoom is how many cells the labels have.
func (m *Model) labelRoom(width int) int { return min(m.labels(), width/2) }

// Draw implements [screen.Part]: each field with what is wrong with it, its note or its hint below.
func (m *Model) Draw(width, height int) screen.Drawing {
	l := m.layout(height)
	var lines []string
	for i, in := range m.shown {
		if i < l.top/l.pitch || i > (l.top+l.visible-1)/l.pitch {
			continue
		}
		drawn := *in
		drawn.settle(m.theme, m.bodyRoom(width))
		lines = append(lines, drawn.draw(m.theme, width, m.labelRoom(width), l.pitch, m.noteOf(in))...)
	}
	lines = lines[l.top%l.pitch:]
	click := func(_, y int) tea.Cmd {
		m.click((l.top + y) / l.pitch)
		if m.Clicked == nil {
			return nil
		}
		return m.Clicked()
	}
	return screen.Drawing{
		Lines: lines[:min(len(lines), l.visible)],
		Spots: []screen.Spot{{Width: width, Height: l.visible, Click: click}},
	}
}

// Say implements [screen.Part]: fields are asked for one after the other.
func (m *Model) Say() iter.Seq[string] { return screen.Texts() }

// Below is a [screen.Part]: the form as the content of a pane, below parts that say what it is filled
// with or what went wrong, as far as they leave room for the focused field.
func (m *Model) Below(said ...screen.Part) screen.Part { return below{m, said} }

type below struct {
	*Model
	said screen.Column
}

// Draw implements [screen.Part].
func (b below) Draw(width, height int) screen.Drawing {
	inner, room := max(width-2, 1), max(height-fieldLines, 0)
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

// noteOf is what stands below a field: what is wrong with it, its note, or
// its hint.
func (m *Model) noteOf(in *input) string {
	switch {
	case in == m.focused() && m.wrong != nil:
		return m.theme.Bad.Render(m.theme.Glyphs.Bad + " " + m.wrong.Error())
	case in.note != "":
		return in.note
	case in == m.focused() || in.Toggle || in.Ready:
		return m.theme.Muted.Render(in.Hint)
	}
	return ""
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
	// Ready says that what stands there will do: nobody has to go there to send the form, and
	// its hint is always shown.
	Ready bool
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
func (in *input) shown() string {
	switch {
	case len(in.Options) > 0:
		return in.Options[in.chosen].Label
	case in.Secret:
		return strings.Repeat(string(in.text.EchoCharacter), utf8.RuneCountInString(in.text.Value()))
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
func (in *input) restart() {
	in.text.SetWidth(0) // or it would stay scrolled
	in.text.CursorEnd()
}

// update takes a key or a paste.
func (in *input) update(msg tea.Msg) {
	if len(in.Options) > 0 {
		in.choose(msg)
		return
	}
	if !in.Secret {
		msg = screen.CleanInput(msg)
	}
	in.text, _ = in.text.Update(msg)
	in.damaged = in.damaged && in.value() != ""
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

// How many lines a field takes: its label and its input, the note below, and where there is
// room an empty one that sets it apart from the next.
const (
	fieldLines = 2
	roomyLines = 3
)

// draw draws the field in so many lines: its label in labels cells, its contents beside
// that, and the note below.
func (in *input) draw(theme *styles.Theme, width, labels, lines int, note string) []string {
	label := theme.Muted
	if in.text.Focused() {
		label = theme.Key
	}
	if in.Toggle {
		return in.drawToggle(theme, label, width, lines, note)
	}
	indent := strings.Repeat(" ", labels)
	room := max(width-labels, 1)
	drawn := []string{
		screen.Cut(label.Render(safetext.Fit(in.Label, labels-1))+" "+in.body(theme, room), width),
		screen.Cut(indent+note, width),
	}
	return slices.Concat(drawn, make([]string, lines))[:lines]
}

// drawToggle draws the box with the label after it, and the note below.
func (in *input) drawToggle(theme *styles.Theme, label styles.Style, width, lines int, note string) []string {
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
	drawn := []string{screen.Cut(box+" "+label.Render(in.Label)+theme.Muted.Render(key), width), screen.Cut(toggleIndent+note, width)}
	return slices.Concat(drawn, make([]string, lines))[:lines]
}

// toggleIndent is as wide as a box and the space after it.
const toggleIndent = "    "

// settle scrolls the contents of the field to the cursor, in so many cells.
func (in *input) settle(theme *styles.Theme, room int) {
	in.text.EchoCharacter, _ = utf8.DecodeRuneInString(theme.Glyphs.Bullet)
	if !in.text.Focused() || len(in.Options) > 0 || in.atEnd(room) {
		return
	}
	s := in.text.Styles()
	s.Cursor.Color = theme.Accent.GetForeground()
	s.Focused.Text = *theme.Text.Style
	in.text.SetStyles(s)
	in.text.SetWidth(room - 1)
	in.text.SetCursor(in.text.Position()) // scrolls to it
}

// atEnd reports that something is typed at the end of a text that is seen whole, as nearly always.
func (in *input) atEnd(room int) bool {
	last := utf8.RuneCountInString(in.text.Value())
	return len(in.Options) == 0 && in.text.Position() == last && safetext.Width(in.shown()) < room
}

func (in *input) body(theme *styles.Theme, room int) string {
	switch {
	case !in.text.Focused(): // quieter than the field with the focus
		return theme.Text.Render(screen.Cut(in.shown(), room))
	case in.atEnd(room): // the library takes ten times as long
		return theme.Text.Render(in.shown()) + theme.Caret.Render(" ")
	case len(in.Options) == 0:
		return in.text.View()
	}
	arrow, left, right := theme.Accent, "← ", " →"
	left, right = arrow.Faint(in.chosen == 0).Render(left), arrow.Faint(in.chosen == len(in.Options)-1).Render(right)
	return screen.Cut(left+theme.Key.Render(in.Options[in.chosen].Label)+right, room)
}
