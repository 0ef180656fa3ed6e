// Package tree shows one JSON value as lines that fold: exactly what was sent,
// in the order it was sent, duplicate names included.
package tree

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/secret"
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
	// Remark says what a text or a number means, in a few words that stand after
	// it ("2024-05-01 14:03", "1.2 GB"); "" where there is nothing to say. The path
	// has the names from the root down, elements as "[3]"; raw is the JSON value as
	// sent. Nil: no remarks.
	Remark func(path []string, raw string) string
	// Meaning says what the value at a path is, in a line; "" where nothing is known. Nil: there is
	// nothing to say of any value, and no pane beside the tree.
	Meaning func(path string) string
	// Copy puts a text on the clipboard; what names it to people.
	Copy func(text, what string) tea.Cmd
	// CopyDocument is Copy for an array, an object or the whole, whose lines matter.
	CopyDocument func(text, what string) tea.Cmd
	// RevealAction is the action that shows masked values, which a refusal to copy one
	// names; "" if there is none.
	RevealAction screen.ActionID
	// Name is what the whole document is called in what Copy is told.
	Name string
	// Read writes a value for those who hear it, given its path.
	Read func(path string, value gjson.Result) string
	// Whole says how to get all of a document that is too long, in a sentence.
	Whole string

	theme *styles.Theme
	document
	revealed bool
	search   search

	rows   []int // the nodes that folding lets be seen, by their numbers
	cursor screen.Cursor

	width, height int
	explained     bool // the value under the cursor is shown beside the tree
}

// Open makes a tree of a JSON value, unfolded as far as it is small; what is no JSON, or too long
// for a tree, is shown as text. raw must not change any more.
func Open(theme *styles.Theme, raw []byte) *Model {
	m := &Model{theme: theme, Name: "the whole record as JSON", document: read(raw), rows: []int{0}}
	m.search.line = grid.NewFilterLine(theme, searching, m.seek)
	m.unfold(unfoldedAtFirst)
	return m
}

func (m *Model) root() *node { return &m.nodes[0] }

// at is the number of the node under the cursor, selected the node.
func (m *Model) at() int { return m.rows[m.cursor.Row()] }

func (m *Model) selected() *node { return &m.nodes[m.at()] }

// Reveal shows masked values, or masks them again.
func (m *Model) Reveal(on bool) {
	m.revealed = on
	m.search.line.Set("") // other values are hidden from it
	m.list()
}

// hidden reports whether a node is shown as ••• instead of its value.
func (m *Model) hidden(n *node) bool {
	switch {
	case m.revealed || m.Masked == nil || n.kind == null:
		return false
	case n.kind == notJSON: // secrets may be anywhere in it
		return true
	case n.parent < 0:
		return false
	case n.container():
		return m.Masked(m.path(n), n.name(), "")
	}
	return m.Masked(m.path(n), n.name(), n.text())
}

// list lists the rows again where folding has changed them. The cursor stays on its node, or
// moves to the nearest one above it that can still be seen.
func (m *Model) list() {
	selected := m.at()
	m.rows = m.rows[:0]
	for i := 0; i < len(m.nodes); {
		m.rows = append(m.rows, i)
		if n := &m.nodes[i]; n.open && !m.hidden(n) {
			i++
		} else {
			i = n.end
		}
	}
	m.cursor.SetCount(len(m.rows))
	m.moveTo(selected)
}

// moveTo moves the cursor to a node, or to the nearest one above it that can be seen.
func (m *Model) moveTo(number int) {
	row, found := slices.BinarySearch(m.rows, number)
	if !found {
		row--
	}
	m.cursor.MoveTo(row)
}

// show unfolds what a node is part of, and moves the cursor there.
func (m *Model) show(number int) {
	for parent := m.nodes[number].parent; parent >= 0; parent = m.nodes[parent].parent {
		m.nodes[parent].open = true
	}
	m.list()
	m.moveTo(number)
}

