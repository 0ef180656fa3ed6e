package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/ui/screen"
)

// Actions lists what can be done with the list as it is now.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.panel != nil:
		return m.panel.Actions()
	case m.filter.Typing():
		return m.filterActions()
	case m.source != nil:
		return m.tableActions()
	case m.job != nil:
		return []screen.Action{m.cancelAction()}
	}
	return m.failedActions()
}

func (m *Model) tableActions() []screen.Action {
	list := []screen.Action{m.openAction()}
	if m.job != nil && !m.job.cancelled {
		list = append(list, m.cancelAction())
	}
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	list = append(list, m.filter.Actions()...)
	list = append(list, m.sortAction(), m.columnsAction(), m.valuesAction(), m.exportAction(), m.reloadAction())
	list = append(list, screen.Action{ID: "browse.copy", Reason: m.notCopied(), Run: m.copyRecord})
	return append(list, m.movements()...)
}

// movements are those of the grid. Another column may have another sum.
func (m *Model) movements() []screen.Action {
	list := m.grid.Actions()
	for i := range list {
		move := list[i].Run
		if move == nil {
			continue
		}
		list[i].Run = func() tea.Cmd { return tea.Batch(move(), m.sumUp()) }
	}
	return list
}

func (m *Model) openAction() screen.Action {
	a := screen.Action{ID: "browse.open", Run: m.openRecord}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to open"
	}
	return a
}

func (m *Model) sortAction() screen.Action {
	a := screen.Action{ID: "browse.sort", Run: m.sort}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here to sort by"
	}
	return a
}

func (m *Model) columnsAction() screen.Action {
	a := screen.Action{ID: "browse.columns", Run: m.pickColumns}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here"
	}
	return a
}

func (m *Model) valuesAction() screen.Action {
	a := screen.Action{ID: "browse.values", Run: m.settled(m.countValues)}
	switch {
	case len(m.source.columns) == 0:
		a.Reason = "there is no column here whose values could be counted"
	case m.source.growing:
		a.Reason = m.stillComing()
	}
	return a
}

func (m *Model) exportAction() screen.Action {
	a := screen.Action{ID: "browse.export", Run: m.settled(m.export)}
	if m.env.Remote {
		a.Title, a.Run = "copy rows", m.settled(m.copyRows)
		a.Description = "copy what is shown as CSV; a file would be written on the machine you are signed in to"
	}
	switch {
	case m.source.growing:
		a.Reason = m.stillComing()
	case m.grid.Len() == 0:
		a.Reason = "there is nothing here to export"
	}
	return a
}

// settled makes a run of what is about the rows that the person has asked for:
// while they are looked for, those of before are shown.
func (m *Model) settled(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !m.working() {
			return run()
		}
		return m.env.Root.Say("The "+m.names.Many+" are still being filtered and sorted; press the key again in a moment.", false)
	}
}

// stillComing is why something waits for the end of the loading.
func (m *Model) stillComing() string {
	return "the " + m.names.Many + " are still arriving; " + m.env.Keys.Key("browse.cancel") + " keeps those that are here"
}

func (m *Model) reloadAction() screen.Action {
	a := screen.Action{ID: "browse.reload", Run: func() tea.Cmd { return m.Load(m.fetch) }}
	if m.job != nil {
		a.Reason = "it is being loaded already"
	}
	return a
}

func (m *Model) cancelAction() screen.Action {
	return screen.Action{ID: "browse.cancel", Run: m.cancelLoading}
}

func (m *Model) signInAction() screen.Action {
	return screen.Action{ID: "browse.signin", Run: func() tea.Cmd { return m.signInAgain("") }}
}

// failedActions lead on from a list that could not be loaded.
func (m *Model) failedActions() []screen.Action {
	if m.fetch == nil {
		return nil
	}
	list := []screen.Action{m.reloadAction()}
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	return list
}
