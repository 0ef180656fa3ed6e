// Package tree shows one JSON value as lines that fold: exactly what was sent,
// in the order it was sent, duplicate names included.
package tree

import (
	"slices"

	"gatehouse/styles"
)

const (
	// unfoldedAtFirst is how many nodes a new tree may show unfolded.
	unfoldedAtFirst = 40
	// maxUnfolded is how many nodes unfolding everything adds at most.
	maxUnfolded = 10_000
	// maxScan is how many bytes one look through the tree may decode: of a
	// document that nests deeply, all is read again for each level.
	maxScan = 16 << 20
)

// Model is a tree: which nodes are unfolded, the cursor, and what part is
// visible. It belongs to one goroutine.
type Model struct {
	// Masked says whether the value of a node is a secret, by its path
	// ("UserDomains[0].UserDomainToken") and the name of the member ("" for an
	// element of an array); nil: none is. A masked value and all below it
	// shows as •••, unless it is null. Set it before the tree is used.
	Masked func(path, key string) bool

	theme    *styles.Theme
	root     node
	revealed bool

	rows  []*node // the nodes that folding lets be seen
	stale bool    // rows must be listed anew

	cursor, top int // positions in rows
	page        int // lines for rows, as last drawn
}

// New makes a tree of a JSON value, unfolded as far as it is small. What is
// not JSON becomes a single text.
func New(theme *styles.Theme, raw []byte) *Model {
	m := &Model{theme: theme}
	m.SetDocument(raw)
	return m
}

// SetDocument shows another JSON value, unfolded as a new tree is. The cursor
// stays on its line as far as there is one.
func (m *Model) SetDocument(raw []byte) {
	line := m.cursor
	m.root, m.cursor = parse(raw), 0
	m.rows = []*node{&m.root}
	m.root.open = true
	m.unfold(unfoldedAtFirst)
	m.moveTo(line)
}

// Reveal shows masked values, or masks them again.
func (m *Model) Reveal(on bool) {
	m.revealed, m.stale = on, true
}

// hidden reports whether a node is shown as ••• instead of its value.
func (m *Model) hidden(n *node) bool {
	return !m.revealed && n.kind != null && m.masked(n)
}

func (m *Model) masked(n *node) bool {
	if m.Masked == nil || n.parent == nil {
		return false
	}
	if n.secrecy == notAsked {
		n.secrecy = isPublic
		if m.Masked(n.path(), n.name()) {
			n.secrecy = isSecret
		}
	}
	return n.secrecy == isSecret
}

// unfolded reports whether the children of a node are listed.
func (m *Model) unfolded(n *node) bool { return n.open && !m.hidden(n) }

// list returns the rows. When folding has changed them, the cursor stays on its
// node, or moves to the nearest one above it that can still be seen.
func (m *Model) list() []*node {
	if !m.stale {
		return m.rows
	}
	m.stale = false
	selected := m.rows[m.cursor]
	for n := selected.parent; n != nil; n = n.parent {
		if !m.unfolded(n) {
			selected = n
		}
	}
	m.rows = m.appendRows(m.rows[:0], &m.root)
	m.cursor = slices.Index(m.rows, selected)
	return m.rows
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

// selected is the node under the cursor.
func (m *Model) selected() *node { return m.list()[m.cursor] }

// moveTo moves the cursor to a position, or to the nearest there is.
func (m *Model) moveTo(position int) {
	m.cursor = max(0, min(position, len(m.list())-1))
}

// setOpen folds or unfolds the node under the cursor.
func (m *Model) setOpen(open bool) {
	if n := m.selected(); m.foldable(n) {
		n.open, m.stale = open, true
	}
}

// foldOrLeave folds the node under the cursor or, where there is nothing to
// fold, goes to its parent.
func (m *Model) foldOrLeave() {
	n := m.selected()
	switch {
	case m.foldable(n) && n.open:
		m.setOpen(false)
	case n.parent != nil:
		m.cursor = slices.Index(m.list(), n.parent)
	}
}

// unfoldOrEnter unfolds the node under the cursor or, where it is unfolded
// already, goes to its first child.
func (m *Model) unfoldOrEnter() {
	n := m.selected()
	switch {
	case !m.foldable(n):
	case n.open:
		m.moveTo(m.cursor + 1)
	default:
		m.setOpen(true)
	}
}

// foldable reports whether a node has children that may be seen.
func (m *Model) foldable(n *node) bool {
	return n.container() && !m.hidden(n) && n.size() > 0
}

// foldAll folds everything below the root.
func (m *Model) foldAll() {
	fold(&m.root)
	m.root.open, m.stale = true, true
}

func fold(n *node) {
	n.open = false
	for i := range n.children {
		fold(&n.children[i])
	}
}

// unfold unfolds level by level what leaves no more nodes listed than limit.
func (m *Model) unfold(limit int) {
	m.stale = true
	scan := maxScan
	for queue := []*node{&m.root}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if !n.container() || m.hidden(n) || n.cost() > scan || n.size() > limit {
			continue
		}
		scan -= n.cost()
		limit -= n.size()
		n.open = true
		children := n.decode()
		for i := range children {
			queue = append(queue, &children[i])
		}
	}
}
