package tree

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

var searching = grid.FilterPurpose{Name: "search", Open: "search the names and the values", Clear: "end the search", Anew: true}

const (
	// searchedAtOnce is how many bytes are searched while a key is answered.
	searchedAtOnce = 64 << 10
	// maxFound is how many matches are remembered.
	maxFound = 100_000
)

// search is what a person looks for in a tree.
type search struct {
	ctx   context.Context
	reply Reply
	line  *grid.FilterLine

	finder  *finder // nil: nothing is looked for
	matches []int   // of what was found, as finder gives them
	read    int     // bytes
	done    bool
	// from is the place from which on the first match is gone to; -1: it was.
	from int
}

// foundMsg is what one step of a finder brought.
type foundMsg struct {
	finder  *finder
	matches []int
	read    int
	done    bool
}

func newSearch(ctx context.Context, reply Reply, m *Model) *search {
	return &search{ctx: ctx, reply: reply, line: grid.NewFilterLine(m.theme, searching, m.find)}
}

// end ends the work; what was found stays.
func (s *search) end() {
	if s.finder != nil {
		s.finder.stop()
	}
}

// next goes on searching, in a command.
func (s *search) next() tea.Cmd {
	f := s.finder
	return s.reply(func() tea.Msg { return f.step() })
}

// dropSearch forgets what was looked for: the document is another one.
func (m *Model) dropSearch() {
	if m.search != nil {
		m.search.end()
		m.search = newSearch(m.search.ctx, m.search.reply, m)
	}
}

// words are what is looked for: none, or one.
func (m *Model) words() []string {
	if m.search == nil || m.search.finder == nil {
		return nil
	}
	return []string{m.search.finder.word}
}

// find searches for a word, from the cursor on.
func (m *Model) find(word string) tea.Cmd {
	s := m.search
	s.end()
	s.finder, s.matches, s.read, s.done = nil, nil, 0, false
	if word == "" || m.opening != nil {
		return nil
	}
	masked := m.Masked
	if m.revealed {
		masked = nil
	}
	s.finder, s.from = newFinder(s.ctx, m.root.doc, word, masked), m.selected().order()
	if len(m.root.raw) <= searchedAtOnce {
		return m.found(s.finder.step())
	}
	return s.next()
}

// found takes the answer of one step: it goes to the first match, and on with
// the search.
func (m *Model) found(msg foundMsg) tea.Cmd {
	s := m.search
	if s == nil || msg.finder != s.finder {
		return nil
	}
	s.matches = append(s.matches, msg.matches...)
	s.matches = s.matches[:min(len(s.matches), maxFound)]
	s.read, s.done = msg.read, msg.done || len(s.matches) == maxFound
	if s.from >= 0 {
		m.goToFirst()
	}
	if !s.done {
		return s.next()
	}
	s.finder.stop()
	return nil
}

// goToFirst goes to the first match behind where the search began or, when all
// is searched, to the first there is.
func (m *Model) goToFirst() {
	s := m.search
	i, _ := slices.BinarySearch(s.matches, s.from)
	if i == len(s.matches) {
		if !s.done || i == 0 {
			return
		}
		i = 0
	}
	s.from = -1
	m.goTo(s.matches[i])
}

// nextFound goes to the next match behind the cursor, and round at the end.
func (m *Model) nextFound() {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, m.selected().order()+1)
	m.goTo(matches[i%len(matches)])
}

// previousFound goes to the match before the cursor, and round at the beginning.
func (m *Model) previousFound() {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, m.selected().order())
	m.goTo(matches[(i+len(matches)-1)%len(matches)])
}

// goTo unfolds what is around a place of the document and goes there. In a
// document that nests too deeply for one key it goes as far as it can.
func (m *Model) goTo(at int) {
	n, scan := &m.root, maxScan
	for n.order() != at && m.foldable(n) {
		if scan -= m.cost(n); scan < 0 {
			break
		}
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
	case s.finder == nil:
		none, first = "nothing is looked for", "search.open"
	case len(s.matches) == 0 && s.done:
		none = "there is no match"
	case len(s.matches) == 0:
		none = "no match is found yet"
	}
	quiet := none != ""
	return append(m.search.line.Actions(),
		screen.Action{ID: "tree.next", Reason: none, First: first, Quiet: quiet, Run: do(m.nextFound)},
		screen.Action{ID: "tree.previous", Reason: none, First: first, Run: do(m.previousFound)},
	)
}

// tally says how much was found and which match the cursor is on.
func (m *Model) tally() string {
	s := m.search
	count := screen.Number(len(s.matches))
	switch {
	case s.finder == nil:
		return ""
	case !s.done:
		return fmt.Sprintf("%s found, %d %% searched", count, 100*s.read/max(len(m.root.raw), 1))
	case len(s.matches) == 0:
		return "nothing found"
	case len(s.matches) == maxFound:
		count += " and more"
	}
	if i, on := slices.BinarySearch(s.matches, m.selected().order()); on {
		return screen.Number(i+1) + " of " + count
	}
	return count + " found"
}
