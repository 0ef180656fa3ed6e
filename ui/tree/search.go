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
	// matches are the numbers of the nodes that were found, in their order.
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

// seek searches for a word, and goes to the first match behind the cursor or, if there is
// none, to the first.
func (m *Model) seek(word string) tea.Cmd {
	s := &m.search
	s.word, s.matches = word, nil
	if word == "" || m.root().kind == notJSON {
		return nil
	}
	if s.matches = m.found(word); len(s.matches) > 0 {
		i, _ := slices.BinarySearch(s.matches, m.at())
		m.show(s.matches[i%len(s.matches)])
	}
	return nil
}

// nextFound goes to the next match behind the cursor, and round at the end.
func (m *Model) nextFound() {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, m.at()+1)
	m.show(matches[i%len(matches)])
}

// previousFound goes to the match before the cursor, and round at the beginning.
func (m *Model) previousFound() {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, m.at())
	m.show(matches[(i+len(matches)-1)%len(matches)])
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
	if i, on := slices.BinarySearch(s.matches, m.at()); on {
		return human.Number(i+1) + " of " + count
	}
	return count + " found"
}

// found are the nodes that have a word in their names or in their values, as far as those may
// be seen.
func (m *Model) found(word string) []int {
	var numbers []int
	for i := 0; i < len(m.nodes); i++ {
		n := &m.nodes[i]
		hidden := m.hidden(n)
		if grid.Contains(n.name(), word) || !hidden && !n.container() && grid.Contains(n.text(), word) {
			numbers = append(numbers, i)
		}
		if hidden {
			i = n.end - 1
		}
	}
	return numbers
}
