package grid

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Actions lists the movements.
func (m *Model) Actions() []screen.Action {
	do := func(move func()) func() tea.Cmd {
		return func() tea.Cmd {
			move()
			return nil
		}
	}
	rows := func(n int) func() tea.Cmd { return do(func() { m.Move(n) }) }
	columns := func(n int) func() tea.Cmd { return do(func() { m.setPlace(m.place(m.column) + n) }) }
	list := []screen.Action{
		{ID: "grid.down", Run: rows(1)},
		{ID: "grid.up", Run: rows(-1)},
		{ID: "grid.pagedown", Run: do(func() { m.turnPage(1) })},
		{ID: "grid.pageup", Run: do(func() { m.turnPage(-1) })},
		{ID: "grid.first", Run: do(func() { m.moveTo(0) })},
		{ID: "grid.last", Run: do(func() { m.moveTo(m.Len() - 1) })},
	}
	if m.RowsOnly {
		return list
	}
	return append(append(list,
		screen.Action{ID: "grid.right", Run: columns(1)},
		screen.Action{ID: "grid.left", Run: columns(-1)},
	), m.layoutActions()...)
}

// layoutActions change the current column.
func (m *Model) layoutActions() []screen.Action {
	wider := screen.Action{ID: "grid.wider"}
	narrower := screen.Action{ID: "grid.narrower"}
	hide := screen.Action{ID: "grid.hide", Run: m.hide}
	if len(m.order) == 0 {
		const none = "there is no column here"
		wider.Reason, narrower.Reason, hide.Reason = none, none, none
		return []screen.Action{wider, narrower, hide}
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
	return []screen.Action{wider, narrower, hide}
}

// turnPage moves the cursor and the visible part by pages.
func (m *Model) turnPage(pages int) {
	m.cursor.Page(pages)
	m.version++
}
