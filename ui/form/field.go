package form

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/intake"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Field describes one field of a form.
type Field struct {
	// Key names the field to the screen, Label to people. Hint tells them what to type.
	Key, Label, Hint string
	// Value is what the field contains at first. A value that cannot be shown as it is, is left
	// out.
	Value string
	// Options make the field a choice among them.
	Options []Option
	// Toggle makes the field a box to tick, with the label after it and the hint below. Its value
	// is "", or [On] if it is ticked. The form can be submitted without going there.
	Toggle bool
	// Ready means that the first value is good enough: the form can be submitted without going
	// there.
	Ready bool
	// Noted keeps the line below the field for a note, see [Model.SetNote].
	Noted bool
	// Secret masks what is typed.
	Secret bool
	// Folded hides the field until the form is unfolded.
	Folded bool
	// Complete returns in full what was typed in short, when the field is left; it may be nil.
	Complete func(typed string) string
	// Expand returns what was typed, with what can only follow it, when tab is pressed; it may be
	// nil.
	Expand func(typed string) string
	// Required is the sentence that asks a person to fill in the field; "" if it may be empty.
	Required string
	// Check returns what is wrong with a value, as a sentence for people; it may be nil.
	Check func(value string) error
}

// On is the value of a [Field] that is a ticked Toggle.
const On = "on"

// Option is one choice of a field: what people read, and the value of the field if it is chosen.
type Option struct{ Label, Value string }

// input is a field with its contents.
type input struct {
	Field
	text   textinput.Model
	chosen int    // index of an option
	note   string // drawn below the field
	hidden bool   // see [Model.Hide]
	// damaged is set while the contents miss something that was typed.
	damaged bool
}

// clear forgets the contents of the field. The text field is a new one, so that no copy of a secret
// is left in the old one.
func (in *input) clear() {
	in.text, in.chosen, in.damaged = textinput.New(), 0, false
	in.text.Prompt = ""
	if in.Secret {
		in.text.EchoMode = textinput.EchoPassword
	}
}

// set changes the contents of the field. A choice gets its first option if none has the value.
func (in *input) set(value string) {
	in.text.SetValue(value)
	in.damaged = false
	hasValue := func(o Option) bool { return o.Value == value }
	in.chosen = max(slices.IndexFunc(in.Options, hasValue), 0)
}

// value is the contents of the field: what is typed, or the value of the chosen option.
func (in *input) value() string {
	if len(in.Options) > 0 {
		return in.Options[in.chosen].Value
	}
	return in.text.Value()
}

// check returns what is wrong with the contents of the field, as a sentence for people.
func (in *input) check() error {
	value := in.value()
	if !in.Secret { // a space may be part of a password
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

// shown is the contents of the field as people read them.
func (in *input) shown(theme *styles.Theme) string {
	switch {
	case len(in.Options) > 0:
		return in.Options[in.chosen].Label
	case in.Secret:
		return strings.Repeat(theme.Glyphs.Bullet, utf8.RuneCountInString(in.text.Value()))
	}
	return in.text.Value()
}

// focus makes the field the one that gets keys. The command of the text field is dropped, here and
// in update: it would blink the caret, which draws the screen again for nothing, or read the
// clipboard of the machine that runs the program, which need not be the person's.
func (in *input) focus() { in.text.Focus() }

// blur is the opposite of focus.
func (in *input) blur() {
	if in.text.Focused() {
		in.text.Blur()
	}
}

// restart moves the caret to the end of the contents.
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

// trimMark cuts off a byte-order mark before what is typed or pasted. It is all that is changed of
// a secret.
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

// choose chooses the next option or the one before, if that is what a key does. The first option
// follows the last one.
func (in *input) choose(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return
	}
	switch key.String() {
	case "left":
		in.chosen += len(in.Options) - 1
	case "right", "space":
		in.chooseNext()
	}
	in.chosen %= len(in.Options)
}

// chooseNext chooses the next option. The first one follows the last one.
func (in *input) chooseNext() { in.chosen = (in.chosen + 1) % len(in.Options) }

// complete replaces what was typed in short by what it stands for.
func (in *input) complete() {
	if in.Complete == nil {
		return
	}
	if whole := in.Complete(in.value()); whole != in.value() {
		in.set(whole)
		in.text.CursorEnd()
	}
}

// expand adds what can only follow what was typed, and reports whether there is anything to add.
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
