package menu

import (
	"iter"
	"slices"

	"gatehouse/ui/screen"
)

// Say says what the entries are.
func (m *Menu) Say() iter.Seq[string] { return screen.Texts(m.Heading) }

func (m *Menu) Rows() int { return len(m.found) }

func (m *Menu) Choose(at int) { m.cursor.MoveTo(at) }

func (m *Menu) SayRow(at int) string {
	e := m.entries[m.found[at].entry]
	if e.Drawn != "" {
		return first(screen.ReadLines(e.Drawn), e.Title) + first(screen.ReadLines(e.Group), "")
	}
	return screen.Labelled(e.Title, e.Note)
}

func first(texts iter.Seq[string], otherwise string) string {
	for _, text := range slices.Collect(texts) {
		return text
	}
	return otherwise
}
