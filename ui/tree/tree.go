// Package tree shows a JSON document as a tree that folds: exactly as it was sent, in the order in
// which it was sent, with names that occur twice.
package tree

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

const (
	// unfoldedAtFirst is the number of nodes up to which a new tree is unfolded.
	unfoldedAtFirst = 40
	// maxUnfolded is the number of nodes up to which a person can unfold the whole tree.
	maxUnfolded = 10_000
)

// Model is a tree: its nodes, which of them are unfolded, the cursor, and what part is in sight. It
// belongs to one goroutine. Its functions are set before it is used.
type Model struct {
	// Masked reports whether the value of a node is a secret. path is the path of the node
	// ("UserDomains[0].UserDomainToken"), key the name of a member ("" for an element of an array)
	// and text the value as a person reads it ("" for an array or object). A secret and all that it
	// contains is shown as •••, unless it is null; it is neither copied nor searched. Nil masks
	// nothing.
	Masked func(path, key, text string) bool
	// Remark says in a few words what a value means, to be drawn behind it ("2024-05-01 14:03",
	// "1.2 GB"); "" for none. path has the names from the root down, with elements as "[3]". raw is
	// the JSON as it was sent. Remark may be nil.
	Remark func(path []string, raw string) string
	// Meaning says in a line what the value at a path is; "" if that is not known. Without it there
	// is no pane beside the tree.
	Meaning func(path string) string
	// Copy copies a text to the clipboard. what names it to people.
	Copy func(text, what string) tea.Cmd
	// CopyDocument copies an array, an object or the whole document, whose lines matter.
	CopyDocument func(text, what string) tea.Cmd
	// RevealAction is the action that reveals masked values. It is named to a person who cannot
	// copy one. It may be [screen.NoAction].
	RevealAction screen.ActionID
	// Name is what the whole document is called when it is copied.
	Name string
	// Read writes the value at a path for a person who hears it.
	Read func(path string, value gjson.Result) string
	// Whole is a sentence that says how to get all of a document that is too large for a tree.
	Whole string

	theme *styles.Theme
	document
	revealed bool
	search   search

	rows   []int // indexes of the nodes that are not folded away
	cursor screen.Cursor

	// These depend on the room.
	width, height int
	hasSide       bool // the value under the cursor is shown beside the tree
}

// Open makes a tree of a JSON document, unfolded as long as it is small. A text that is not JSON,
// or too large for a tree, is shown as it is. raw must not change any more.
func Open(theme *styles.Theme, raw []byte) *Model {
	m := &Model{
		Name:     "the whole record as JSON",
		theme:    theme,
		document: read(raw),
		rows:     []int{0},
	}
	m.search.line = grid.NewFilterLine(theme, searching, m.seek)
	m.unfold(unfoldedAtFirst)
	return m
}

// root is the whole document.
func (m *Model) root() *node { return &m.nodes[0] }

// isText reports whether the document is shown as text.
func (m *Model) isText() bool { return m.root().kind == notJSON }

// at is the index of the node under the cursor.
func (m *Model) at() int { return m.rows[m.cursor.Row()] }

// selected is the node under the cursor.
func (m *Model) selected() *node { return &m.nodes[m.at()] }

// Reveal shows masked values, or masks them again. It ends a search, which has found or missed
// these.
func (m *Model) Reveal(on bool) {
	m.revealed = on
	m.search.line.Set("")
	m.list()
}

// isMasked reports whether a node is shown as ••• instead of its value. A text that is not JSON is
// masked as a whole, because secrets may be anywhere in it.
func (m *Model) isMasked(n *node) bool {
	switch {
	case m.revealed || m.Masked == nil || n.kind == null:
		return false
	case n.kind == notJSON:
		return true
	case n.isRoot():
		return false
	case n.isContainer():
		return m.Masked(m.path(n), n.name(), "")
	}
	return m.Masked(m.path(n), n.name(), n.text())
}

// list determines which nodes are rows, after something was folded or unfolded. The cursor stays on
// its node, or moves to the nearest row above it.
func (m *Model) list() {
	selected := m.at()
	m.rows = m.rows[:0]
	for i := 0; i < len(m.nodes); {
		m.rows = append(m.rows, i)
		if n := &m.nodes[i]; n.isOpen && !m.isMasked(n) {
			i++
		} else {
			i = n.end
		}
	}
	m.cursor.SetCount(len(m.rows))
	m.moveTo(selected)
}

