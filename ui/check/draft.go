package check

// Draft keeps the content of a form that was left before it was sent, for the next form that is
// opened empty. It never has a password.
type Draft struct {
	values map[string]string // by the keys of the fields
}

// Close implements [screen.Screen]. It keeps the content of the form as the draft, if the person
// has typed it and not sent it.
func (m *Model) Close() {
	isForPassword := m.why != ""
	if !m.begun && !m.isSent && !isForPassword {
		m.options.Draft.values = m.contents()
	}
	m.Model.Close()
}

// contents returns the values of the fields by their keys, without the password and empty ones.
func (m *Model) contents() map[string]string {
	values := map[string]string{}
	for _, f := range m.fields("") {
		if text := m.Value(f.Key); text != "" && !f.Secret {
			values[f.Key] = text
		}
	}
	return values
}

// restore fills the form with the draft.
func (m *Model) restore() {
	for _, f := range m.fields("") {
		text := m.options.Draft.values[f.Key]
		if text == "" {
			continue
		}
		if f.Folded {
			m.Unfold()
		}
		m.Set(f.Key, text)
	}
	m.Start(fieldEmail)
}

// sent notes that the form was sent. Its content is no draft any more.
func (m *Model) sent() {
	m.begun, m.isSent = false, true
	if m.why == "" {
		m.options.Draft.values = nil
	}
}
