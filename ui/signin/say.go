package signin

import (
	"iter"

	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Asking is the form, nil while nobody is asked.
func (m *Model) Asking() *form.Model {
	if m.attempt != nil {
		return nil
	}
	m.layOutChoice(screen.ReadWidth)
	return m.form
}

// Say says why a person has to sign in, and what came of the last attempt.
func (m *Model) Say() iter.Seq[string] {
	texts := []string{m.options.Reason}
	if m.lookup.done {
		found, _ := LookedUp(m.lookup.domain, m.lookup.err)
		texts = append(texts, found)
	}
	switch {
	case m.attempt != nil:
		return screen.Texts("Signing in as " + m.form.Value("email"))
	case m.problem != nil:
		texts = append(texts, m.problem.Sentence, m.problem.Hint)
	}
	if len(m.options.Tips) > 0 {
		texts = append(texts, "Demo accounts, password demo:")
	}
	for _, tip := range m.options.Tips {
		texts = append(texts, tip.Account+": "+tip.Shows)
	}
	return screen.Texts(texts...)
}
