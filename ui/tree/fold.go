package tree

import "slices"

func (m *Model) toggle() { m.setOpen(!m.selected().open) }

// foldOrLeave folds the node under the cursor or, where there is nothing to
// fold, goes to its parent.
func (m *Model) foldOrLeave() {
	n := m.selected()
	switch {
	case m.foldable(n) && n.open:
		m.setOpen(false)
	case n.parent != nil:
		m.cursor.MoveTo(slices.Index(m.rows, n.parent))
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
	return n.container() && !m.hidden(n) && n.size() > 0
}

// foldAll folds everything below the root.
func (m *Model) foldAll() {
	fold(&m.root)
	m.root.open = true
	m.list()
}

func fold(n *node) {
	n.open = false
	for i := range n.children {
		fold(&n.children[i])
	}
}

// unfold unfolds level by level what leaves no more nodes listed than limit.
func (m *Model) unfold(limit int) {
	scan := maxScan
	for queue := []*node{&m.root}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if !n.container() || m.hidden(n) || m.cost(n) > scan || n.size() > limit {
			continue
		}
		scan -= m.cost(n)
		limit -= n.size()
		n.open = true
		children := n.decode()
		for i := range children {
			queue = append(queue, &children[i])
		}
	}
	m.list()
}

// cost is how many bytes unfolding a node reads, and writes to ask whether what
// is below it is masked.
func (m *Model) cost(n *node) int {
	const step = 8 // bytes of a path, about
	if m.Masked == nil || m.revealed {
		return n.cost()
	}
	return n.cost() + n.size()*n.depth*step
}
