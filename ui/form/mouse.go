package form

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Click gives the focus to the field on a line of what View last drew, counted
// from 0. A click on a choice that has the focus takes the next of its options.
func (m *Model) Click(y int) {
	field := m.drawnAt(y)
	if field == "" {
		return
	}
	if m.paused {
		m.resume()
	}
	if field != m.Focused() {
		m.focus(field)
		return
	}
	if len(m.shown()[m.at()].Options) > 0 {
		m.pass(tea.KeyPressMsg{Code: tea.KeyRight})
	}
}

// Wheel moves the focus, down counting up.
func (m *Model) Wheel(lines int) {
	fields := m.shown()
	step := min(max(lines, -1), 1)
	if to := m.at() + step; !m.paused && to >= 0 && to < len(fields) {
		m.focus(fields[to].Key)
	}
}

func (m *Model) focus(key string) {
	m.wrong = nil
	to := slices.IndexFunc(m.shown(), func(f Field) bool { return f.Key == key })
	for m.at() < to {
		m.form.NextField()
	}
	for m.at() > to {
		m.form.PrevField()
	}
}

// drawnAt is the field whose label or input stands on a line; the form of huh
// scrolls by itself and does not say how far, so the label is looked for.
func (m *Model) drawnAt(y int) string {
	lines := strings.Split(m.form.View(), "\n")
	for _, at := range []int{y, y - 1} {
		if at < 0 || at >= len(lines) {
			continue
		}
		label := strings.TrimSpace(strings.TrimLeft(ansi.Strip(lines[at]), "┃ "))
		for _, f := range m.shown() {
			if f.Label == label {
				return f.Key
			}
		}
	}
	return ""
}
