package form

import (
	"errors"
	"fmt"
	"strings"

	"gatehouse/internal/prompt"
	"gatehouse/ui/screen"
)

// Asking is the form itself, for the [screen.View] of a screen that embeds it; nil while it is
// being sent.
func (m *Model) Asking() screen.Form {
	if m.Busy() {
		return nil
	}
	return m
}

// The answers to a box to tick.
const (
	answerYes = "yes"
	answerNo  = "no"
)

// Ask describes the field with the focus, so that a person who hears the UI can be asked for it.
func (m *Model) Ask() screen.Asked {
	in := m.focused()
	q := screen.Asked{
		Label:  in.Label,
		Hint:   in.Hint,
		Yes:    in.Toggle,
		Secret: in.Secret,
		First:  m.at == 0,
		Wrong:  m.wrong,
	}
	switch {
	case in.Toggle && in.value() == On:
		q.Value = answerYes
	case in.Toggle:
		q.Value = answerNo
	case len(in.Options) > 0:
		for _, o := range in.Options {
			q.Options = append(q.Options, screen.Sentence(o.Label))
		}
		q.Value = in.Options[in.chosen].Label
		q.Hint = "" // it names keys
	case !in.Secret:
		q.Value = in.value()
	}
	return q
}

// Clear empties the field with the focus.
func (m *Model) Clear() { m.focused().set("") }

// Choose chooses an option of the field with the focus: by its number or a part of its label, or by
// the beginning of "yes" or "no" for a box to tick.
func (m *Model) Choose(text string) error {
	in := m.focused()
	if in.Toggle {
		return in.tick(text)
	}
	labels := make([]string, len(in.Options))
	for i, o := range in.Options {
		labels[i] = o.Label
	}
	at, ok := prompt.Choose(text, labels)
	if !ok {
		return fmt.Errorf(
			"type a number from 1 to %d, or \"help\" to hear what they stand for", len(labels))
	}
	in.set(in.Options[at].Value)
	return nil
}

// tick ticks a box, or unticks it, as a person answers.
func (in *input) tick(answer string) error {
	answer = strings.ToLower(answer)
	switch {
	case strings.HasPrefix(answerYes, answer):
		in.set(On)
	case strings.HasPrefix(answerNo, answer):
		in.set("")
	default:
		return errors.New(`type "yes" or "no"`)
	}
	return nil
}

// BoxesFollow reports whether there are fields after the one with the focus, and nobody has to go
// to any of them.
func (m *Model) BoxesFollow() bool { return m.onLastNeeded() && !m.OnLast() }

// Back moves the focus to the field above.
func (m *Model) Back() {
	m.wrong = nil
	m.move(m.at - 1)
}

// Said is the text of all fields that are shown, for tests that compare it with what is said.
func (m *Model) Said() string {
	var texts []string
	for _, in := range m.shown {
		texts = append(texts, in.Label, in.Hint, in.note, in.value())
		for _, o := range in.Options {
			texts = append(texts, o.Label)
		}
	}
	return strings.Join(texts, "\n")
}
