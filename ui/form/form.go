// Package form wraps the forms of huh for use inside a screen: fields described
// as data, some of them folded away, values that survive a rebuild, and secrets
// that can be taken out.
package form

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Field describes one input.
type Field struct {
	// Key names the field to the screen; Label and Hint name it to people.
	Key, Label, Hint string
	// Value is what stands there at first, nothing if it cannot be shown as it is.
	Value string
	// Options make the field a choice among them.
	Options []Option
	// Secret masks what is typed.
	Secret bool
	// Folded hides the field until the form is unfolded.
	Folded bool
	// Check returns what is wrong with a value, as a sentence for people.
	Check func(string) error
}

// Option is one choice of a field: what people read and the value it stands for.
type Option struct{ Label, Value string }

// Model is a form on a screen. It is done when its last field was confirmed.
type Model struct {
	theme    *styles.Theme
	fields   []Field
	values   map[string]*string
	unfolded bool
	paused   bool
	done     bool
	wrong    error // with the focused field

	inputs *inputs
	// width and room are the cells and lines of the last Layout, height how many of
	// them the inputs had when they were last drawn.
	width, room, height int
}

// New makes a form; Init must run before its first drawing.
func New(theme *styles.Theme, fields ...Field) *Model {
	m := &Model{theme: theme, fields: fields, values: map[string]*string{}}
	for _, f := range fields {
		m.values[f.Key] = new(screen.Proposal(f.Value))
	}
	m.build()
	return m
}

// Init starts the form with the focus on a field, the first for "".
func (m *Model) Init(focus string) {
	m.paused, m.done, m.wrong = false, false, nil
	m.build()
	m.focus(focus)
}

// focus moves to a field that is shown; it stays where there is none of that name.
func (m *Model) focus(key string) {
	if to := slices.IndexFunc(m.shown(), func(f Field) bool { return f.Key == key }); to >= 0 {
		m.inputs.move(to)
	}
}

// Update takes keys and pastes.
func (m *Model) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.key(msg)
	case tea.PasteMsg:
		m.paste(msg)
	}
}

// paste puts one line into the field. A copied line often ends in a newline, which
// is no part of a password; a newline inside becomes a blank, but in a secret, which
// nobody sees, it would be changed unnoticed.
func (m *Model) paste(msg tea.PasteMsg) {
	m.wrong = nil
	msg.Content = strings.TrimRight(strings.ReplaceAll(msg.Content, "\r\n", "\n"), "\r\n")
	if m.focused().Secret && strings.ContainsFunc(msg.Content, unicode.IsControl) {
		m.wrong = errors.New("not pasted: it has several lines, or a tab or the like in it")
		return
	}
	m.pass(msg)
}

// key moves between the fields at once: the next key must not reach the field
// before, where a password would stand in clear.
func (m *Model) key(key tea.KeyPressMsg) {
	if m.paused {
		return
	}
	m.wrong = nil
	switch key.String() {
	case "enter", "tab", "down":
		m.next(key.String() == "enter")
	case "shift+tab", "up":
		m.inputs.move(m.inputs.at - 1)
	default:
		m.pass(key)
	}
}

// pass gives a message to the field with the focus.
func (m *Model) pass(msg tea.Msg) {
	if !m.focused().Secret {
		msg = screen.CleanInput(msg)
	}
	m.inputs.update(msg)
}

// next goes to the field below, if what stands in this one is right; behind the
// last one the form is done.
func (m *Model) next(submit bool) {
	if m.wrong = m.check(m.focused()); m.wrong != nil {
		return
	}
	fields := m.shown()
	if m.inputs.at < len(fields)-1 {
		m.inputs.move(m.inputs.at + 1)
		return
	}
	if !submit {
		return
	}
	for _, f := range fields {
		if err := m.check(f); err != nil {
			m.Init(f.Key)
			m.wrong = err
			return
		}
	}
	m.done = true
}

func (m *Model) check(f Field) error {
	if f.Check == nil {
		return nil
	}
	return f.Check(*m.values[f.Key])
}

// Typing reports that keys are text for the form.
func (m *Model) Typing() bool { return !m.paused }

// Actions are the keys of the form. Submit says what happens after the last
// field; leave is what esc does, where nil lets go of the keyboard, so that the
// keys outside the form can be reached.
func (m *Model) Actions(submit string, leave func() tea.Cmd) []screen.Action {
	if m.paused {
		return []screen.Action{{ID: "form.edit", Run: m.resume}}
	}
	next := screen.Action{ID: "form.next"}
	if m.onLast() {
		next.Title, next.Description = submit, submit
	}
	alone := ""
	if len(m.shown()) == 1 {
		alone = "there is no other field"
	}
	list := []screen.Action{next, {ID: "form.down", Reason: alone}, {ID: "form.up", Reason: alone}}
	if m.foldable() {
		fold := screen.Action{ID: "form.fold", Run: m.fold}
		if m.unfolded {
			fold.Title = "fewer fields"
		}
		list = append(list, fold)
	}
	if leave != nil {
		return append(list, screen.Action{ID: "form.leave", Run: leave})
	}
	return append(list, screen.Action{ID: "form.pause", Run: m.pause})
}