// moveTo moves the cursor to the node with an index, or to the nearest row above it.
func (m *Model) moveTo(index int) {
	row, found := slices.BinarySearch(m.rows, index)
	if !found {
		row--
	}
	m.cursor.MoveTo(row)
}

// show unfolds all nodes that contain the one with an index, and moves the cursor there.
func (m *Model) show(index int) {
	for parent := m.nodes[index].parent; parent != noParent; parent = m.nodes[parent].parent {
		m.nodes[parent].isOpen = true
	}
	m.list()
	m.moveTo(index)
}

// Select moves the cursor to the value at a path of member names joined by dots, if there is one.
// If there are several, the last one counts.
func (m *Model) Select(path string) {
	for i := len(m.nodes) - 1; i > 0; i-- {
		n := &m.nodes[i]
		mayEndPath := n.key != "" && strings.HasSuffix(path, n.name()) // quicker than the whole path
		if mayEndPath && strings.Join(m.steps(n), ".") == path {
			m.show(i)
			return
		}
	}
}

// Actions are the actions of the search, those that copy, and those that move the cursor and fold.
// The search comes first, because it takes esc while there is one.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.Typing():
		return m.search.line.Actions()
	case m.isText():
		return m.copyActions()
	}
	return slices.Concat(m.searchActions(), m.copyActions(), m.moves())
}

// moves are the actions that move the cursor, fold and unfold.
func (m *Model) moves() []screen.Action {
	return slices.Concat(
		m.cursor.Rows(),
		[]screen.Action{
			{ID: screen.TreeToggle, Run: screen.Do(m.toggle)},
			{ID: screen.TreeRight, Run: screen.Do(m.unfoldOrEnter)},
			{ID: screen.TreeLeft, Run: screen.Do(m.foldOrLeave)},
		},
		m.cursor.Pages(),
		m.cursor.Ends(),
		[]screen.Action{
			{ID: screen.TreeFoldAll, Run: screen.Do(m.foldAll)},
			{ID: screen.TreeUnfoldAll, Run: screen.Do(func() { m.unfold(maxUnfolded) })},
		},
	)
}

// toggle folds or unfolds the node under the cursor.
func (m *Model) toggle() { m.setOpen(!m.selected().isOpen) }

// foldOrLeave folds the node under the cursor, or moves to its parent if there is nothing to fold.
func (m *Model) foldOrLeave() {
	n := m.selected()
	switch {
	case m.isFoldable(n) && n.isOpen:
		m.setOpen(false)
	case !n.isRoot():
		m.moveTo(n.parent)
	}
}

// unfoldOrEnter unfolds the node under the cursor, or moves to its first child if it is unfolded.
func (m *Model) unfoldOrEnter() {
	n := m.selected()
	switch {
	case !m.isFoldable(n):
	case n.isOpen:
		m.cursor.Move(1)
	default:
		m.setOpen(true)
	}
}

// setOpen folds or unfolds the node under the cursor, if it can be folded.
func (m *Model) setOpen(isOpen bool) {
	if n := m.selected(); m.isFoldable(n) {
		n.isOpen = isOpen
		m.list()
	}
}

// isFoldable reports whether a node has children that are not masked.
func (m *Model) isFoldable(n *node) bool {
	return n.size > 0 && !m.isMasked(n)
}

// foldAll folds all nodes but the root.
func (m *Model) foldAll() {
	for i := range m.nodes {
		m.nodes[i].isOpen = i == 0
	}
	m.list()
}

// unfold unfolds nodes level by level, except for those whose children would make more than limit
// rows.
func (m *Model) unfold(limit int) {
	m.root().isOpen = true
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		n := &m.nodes[queue[0]]
		if !n.isContainer() || m.isMasked(n) || n.size > limit {
			continue
		}
		limit -= n.size
		n.isOpen = true
		for child := queue[0] + 1; child < n.end; child = m.nodes[child].end {
			queue = append(queue, child)
		}
	}
	m.list()
}

// click moves the cursor to the row at a cell of a tree as it was drawn, and folds or unfolds the
// row if its fold mark is there.
func (m *Model) click(drawn *Model, x, y int) {
	position, ok := drawn.cursor.Hit(y)
	if !ok {
		return
	}
	mark := drawn.indent(&m.nodes[m.rows[position]])
	m.cursor.MoveTo(position)
	if x >= mark && x < mark+len(blankMark) {
		m.toggle()
	}
}

// Wheel scrolls down by lines, or up if lines is negative. The cursor stays on its row while that
// is in sight.
func (m *Model) Wheel(lines int) { m.cursor.Scroll(lines) }
