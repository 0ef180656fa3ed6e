// Package form is a form inside a screen. Its fields are described as data: texts, choices, boxes
// to tick and secrets, some of which are hidden until the person asks for more fields.
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
	// Changed is called after the person has typed, ticked or pasted something, or has moved the
	// focus; it may be nil. Submit is called in its place when the form is sent.
	Changed func() tea.Cmd
	// Sending is the work that sends the contents of the form. Until it ends the form ignores keys
	// and clicks.
	Sending *screen.Work

	theme    *styles.Theme
	inputs   []*input // all fields
	shown    []*input // those that are shown now
	at       int      // index in shown of the field with the focus
	unfolded bool     // folded fields are shown
	paused   bool     // keys are not text, see [Model.Leave]
	wrong    error    // with the field that has the focus
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

// Start begins with the focus on a field, or on the first one that must be filled in and is empty
// if focus is "".
func (m *Model) Start(focus string) {
	m.paused, m.wrong = false, nil
	m.restart(focus)
}

// restart is Start without letting the person type again: it moves the caret to the end of each
// field, and the focus to one of them.
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

// missing is the index of the first field that must be filled in and is empty, or -1.
func (m *Model) missing() int {
	isMissing := func(in *input) bool { return in.value() == "" && in.Required != "" }
	return slices.IndexFunc(m.shown, isMissing)
}

// Refuse moves the focus to a field, and shows what is wrong with it.
func (m *Model) Refuse(key string, wrong error) {
	m.Start(key)
	m.wrong = wrong
}

// Refused reports whether something is wrong with the field that has the focus.
func (m *Model) Refused() bool { return m.wrong != nil }

// find is the index of a field among those that are shown, or -1.
func (m *Model) find(key string) int {
	return slices.IndexFunc(m.shown, func(in *input) bool { return in.Key == key })
}

// move moves the focus to a field, or to the nearest one if the index is out of range.
func (m *Model) move(to int) {
	for _, in := range m.inputs {
		in.blur()
	}
	m.at = min(max(to, 0), len(m.shown)-1)
	m.focused().focus()
}

// Busy reports whether the contents of the form are being sent.
func (m *Model) Busy() bool { return m.Sending.UnderWay() }

// Close cancels the sending.
func (m *Model) Close() { m.Sending.Cancel() }

// Update takes keys and pastes.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.Busy() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.paused {
			return nil
		}
		m.wrong = nil
		m.focused().update(msg)
	case tea.PasteMsg:
		m.paste(msg)
	case screen.DamagedMsg:
		if in := m.focused(); len(in.Options) == 0 && !m.paused {
			in.damaged, m.wrong = true, errDamaged
		}
	default:
		return nil
	}
	return m.changed()
}

// changed calls Changed.
func (m *Model) changed() tea.Cmd {
	if m.Changed == nil {
		return nil
	}
	return m.Changed()
}

// errDamaged is shown at a field that misses something that was typed.
var errDamaged = errors.New("something typed here was not taken, as it is not UTF-8: " +
	"empty the field (ctrl+u), and type it again")

// errNotOneLine is shown at a secret into which more than one line was pasted.
var errNotOneLine = errors.New("not pasted: it must be one line, no tabs")

// paste puts one line into the field with the focus. A copied line often ends in a newline, which
// is no part of a password. A newline within the text becomes a blank, but a secret with one is
// refused: the person could not see the change. The paste into an empty field is completed before
// its tabs become blanks, because they separate the cells of a row.
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
		m.wrong = errNotOneLine
		return
	}
	m.focused().update(msg)
}

// errNoCompletion is shown at the last field, where there is none below for the key to go to
// instead.
var errNoCompletion = errors.New("nothing to complete: " +
	"no name begins like this, or several go on in other ways")

