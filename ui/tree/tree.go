// Package tree shows one JSON value as lines that fold: exactly what was sent,
// in the order it was sent, duplicate names included.
package tree

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

const (
	// unfoldedAtFirst is how many nodes a new tree may show unfolded.
	unfoldedAtFirst = 40
	// maxUnfolded is how many nodes unfolding everything adds at most.
	maxUnfolded = 10_000
	// maxScan is how many bytes one look through the tree may decode: of a
	// document that nests deeply, all is read again for each level.
	maxScan = 4 << 20
)

// Model is a tree: which nodes are unfolded, the cursor, and what part is
// visible. It belongs to one goroutine. The functions are set before it is used.
type Model struct {
	// Masked says whether the value of a node is a secret, by its path
	// ("UserDomains[0].UserDomainToken"), the name of the member ("" for an
	// element of an array) and its text (decoded, as a person reads it; "" for what
	// has nodes below it); nil: none is. A masked value and all below it shows as •••,
	// unless it is null; it is neither copied nor searched. It is called from other
	// goroutines, too.
	Masked func(path, key, text string) bool
	// Remark says what a text or a number means, in a few words that stand behind
	// it ("2024-05-01 14:03", "1.2 GB"); "" where there is nothing to say. The path
	// has the names from the root down, elements as "[3]"; raw is the JSON value as
	// sent. Nil: no remarks.
	Remark func(path []string, raw string) string
	// Copy puts a text on the clipboard; what names it to people. Nil: the tree
	// has no actions that copy, and Value is for the caller to use.
	Copy func(text, what string) tea.Cmd
	// CopyDocument is Copy for an array, an object or the whole, whose lines matter.
	CopyDocument func(text, what string) tea.Cmd
	// RevealAction is the action that shows masked values, which a refusal to copy one
	// names; "" if there is none.
	RevealAction string
	// Name is what the whole document is called in what Copy is told.
	Name string

	theme    *styles.Theme
	root     node
	revealed bool
	opening  *opening // nil: the document is there
	search   *search

	rows   []*node // the nodes that folding lets be seen
	cursor screen.Cursor

	width, height int
	above, below  []string // the lines around the rows
}

// show shows a document, unfolded as far as it is small.
func (m *Model) show(doc *document) {
	m.root = newRoot(doc)
	m.root.open = true
	m.rows = []*node{&m.root}
	m.cursor.SetCount(len(m.rows))
	m.unfold(unfoldedAtFirst)
}

// Reveal shows masked values, or masks them again.
func (m *Model) Reveal(on bool) {
	m.search.end()
	m.search = newSearch(m.search.ctx, m.search.reply, m) // other values are hidden from it
	m.revealed = on
	m.list()
}

// hidden reports whether a node is shown as ••• instead of its value.
func (m *Model) hidden(n *node) bool {
	return !m.revealed && n.kind != null && m.masked(n)
}

func (m *Model) masked(n *node) bool {
	if m.Masked == nil || n.parent == nil || n.kind == group {
		return false
	}
	if n.secrecy == notAsked {
		n.secrecy = isPublic
		text := ""
		if !n.container() {
			text = n.text()
		}
		if m.Masked(n.path(), n.name(), text) {
			n.secrecy = isSecret
		}
	}
	return n.secrecy == isSecret
}

// unfolded reports whether the children of a node are listed.
func (m *Model) unfolded(n *node) bool { return n.open && !m.hidden(n) }

// list lists the rows anew where folding has changed them. The cursor stays on its
// node, or moves to the nearest one above it that can still be seen.
func (m *Model) list() {
	selected := m.selected()
	for n := selected.parent; n != nil; n = n.parent {
		if !m.unfolded(n) {
			selected = n
		}
	}
	m.rows = m.appendRows(m.rows[:0], &m.root)
	m.cursor.SetCount(len(m.rows))
	m.cursor.MoveTo(slices.Index(m.rows, selected))
}

func (m *Model) appendRows(rows []*node, n *node) []*node {
	rows = append(rows, n)
	if m.unfolded(n) {
		children := n.decode()
		for i := range children {
			rows = m.appendRows(rows, &children[i])
		}
	}
	return rows
}

// Select moves the cursor to the value of a path, member names joined by dots, and unfolds
// what it is part of. It reports whether there is one; of several it is the last.
func (m *Model) Select(path string) bool {
	n := m.root.find(path)
	if n == nil || m.opening != nil {
		return false
	}
	for parent := n.parent; parent != nil; parent = parent.parent {
		parent.open = true
	}
	m.list()
	at := slices.Index(m.rows, n)
	m.cursor.MoveTo(at)
	return at >= 0
}

// selected is the node under the cursor.
func (m *Model) selected() *node { return m.rows[m.cursor.Row()] }

// openedAtOnce is how many bytes of JSON are read while a key is answered.
const openedAtOnce = 1 << 20

// Reply makes a command of work whose answer comes back to [Model.Update].
type Reply func(work func() tea.Msg) tea.Cmd

// opening is the reading of a long document.
type opening struct {
	bytes int
	stop  context.CancelFunc
}

type openedMsg struct {
	opening *opening
	doc     *document
}

// Open makes a tree of a JSON value of any size; what is not JSON becomes a single
// text. One of more than a megabyte is read by the command, while the tree says
// that it waits; otherwise there is no command. raw must not change any more.
// All work ends with the context or with [Model.Close].
func Open(ctx context.Context, theme *styles.Theme, raw []byte, reply Reply) (*Model, tea.Cmd) {
	m := &Model{theme: theme, Name: "the whole record as JSON"}
	m.search = newSearch(ctx, reply, m)
	if len(raw) <= openedAtOnce {
		doc, _ := read(context.Background(), raw) // fails only with its context
		m.show(doc)
		return m, nil
	}
	m.show(&document{isText: true})
	ctx, stop := context.WithCancel(ctx)
	o := &opening{bytes: len(raw), stop: stop}
	m.opening = o
	return m, reply(func() tea.Msg {
		defer stop()
		doc, err := read(ctx, raw)
		if err != nil {
			return nil
		}
		return openedMsg{o, doc}
	})
}

// Close ends the work of the tree.
func (m *Model) Close() {
	if m.opening != nil {
		m.opening.stop()
	}
	m.search.end()
}

// Typing reports that the search line has the focus.
func (m *Model) Typing() bool { return m.search.line.Typing() }

// Update takes the answers to the tree's own work, and typing into its search
// line. What belongs to another tree is left alone.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		if msg.opening == m.opening {
			m.opening = nil
			m.show(msg.doc)
		}
		return nil
	case foundMsg:
		return m.found(msg)
	}
	return m.search.line.Update(msg)
}

// waiting is what a tree shows before its document is there.
func (m *Model) waiting() string {
	return m.theme.Accent.Render("reading " + human.Bytes(int64(m.opening.bytes)) + m.theme.Glyphs.More)
}
