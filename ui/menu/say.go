package menu

import (
	"iter"
	"slices"

	"gatehouse/ui/say"
	"gatehouse/ui/screen"
)

// Say implements [screen.Speaker]: what the entries are.
func (m *Menu) Say() iter.Seq[string] { return say.Texts(m.Heading) }

// Rows implements [screen.Listed].
func (m *Menu) Rows() int { return len(m.found) }

// Choose implements [screen.Listed].
func (m *Menu) Choose(at int) { m.cursor.MoveTo(at) }

// SayRow implements [screen.Listed].
func (m *Menu) SayRow(at int) string {
	e := m.entries[m.found[at].entry]
	if e.Drawn != "" {
		return first(screen.ReadLines(e.Drawn), e.Title) + first(screen.ReadLines(e.Group), "")
	}
	return say.Labelled(e.Title, e.Note)
}

func first(texts iter.Seq[string], otherwise string) string {
	for _, text := range slices.Collect(texts) {
		return text
	}
	return otherwise
}
