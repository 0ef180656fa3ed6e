// Package form is a form inside a screen. Its fields are described as data; some can be
// folded away, and secrets can be taken out.
package form

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Model is a form on a screen, which embeds it.
type Model struct {
	screen.Base
	// Submit is called when the last field was confirmed and all checks passed.
	Submit func() tea.Cmd
	// Clicked is called after a click on a field, which may have left another one; nil: nothing.
	Clicked func() tea.Cmd
	// Sending is what was begun with what the form holds; until it ends the form takes nothing.
	Sending *screen.Work

	theme    *styles.Theme
	inputs   []*input
	shown    []*input // without those that are folded away
	at       int      // the field with the focus, among those that are shown
	unfolded bool
	paused   bool
	wrong    error // with the focused field
}

// New makes a form; Start must run before it is drawn.
func New(theme *styles.Theme, fields ...Field) *Model {
	m := &Model{theme: theme}
	for _, f := range fields {
		if f.Toggle {
			f.Options = []Option{{Label: "[ ]"}, {Label: "[x]", Value: On}}
		}
		in := &input{Field: f}
		in.clear()
		in.set(screen.Proposal(f.Value))
		m.inputs = append(m.inputs, in)
	}
	m.show(false)
	m.move(0)
	return m
}

// Start starts the form with the focus on a field; "" is the first one that has to be filled in and
// is empty.
func (m *Model) Start(focus string) {
	m.paused, m.wrong = false, nil
	m.restart(focus)
}

// restart goes to the end of each field, and gives the focus to one of them.
func (m *Model) restart(focus string) {
	for _, in := range m.inputs {
		in.restart()
	}
	at := m.find(focus)
	if focus == "" {
		at = m.missing()
	}
	m.move(max(at, 0))
}

// missing is the index of the first field that still has to be filled in, or -1.
func (m *Model) missing() int {
	return slices.IndexFunc(m.shown, func(in *input) bool { return in.value() == "" && in.Required != "" })
}

// Refuse says what is wrong with a field, which gets the focus.
func (m *Model) Refuse(key string, wrong error) {
	m.Start(key)
	m.wrong = wrong
}

// Refused reports that something is said to be wrong with the field that has the focus.
func (m *Model) Refused() bool { return m.wrong != nil }

// find is the index of a field among those that are shown, or -1.
func (m *Model) find(key string) int {
	return slices.IndexFunc(m.shown, func(in *input) bool { return in.Key == key })
}

// move gives the focus to another field.
func (m *Model) move(to int) {
	for _, in := range m.inputs {
		in.blur()
	}
	m.at = min(max(to, 0), len(m.shown)-1)
	m.focused().focus()
}

// Busy reports that what the form holds is being sent.
func (m *Model) Busy() bool { return m.Sending.UnderWay() }

// Close ends the sending.
func (m *Model) Close() { m.Sending.Cancel() }

// Update takes keys and pastes.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.Busy() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		m.paste(msg)
	case screen.DamagedMsg:
		if in := m.focused(); len(in.Options) == 0 && !m.paused {
			in.damaged, m.wrong = true, errDamaged
		}
	}
	return nil
}

// errDamaged is wrong with a field in which something is missing that was typed.
var errDamaged = errors.New("something typed here was not taken, as it is not UTF-8: empty the field (ctrl+u), and type it again")

// paste puts one line into the field. A copied line often ends in a newline, which
// is no part of a password; a newline inside becomes a blank, but in a secret, which
// nobody sees, it would be changed unnoticed. What fills an empty field is written out while it
// still has the tabs between the cells of a row.
func (m *Model) paste(msg tea.PasteMsg) {
	m.wrong = nil
	if m.paused { // nobody pastes by accident
		m.edit()
	}
	if in := m.focused(); in.Complete != nil && in.value() == "" {
		msg.Content = in.Complete(msg.Content)
	}
	msg.Content = strings.TrimRight(strings.ReplaceAll(msg.Content, "\r\n", "\n"), "\r\n")
	if m.focused().Secret && strings.ContainsFunc(msg.Content, unicode.IsControl) {
		m.wrong = errors.New("not pasted: it must be one line, no tabs")
		return
	}
	m.focused().update(msg)
}

