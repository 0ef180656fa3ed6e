package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/ui/action"
	"gatehouse/ui/screen"
)

func (m *Model) openAction() action.Action {
	a := action.Action{ID: "browse.open", Run: m.openRecord}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to open"
	}
	return a
}

func (m *Model) sortAction() action.Action {
	a := action.Action{ID: "browse.sort", Run: m.sort}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here to sort by"
	}
	return a
}

func (m *Model) reloadAction() action.Action {
	a := action.Action{ID: "browse.reload", Run: func() tea.Cmd { return m.Load(m.fetch) }}
	if m.job != nil {
		a.Reason = "it is being loaded already"
	}
	return a
}

func (m *Model) cancelAction() action.Action {
	return action.Action{ID: "browse.cancel", Run: m.cancelLoading}
}

func (m *Model) copyAction() action.Action {
	a := action.Action{ID: "browse.copy", Run: m.copyRecord}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to copy"
	}
	return a
}

func (m *Model) signInAction() action.Action {
	return action.Action{ID: "browse.signin", Run: func() tea.Cmd { return m.signInAgain("") }}
}

// failedActions lead on from a list that could not be loaded.
func (m *Model) failedActions() []action.Action {
	if m.fetch == nil {
		return nil
	}
	list := []action.Action{m.reloadAction()}
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	return list
}

func (m *Model) copyRecord() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	return m.env.Tell(screen.Copy{Text: string(m.source.table.Record(row)), What: m.source.name(row, m.names.One) + " as JSON"})
}

// openRecord shows a record whole and tells the root of it.
func (m *Model) openRecord() tea.Cmd {
	shown := m.source
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	again := func() tea.Cmd {
		if m.source != shown {
			return nil // the list was read anew: the record may be another, or gone
		}
		return m.show(row)
	}
	read := m.show(row)
	return tea.Batch(read, m.env.Tell(screen.Visited{Title: m.detail.title, Open: again}))
}

// Trail names the record that is open, if one is.
func (m *Model) Trail() []string {
	if m.detail == nil {
		return nil
	}
	return []string{m.detail.title}
}
