package tree

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
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

// words are what is looked for: none, or one.
func (m *Model) words() []string {
	if m.search.finder == nil {
		return nil
	}
	return []string{m.search.finder.word}
}

// Searching reports that the search line is visible.
func (m *Model) Searching() bool { return m.search.line.Visible() }

// Search opens the search line.
func (m *Model) Search() tea.Cmd {
	for _, a := range m.search.line.Actions() {
		if a.ID == "search.open" && a.Run != nil {
			return a.Run()
		}
	}
	return nil
}

// find searches for a word, from the cursor on.
func (m *Model) find(word string) tea.Cmd {
	s := m.search
	s.end()
	s.finder, s.matches, s.read, s.done = nil, nil, 0, false
	if word == "" {
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
	if msg.finder != s.finder {
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
		none, first = "no search yet", "search.open"
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
	count := human.Number(len(s.matches))
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
		return human.Number(i+1) + " of " + count
	}
	return count + " found"
}

// stepBytes is how much of a document one step of a search reads, and one
// string more.
const stepBytes = 4 << 20

// finder looks through a document for a word, step by step. It does not touch
// the tree, so that it can work beside it.
type finder struct {
	ctx    context.Context
	stop   context.CancelFunc
	doc    *document
	word   string
	masked func(path, key, text string) bool // nil: nothing is

	scan      jsonscan.Scanner
	name      string // as sent, of the value that comes next
	nameFound bool
	// The containers around and the path to the value, only kept for masked.
	around []surrounding
	path   []byte
}

// surrounding is a container that the finder is in.
type surrounding struct {
	path int // how much of the finder's path leads to it
	next int // the index of the value that comes next
}

func newFinder(ctx context.Context, doc *document, word string, masked func(path, key, text string) bool) *finder {
	f := &finder{doc: doc, word: word, masked: masked, scan: jsonscan.Scanner{Text: doc.raw, MaxDepth: maxDepth}}
	f.ctx, f.stop = context.WithCancel(ctx)
	return f
}

// step searches on. Its answer has the places that were found: of each the
// first byte of the value, in the order of the document.
func (f *finder) step() foundMsg {
	if f.doc.isText {
		found := foundMsg{finder: f, read: len(f.doc.text), done: true}
		if grid.Contains(f.doc.text, f.word) {
			found.matches = []int{0}
		}
		return found
	}
	msg := foundMsg{finder: f}
	for until := f.scan.At + stepBytes; f.scan.At < until && !msg.done; {
		t, err := f.scan.Next()
		switch t.Kind {
		case jsonscan.End:
			msg.done = true
		case jsonscan.Name:
			f.name = f.textOf(t)
			f.nameFound = grid.Contains(jsonscan.UnquoteLossless(f.name), f.word)
		case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
			if f.masked != nil {
				f.around = f.around[:len(f.around)-1]
			}
		default:
			if f.value(t) {
				msg.matches = append(msg.matches, t.Start)
			}
		}
		msg.done = msg.done || err != nil || f.ctx.Err() != nil
	}
	msg.read = f.scan.At
	return msg
}

func (f *finder) textOf(t jsonscan.Token) string { return f.doc.text[t.Start:t.End] }

// value takes the beginning of a value and reports whether it or its name is
// what is looked for.
func (f *finder) value(t jsonscan.Token) bool {
	text, found := "", f.nameFound // a container has no text
	switch t.Kind {
	case jsonscan.String:
		text = jsonscan.UnquoteLossless(f.textOf(t))
	case jsonscan.Number, jsonscan.Literal:
		text = f.textOf(t)
	}
	hidden := f.masked != nil && f.enter(t, text) && f.textOf(t) != "null"
	f.name, f.nameFound = "", false
	if hidden {
		f.skip(t)
		return found
	}
	return found || grid.Contains(text, f.word)
}

// skip moves behind a container whose beginning was taken.
func (f *finder) skip(t jsonscan.Token) {
	if t.Kind != jsonscan.ObjectStart && t.Kind != jsonscan.ArrayStart {
		return
	}
	for outside := f.scan.Depth() - 1; f.scan.Depth() > outside; {
		if _, err := f.scan.Next(); err != nil {
			return
		}
	}
}

// enter keeps account of where a value is and reports whether it is masked.
func (f *finder) enter(t jsonscan.Token, text string) (masked bool) {
	if depth := len(f.around); depth > 0 {
		outer := &f.around[depth-1]
		f.path = appendStep(f.path[:outer.path], f.name, outer.next)
		outer.next++
		name := ""
		if f.name != "" {
			name = jsonscan.UnquoteLossless(f.name)
		}
		masked = f.masked(string(f.path), name, text)
	}
	if !masked && (t.Kind == jsonscan.ObjectStart || t.Kind == jsonscan.ArrayStart) {
		f.around = append(f.around, surrounding{path: len(f.path)})
	}
	return masked
}
