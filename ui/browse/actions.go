package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/ui/action"
	"gatehouse/ui/screen"
)

func (m *Model) openAction() action.Action {
	a := action.Action{ID: "browse.open", Keys: []string{"enter"}, Title: "detail", Description: "show the whole record", Run: m.open}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to open"
	}
	return a
}

func (m *Model) sortAction() action.Action {
	a := action.Action{ID: "browse.sort", Keys: []string{"s"}, Title: "sort", Description: "sort by the marked column: up, down, as it came", Run: m.sort}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here to sort by"
	}
	return a
}

func (m *Model) reloadAction() action.Action {
	a := action.Action{ID: "browse.reload", Keys: []string{"r"}, Title: "reload", Description: "ask the service again", Run: func() tea.Cmd { return m.Load(m.fetch) }}
	if m.job != nil {
		a.Reason = "it is being loaded already"
	}
	return a
}

func (m *Model) cancelAction() action.Action {
	return action.Action{ID: "browse.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop loading", Run: m.cancelLoading}
}

func (m *Model) copyAction() action.Action {
	a := action.Action{ID: "browse.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the record as JSON", Quiet: true, Run: m.copyRecord}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to copy"
	}
	return a
}

func (m *Model) signInAction() action.Action {
	return action.Action{ID: "browse.signin", Keys: []string{"S"}, Title: "sign in again", Description: "sign in again and come back here", Run: func() tea.Cmd { return m.signInAgain("") }}
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
