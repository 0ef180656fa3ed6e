package grid

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/action"
)

// Actions lists the movements.
func (m *Model) Actions() []action.Action {
	do := func(move func()) func() tea.Cmd {
		return func() tea.Cmd {
			move()
			return nil
		}
	}
	rows := func(n int) func() tea.Cmd { return do(func() { m.setCursor(m.cursor + n) }) }
	columns := func(n int) func() tea.Cmd { return do(func() { m.setPlace(m.place(m.column) + n) }) }
	list := []action.Action{
		{ID: "grid.down", Keys: []string{"down", "j"}, Title: "move", Description: "go to the next row", Run: rows(1)},
		{ID: "grid.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the row before", Quiet: true, Run: rows(-1)},
		{ID: "grid.pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down", Description: "go one page down", Quiet: true, Run: do(func() { m.turnPage(1) })},
		{ID: "grid.pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up", Description: "go one page up", Quiet: true, Run: do(func() { m.turnPage(-1) })},
		{ID: "grid.first", Keys: []string{"home", "g"}, Title: "first", Description: "go to the first row", Quiet: true, Run: do(func() { m.setCursor(0) })},
		{ID: "grid.last", Keys: []string{"end", "G"}, Title: "last", Description: "go to the last row", Quiet: true, Run: do(func() { m.setCursor(m.Len() - 1) })},
	}
	if m.RowsOnly {
		return list
	}
	return append(append(list,
		action.Action{ID: "grid.right", Keys: []string{"right", "l"}, Title: "column", Description: "go to the next column", Run: columns(1)},
		action.Action{ID: "grid.left", Keys: []string{"left", "h"}, Title: "column before", Description: "go to the column before", Quiet: true, Run: columns(-1)},
	), m.layoutActions()...)
}

// layoutActions change the current column.
func (m *Model) layoutActions() []action.Action {
	wider := action.Action{ID: "grid.wider", Keys: []string{">"}, Title: "wider", Description: "make the column wider", Quiet: true}
	narrower := action.Action{ID: "grid.narrower", Keys: []string{"<"}, Title: "narrower", Description: "make the column narrower", Quiet: true}
	hide := action.Action{ID: "grid.hide", Keys: []string{"H"}, Title: "hide", Description: "hide the column", Quiet: true, Run: m.hide}
	if len(m.order) == 0 {
		const none = "there is no column here"
		wider.Reason, narrower.Reason, hide.Reason = none, none, none
		return []action.Action{wider, narrower, hide}
	}
	drawn := m.drawnWidth()
	wanted := max(drawn, m.Width(m.column)) // more than drawn where the screen ends
	wider.Run = func() tea.Cmd { return m.resize(wanted + WidthStep) }
	narrower.Run = func() tea.Cmd { return m.resize(drawn - WidthStep) }
	if wanted >= MaxWidth {
		wider.Reason = "the column is as wide as it can be"
	}
	if drawn <= MinWidth {
		narrower.Reason = "the column is as narrow as it can be"
	}
	if len(m.order) == 1 {
		hide.Reason = "it is the last column that is shown"
	}
	return []action.Action{wider, narrower, hide}
}

// turnPage moves the cursor and the visible part by pages.
func (m *Model) turnPage(pages int) {
	rows := pages * max(1, m.page)
	m.top += rows
	m.setCursor(m.cursor + rows)
}
