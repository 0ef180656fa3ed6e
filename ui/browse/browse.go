// Package browse shows the records of one body, such as an answer of the gateway: while
// they arrive, in a table that can be filtered, sorted, counted and exported, and one by
// one in full. The shares and the companies are screens made of it; others embed a [List].
package browse

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// Typing reports whether keys are text for the filter.
func (l *List) Typing() bool { return l.filter.Typing() }

// Update implements [screen.Screen]: what is typed goes into the filter.
func (l *List) Update(msg tea.Msg) tea.Cmd { return l.filter.Update(msg) }

// Actions implements [screen.Screen].
func (l *List) Actions() []screen.Action {
	switch {
	case l.filter.Typing():
		return append(l.filter.Actions(), l.completeAction())
	case l.source != nil:
		return l.tableActions()
	case l.isLoading():
		return []screen.Action{l.cancelAction()}
	case l.fetch == nil:
		return nil
	}
	list := append([]screen.Action{l.reloadAction()}, l.remedies()...)
	if l.problem != nil {
		list = append(list, screen.Action{
			ID: screen.BrowseWhy, Run: func() tea.Cmd { return l.env.Root.Check("") },
		})
	}
	return list
}

func (l *List) cancelAction() screen.Action {
	return screen.Action{ID: screen.BrowseCancel, Run: l.cancelLoading}
}

func (l *List) reloadAction() screen.Action {
	return screen.Action{
		ID:     screen.BrowseReload,
		Reason: screen.If(l.isLoading(), "it is under way already"),
		Run:    l.Load,
	}
}

func (l *List) completeAction() screen.Action {
	hasNoColumns := l.source == nil || len(l.source.columns) == 0
	return screen.Action{
		ID:     screen.BrowseComplete,
		Reason: screen.If(hasNoColumns, "no columns are known yet"),
		Run:    l.complete,
	}
}

// remedies are the actions that may solve the problem; none if there is no problem.
func (l *List) remedies() []screen.Action {
	isStale := l.source != nil
	switch p := l.problem; {
	case p == nil:
		return nil
	case p.Kind == problem.SignIn:
		signIn := func() tea.Cmd { return l.signInAgain("") }
		return []screen.Action{{ID: screen.RootSignIn, Run: signIn}}
	case isStale:
		return []screen.Action{l.reloadAction()}
	}
	return nil
}

// manyActions is the capacity of a slice of actions, for those of a list and those that tab and
// root add. They are listed after each update.
const manyActions = 64

// tableActions are the actions of a list that has a table. Their order is that of the footer and,
// for actions with the same key, that of precedence.
func (l *List) tableActions() []screen.Action {
	noRows := screen.If(l.grid.Len() == 0, "there are no rows here")
	noColumns := screen.If(len(l.source.columns) == 0, "there is no column here")
	growing := ""
	if l.source.growing {
		growing = l.stillComing()
	}
	list := make([]screen.Action, 0, manyActions)
	list = append(list, l.remedies()...)
	list = append(list, screen.Action{ID: screen.BrowseOpen, Reason: noRows, Run: l.openRecord})
	if current := l.loader.current; current != nil && !current.cancelled {
		list = append(list, l.cancelAction())
	}
	list = append(list, l.grid.Unmarking()...) // esc takes marks away before it clears the filter
	list = append(list, l.filterActions()...)
	list = append(list,
		screen.Action{ID: screen.BrowseCompare, Reason: l.whyNotCompare(), Run: l.compareMarked},
		screen.Action{
			ID:     screen.BrowseSort,
			Title:  l.about("sort", l.grid.Column()),
			Reason: noRows,
			Run:    l.sortBy(order.sortedOnlyBy),
		},
		screen.Action{ID: screen.BrowseSortFurther, Reason: noRows, Run: l.sortBy(order.sortedAlsoBy)},
		l.exportAction(cmp.Or(growing, noRows)),
	)
	list = append(list, l.grid.Marking()...)
	list = append(list,
		l.valuesAction(cmp.Or(noRows, noColumns, growing)),
		l.grid.NextColumn(),
		screen.Action{
			ID:     screen.BrowseColumns,
			Reason: noColumns,
			Run:    func() tea.Cmd { return l.Over(newColumnPicker(l)) },
		},
		l.reloadAction(),
		l.copyAction(noRows),
		l.saveFilterAction(),
	)
	list = append(list, l.previewActions()...)
	list = append(list, l.grid.FurtherMarkings()...)
	return append(list, l.grid.Actions()...)
}

