package tree

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/action"
)

// Actions lists the movements and the folding.
func (m *Model) Actions() []action.Action {
	do := func(move func()) func() tea.Cmd {
		return func() tea.Cmd {
			move()
			return nil
		}
	}
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

func (m *Model) toggle() { m.setOpen(!m.selected().open) }

// turnPage moves the cursor and the visible part by pages.
func (m *Model) turnPage(pages int) {
	rows := pages * max(1, m.page)
	m.top += rows
	m.moveTo(m.cursor + rows)
}