// Confirm implements [screen.Form]: it moves to the field below, or submits the form if nobody has
// to go to any of the fields that follow. It stays at a field with which something is wrong.
func (m *Model) Confirm() tea.Cmd {
	m.focused().complete()
	m.wrong = m.focused().check()
	switch {
	case m.wrong != nil:
		return m.changed()
	case m.onLastNeeded():
		return m.submit()
	}
	return m.skip()
}

// Skip implements [screen.Form]: it moves to the field below, even if something is wrong with the
// one that is left, as the next keys may be a password that is meant for the next field. The focus
// moves at once and not with a command: a password must not reach a field in which it can be read.
func (m *Model) Skip() tea.Cmd {
	m.focused().complete()
	m.wrong = m.focused().check()
	return m.skip()
}

// skip moves to the field below, if there is one.
func (m *Model) skip() tea.Cmd {
	if !m.OnLast() {
		m.wrong = nil
		m.move(m.at + 1)
	}
	return m.changed()
}

// down completes what is typed, or moves to the field below if there is nothing to complete. At the
// last field, where it cannot, it says why.
func (m *Model) down() tea.Cmd {
	m.wrong = nil
	in := m.focused()
	switch {
	case in.expand():
		return m.changed()
	case in.Expand != nil && m.OnLast():
		m.wrong = errNoCompletion
		return m.changed()
	}
	return m.Skip()
}

// up moves to the field above.
func (m *Model) up() tea.Cmd {
	m.Back()
	return m.changed()
}

// toggle ticks the box that has the focus, or unticks it.
func (m *Model) toggle() tea.Cmd {
	m.wrong = nil
	m.focused().chooseNext()
	return m.changed()
}

// submit submits the form, or moves the focus to the first field with which something is wrong.
func (m *Model) submit() tea.Cmd {
	for _, in := range m.shown {
		in.complete() // it may have been left upwards or by a click
		if err := in.check(); err != nil {
			m.Refuse(in.Key, err)
			return m.changed()
		}
	}
	return m.Submit()
}

// SetNote sets the line below a field, which is drawn as it is.
func (m *Model) SetNote(key, note string) { m.named(key).note = note }

// SetLabel changes the label of a field and its hint.
func (m *Model) SetLabel(key, label, hint string) {
	in := m.named(key)
	in.Label, in.Hint = label, hint
}

// Typing reports whether keys are text for the form.
func (m *Model) Typing() bool { return !m.paused && !m.Busy() }

// View is the view of a screen that has nothing but the form; others change it.
func (m *Model) View() screen.View {
	return screen.View{Body: m, Wheel: m.Wheel, Typing: m.Typing(), Form: m.Asking()}
}

// Actions are the actions of the form. submit describes what submitting it does. If pauses is set,
// esc takes the focus off the form, so that the keys outside it can be reached. besides are other
// actions of the screen, which follow the action that confirms a field; a form that was left has
// none of them.
func (m *Model) Actions(submit string, pauses bool, besides ...screen.Action) []screen.Action {
	switch {
	case m.Busy():
		return nil
	case m.paused:
		edit := screen.Action{ID: screen.FormEdit, Run: screen.Do(m.edit)}
		return append([]screen.Action{edit}, m.foldAction()...)
	}
	var list []screen.Action
	if m.focused().Toggle {
		list = append(list, screen.Action{ID: screen.FormToggle, Run: m.toggle})
	}
	next := screen.Action{ID: screen.FormNext, Run: m.Confirm}
	if m.onLastNeeded() {
		next.Title, next.Description = submit, submit
		next.SaysTitle, next.TitleOnly = true, true
	}
	list = append(list, next)
	list = append(list, besides...)
	list = append(list, m.downAction(), m.upAction())
	list = append(list, m.foldAction()...)
	if pauses {
		list = append(list, screen.Action{ID: screen.FormPause, Run: screen.Do(m.Leave)})
	}
	return list
}

// noOtherField says why the focus cannot be moved in a form with a single field; "" if it has more.
func (m *Model) noOtherField() string {
	return screen.If(len(m.shown) == 1, "there is no other field")
}