// key moves between the fields at once: the next key must not reach the field
// before, where a password would stand in clear.
func (m *Model) key(key tea.KeyPressMsg) tea.Cmd {
	if m.paused {
		return nil
	}
	m.wrong = nil
	switch key.String() {
	case "tab":
		if m.focused().expand() {
			return nil
		}
		return m.down()
	case "down":
		return m.down()
	case "enter":
		return m.next(true)
	case "shift+tab", "up":
		m.move(m.at - 1)
	default:
		m.focused().update(key)
	}
	return nil
}

// errNoCompletion is said where there is no field below that the key could go to instead.
var errNoCompletion = errors.New("nothing to complete: no name begins like this, or several go on in other ways")

// down goes to the field below. The last field says what else the key would have done.
func (m *Model) down() tea.Cmd {
	if in := m.focused(); m.OnLast() && in.Expand != nil && !in.expand() {
		m.wrong = errNoCompletion
		return nil
	}
	return m.next(false)
}

// next goes to the field below; after the last one the form is submitted. Submitting says
// first what is wrong in this one. Otherwise nothing holds the focus back: what is typed after a
// tab may be a password.
func (m *Model) next(submit bool) tea.Cmd {
	m.focused().complete()
	m.wrong = m.focused().check()
	switch {
	case submit && m.wrong != nil, !submit && m.OnLast():
		return nil
	case !m.OnLast() && !(submit && m.onLastNeeded()):
		m.wrong = nil
		m.move(m.at + 1)
		return nil
	}
	for _, in := range m.shown {
		in.complete() // one that was left upwards or by a click
		if err := in.check(); err != nil {
			m.Refuse(in.Key, err)
			return nil
		}
	}
	return m.Submit()
}

// complete writes out what was typed in short.
func (in *input) complete() {
	if in.Complete == nil {
		return
	}
	if whole := in.Complete(in.value()); whole != in.value() {
		in.set(whole)
		in.text.CursorEnd()
	}
}

// expand writes out what was typed as far as it is clear, and reports whether that is more.
func (in *input) expand() bool {
	if in.Expand == nil {
		return false
	}
	typed := in.value()
	more := screen.CleanText(in.Expand(typed))
	if more == typed {
		return false
	}
	in.set(more)
	in.text.CursorEnd()
	return true
}

// SetNote sets the drawn line below a field.
func (m *Model) SetNote(key, note string) { m.named(key).note = note }

// SetLabel changes the label of a field and its hint.
func (m *Model) SetLabel(key, label, hint string) {
	in := m.named(key)
	in.Label, in.Hint = label, hint
}

// Typing reports that keys are text for the form.
func (m *Model) Typing() bool { return !m.paused && !m.Busy() }

// View is what a screen with the form shows of it, to be completed by the screen.
func (m *Model) View() screen.View {
	return screen.View{Body: m, Wheel: m.Wheel, Typing: m.Typing(), Form: m.Asking()}
}

// Actions are the keys of the form. Submit says what happens after the last
// field. In a form that pauses, esc lets go of the keyboard, so that the keys
// outside the form can be reached.
func (m *Model) Actions(submit string, pauses bool) []screen.Action {
	switch {
	case m.Busy():
		return nil
	case m.paused:
		return append([]screen.Action{{ID: screen.FormEdit, Run: screen.Do(m.edit)}}, m.foldAction()...)
	}
	next := screen.Action{ID: screen.FormNext}
	if m.onLastNeeded() {
		next.Title, next.Description, next.SaysTitle = submit, submit, true
	}
	alone := screen.If(len(m.shown) == 1, "there is no other field")
	down := screen.Action{ID: screen.FormDown, Reason: alone}
	if m.focused().Expand != nil {
		down = screen.Action{
			ID: screen.FormDown, Title: "complete", SaysTitle: true,
			Description: "complete the name of the file" + screen.If(alone == "", ", or go to the next field"),
		}
	}
	up := screen.Action{ID: screen.FormUp, Reason: alone}
	if alone == "" && m.at == 0 {
		up.Reason = "this is the first field"
	}
	list := []screen.Action{next, down, up}
	if m.focused().Toggle {
		list = slices.Insert(list, 0, screen.Action{ID: screen.FormToggle})
	}
	list = append(list, m.foldAction()...)
	if pauses {
		list = append(list, screen.Action{ID: screen.FormPause, Run: screen.Do(m.Leave)})
	}
	return list
}

