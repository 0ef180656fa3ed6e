package form

import (
	"errors"
	"fmt"
	"strings"

	"gatehouse/internal/prompt"
	"gatehouse/ui/screen"
)

// Asking is the form itself, for a screen that embeds it; nil while nobody is asked.
func (m *Model) Asking() screen.Form {
	if m.Busy() {
		return nil // and no form that is nil
	}
	return m
}

// Ask asks for the field with the focus.
func (m *Model) Ask() screen.Asked {
	in := m.focused()
	q := screen.Asked{Label: in.Label, Hint: in.Hint, Yes: in.Toggle, Secret: in.Secret, First: m.at == 0, Wrong: m.wrong}
	switch {
	case in.Toggle:
		q.Value = map[bool]string{true: "yes", false: "no"}[in.value() == On]
	case len(in.Options) > 0:
		for _, o := range in.Options {
			q.Options = append(q.Options, screen.Sentence(o.Label))
		}
		q.Value, q.Hint = in.Options[in.chosen].Label, "" // it names keys
	case !in.Secret:
		q.Value = in.value()
	}
	return q
}

// Clear empties the field with the focus.
func (m *Model) Clear() { m.focused().set("") }

// Choose answers the field with the focus, which has options: by a number, a part of one, or yes
// and no.
func (m *Model) Choose(text string) error {
	in := m.focused()
	if in.Toggle {
		yes := strings.HasPrefix("yes", strings.ToLower(text))
		if !yes && !strings.HasPrefix("no", strings.ToLower(text)) {
			return errors.New(`type "yes" or "no"`)
		}
		in.set(map[bool]string{true: On}[yes])
		return nil
	}
	labels := make([]string, len(in.Options))
	for i, o := range in.Options {
		labels[i] = o.Label
	}
	at, ok := prompt.Choose(text, labels)
	if !ok {
		return fmt.Errorf("type a number from 1 to %d, or \"help\" to hear what they stand for", len(labels))
	}
	in.set(in.Options[at].Value)
	return nil
}

// BoxesFollow reports that nothing but boxes to tick, and fields that are ready, stand after the
// one with the focus.
func (m *Model) BoxesFollow() bool { return m.onLastNeeded() && !m.OnLast() }

// Back gives the focus to the field before.
func (m *Model) Back() { m.wrong = nil; m.move(m.at - 1) }

// Said is all that is asked for, as it is in the form.
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
