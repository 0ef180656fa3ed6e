package check

// Draft keeps what a form held that was left before it was sent, for the next one that is opened
// empty. A password is never in it.
type Draft struct {
	values map[string]string // by the keys of the fields
}

// Close implements [screen.Screen].
func (m *Model) Close() {
	if isForPassword := m.why != ""; !m.begun && !m.isSent && !isForPassword {
		m.options.Draft.values = m.contents()
	}
	m.Model.Close()
}

// contents are what the fields hold, but for the password.
func (m *Model) contents() map[string]string {
	values := map[string]string{}
	for _, f := range m.fields("") {
		if text := m.Value(f.Key); text != "" && !f.Secret {
			values[f.Key] = text
		}
	}
	return values
}

// restore fills the form with what was left before it was sent.
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

// sent says that what the form held is checked: it need not be kept.
func (m *Model) sent() {
	m.begun, m.isSent = false, true
	if m.why == "" {
		m.options.Draft.values = nil
	}
}
