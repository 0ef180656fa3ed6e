package check

import (
	"iter"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/compare"
	"gatehouse/ui/screen"
)

// History keeps the latest reports of a run of the program, to be opened again and compared.
type History = compare.History[*entry]

// ReportsGroup is the heading of the reports in the palette.
const ReportsGroup = "Reports"

// Entries are the reports of a history for the palette, the newest first. Each opens the card of one,
// or the table of a list: over the check that is open, or else over a new one, which show puts on the
// stack.
func Entries(env *screen.Env, o Options, open *Model, show func(*Model) tea.Cmd) []screen.Entry {
	return results(env, o.History).Entries(ReportsGroup, func(e *entry) tea.Cmd {
		if open != nil {
			return open.reopen(e)
		}
		fresh := New(env, o)
		fresh.begun, fresh.opens = true, e
		return show(fresh)
	})
}

// reopen shows a report or a list once more, over what is shown: back leads there.
func (m *Model) reopen(e *entry) tea.Cmd { return m.env.Root.Push(m, m.shown(e, true)) }

// shown is the card of a report, or the table of a list, as it was; reopened says that back leads to
// what it is shown over.
func (m *Model) shown(e *entry, reopened bool) screen.Screen {
	if e.checked != nil {
		return e.checked.table(m, reopened)
	}
	shown := newCard(m, e.asked)
	shown.take(e)
	shown.reopened = reopened
	return shown
}

// reports lists the reports of before under the fields, to open one.
type reports struct {
	cursor screen.Cursor
	// entered is set while the list has the keyboard in place of the form.
	entered bool
}

// maxEarlier is how many reports can be seen under the form.
const maxEarlier = 8

// earlier is the list of reports with its heading; it shows nothing while there are none.
func (m *Model) earlier() screen.Part {
	results := m.options.History.Results()
	if len(results) == 0 {
		return screen.Column{}
	}
	listed := compare.Listed{
		Theme: m.env.Theme, Results: results, Cursor: m.list.cursor, Marked: m.list.entered,
		Click: func(at int) tea.Cmd { return m.openReport(m.options.History.Entries[at]) },
	}
	title := screen.Indent{Part: screen.Heading{Theme: m.env.Theme, Title: "Earlier"}, Left: 1, Right: 1}
	return screen.Column{title, limited{listed, maxEarlier}}
}

// limited is a [screen.Part] that takes so many lines at most.
type limited struct {
	screen.Part
	most int
}

// Draw implements [screen.Part].
func (l limited) Draw(width, height int) screen.Drawing {
	return l.Part.Draw(width, min(height, l.most))
}

// Say implements [screen.Part].
func (l limited) Say() iter.Seq[string] { return l.Part.Say() }

// reportsAction leads to the reports of before: to the list under the form, or for those who hear it
// to a menu.
func (m *Model) reportsAction() screen.Action {
	if m.env.Theme.Options.Spoken {
		open := func(_ screen.Screen, e *entry) tea.Cmd { return m.openReport(e) }
		return m.results().ListAction(screen.CheckReports, m, open)
	}
	none := screen.If(len(m.options.History.Entries) == 0, "there is no report yet")
	return screen.Action{ID: screen.CheckReports, Reason: none, Run: screen.Do(func() {
		m.Leave()
		m.list = reports{entered: true}
		m.list.cursor.SetCount(len(m.options.History.Entries))
	})}
}

// listActions are the keys of the list of reports.
func (m *Model) listActions() []screen.Action {
	shown := m.options.History.Entries[m.list.cursor.Row()]
	toForm := screen.Do(m.leaveList)
	list := []screen.Action{
		{
			ID: screen.CheckOpen, Title: "open", Description: "open the report", SaysTitle: true,
			Run: func() tea.Cmd { return m.openReport(shown) },
		},
		m.results().CompareAction(screen.CheckCompare, m, shown),
	}
	if m.list.cursor.Row() == 0 {
		list = append(list, screen.Action{ID: screen.CheckForm, Run: toForm})
	}
	list = append(list, m.list.cursor.Moves()...)
	return append(list, screen.Action{ID: screen.RootBack, Title: "form", Description: "go back to the fields of the form", Run: toForm})
}

// leaveList gives the keyboard back to the form.
func (m *Model) leaveList() {
	m.list.entered = false
	m.Enter()
}

// openReport shows a report or a list of before: over the form, or in place of the card that the form
// is over.
func (m *Model) openReport(e *entry) tea.Cmd {
	return m.lead(func(desk *Model) screen.Screen { return desk.shown(e, false) })
}
