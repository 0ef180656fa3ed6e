package columns

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Actions lists what can be done with the picker as it is now.
func (m *Model) Actions() []screen.Action {
	if m.filter.Typing() {
		return m.filter.Actions()
	}
	list := append([]screen.Action{m.toggleAction()}, m.filter.Actions()...)
	list = append(list,
		screen.Action{ID: "columns.close", Run: m.close},
		m.moveAction("columns.down", 1, "it is the last of the list"),
		m.moveAction("columns.up", -1, "it is the first of the list"),
		m.widthAction("columns.wider", grid.WidthStep, "the column is as wide as it can be"),
		m.widthAction("columns.narrower", -grid.WidthStep, "the column is as narrow as it can be"),
		m.allAction(),
		m.undoAction(),
		screen.Action{ID: "columns.default", Run: m.do(func() { m.load(Default(m.columns)) })},
	)
	return append(list, m.grid.Actions()...)
}

// do makes a run of a change.
func (m *Model) do(change func()) func() tea.Cmd {
	return func() tea.Cmd {
		change()
		m.refresh()
		return nil
	}
}

func (m *Model) close() tea.Cmd { return m.onClose(m.Result()) }

const nothingFound = "no column is found"

func (m *Model) toggleAction() screen.Action {
	a := screen.Action{ID: "columns.toggle", Run: m.do(m.toggle)}
	switch column, ok := m.current(); {
	case !ok:
		a.Reason = nothingFound
	case m.shown[column]:
		a.Title = "hide"
		if m.countShown() == 1 {
			a.Reason = "one column stays in sight"
		}
	}
	return a
}

// toggle hides or shows the current column, but leaves one in sight.
func (m *Model) toggle() {
	if column, ok := m.current(); ok && (!m.shown[column] || m.countShown() > 1) {
		m.shown[column] = !m.shown[column]
	}
}

func (m *Model) moveAction(id string, by int, end string) screen.Action {
	a := screen.Action{ID: id, Run: m.do(func() { m.move(by) })}
	if column, ok := m.current(); !ok {
		a.Reason = nothingFound
	} else if _, ok := m.neighbour(column, by); !ok {
		a.Reason = end
	}
	return a
}

// neighbour is the column that stands before or after another one in the list.
func (m *Model) neighbour(column, by int) (int, bool) {
	found := m.found()
	at := slices.Index(found, int32(column)) + by
	if at < 0 || at >= len(found) {
		return 0, false
	}
	return int(found[at]), true
}

// move moves the current column past its neighbour. Between the two are none
// but those that the filter hides.
func (m *Model) move(by int) {
	column, ok := m.current()
	if !ok {
		return
	}
	if other, ok := m.neighbour(column, by); ok {
		to := slices.Index(m.order, int32(other))
		from := slices.Index(m.order, int32(column))
		m.order = slices.Insert(slices.Delete(m.order, from, from+1), to, int32(column))
	}
}

func (m *Model) widthAction(id string, cells int, end string) screen.Action {
	a := screen.Action{ID: id}
	column, ok := m.current()
	if !ok {
		a.Reason = nothingFound
		return a
	}
	before := m.widths[column]
	if before == 0 {
		before = m.columns[column].Width
	}
	after := min(max(before+cells, grid.MinWidth), grid.MaxWidth)
	if after == before {
		a.Reason = end
	}
	a.Run = m.do(func() { m.widths[column] = after })
	return a
}

func (m *Model) allAction() screen.Action {
	a := screen.Action{ID: "columns.all", Run: m.do(func() {
		for column := range m.shown {
			m.shown[column] = true
		}
	})}
	if m.countShown() == len(m.columns) {
		a.Reason = "all columns are shown"
	}
	return a
}

func (m *Model) undoAction() screen.Action {
	a := screen.Action{ID: "columns.undo", Run: m.do(func() { m.load(m.before) })}
	if m.Result().Equal(m.before) {
		a.Reason = "nothing was changed"
	}
	return a
}
