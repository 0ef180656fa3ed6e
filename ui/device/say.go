package device

import (
	"iter"

	"gatehouse/ui/screen"
)

// Say says what came of the last attempt, and what sending the form does.
func (m *Model) Say() iter.Seq[string] {
	again := m.again
	if m.failure != nil {
		again = m.failure.problem.Sentence + " " + m.failure.problem.Hint
	}
	return screen.Texts(again, Effect(m.Value("id"), m.Value("name"))+". The request is sent only once.")
}

// Say says the verdict and what to do, then the facts.
func (a *answer) Say() iter.Seq[string] {
	a.fillVerdict()
	return screen.Concat(screen.ReadLines(a.wipe(screen.ReadWidth)...), screen.Texts(a.entry.verdict()), a.verdict.Say(a.env), a.Model.Say())
}

func (a *attempt) Say() iter.Seq[string] {
	return screen.Texts("Waiting for "+a.form.options.Host+" to log in the device of "+a.email, "The login is sent only once, because it may create a device.")
}