// Done reports that the last field was confirmed and all checks passed.
func (m *Model) Done() bool { return m.done }

// Focused is the key of the field that has the focus.
func (m *Model) Focused() string { return m.focused().Key }

func (m *Model) focused() Field { return m.shown()[m.inputs.at] }

// Value is what stands in a field, without the space around it. A field that is
// folded away is empty: what a person does not see is not sent.
func (m *Model) Value(key string) string {
	if !m.has(key) {
		return ""
	}
	return strings.TrimSpace(*m.values[key])
}

// Set changes what stands in a field; Init shows it.
func (m *Model) Set(key, value string) { *m.values[key] = screen.CleanText(value) }

// Take moves a secret out of the form, which keeps no copy. Nothing is trimmed:
// a space may be part of a password.
func (m *Model) Take(key string) secret.Text {
	var taken secret.Text
	if m.has(key) {
		taken = secret.New(*m.values[key])
	}
	*m.values[key] = ""
	m.build()
	return taken
}

// Unfold brings the lesser fields out; Init shows them.
func (m *Model) Unfold() { m.unfolded = true }

// fold folds the lesser fields away or brings them out; the focus stays where it
// is if its field is still there.
func (m *Model) fold() tea.Cmd {
	focus := m.Focused()
	m.unfolded = !m.unfolded
	if !m.has(focus) {
		focus = ""
	}
	m.Init(focus)
	return nil
}

func (m *Model) foldable() bool {
	return slices.ContainsFunc(m.fields, func(f Field) bool { return f.Folded })
}

// pause takes the focus mark away as well, for keys no longer go to the form.
func (m *Model) pause() tea.Cmd {
	m.paused = true
	m.inputs.blur()
	return nil
}

func (m *Model) resume() tea.Cmd {
	m.paused = false
	m.inputs.focus()
	return nil
}

func (m *Model) onLast() bool { return m.inputs.at == len(m.inputs.fields)-1 }

// Height is how many lines the form needs for all its fields and the line below.
// With more it sets them apart.
func (m *Model) Height() int { return m.inputs.tall(fieldLines) + 1 }

// Layout gives the size of what View draws.
func (m *Model) Layout(width, height int) { m.width, m.room = width, height }

// View draws the form, with what is wrong or a hint on the focused field below.
// Where only a few lines are left, the focused field has them.
func (m *Model) View() string {
	width, height := m.width, m.room
	if m.height = height - 1; height < 3 {
		m.height = max(height, 1)
		return m.inputs.view(width, m.height, m.theme.Options)
	}
	fields := m.shown()
	m.height = min(m.height, m.inputs.tall(roomyLines))
	if m.height < m.inputs.tall(roomyLines) {
		m.height = min(m.height, m.inputs.tall(fieldLines))
	}
	below, style := m.focused().Hint, m.theme.Form.Hint
	if m.wrong != nil {
		below, style = m.wrong.Error(), m.theme.Form.Error
	}
	place := ""
	if m.height < m.inputs.tall(fieldLines) {
		place = fmt.Sprintf("%d of %d fields", m.inputs.at+1, len(fields))
	}
	line := screen.Sides(style.Render(safetext.Truncate(below, width)), m.theme.Form.Hint.Render(place), width)
	return m.inputs.view(width, m.height, m.theme.Options) + "\n" + line
}

// build makes the inputs anew from the fields that are shown; the values are kept
// by this model.
func (m *Model) build() {
	fields := []huh.Field{}
	for _, f := range m.shown() {
		fields = append(fields, f.huh(m.values[f.Key]))
	}
	m.inputs = newInputs(fields, dress(m.theme))
}

func (m *Model) shown() []Field {
	shown := make([]Field, 0, len(m.fields))
	for _, f := range m.fields {
		if m.unfolded || !f.Folded {
			shown = append(shown, f)
		}
	}
	return shown
}

func (m *Model) has(key string) bool {
	return slices.ContainsFunc(m.shown(), func(f Field) bool { return f.Key == key })
}

func (f Field) huh(value *string) huh.Field {
	if len(f.Options) > 0 {
		options := make([]huh.Option[string], len(f.Options))
		for i, o := range f.Options {
			options[i] = huh.NewOption(o.Label, o.Value)
		}
		return huh.NewSelect[string]().Key(f.Key).Title(f.Label).Options(options...).Inline(true).Value(value)
	}
	input := huh.NewInput().Key(f.Key).Title(f.Label).Prompt("").Value(value)
	if f.Secret {
		input.EchoMode(huh.EchoModePassword)
	}
	return input
}

// keyMap leaves only the choice among options to the fields of huh.
func keyMap() *huh.KeyMap {
	return &huh.KeyMap{Select: huh.SelectKeyMap{
		Left:  key.NewBinding(key.WithKeys("left")),
		Right: key.NewBinding(key.WithKeys("right", "space")),
	}}
}
