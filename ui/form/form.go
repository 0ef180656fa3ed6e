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
	"gatehouse/ui/action"
	"gatehouse/ui/layout"
	"gatehouse/ui/typed"
)

// Field describes one input.
type Field struct {
	// Key names the field to the screen; Label and Hint name it to people.
	Key, Label, Hint string
	// Value is what stands there at first.
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

	form *huh.Form
	// What the form of huh was last laid out for.
	width, height int
	look          styles.Options
}

// New makes a form; Init must run before its first drawing.
func New(theme *styles.Theme, fields ...Field) *Model {
	m := &Model{theme: theme, fields: fields, values: map[string]*string{}}
	for _, f := range fields {
		m.values[f.Key] = new(typed.Text(f.Value))
	}
	m.build()
	return m
}

// Init starts the form with the focus on a field, the first for "".
func (m *Model) Init(focus string) {
	m.paused, m.done, m.wrong = false, false, nil
	m.build()
	m.form.Init()
	for range m.shown() {
		if focus == "" || m.Focused() == focus {
			return
		}
		m.form.NextField()
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
	if m.shown()[m.at()].Secret && strings.ContainsFunc(msg.Content, unicode.IsControl) {
		m.wrong = errors.New("not pasted: it has several lines, or a tab or the like in it")
		return
	}
	m.pass(msg)
}

// key moves between the fields at once. The form of huh would do it with a
// message, behind which the next keys could still reach the field before: a
// password would stand in clear in the e-mail field.
func (m *Model) key(key tea.KeyPressMsg) {
	if m.paused {
		return
	}
	m.wrong = nil
	switch key.String() {
	case "enter", "tab", "down":
		m.next(key.String() == "enter")
	case "shift+tab", "up":
		if m.Focused() != m.shown()[0].Key {
			m.form.PrevField()
		}
	default:
		m.pass(key)
	}
}

// pass gives a message to the form of huh. Its commands are dropped: they would
// blink the cursor, which redraws for nothing, and read the clipboard of the
// machine that runs the program, which need not be the person's.
func (m *Model) pass(msg tea.Msg) {
	if !m.shown()[m.at()].Secret {
		msg = typed.Clean(msg)
	}
	m.form.Update(msg)
}

// next goes to the field below, if what stands in this one is right; behind the
// last one the form is done.
func (m *Model) next(submit bool) {
	fields := m.shown()
	at := m.at()
	if m.wrong = m.check(fields[at]); m.wrong != nil {
		return
	}
	if at < len(fields)-1 {
		m.form.NextField()
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
func (m *Model) Actions(submit string, leave func() tea.Cmd) []action.Action {
	if m.paused {
		return []action.Action{{ID: "form.edit", Run: m.resume}}
	}
	next := action.Action{ID: "form.next"}
	if m.onLast() {
		next.Title, next.Description = submit, submit
	}
	list := []action.Action{next, {ID: "form.down"}, {ID: "form.up"}}
	if m.foldable() {
		fold := action.Action{ID: "form.fold", Run: m.fold}
		if m.unfolded {
			fold.Title = "fewer fields"
		}
		list = append(list, fold)
	}
	if leave != nil {
		return append(list, action.Action{ID: "form.leave", Run: leave})
	}
	return append(list, action.Action{ID: "form.pause", Run: m.pause})
}

// Done reports that the last field was confirmed and all checks passed.
func (m *Model) Done() bool { return m.done }

// Focused is the key of the field that has the focus.
func (m *Model) Focused() string { return m.form.GetFocusedField().GetKey() }

// Value is what stands in a field, without the space around it. A field that is
// folded away is empty: what a person does not see is not sent.
func (m *Model) Value(key string) string {
	if !m.has(key) {
		return ""
	}
	return strings.TrimSpace(*m.values[key])
}

// Set changes what stands in a field; Init shows it.
func (m *Model) Set(key, value string) { *m.values[key] = typed.Text(value) }

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
	m.form.GetFocusedField().Blur()
	m.redraw()
	return nil
}

func (m *Model) resume() tea.Cmd {
	m.paused = false
	m.form.GetFocusedField().Focus()
	m.redraw()
	return nil
}

// redraw makes the form lay out its fields anew, as any message does.
func (m *Model) redraw() { m.form.Update(nil) }

func (m *Model) onLast() bool {
	fields := m.shown()
	return m.Focused() == fields[len(fields)-1].Key
}

// Height is how many lines the form takes with all its fields and the line below.
func (m *Model) Height() int { return 2*len(m.shown()) + 1 }

// View draws the form, with what is wrong or a hint on the focused field below.
// Where only a few lines are left, the focused field has them.
func (m *Model) View(width, height int) string {
	if height < 3 {
		m.resize(width, max(height, 1))
		return m.form.View()
	}
	m.resize(width, height-1)
	below, style := m.shown()[m.at()].Hint, m.theme.Form.Hint
	if m.wrong != nil {
		below, style = m.wrong.Error(), m.theme.Form.Error
	}
	place := ""
	if fields := m.shown(); m.height < 2*len(fields) {
		place = fmt.Sprintf("%d of %d fields", m.at()+1, len(fields))
	}
	line := layout.Sides(style.Render(safetext.Truncate(below, width)), m.theme.Form.Hint.Render(place), width)
	return m.form.View() + "\n" + line
}

// at is the place of the focused field among those that are shown.
func (m *Model) at() int {
	return slices.IndexFunc(m.shown(), func(f Field) bool { return f.Key == m.Focused() })
}

func (m *Model) resize(width, height int) {
	height = min(height, 2*len(m.shown()))
	if width == m.width && height == m.height && m.look == m.theme.Options {
		return
	}
	m.width, m.height, m.look = width, height, m.theme.Options
	m.form.WithWidth(width).WithHeight(height)
	m.redraw()
}

// build makes the form of huh anew from the fields that are shown; the values
// are kept by this model.
func (m *Model) build() {
	fields := []huh.Field{}
	for _, f := range m.shown() {
		fields = append(fields, f.huh(m.values[f.Key]))
	}
	group := huh.NewGroup(fields...).WithShowHelp(false).WithShowErrors(false)
	m.form = huh.NewForm(group).WithTheme(dress(m.theme)).WithKeyMap(keyMap()).WithShowHelp(false).WithShowErrors(false)
	m.width, m.height = 0, 0
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

// keyMap leaves only the choice among options to the form of huh.
func keyMap() *huh.KeyMap {
	return &huh.KeyMap{Select: huh.SelectKeyMap{
		Left:  key.NewBinding(key.WithKeys("left")),
		Right: key.NewBinding(key.WithKeys("right", "space")),
	}}
}