// Select moves the cursor to the value of a path, member names joined by dots, if there is one.
func (m *Model) Select(path string) {
	for i := len(m.nodes) - 1; i > 0; i-- { // of several the last
		n := &m.nodes[i]
		if n.key != "" && strings.HasSuffix(path, n.name()) && strings.Join(m.steps(n), ".") == path {
			m.show(i)
			return
		}
	}
}

// Typing reports that the search line has the focus.
func (m *Model) Typing() bool { return m.search.line.Typing() }

// Update takes typing into the search line.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.search.line.Update(msg) }

var searching = grid.FilterPurpose{
	Name: "search", Open: "search the names and the values", Clear: "end the search", Anew: true,
	OpenID: screen.SearchOpen, KeepID: screen.SearchKeep, ClearID: screen.SearchClear,
}

// search is what a person looks for in a tree.
type search struct {
	line  *grid.FilterLine
	words []string // what is looked for: none, or one
	// matches are the numbers of the nodes that were found, in their order.
	matches []int
}

// Search opens the search line.
func (m *Model) Search() tea.Cmd { return m.search.line.Edit() }

// seek searches for a word, and goes to the first match after the cursor or, if there is
// none, to the first.
func (m *Model) seek(word string) tea.Cmd {
	s := &m.search
	s.words, s.matches = nil, nil
	if word == "" {
		return nil
	}
	if s.words = []string{word}; m.root().kind == notJSON {
		return nil
	}
	if s.matches = m.found(word); len(s.matches) > 0 {
		m.toFound(m.at(), 0)
	}
	return nil
}

// toFound goes to the first match from a node on, or one that is some matches after it, and
// round at either end.
func (m *Model) toFound(number, behind int) {
	matches := m.search.matches
	i, _ := slices.BinarySearch(matches, number)
	m.show(matches[(i+behind+len(matches))%len(matches)])
}

// searchActions are the search line's own keys and those that go from one match
// to another.
func (m *Model) searchActions() []screen.Action {
	none, first := "", screen.NoAction
	switch s := m.search; {
	case s.words == nil:
		none, first = "no search yet", screen.SearchOpen
	case len(s.matches) == 0:
		none = "there is no match"
	}
	return append(m.search.line.Actions(),
		screen.Action{ID: screen.TreeNext, Reason: none, First: first, Quiet: none != "", Run: screen.Do(func() { m.toFound(m.at()+1, 0) })},
		screen.Action{ID: screen.TreePrevious, Reason: none, First: first, Run: screen.Do(func() { m.toFound(m.at(), -1) })},
	)
}

// tally says how much was found and which match the cursor is on.
func (m *Model) tally() string {
	s := m.search
	count := human.Number(len(s.matches))
	switch {
	case s.words == nil:
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

// Actions lists searching, the movements, the folding and, where the tree can,
// copying. What the search line needs comes first: it takes esc while there
// is a search.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.Typing():
		return m.search.line.Actions()
	case m.root().kind == notJSON:
		return m.copyActions()
	}
	list := m.searchActions()
	return append(append(list, m.copyActions()...), m.moves()...)
}

func (m *Model) moves() []screen.Action {
	return slices.Concat(m.cursor.Rows(), []screen.Action{
		{ID: screen.TreeToggle, Run: screen.Do(m.toggle)},
		{ID: screen.TreeRight, Run: screen.Do(m.unfoldOrEnter)},
		{ID: screen.TreeLeft, Run: screen.Do(m.foldOrLeave)},
	}, m.cursor.Pages(), m.cursor.Ends(), []screen.Action{
		{ID: screen.TreeFoldAll, Run: screen.Do(func() {
			for i := range m.nodes {
				m.nodes[i].open = i == 0
			}
			m.list()
		})},
		{ID: screen.TreeUnfoldAll, Run: screen.Do(func() { m.unfold(maxUnfolded) })},
	})
}

// maxCopied is how many bytes of the document are looked at to copy them: far
// more than a clipboard takes.
const maxCopied = 1 << 20