// filterActions are the actions of the filter. The filter of a link cannot be cleared: there esc
// leads back to the record that the link is in.
func (l *List) filterActions() []screen.Action {
	actions := l.filter.Actions()
	isOfLink := l.link.followed && l.link.filter == l.filter.Text()
	if !isOfLink {
		return actions
	}
	return slices.DeleteFunc(actions, func(a screen.Action) bool { return a.ID == screen.FilterClear })
}

// markedText names the marked rows, such as "3 marked shares"; "" if there are none.
func (l *List) markedText() string {
	marked := l.grid.Marks().Len()
	if marked == 0 {
		return ""
	}
	return l.options.countMarked(marked)
}

// exportAction saves the marked rows, or all that are shown. For visitors it copies them instead.
func (l *List) exportAction(reason string) screen.Action {
	marked := l.markedText()
	if l.env.Remote {
		return screen.Action{
			ID:     screen.BrowseExport,
			Title:  "copy rows",
			Reason: reason,
			Description: "copy " + cmp.Or(marked, "what is shown") +
				" as CSV; a file would be saved on the server",
			Run: l.onceArranged(func() tea.Cmd { return l.copyAs(lists.AsCSV) }),
		}
	}
	return screen.Action{
		ID:          screen.BrowseExport,
		Reason:      reason,
		Description: screen.If(marked != "", "save the "+marked+" to a file"),
		Run:         l.onceArranged(l.export),
	}
}

// copyAction copies the marked records, or the selected one, as JSON.
func (l *List) copyAction(noRows string) screen.Action {
	if marked := l.markedText(); marked != "" {
		return screen.Action{
			ID:          screen.BrowseCopy,
			Description: "copy the " + marked + " as JSON",
			SaysTitle:   true,
			Run:         func() tea.Cmd { return l.copyAs(lists.AsJSON) },
		}
	}
	var record []byte
	row, ok := l.grid.Selected()
	if ok {
		record = l.source.table.Record(row)
	}
	return screen.Action{
		ID:     screen.BrowseCopy,
		Reason: cmp.Or(noRows, tree.TooLong(len(record))),
		Run: func() tea.Cmd {
			return l.env.Root.CopyDocument(string(record), l.source.name(row, l.options.One)+" as JSON")
		},
	}
}

func (l *List) saveFilterAction() screen.Action {
	if l.filter.Text() == "" {
		return screen.Action{
			ID:     screen.BrowseSaveFilter,
			Reason: "there is no filter to save",
			First:  screen.FilterOpen,
			Run:    l.askForName,
		}
	}
	return screen.Action{ID: screen.BrowseSaveFilter, Run: l.askForName}
}

// about is a verb and the heading of a column, clipped for the footer: "sort Name".
func (l *List) about(verb string, column int) string {
	const maxHeading = 16 // cells
	if column < 0 || column >= len(l.source.columns) {
		return verb
	}
	return verb + " " + safetext.Clip(l.source.columns[column].Heading, maxHeading)
}

// valuesAction counts the values of the current column or, if it has nothing to count, of the
// next one that has.
func (l *List) valuesAction(reason string) screen.Action {
	column := l.grid.Column()
	if reason == "" {
		column = l.source.nextCountable(column, l.grid.Shown())
	}
	return screen.Action{
		ID: screen.BrowseValues, Title: l.about("count", column), Reason: reason,
		Run: l.onceArranged(func() tea.Cmd { return l.Over(l.newValues(column)) }),
	}
}

// onceArranged is an action that needs the final rows. While they are being filtered and sorted,
// it says so instead.
func (l *List) onceArranged(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !l.working() {
			return run()
		}
		return l.env.Root.Say("The "+l.options.Many+" are still being filtered and sorted; "+
			l.env.Keys.Verb()+" the key again in a moment.", false)
	}
}

// clicked answers a click on the table: on a heading it sorts by that column, on the selected row
// it opens the record.
func (l *List) clicked(hit grid.Hit) tea.Cmd {
	switch {
	case hit.Target == grid.Header && hit.Column >= 0:
		return l.sortBy(order.sortedOnlyBy)()
	case hit.Target == grid.Row && hit.Again:
		return l.openRecord()
	}
	return nil
}

// wheel scrolls the list by a number of lines; a positive number scrolls down.
func (l *List) wheel(lines int) {
	if l.source != nil {
		l.grid.Wheel(lines)
	}
}
