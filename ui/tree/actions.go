package tree

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/action"
	"gatehouse/ui/human"
)

// Actions lists the movements, the folding and, where the tree can, searching
// and copying. What the search line needs comes first: it takes esc while there
// is a search.
func (m *Model) Actions() []action.Action {
	switch {
	case m.opening != nil:
		return nil
	case m.Typing():
		return m.search.line.Actions()
	}
	list := []action.Action{}
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

func (m *Model) moves() []action.Action {
	by := func(rows int) func() tea.Cmd { return do(func() { m.moveTo(m.cursor + rows) }) }
	return []action.Action{
		{ID: "tree.down", Keys: []string{"down", "j"}, Title: "move", Description: "go to the next line", Run: by(1)},
		{ID: "tree.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the line before", Quiet: true, Run: by(-1)},
		{ID: "tree.toggle", Keys: []string{"enter", "space"}, Title: "fold", Description: "fold or unfold", Run: do(m.toggle)},
		{ID: "tree.right", Keys: []string{"right", "l"}, Title: "unfold", Description: "unfold, or go to the first value inside", Quiet: true, Run: do(m.unfoldOrEnter)},
		{ID: "tree.left", Keys: []string{"left", "h"}, Title: "fold", Description: "fold, or go to what this is part of", Quiet: true, Run: do(m.foldOrLeave)},
		{ID: "tree.pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down", Description: "go one page down", Quiet: true, Run: do(func() { m.turnPage(1) })},
		{ID: "tree.pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up", Description: "go one page up", Quiet: true, Run: do(func() { m.turnPage(-1) })},
		{ID: "tree.first", Keys: []string{"home", "g"}, Title: "first", Description: "go to the first line", Quiet: true, Run: do(func() { m.moveTo(0) })},
		{ID: "tree.last", Keys: []string{"end", "G"}, Title: "last", Description: "go to the last line", Quiet: true, Run: do(func() { m.moveTo(len(m.list()) - 1) })},
		{ID: "tree.foldall", Keys: []string{"-"}, Title: "fold all", Description: "fold everything", Quiet: true, Run: do(m.foldAll)},
		{ID: "tree.unfoldall", Keys: []string{"+"}, Title: "unfold all", Description: "unfold everything, up to 10,000 lines", Quiet: true, Run: do(func() { m.unfold(maxUnfolded) })},
	}
}

// turnPage moves the cursor and the visible part by pages.
func (m *Model) turnPage(pages int) {
	rows := pages * max(1, m.page)
	m.top += rows
	m.moveTo(m.cursor + rows)
}

// maxCopied is how many bytes of the document are looked at to copy them: far
// more than a clipboard takes.
const maxCopied = 1 << 20

// copyActions copy what is under the cursor, where it stands, or everything.
func (m *Model) copyActions() []action.Action {
	n := m.selected()
	value := action.Action{ID: "tree.copy", Keys: []string{"y"}, Title: "copy value", Description: "copy the value under the cursor", Reason: tooLong(n), Run: m.copyValue}
	path := action.Action{ID: "tree.copypath", Keys: []string{"Y"}, Title: "copy path", Description: "copy the path of the value under the cursor", Quiet: true, Run: m.copyPath}
	whole := action.Action{ID: "tree.copyall", Keys: []string{"ctrl+y"}, Title: "copy all", Description: "copy " + m.Name, Reason: tooLong(&m.root), Quiet: true, Run: m.copyWhole}
	switch {
	case n.kind == group:
		value.Reason = "this line stands for many values"
		path.Reason = value.Reason
	case n.parent == nil:
		path.Reason = "the whole has no path"
	}
	return []action.Action{value, path, whole}
}

func tooLong(n *node) string {
	if len(n.raw) <= maxCopied {
		return ""
	}
	return human.Bytes(int64(len(n.raw))) + " is more than a clipboard takes"
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