// copyActions copy what is under the cursor, where it stands, or everything.
func (m *Model) copyActions() []screen.Action {
	n := m.selected()
	value := screen.Action{ID: screen.TreeCopy, Reason: TooLong(len(n.raw)), Run: m.CopyValue}
	path := screen.Action{ID: screen.TreeCopyPath, Reason: screen.If(n.parent < 0, "select a field first"), Run: func() tea.Cmd {
		return m.Copy(m.path(n), "the path "+m.path(n))
	}}
	whole := screen.Action{ID: screen.TreeCopyAll, Description: "copy " + m.Name, Reason: TooLong(len(m.root().raw)), Run: m.CopyWhole}
	if n.parent >= 0 && m.hidden(n) {
		value.Reason, value.First = "it is masked", m.RevealAction
	}
	return []screen.Action{value, path, whole}
}

// TooLong says why a text of this length cannot be copied, "" if it can.
func TooLong(size int) string {
	if size <= maxCopied {
		return ""
	}
	return human.Bytes(int64(size)) + " is too long for the clipboard"
}

// CopyValue copies the value under the cursor.
func (m *Model) CopyValue() tea.Cmd {
	return m.copy(m.at(), cmp.Or(m.path(m.selected()), m.Name))
}

// CopyWhole copies the whole document.
func (m *Model) CopyWhole() tea.Cmd { return m.copy(0, m.Name) }

func (m *Model) copy(number int, what string) tea.Cmd {
	if m.nodes[number].container() {
		return m.CopyDocument(m.value(number), what)
	}
	return m.Copy(m.value(number), what)
}

func (m *Model) toggle() { m.setOpen(!m.selected().open) }

// foldOrLeave folds the node under the cursor or, where there is nothing to
// fold, goes to its parent.
func (m *Model) foldOrLeave() {
	n := m.selected()
	switch {
	case m.foldable(n) && n.open:
		m.setOpen(false)
	case n.parent >= 0:
		m.moveTo(n.parent)
	}
}

// unfoldOrEnter unfolds the node under the cursor or, where it is unfolded
// already, goes to its first child.
func (m *Model) unfoldOrEnter() {
	n := m.selected()
	switch {
	case !m.foldable(n):
	case n.open:
		m.cursor.Move(1)
	default:
		m.setOpen(true)
	}
}

// setOpen folds or unfolds the node under the cursor.
func (m *Model) setOpen(open bool) {
	if n := m.selected(); m.foldable(n) {
		n.open = open
		m.list()
	}
}

// foldable reports whether a node has children that may be seen.
func (m *Model) foldable(n *node) bool {
	return n.size > 0 && !m.hidden(n)
}

// unfold unfolds level by level what leaves no more nodes listed than limit.
func (m *Model) unfold(limit int) {
	m.root().open = true
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		n := &m.nodes[queue[0]]
		if !n.container() || m.hidden(n) || n.size > limit {
			continue
		}
		limit -= n.size
		n.open = true
		for child := queue[0] + 1; child < n.end; child = m.nodes[child].end {
			queue = append(queue, child)
		}
	}
	m.list()
}

// click puts the cursor on a row as it was drawn, and folds or unfolds it where the fold mark was hit.
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

// Wheel moves the visible part by lines, down for more than zero. The cursor
// stays on its line while that can be seen.
func (m *Model) Wheel(lines int) { m.cursor.Scroll(lines) }

// value is what a person copies of a node: a string decoded, all else as sent. What is masked
// is not in it: each such value is replaced by "•••". It is not safe on a terminal.
func (m *Model) value(number int) string {
	switch n := &m.nodes[number]; {
	case m.hidden(n):
		return secret.Mask
	case n.container():
		return m.withoutSecrets(number)
	default:
		return n.text()
	}
}

// withoutSecrets returns what was sent of a container, with what is hidden in
// it replaced.
func (m *Model) withoutSecrets(number int) string {
	var text strings.Builder
	n := &m.nodes[number]
	kept := n.at
	for i := number + 1; i < n.end; i++ {
		if inside := &m.nodes[i]; m.hidden(inside) {
			text.WriteString(n.raw[kept-n.at : inside.at-n.at])
			text.WriteString(secret.QuotedMask)
			kept = inside.at + len(inside.raw)
			i = inside.end - 1
		}
	}
	text.WriteString(n.raw[kept-n.at:])
	return text.String()
}
