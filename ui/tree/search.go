package tree

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
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

// Searching reports that the search line is visible.
func (m *Model) Searching() bool { return m.search.line.Visible() }

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
	f := finder{doc: m.root.doc, word: word, masked: m.Masked}
	if m.revealed {
		f.masked = nil
	}
	if s.matches = f.find(); len(s.matches) > 0 {
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

// finder looks through the text of a document for a word, without making nodes of it.
type finder struct {
	doc    *document
	word   string
	masked func(path, key, text string) bool // nil: nothing is

	scan    jsonscan.Scanner
	matches []int
	// The containers around and the path to the value, only kept for masked.
	around []surrounding
	path   []byte
}

// surrounding is a container that the finder is in.
type surrounding struct {
	path int // how much of the finder's path leads to it
	next int // the index of the value that comes next
}

// find returns the places that were found: of each the first byte of the value, in the
// order of the document.
func (f *finder) find() (matches []int) {
	f.scan = jsonscan.Scanner{Text: f.doc.raw}
	f.value("")
	return f.matches
}

// value goes behind the value that comes next, of a member with a name as it was sent, and
// finds it if the word is in its name or in its text.
func (f *finder) value(name string) {
	f.scan.Space()
	start, first := f.scan.At, f.scan.Peek()
	isContainer, raw, text := first == '{' || first == '[', "", "" // a container has no text
	if !isContainer {
		_ = f.scan.Value() // the document is valid
		raw = f.doc.text[start:f.scan.At]
		text = raw
		if first == '"' {
			text = jsonscan.UnquoteLossless(raw)
		}
	}
	key := ""
	if name != "" {
		key = jsonscan.UnquoteLossless(name)
	}
	hidden := f.masked != nil && f.enter(name, key, text) && raw != "null"
	if grid.Contains(key, f.word) || !hidden && grid.Contains(text, f.word) {
		f.matches = append(f.matches, start)
	}
	switch {
	case isContainer && hidden:
		_ = f.scan.Value()
	case isContainer:
		f.around = append(f.around, surrounding{path: len(f.path)})
		f.inside(first)
		f.around = f.around[:len(f.around)-1]
	}
}

// inside goes through the container that begins here.
func (f *finder) inside(bracket byte) {
	_ = f.scan.Open()
	for more, _ := f.scan.Item(); more; more, _ = f.scan.Item() {
		name := ""
		if bracket == '{' {
			name = f.doc.text[f.scan.Name.Start:f.scan.Name.End]
		}
		f.value(name)
	}
}

// enter keeps account of where a value is and reports whether it is masked.
func (f *finder) enter(name, key, text string) (masked bool) {
	if depth := len(f.around); depth > 0 {
		outer := &f.around[depth-1]
		f.path = appendStep(f.path[:outer.path], name, outer.next)
		outer.next++
		masked = f.masked(string(f.path), key, text)
	}
	return masked
}
