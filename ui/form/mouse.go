package form

import tea "charm.land/bubbletea/v2"

// Click gives the focus to the field on a line of what View last drew, counted
// from 0. A click on a choice that has the focus takes the next of its options.
func (m *Model) Click(y int) {
	to := m.inputs.fieldAt(y, m.height)
	if to < 0 {
		return
	}
	if m.paused {
		m.resume()
	}
	if to == m.inputs.at && len(m.focused().Options) > 0 {
		m.pass(tea.KeyPressMsg{Code: tea.KeyRight})
		return
	}
	m.wrong = nil
	m.inputs.move(to)
}

// Wheel moves the focus by one field, down counting up.
func (m *Model) Wheel(lines int) {
	if !m.paused {
		m.wrong = nil
		m.inputs.move(m.inputs.at + min(max(lines, -1), 1))
	}
}
