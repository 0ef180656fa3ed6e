package tree

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var searching = grid.FilterPurpose{Name: "search", Open: "search the names and the values", Clear: "end the search", Anew: true}

// search is what a person looks for in a tree.
type search struct {
	line *grid.FilterLine
	word string // "": nothing is looked for
	// matches are where the values begin that were found, in the order of the document.
	matches []int
}

// words are what is looked for: none, or one.
func (m *Model) words() []string {
	if m.search.word == "" {
		return nil
	}
	return []string{m.search.word}
}

// Search opens the search line.
func (m *Model) Search() tea.Cmd { return m.search.line.Edit() }

// find searches for a word, and goes to the first match behind the cursor or, if there is
// none, to the first.
func (m *Model) find(word string) tea.Cmd {
	s := &m.search
	s.word, s.matches = word, nil
	if word == "" || m.root.kind == notJSON {
		return nil
	}
	if s.matches = m.found(&m.root, word, nil); len(s.matches) > 0 {
		i, _ := slices.BinarySearch(s.matches, m.selected().at)
		m.goTo(s.matches[i%len(s.matches)])
	}
	return nil
}

// nextFound goes to the next match behind the cursor, and round at the end.
func (m *Model) nextFound() {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, m.selected().at+1)
	m.goTo(matches[i%len(matches)])
}

// previousFound goes to the match before the cursor, and round at the beginning.
func (m *Model) previousFound() {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, m.selected().at)
	m.goTo(matches[(i+len(matches)-1)%len(matches)])
}

// goTo unfolds what is around a place of the document and goes there.
func (m *Model) goTo(at int) {
	n := &m.root
	for n.at != at && m.foldable(n) {
		n.open = true
		children := n.decode()
		i, found := slices.BinarySearchFunc(children, at, func(c node, at int) int { return c.at - at })
		if !found {
			i-- // it is inside of the last one that begins before
		}
		n = &children[i]
	}
	m.list()
	m.cursor.MoveTo(slices.Index(m.rows, n))
}

// searchActions are the search line's own keys and those that go from one match
// to another.
func (m *Model) searchActions() []screen.Action {
	none, first := "", ""
	switch s := m.search; {
	case s.word == "":
		none, first = "no search yet", "search.open"
	case len(s.matches) == 0:
		none = "there is no match"
	}
	return append(m.search.line.Actions(),
		screen.Action{ID: "tree.next", Reason: none, First: first, Quiet: none != "", Run: do(m.nextFound)},
		screen.Action{ID: "tree.previous", Reason: none, First: first, Run: do(m.previousFound)},
	)
}

// tally says how much was found and which match the cursor is on.
func (m *Model) tally() string {
	s := m.search
	count := human.Number(len(s.matches))
	switch {
	case s.word == "":
		return ""
	case len(s.matches) == 0:
		return "nothing found"
	}
	if i, on := slices.BinarySearch(s.matches, m.selected().at); on {
		return human.Number(i+1) + " of " + count
	}
	return count + " found"
}

// found are the places below a node where a word is in a name or a value that may be seen: of
// each the first byte, in the order of the document.
func (m *Model) found(n *node, word string, places []int) []int {
	hidden := m.hidden(n)
	if grid.Contains(n.name(), word) || !hidden && !n.container() && grid.Contains(n.text(), word) {
		places = append(places, n.at)
	}
	if hidden {
		return places
	}
	children := n.decode()
	for i := range children {
		places = m.found(&children[i], word, places)
	}
	return places
}
