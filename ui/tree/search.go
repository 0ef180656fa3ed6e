package tree

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// searching is what the filter line is for in a tree.
var searching = grid.FilterPurpose{
	Name:    "search",
	Open:    "search the names and the values",
	Clear:   "end the search",
	Anew:    true,
	OpenID:  screen.SearchOpen,
	KeepID:  screen.SearchKeep,
	ClearID: screen.SearchClear,
}

// search is what a person searches a tree for.
type search struct {
	line  *grid.FilterLine
	words []string // what was typed, as a single word; empty without a search
	// matches are the indexes of the nodes that were found, in ascending order.
	matches []int
}

// Typing reports whether the search line has the focus.
func (m *Model) Typing() bool { return m.search.line.Typing() }

// Update passes keys and pastes to the search line.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.search.line.Update(msg) }

// Search opens the search line.
func (m *Model) Search() tea.Cmd { return m.search.line.Edit() }

// seek searches for a word, and moves to the first match from the cursor on, or else to the first
// of all. Without a word it ends the search.
func (m *Model) seek(word string) tea.Cmd {
	s := &m.search
	s.words, s.matches = nil, nil
	if word == "" {
		return nil
	}
	s.words = []string{word}
	if m.isText() {
		return nil
	}
	s.matches = m.find(word)
	if len(s.matches) > 0 {
		m.showMatch(m.at(), 0)
	}
	return nil
}

// find returns the indexes of the nodes that have a word in their names, or in their values unless
// these are masked.
func (m *Model) find(word string) []int {
	var indexes []int
	for i := 0; i < len(m.nodes); i++ {
		n := &m.nodes[i]
		isMasked := m.isMasked(n)
		hasText := !isMasked && !n.isContainer()
		if grid.Contains(n.name(), word) || hasText && grid.Contains(n.text(), word) {
			indexes = append(indexes, i)
		}
		if isMasked {
			i = n.end - 1 // all that it contains is masked as well
		}
	}
	return indexes
}

// showMatch moves to the first match from an index on, or to one that is by matches after it. The
// first match follows the last one.
func (m *Model) showMatch(from, by int) {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, from)
	m.show(matches[(i+by+len(matches))%len(matches)])
}

// searchActions are the actions of the search line, and those that move from one match to another.
func (m *Model) searchActions() []screen.Action {
	reason, first := "", screen.NoAction
	switch s := m.search; {
	case s.words == nil:
		reason, first = "no search yet", screen.SearchOpen
	case len(s.matches) == 0:
		reason = "there is no match"
	}
	return append(m.search.line.Actions(),
		screen.Action{
			ID:     screen.TreeNext,
			Reason: reason,
			First:  first,
			Quiet:  reason != "",
			Run:    screen.Do(func() { m.showMatch(m.at()+1, 0) }),
		},
		screen.Action{
			ID:     screen.TreePrevious,
			Reason: reason,
			First:  first,
			Run:    screen.Do(func() { m.showMatch(m.at(), -1) }),
		},
	)
}

// tally says how many matches there are, and on which of them the cursor is.
func (m *Model) tally() string {
	s := m.search
	count := human.Number(len(s.matches))
	switch {
	case s.words == nil:
		return ""
	case len(s.matches) == 0:
		return "nothing found"
	}
	if i, isMatch := slices.BinarySearch(s.matches, m.at()); isMatch {
		return human.Number(i+1) + " of " + count
	}
	return count + " found"
}
