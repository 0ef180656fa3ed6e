package form

import (
	"errors"
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
	for i, in := range m.shown {
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
	room := max(height-fieldLines, 0)
	said = screen.AtMost(said, room, max(width-2, 1))
	said = append(said[:len(said):len(said)], "")
	said = said[:min(len(said), room)]
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

// top is the first line that is visible: the field with the focus comes first
// where not all fit.
func (m *Model) top() int { return max(min(m.at*m.pitch, m.lines(m.pitch)-m.visible), 0) }

// Click gives the focus to the field on a line of the last Draw, counted from 0.
// A click on a choice that has the focus takes the next of its options.
func (m *Model) Click(_, y int) tea.Cmd {
	y -= m.above
	to := (m.top() + y) / m.pitch
	if m.Busy() || y < 0 || y >= m.visible || to >= len(m.shown) {
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

func (in *input) body(theme *styles.Theme, room int) string {
	switch {
	case !in.text.Focused(): // quieter than the field with the focus
		return theme.Text.Render(screen.Cut(in.shown(), room))
	case len(in.Options) == 0 && in.text.Position() == utf8.RuneCountInString(in.text.Value()) && safetext.Width(in.shown()) < room:
		// What is typed at the end, as nearly always: the library takes ten times as long.
		return theme.Text.Render(in.shown()) + theme.Caret.Render(" ")
	case len(in.Options) == 0:
		s := in.text.Styles()
		s.Cursor.Color = theme.Accent.GetForeground()
		s.Focused.Text = *theme.Text.Style
		in.text.SetStyles(s)
		in.text.SetWidth(room - 1)
		in.text.SetCursor(in.text.Position()) // scrolls to it
		return in.text.View()
	}
	arrow, left, right := theme.Accent, "← ", " →"
	left, right = arrow.Faint(in.chosen == 0).Render(left), arrow.Faint(in.chosen == len(in.Options)-1).Render(right)
	return screen.Cut(left+theme.Key.Render(in.Options[in.chosen].Label)+right, room)
}
