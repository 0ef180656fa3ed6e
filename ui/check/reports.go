package check

import (
	"iter"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/compare"
	"gatehouse/ui/screen"
)

// History has the latest reports of a run of the program, to be opened again and compared.
type History = compare.History[*entry]

// ReportsGroup is the heading of the reports in the palette.
const ReportsGroup = "Reports"

// Entries are the reports of o.History for the palette, the newest first. Each opens a card, or
// the table of a list, over the screen open. If that is nil, it opens over a new screen, which
// show puts on the stack.
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

// reopen shows a report or a list again, over the current screen. Back leads to that screen.
func (m *Model) reopen(e *entry) tea.Cmd { return m.env.Root.Push(m, m.shown(e, true)) }

// shown makes the card of a report, or the table of a list, as it was. reopened means that it is
// shown over another screen than the form.
func (m *Model) shown(e *entry, reopened bool) screen.Screen {
	if e.checked != nil {
		return e.checked.table(m, reopened)
	}
	shown := newCard(m, e.asked)
	shown.take(e)
	shown.reopened = reopened
	return shown
}

// reports is the list of earlier reports under the form.
type reports struct {
	cursor  screen.Cursor
	entered bool // the list has the keyboard instead of the form
}

// maxEarlier is how many lines the list of earlier reports has.
const maxEarlier = 8

// earlier is the list of earlier reports with its heading. It is empty if there are none.
func (m *Model) earlier() screen.Part {
	results := m.options.History.Results()
	if len(results) == 0 {
		return screen.Column{}
	}
	listed := compare.Listed{
		Theme:   m.env.Theme,
		Results: results,
		Cursor:  m.list.cursor,
		Marked:  m.list.entered,
		Click:   func(at int) tea.Cmd { return m.openReport(m.options.History.Entries[at]) },
	}
	heading := screen.Heading{Theme: m.env.Theme, Title: "Earlier"}
	return screen.Column{
		screen.Indent{Part: heading, Left: 1, Right: 1},
		limited{Part: listed, maxLines: maxEarlier},
	}
}

// limited is a [screen.Part] that has at most maxLines lines.
type limited struct {
	screen.Part
	maxLines int
}

// Draw implements [screen.Part].
func (l limited) Draw(width, height int) screen.Drawing {
	return l.Part.Draw(width, min(height, l.maxLines))
}

// Say implements [screen.Part].
func (l limited) Say() iter.Seq[string] { return l.Part.Say() }

// reportsAction leads to the earlier reports: to the list under the form or, in line mode, to a
// menu.
func (m *Model) reportsAction() screen.Action {
	if m.env.Theme.Options.Spoken {
		return m.results().ListAction(screen.CheckReports, m, m.openReport)
	}
	return screen.Action{
		ID:     screen.CheckReports,
		Reason: screen.If(len(m.options.History.Entries) == 0, "there is no report yet"),
		Run: screen.Do(func() {
			m.Leave()
			m.list = reports{entered: true}
			m.list.cursor.SetCount(len(m.options.History.Entries))
		}),
	}
}

// listActions are the actions while the list of reports has the keyboard.
func (m *Model) listActions() []screen.Action {
	selected := m.options.History.Entries[m.list.cursor.Row()]
	toForm := screen.Do(m.leaveList)
	list := []screen.Action{
		{
			ID:          screen.CheckOpen,
			Title:       "open",
			Description: "open the report",
			SaysTitle:   true,
			Run:         func() tea.Cmd { return m.openReport(selected) },
		},
		m.results().CompareAction(screen.CheckCompare, m, selected),
	}
	if m.list.cursor.Row() == 0 {
		list = append(list, screen.Action{ID: screen.CheckForm, Run: toForm})
	}
	list = append(list, m.list.cursor.Moves()...)
	return append(list, screen.Action{
		ID:          screen.RootBack,
		Title:       "form",
		Description: "go back to the fields of the form",
		Run:         toForm,
	})
}

// leaveList gives the keyboard back to the form.
func (m *Model) leaveList() {
	m.list.entered = false
	m.Enter()
}

// openReport shows an earlier report or list: over the form or, if the form was opened from a
// card, in place of that card.
func (m *Model) openReport(e *entry) tea.Cmd {
	return m.lead(func(desk *Model) screen.Screen { return desk.shown(e, false) })
}