// downAction goes to the field below, or completes what is typed in a field that can do that.
func (m *Model) downAction() screen.Action {
	reason := m.noOtherField()
	if m.focused().Expand == nil {
		return screen.Action{ID: screen.FormDown, Reason: reason, Run: m.down}
	}
	description := "complete the name of the file"
	if reason == "" {
		description += ", or go to the next field"
	}
	return screen.Action{
		ID:          screen.FormDown,
		Title:       "complete",
		Description: description,
		SaysTitle:   true,
		Run:         m.down,
	}
}

// upAction goes to the field above.
func (m *Model) upAction() screen.Action {
	reason := m.noOtherField()
	if reason == "" && m.at == 0 {
		reason = "this is the first field"
	}
	return screen.Action{ID: screen.FormUp, Reason: reason, Run: m.up}
}

// foldAction shows the folded fields or hides them again. It is empty if the form has none.
func (m *Model) foldAction() []screen.Action {
	isFolded := func(in *input) bool { return in.Folded }
	if !slices.ContainsFunc(m.inputs, isFolded) {
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

// Value is the contents of a field, without the space around it. The value of a field that is not
// shown is "": nothing is sent that the person cannot see.
func (m *Model) Value(key string) string {
	at := m.find(key)
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(m.shown[at].value())
}

// Set changes the contents of a field.
func (m *Model) Set(key, value string) { m.named(key).set(screen.CleanText(value)) }

// Take moves a secret out of the form, which keeps no copy. Nothing is trimmed, because a space may
// be part of a password. The focus moves to the first field that must be filled in and is empty.
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

// named is a field, shown or not. The form must have it.
func (m *Model) named(key string) *input {
	return m.inputs[slices.IndexFunc(m.inputs, func(in *input) bool { return in.Key == key })]
}

// Unfold shows the folded fields too.
func (m *Model) Unfold() { m.show(true) }

// show shows the folded fields too, or only the others. Hidden fields are never shown.
func (m *Model) show(folded bool) {
	m.unfolded = folded
	isAway := func(in *input) bool { return in.hidden || in.Folded && !folded }
	m.shown = slices.DeleteFunc(slices.Clone(m.inputs), isAway)
}

// Hide hides a field that is of no use with what the others contain now, or shows it again. It must
// not have the focus.
func (m *Model) Hide(key string, hidden bool) {
	in := m.named(key)
	if in.hidden == hidden {
		return
	}
	focus := m.Focused()
	in.hidden = hidden
	m.show(m.unfolded)
	m.at = max(m.find(focus), 0)
}

// Unfolded reports whether the folded fields are shown.
func (m *Model) Unfolded() bool { return m.unfolded }

// fold hides the folded fields or shows them. The focus stays on its field if that is still shown.
// A form that has been left stays so.
func (m *Model) fold() {
	focus, paused := m.Focused(), m.paused
	m.show(!m.unfolded)
	m.Start(focus)
	if paused {
		m.Leave()
	}
}

// Leave lets keys do what they do outside the form, and no longer marks the field with the focus,
// until Enter.
func (m *Model) Leave() {
	m.paused = true
	m.focused().blur()
}

// Enter makes keys text for the form again.
func (m *Model) Enter() {
	m.paused = false
	m.focused().focus()
}

// edit enters the form. If the field with the focus has contents, the focus moves to the first
// field that must be filled in and is empty, so that a password is not typed behind other text.
func (m *Model) edit() {
	if missing := m.missing(); m.focused().value() != "" && missing >= 0 {
		m.move(missing)
	}
	m.Enter()
}

// OnLast reports whether the last field has the focus.
func (m *Model) OnLast() bool { return m.at == len(m.shown)-1 }

// onLastNeeded reports whether nobody has to go to any of the fields after the one with the focus.
func (m *Model) onLastNeeded() bool {
	isNeeded := func(in *input) bool { return !in.Toggle && !in.Ready }
	return !slices.ContainsFunc(m.shown[m.at+1:], isNeeded)
}
