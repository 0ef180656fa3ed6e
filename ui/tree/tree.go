// Package tree shows one JSON value as lines that fold: exactly what was sent,
// in the order it was sent, duplicate names included.
package tree

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

const (
	// unfoldedAtFirst is how many nodes a new tree may show unfolded.
	unfoldedAtFirst = 40
	// maxUnfolded is how many nodes unfolding everything adds at most.
	maxUnfolded = 10_000
)

// Model is a tree: which nodes are unfolded, the cursor, and what part is
// visible. It belongs to one goroutine. The functions are set before it is used.
type Model struct {
	// Masked says whether the value of a node is a secret, by its path
	// ("UserDomains[0].UserDomainToken"), the name of the member ("" for an
	// element of an array) and its text (decoded, as a person reads it; "" for what
	// has nodes below it); nil: none is. A masked value and all below it shows as •••,
	// unless it is null; it is neither copied nor searched.
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
	// Explained is set where the caller shows what is under the cursor, as [Model.Explain]
	// has it.
	Explained bool
	// Whole says how to get all of a document that is too long, in a sentence.
	Whole string

	theme    *styles.Theme
	root     node
	revealed bool
	search   search

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
	m.revealed = on
	m.search.line.Set("") // other values are hidden from it
	m.list()
}

// hidden reports whether a node is shown as ••• instead of its value.
func (m *Model) hidden(n *node) bool {
	return !m.revealed && n.kind != null && m.masked(n)
}

func (m *Model) masked(n *node) bool {
	switch {
	case m.Masked == nil:
		return false
	case n.kind == notJSON: // secrets may be anywhere in it
		return true
	case n.parent == nil:
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
	if n == nil {
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

// Open makes a tree of a JSON value; what is no JSON, or too long for a tree, is shown as
// text. raw must not change any more.
func Open(theme *styles.Theme, raw []byte) *Model {
	m := &Model{theme: theme, Name: "the whole record as JSON"}
	m.search.line = grid.NewFilterLine(theme, searching, m.find)
	m.show(read(raw))
	return m
}

// Typing reports that the search line has the focus.
func (m *Model) Typing() bool { return m.search.line.Typing() }

// Update takes typing into the search line.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.search.line.Update(msg) }
