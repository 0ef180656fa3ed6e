package device

import (
	"iter"

	"gatehouse/ui/form"
	"gatehouse/ui/say"
	"gatehouse/ui/screen"
)

// Asking is the form.
func (m *Model) Asking() *form.Model { return m.form }

// Say says what came of the last attempt, and what sending the form does.
func (m *Model) Say() iter.Seq[string] {
	again := m.again
	if m.failure != nil {
		again = m.failure.problem.Sentence + " " + m.failure.problem.Hint
	}
	return say.Texts(again, Effect(m.form.Value("id"), m.form.Value("name"))+". The request is sent only once.")
}

// Say says the verdict and what to do, then the facts.
func (a *answer) Say() iter.Seq[string] {
	a.fillVerdict()
	return say.Concat(screen.ReadLines(a.wipe(screen.ReadWidth)...), say.Texts(a.entry.verdict()), a.verdict.Say(a.env), a.Model.Say())
}

func (a *attempt) Say() iter.Seq[string] {
	return say.Texts("Waiting for "+a.form.options.Host+" to log in the device of "+a.email, "The login is sent only once, because it may create a device.")
}
