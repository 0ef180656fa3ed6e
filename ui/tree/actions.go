package tree

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/secret"
	"gatehouse/ui/screen"
)

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
	rows := m.cursor.Moves()
	return slices.Concat(rows[:2], []screen.Action{
		{ID: "tree.toggle", Run: screen.Do(m.toggle)},
		{ID: "tree.right", Run: screen.Do(m.unfoldOrEnter)},
		{ID: "tree.left", Run: screen.Do(m.foldOrLeave)},
	}, rows[2:], []screen.Action{
		{ID: "tree.foldall", Run: screen.Do(m.foldAll)},
		{ID: "tree.unfoldall", Run: screen.Do(func() { m.unfold(maxUnfolded) })},
	})
}

// maxCopied is how many bytes of the document are looked at to copy them: far
// more than a clipboard takes.
const maxCopied = 1 << 20

// copyActions copy what is under the cursor, where it stands, or everything.
func (m *Model) copyActions() []screen.Action {
	n := m.selected()
	value := screen.Action{ID: "tree.copy", Reason: TooLong(len(n.raw)), Run: m.CopyValue}
	path := screen.Action{ID: "tree.copypath", Reason: screen.If(n.parent < 0, "select a field first"), Run: func() tea.Cmd {
		return m.Copy(m.path(n), "the path "+m.path(n))
	}}
	whole := screen.Action{ID: "tree.copyall", Description: "copy " + m.Name, Reason: TooLong(len(m.root().raw)), Run: m.CopyWhole}
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

// foldAll folds everything below the root.
func (m *Model) foldAll() {
	for i := range m.nodes {
		m.nodes[i].open = i == 0
	}
	m.list()
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

// Click puts the cursor on a line, and folds or unfolds it where the fold mark was
// hit; the search line above takes the focus. It reports whether there was a line of
// the document.
func (m *Model) Click(x, y int) bool {
	if y >= 0 && y < len(m.above) {
		m.search.line.Click()
		return false
	}
	position, ok := m.cursor.Hit(y - len(m.above))
	if m.root().kind == notJSON || !ok {
		return false
	}
	mark := m.indent(&m.nodes[m.rows[position]])
	m.cursor.MoveTo(position)
	if x >= mark && x < mark+len(blankMark) {
		m.toggle()
	}
	return true
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
