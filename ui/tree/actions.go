package tree

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Actions lists the movements, the folding and, where the tree can, searching
// and copying. What the search line needs comes first: it takes esc while there
// is a search.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.opening != nil:
		return nil
	case m.Typing():
		return m.search.line.Actions()
	}
	list := []screen.Action{}
	if m.search != nil {
		list = m.searchActions()
	}
	if m.Copy != nil {
		list = append(list, m.copyActions()...)
	}
	return append(list, m.moves()...)
}

func do(move func()) func() tea.Cmd {
	return func() tea.Cmd {
		move()
		return nil
	}
}

func (m *Model) moves() []screen.Action {
	rows := m.cursor.Moves("tree")
	return slices.Concat(rows[:2], []screen.Action{
		{ID: "tree.toggle", Run: do(m.toggle)},
		{ID: "tree.right", Run: do(m.unfoldOrEnter)},
		{ID: "tree.left", Run: do(m.foldOrLeave)},
	}, rows[2:], []screen.Action{
		{ID: "tree.foldall", Run: do(m.foldAll)},
		{ID: "tree.unfoldall", Run: do(func() { m.unfold(maxUnfolded) })},
	})
}

// maxCopied is how many bytes of the document are looked at to copy them: far
// more than a clipboard takes.
const maxCopied = 1 << 20

// copyActions copy what is under the cursor, where it stands, or everything.
func (m *Model) copyActions() []screen.Action {
	n := m.selected()
	value := screen.Action{ID: "tree.copy", Reason: tooLong(n), Run: m.copyValue}
	path := screen.Action{ID: "tree.copypath", Run: m.copyPath}
	whole := screen.Action{ID: "tree.copyall", Description: "copy " + m.Name, Reason: tooLong(&m.root), Run: m.copyWhole}
	switch {
	case n.kind == group:
		value.Reason = "this line stands for many values"
		path.Reason = value.Reason
	case n.parent == nil:
		path.Reason = "the whole has no path"
	}
	return []screen.Action{value, path, whole}
}

func tooLong(n *node) string {
	if len(n.raw) <= maxCopied {
		return ""
	}
	return screen.Bytes(int64(len(n.raw))) + " is more than a clipboard takes"
}

func (m *Model) copyValue() tea.Cmd {
	path, text := m.Value()
	if path == "" {
		path = m.Name
	}
	return m.Copy(text, path)
}

func (m *Model) copyPath() tea.Cmd {
	path := m.selected().path()
	return m.Copy(path, "the path "+path)
}

func (m *Model) copyWhole() tea.Cmd { return m.Copy(m.value(&m.root), m.Name) }
