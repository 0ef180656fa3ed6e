// Package browse shows the records of one body, such as an answer of the gateway: while
// they arrive, in a table that can be filtered, sorted, counted and exported, and one by
// one in full. The shares and the companies are screens made of it; others embed a [List].
package browse

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Typing reports that a line in which words are typed has the focus.
func (l *List) Typing() bool { return l.filter.Typing() }

// Update takes typing into the filter.
func (l *List) Update(msg tea.Msg) tea.Cmd { return l.filter.Update(msg) }

func (l *List) cancelledProblem() *problem.Problem {
	doing := l.options.loading()
	return &problem.Problem{
		Sentence: strings.ToUpper(doing[:1]) + doing[1:] + " the " + l.options.Many + " was cancelled.",
		Hint:     "Press " + l.env.Keys.Key("browse.reload") + " to try again.",
		Kind:     problem.Cancelled,
	}
}

// Actions lists what can be done with the list as it is now.
func (l *List) Actions() []screen.Action {
	switch {
	case l.filter.Typing():
		return l.filterActions()
	case l.source != nil:
		return l.tableActions()
	case l.job != nil:
		return []screen.Action{l.cancelAction()}
	}
	return l.failedActions()
}

// manyActions is room for the actions of a list and those that tab and root add: they are
// listed after each update.
const manyActions = 48

func (l *List) tableActions() []screen.Action {
	list := make([]screen.Action, 0, manyActions)
	add := func(id, reason string, run func() tea.Cmd) {
		list = append(list, screen.Action{ID: id, Reason: reason, Run: run})
	}
	rows, growing := l.noRows(), ""
	if l.source.growing {
		growing = l.stillComing()
	}
	add("browse.open", rows, l.openRecord)
	if l.job != nil && !l.job.cancelled {
		list = append(list, l.cancelAction())
	}
	if l.problem != nil && l.problem.Kind == problem.SignIn {
		list = append(list, l.signInAction())
	}
	list = append(list, l.clearable(l.filter.Actions())...)
	add("browse.sort", rows, l.sort)
	add("browse.sortfurther", rows, l.sortFurther)
	columns := ""
	if len(l.source.columns) == 0 {
		columns = "there is no column here"
	}
	add("browse.columns", columns, l.pickColumns)
	add("browse.values", cmp.Or(rows, growing), l.onceArranged(l.countValues))
	list = append(list, l.exportAction(cmp.Or(growing, rows)), l.reloadAction())
	add("browse.copy", cmp.Or(rows, l.tooLong()), l.copyRecord)
	list = append(append(list, l.saveAction()), l.previewActions()...)
	return append(list, l.grid.Actions()...)
}

// noRows says that there is nothing to work with, "" if there is.
func (l *List) noRows() string {
	if l.grid.Len() == 0 {
		return "there are no rows here"
	}
	return ""
}

func (l *List) exportAction(reason string) screen.Action {
	a := screen.Action{ID: "browse.export", Reason: reason, Run: l.onceArranged(l.export)}
	if l.env.Remote {
		a.Title, a.Run = "copy rows", l.onceArranged(l.copyRows)
		a.Description = "copy what is shown as CSV; a file would be saved on the server"
	}
	return a
}

// onceArranged delays an action until filtering and sorting have finished.
func (l *List) onceArranged(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !l.working() {
			return run()
		}
		return l.env.Root.Say("The "+l.options.Many+" are still being filtered and sorted; press the key again in a moment.", false)
	}
}

// stillComing is why something waits for the end of the loading.
func (l *List) stillComing() string {
	return "the " + l.options.Many + " are still arriving; " + l.env.Keys.Key("browse.cancel") + " keeps those that have arrived"
}

func (l *List) reloadAction() screen.Action {
	a := screen.Action{ID: "browse.reload", Run: func() tea.Cmd { return l.load(l.fetch) }}
	if l.job != nil {
		a.Reason = "it is already loading"
	}
	return a
}

func (l *List) cancelAction() screen.Action {
	return screen.Action{ID: "browse.cancel", Run: l.cancelLoading}
}

func (l *List) signInAction() screen.Action {
	return screen.Action{ID: "root.signin", Run: func() tea.Cmd { return l.signInAgain("") }}
}

// failedActions lead on from a list that could not be loaded.
func (l *List) failedActions() []screen.Action {
	if l.fetch == nil {
		return nil
	}
	list := []screen.Action{l.reloadAction()}
	if l.problem != nil && l.problem.Kind == problem.SignIn {
		list = append(list, l.signInAction())
	}
	return list
}

// Click takes a click on a cell: the head of a column sorts by it, a row is selected,
// and opened where it was selected before, as it is by a click on its preview.
func (l *List) Click(x, y int) tea.Cmd {
	if l.source == nil {
		return nil
	}
	if x >= l.width { // the preview
		return l.openRecord()
	}
	if y < l.above {
		l.filter.Click()
		return nil
	}
	switch hit := l.grid.Click(x, y-l.above); {
	case hit.Target == grid.Header && hit.Column >= 0:
		return l.sort()
	case hit.Target == grid.Row && hit.Again:
		return l.openRecord()
	}
	return nil
}

// Wheel scrolls the list by lines, down counting up.
func (l *List) Wheel(lines int) {
	if l.source != nil {
		l.grid.Wheel(lines)
	}
}
