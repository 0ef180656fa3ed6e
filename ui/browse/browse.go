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

// Typing reports that a line in which words are typed has the focus.
func (l *List) Typing() bool { return l.filter.Typing() }

// Update takes typing into the filter.
func (l *List) Update(msg tea.Msg) tea.Cmd { return l.filter.Update(msg) }

// Actions lists what can be done with the list as it is now.
func (l *List) Actions() []screen.Action {
	cancel := screen.Action{ID: screen.BrowseCancel, Run: l.cancelLoading}
	reload := screen.Action{ID: screen.BrowseReload, Reason: screen.If(l.isLoading(), "it is under way already"), Run: l.Load}
	var mends []screen.Action // the problem
	if p := l.problem; p != nil && p.Kind == problem.SignIn {
		mends = []screen.Action{{ID: screen.RootSignIn, Run: func() tea.Cmd { return l.signInAgain("") }}}
	} else if p != nil && l.source != nil { // a stale list
		mends = []screen.Action{reload}
	}
	switch {
	case l.filter.Typing():
		unknown := l.source == nil || len(l.source.columns) == 0
		return append(l.filter.Actions(), screen.Action{ID: screen.BrowseComplete, Reason: screen.If(unknown, "no columns are known yet"), Run: l.complete})
	case l.source != nil:
		return l.tableActions(cancel, reload, mends)
	case l.isLoading():
		return []screen.Action{cancel}
	case l.fetch == nil:
		return nil
	}
	list := append([]screen.Action{reload}, mends...)
	if l.problem != nil {
		list = append(list, screen.Action{
			ID: screen.BrowseWhy, Run: func() tea.Cmd { return l.env.Root.Check("") },
		})
	}
	return list
}

// manyActions is room for the actions of a list and those that tab and root add: they are
// listed after each update.
const manyActions = 64

func (l *List) tableActions(cancel, reload screen.Action, mends []screen.Action) []screen.Action {
	list := make([]screen.Action, 0, manyActions)
	rows, none, growing := screen.If(l.grid.Len() == 0, "there are no rows here"), screen.If(len(l.source.columns) == 0, "there is no column here"), ""
	if l.source.growing {
		growing = l.stillComing()
	}
	var record []byte
	row, ok := l.grid.Selected()
	if ok {
		record = l.source.table.Record(row)
	}
	list = append(append(list, mends...), screen.Action{ID: screen.BrowseOpen, Reason: rows, Run: l.openRecord})
	if current := l.loader.current; current != nil && !current.cancelled {
		list = append(list, cancel)
	}
	list = append(list, l.grid.Unmarking()...) // before esc clears the filter
	filter := l.filter.Actions()
	if l.link.followed && l.link.filter == l.filter.Text() { // which stays: esc leads back to the record
		filter = slices.DeleteFunc(filter, func(a screen.Action) bool { return a.ID == screen.FilterClear })
	}
	list = append(list, filter...)
	marked := l.grid.Marks().Len()
	ofMarked := screen.If(marked > 0, l.options.countMarked(marked))
	export := screen.Action{
		ID: screen.BrowseExport, Reason: cmp.Or(growing, rows), Run: l.onceArranged(l.export),
		Description: screen.If(marked > 0, "save the "+ofMarked+" to a file"),
	}
	if l.env.Remote {
		export.Title, export.Run = "copy rows", l.onceArranged(func() tea.Cmd { return l.copyAs(lists.AsCSV) })
		export.Description = "copy " + cmp.Or(ofMarked, "what is shown") + " as CSV; a file would be saved on the server"
	}
	duplicate := screen.Action{
		ID: screen.BrowseCopy, Reason: cmp.Or(rows, tree.TooLong(len(record))),
		Run: func() tea.Cmd {
			return l.env.Root.CopyDocument(string(record), l.source.name(row, l.options.One)+" as JSON")
		},
	}
	if marked > 0 {
		duplicate = screen.Action{
			ID: screen.BrowseCopy, Description: "copy the " + ofMarked + " as JSON", SaysTitle: true,
			Run: func() tea.Cmd { return l.copyAs(lists.AsJSON) },
		}
	}
	save := screen.Action{ID: screen.BrowseSaveFilter, Run: l.askForName}
	if l.filter.Text() == "" {
		save.Reason, save.First = "there is no filter to save", screen.FilterOpen
	}
	markings := l.grid.Markings()
	list = append(list, []screen.Action{
		{ID: screen.BrowseCompare, Reason: l.notTwo(), Run: l.compareMarked},
		{ID: screen.BrowseSort, Title: l.about("sort", l.grid.Column()), Reason: rows, Run: l.sortBy(order.by)},
		{ID: screen.BrowseSortFurther, Reason: rows, Run: l.sortBy(order.with)},
		export, markings[0],
		l.valuesAction(cmp.Or(rows, none, growing)),
		l.grid.NextColumn(),
		{ID: screen.BrowseColumns, Reason: none, Run: func() tea.Cmd { return l.Over(newColumnPicker(l)) }},
		reload, duplicate, save,
	}...)
	list = append(append(list, l.previewActions()...), markings[1:]...)
	return append(list, l.grid.Actions()...)
}

// about is a verb with the column that it is about, as there is room for in the footer.
func (l *List) about(verb string, column int) string {
	const maxHeading = 16 // cells
	if column < 0 || column >= len(l.source.columns) {
		return verb
	}
	return verb + " " + safetext.Clip(l.source.columns[column].Heading, maxHeading)
}

// valuesAction opens the values of the current column or, where there is nothing to count, of the next
// one where there is.
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

// onceArranged delays an action until filtering and sorting have finished.
func (l *List) onceArranged(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !l.working() {
			return run()
		}
		return l.env.Root.Say("The "+l.options.Many+" are still being filtered and sorted; "+l.env.Keys.Verb()+" the key again in a moment.", false)
	}
}

// clicked takes a click on a cell: the head of a column sorts by it, a row that was selected before is
// opened.
func (l *List) clicked(hit grid.Hit) tea.Cmd {
	switch {
	case hit.Target == grid.Header && hit.Column >= 0:
		return l.sortBy(order.by)()
	case hit.Target == grid.Row && hit.Again:
		return l.openRecord()
	}
	return nil
}

// wheel scrolls the list by lines, down counting up.
func (l *List) wheel(lines int) {
	if l.source != nil {
		l.grid.Wheel(lines)
	}
}