// foldAction brings the lesser fields out or folds them away; there is none where there are none.
func (m *Model) foldAction() []screen.Action {
	if !slices.ContainsFunc(m.inputs, func(in *input) bool { return in.Folded }) {
		return nil
	}
	fold := screen.Action{ID: screen.FormFold, Run: screen.Do(m.fold)}
	if m.unfolded {
		fold.Title, fold.Description = "fewer fields", "hide the less important fields"
	}
	return []screen.Action{fold}
}

// Focused is the key of the field that has the focus.
func (m *Model) Focused() string { return m.focused().Key }

func (m *Model) focused() *input { return m.shown[m.at] }

// Value is the contents of a field, without the space around it. A field that is
// folded away is empty: what a person does not see is not sent.
func (m *Model) Value(key string) string {
	at := m.find(key)
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(m.shown[at].value())
}

// Set changes the contents of a field.
func (m *Model) Set(key, value string) { m.named(key).set(screen.CleanText(value)) }

// Take moves a secret out of the form, which keeps no copy. Nothing is trimmed:
// a space may be part of a password. The focus goes to the first field that is empty and must not be.
func (m *Model) Take(key string) secret.Text {
	var taken secret.Text
	in := m.named(key)
	if m.find(key) >= 0 {
		taken = secret.New(in.value())
	}
	in.clear()
	m.restart("")
	return taken
}

// named is a field, shown or not.
func (m *Model) named(key string) *input {
	return m.inputs[slices.IndexFunc(m.inputs, func(in *input) bool { return in.Key == key })]
}

// Unfold brings the lesser fields out.
func (m *Model) Unfold() { m.show(true) }

// show shows all fields, or only those that are never folded away.
func (m *Model) show(all bool) {
	m.unfolded = all
	m.shown = slices.DeleteFunc(slices.Clone(m.inputs), func(in *input) bool { return in.away || in.Folded && !all })
}

// Hide takes a field away, which others say nothing about at the moment, or brings it back. It must
// not have the focus.
func (m *Model) Hide(key string, away bool) {
	if in := m.named(key); in.away != away {
		focus := m.Focused()
		in.away = away
		m.show(m.unfolded)
		m.at = max(m.find(focus), 0)
	}
}

// Unfolded reports that the lesser fields are shown.
func (m *Model) Unfolded() bool { return m.unfolded }

// fold folds the lesser fields away or brings them out; the focus stays where it
// is if its field is still there, and a form that nobody has entered stays that.
func (m *Model) fold() {
	focus, paused := m.Focused(), m.paused
	m.show(!m.unfolded)
	if m.Start(focus); paused {
		m.Leave()
	}
}

// Leave takes the keyboard and the mark of the focus away from the form, until it is entered.
func (m *Model) Leave() {
	m.paused = true
	m.focused().blur()
}

// Enter gives them back.
func (m *Model) Enter() {
	m.paused = false
	m.focused().focus()
}

// edit enters the form: at the first field that still has to be filled, unless the one with the
// focus is empty, so that a password is not typed after the contents of another field.
func (m *Model) edit() {
	if missing := m.missing(); m.focused().value() != "" && missing >= 0 {
		m.move(missing)
	}
	m.Enter()
}

// OnLast reports that the last field has the focus.
func (m *Model) OnLast() bool { return m.at == len(m.shown)-1 }

// onLastNeeded reports that after the focused field there is none but boxes to tick, and such as
// are ready.
func (m *Model) onLastNeeded() bool {
	return !slices.ContainsFunc(m.shown[m.at+1:], func(in *input) bool { return !in.Toggle && !in.Ready })
}
