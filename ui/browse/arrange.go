package browse

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// slowAfter is how long filtering and sorting may take before the list says so.
const slowAfter = 100 * time.Millisecond

// arrangeJob applies an arrangement to a source: it filters and sorts the rows in steps, off the
// UI's goroutine. It knows no list.
type arrangeJob struct {
	*screen.Work
	source *source
	arrangement
	keys    []lists.SortKey // none if the rows stay in the order of the service
	leading *Leading        // which rows come first if there are no keys; nil for none
	asker   lists.Asker     // who filters, and when the job began
	// previous is the last completed job; nil for none. If this job's source continues its source,
	// with the same filter, its rows are not looked at again.
	previous *arrangeJob

	query       *lists.Query
	search      *lists.Search // nil until the first step
	foundBefore []int32       // the rows that the previous job found
	matches     []int32       // what was found so far, in the order of the source; nil for all rows
	// offer is what a filter may mean that finds nothing, or leaves nothing out; nil for nothing.
	offer *lists.Notice
	// slow means that the job takes longer than slowAfter.
	slow bool
	// partial means that the first rows are shown while the job goes on.
	partial bool
}

// newArrangeJob makes a job. Rows that are still arriving are not sorted, as each new one would
// move the others.
func newArrangeJob(
	work *screen.Work, s *source, a arrangement, first *Leading, by lists.Asker,
) *arrangeJob {
	job := &arrangeJob{Work: work, source: s, arrangement: a, asker: by}
	if !s.growing {
		job.keys, job.leading = a.order.keys(s), first
	}
	return job
}

// found is the result of a step.
type found struct {
	rows       []int32 // nil for all rows in the order of the service
	unfinished bool    // another step follows
	err        error
}

// prepare determines which rows to look at: all of them or, if the previous job has looked at the
// same body, only those that have arrived since.
func (a *arrangeJob) prepare() {
	a.query = a.source.table.Query(a.filter, a.asker)
	var candidates []int32 // nil for all
	if a.canContinue(a.previous) {
		a.foundBefore = a.previous.matches
		candidates = rowsFrom(a.previous.source.Len(), a.source.Len())
	}
	a.search = a.source.table.Search(a.query, candidates)
}

// canContinue reports whether what a previous job found is found by this one as well.
func (a *arrangeJob) canContinue(previous *arrangeJob) bool {
	return previous != nil && previous.matches != nil && previous.filter == a.filter &&
		a.source.continues(previous.source)
}

// step filters the next portion of the rows, and sorts what was found so far.
func (a *arrangeJob) step() found {
	if a.search == nil {
		a.prepare()
	}
	more := false
	if !a.query.Empty() {
		var err error
		if more, err = a.search.Next(a.Context); err != nil {
			return found{err: err}
		}
		if a.matches = a.search.Rows(); len(a.foundBefore) > 0 {
			a.matches = slices.Concat(a.foundBefore, a.matches)
		}
	}
	if !more {
		if offer, ok := a.source.table.Offer(a.Context, a.filter, a.asker, len(a.matches)); ok {
			a.offer = &offer
		}
	}
	rows, err := a.sorted(a.matches)
	return found{rows, more, err}
}

// reorders reports whether the job changes the order of the rows.
func (a *arrangeJob) reorders() bool { return len(a.keys) > 0 || a.leading != nil }

// isIdle reports whether the job has nothing to do: all rows are shown in the order of the service.
func (a *arrangeJob) isIdle() bool { return a.filter == "" && !a.reorders() }

// covers reports whether another job need not be started, as this one is under way with the same
// filter, and the list starts the next one when it ends.
func (a *arrangeJob) covers(other *arrangeJob) bool {
	return a.UnderWay() && a.filter == other.filter &&
		other.source.growing && other.source.continues(a.source)
}

// release drops what only the work needed, so that a body that is not shown any more can be freed.
func (a *arrangeJob) release() {
	a.Cancel()
	a.previous, a.search, a.foundBefore = nil, nil, nil
}

// sorted returns rows of a table in the order of the values in the column. Rows with the same
// value keep their order.
func (f *Leading) sorted(table *lists.Table, rows []int32) []int32 {
	column := slices.Index(table.Columns(), f.Column)
	if column < 0 {
		return rows
	}
	byValue := make([][]int32, len(f.Values)+1) // and other values last
	for _, row := range rows {
		place := slices.Index(f.Values, table.Cell(int(row), column).Text())
		if place < 0 {
			place = len(f.Values)
		}
		byValue[place] = append(byValue[place], row)
	}
	return slices.Concat(byValue...)
}

// sorted returns rows, or all if they are nil, in the order that the job asks for.
func (a *arrangeJob) sorted(rows []int32) ([]int32, error) {
	if !a.reorders() {
		return rows, nil
	}
	if rows == nil {
		rows = rowsFrom(0, a.source.Len())
	} else {
		rows = slices.Clone(rows)
	}
	if len(a.keys) == 0 {
		return a.leading.sorted(a.source.table, rows), nil
	}
	keys := make([]lists.SortKey, len(a.keys))
	for i, key := range a.keys {
		keys[i] = lists.SortKey{Column: a.source.tableColumns[key.Column], Descending: key.Descending}
	}
	return rows, a.source.table.SortBy(a.Context, rows, keys...)
}

// arrange filters and sorts the latest source, off the UI's goroutine. The list shows what it did
// until there are rows to show instead. Calling it again cancels the job.
func (l *List) arrange() tea.Cmd {
	if l.latest == nil {
		return nil
	}
	l.arrangement.filter = l.filter.Text()
	work := screen.NewWork(l.env)
	a := newArrangeJob(work, l.latest, l.arrangement, l.options.First, l.env.Asker())
	if l.job.covers(a) {
		a.Cancel()
		return nil
	}
	l.job.Cancel()
	l.sum.Cancel()
	l.sum = sum{}
	l.job, a.previous = a, l.doneJob
	if a.isIdle() {
		a.prepare()
		return l.takeFound(a, found{})
	}
	late := screen.After(a.Context, slowAfter, screen.Addressed{To: l.owner, Take: func() tea.Cmd {
		a.slow = true
		return nil
	}})
	return tea.Batch(l.nextStep(a), late)
}

// nextStep makes the next step of a job.
func (l *List) nextStep(a *arrangeJob) tea.Cmd {
	return screen.Reply(l.owner, a.step, func(f found) tea.Cmd { return l.takeFound(a, f) })
}

// working reports whether the list is being filtered and sorted.
func (l *List) working() bool { return l.job.UnderWay() }

// takeFound shows what a step of a job has found, and makes the next step. When the job has
// ended, it begins what waits for that. The result of a job that was cancelled is dropped.
func (l *List) takeFound(a *arrangeJob, f found) tea.Cmd {
	if a != l.job || f.err != nil {
		return nil
	}
	if f.unfinished {
		if a.source.continues(l.source) { // another answer is shown when it is whole
			a.partial = true
			l.show(a, f.rows)
		}
		return l.nextStep(a)
	}
	a.release()
	l.doneJob, l.arrangeTime = a, l.env.Now().Sub(a.asker.Now)
	l.show(a, f.rows)
	if l.latest != l.source {
		return l.arrange()
	}
	return tea.Batch(l.placeRow(), l.addUpFound(a), l.moveMarks())
}

// sum is the total of some rows in the first column of sizes.
type sum struct {
	*screen.Work
	text string // "1.2 TB"; "" where there is none
}

// addUp adds up the sizes of rows into a sum, off the UI's goroutine. Its next change cancels it.
func (l *List) addUp(into *sum, rows func() []int32) tea.Cmd {
	into.Cancel()
	*into = sum{}
	table := l.source.table
	column, ok := table.SizeColumn()
	if !ok {
		return nil
	}
	work, add := screen.Begin(l.env, l.owner, func(ctx context.Context) lists.Sum {
		total, _ := table.Sum(ctx, rows(), column.Index)
		return total
	}, func(total lists.Sum) tea.Cmd {
		const nothing = "0" // a sum of nothing is not shown in the title
		if size, ok := human.SizeOf(total.Total); ok && total.Total != nothing {
			into.text = size.String()
		}
		return nil
	})
	into.Work = work
	return add
}

// addUpFound adds up the sizes of what a filter has found.
func (l *List) addUpFound(a *arrangeJob) tea.Cmd {
	if a.filter == "" || len(l.rows) == 0 {
		return nil
	}
	rows := l.rows
	return l.addUp(&l.sum, func() []int32 { return rows })
}

// show shows rows that a job has found.
func (l *List) show(a *arrangeJob, rows []int32) {
	shown, before := a.source, l.source
	l.source = shown
	l.preview.follow(shown)
	isSameBody := shown.continues(before)
	isReordered := l.shownJob.reorders() || a.reorders()
	onlyAppends := isSameBody && l.shownJob.filter == a.filter && !isReordered
	l.shownJob, l.rows = a, rows
	switch {
	case l.grid == nil:
		l.grid = grid.New(l.env.Theme, shown)
		l.grid.OnCopy, l.grid.OnClick, l.grid.OnMark = l.copyCell, l.clicked, l.marksChanged
		l.grid.SetRows(rows)
		l.layOut("")
	case onlyAppends:
		l.grid.Grow(shown, rows)
	case isSameBody && shown == before:
		l.grid.SetRows(rows)
	default:
		l.replace(shown, before, rows, isSameBody)
	}
	l.marking.hidden = l.countHidden()
	l.release()
	l.grid.SetColumnMatch(func(column int) []string {
		return a.query.Marks(shown.tableColumns[column])
	})
	l.grid.Sorted(a.keys...)
}

// replace shows another source. A cursor that a person has moved stays on its record if that is
// in the new source, and otherwise at its position. isSameBody means that the source continues
// the one before.
func (l *List) replace(shown, before *source, rows []int32, isSameBody bool) {
	row, selected := l.grid.Selected()
	column := before.key(l.grid.Column())
	l.grid.SetSource(shown, rows)
	if !isSameBody {
		l.recent = nil // these rows have other records now
		l.dropMarks(shown, before)
	}
	keepsCursor := selected && l.grid.Chosen()
	switch {
	case keepsCursor && shown.origin == l.liveOrigin:
		l.grid.Select(row + shown.first - before.first)
	case keepsCursor && isSameBody:
		l.grid.Select(row)
	}
	if !shown.sameColumns(before) {
		l.layOut(column)
	}
}

// sortBy makes the action that changes the order by the current column; next is the next order.
func (l *List) sortBy(next func(o order, column string) order) func() tea.Cmd {
	return func() tea.Cmd {
		l.arrangement.order = next(l.arrangement.order, l.source.key(l.grid.Column()))
		return l.arrange()
	}
}

// columnsKey is the key under which the state keeps the columns of this list.
func (l *List) columnsKey() string { return l.options.Many + ".columns" }

// keptColumns returns the columns that were chosen for this list, in this run or an earlier one.
func (l *List) keptColumns() (columns chosenColumns) {
	l.env.State.Get(l.columnsKey(), &columns)
	return columns
}

// layOut shows the columns that were chosen for this list. The one with the key current becomes
// the current column, or else the first.
func (l *List) layOut(current string) {
	l.arrangement.columns = l.keptColumns()
	order := l.arrangement.columns.indexesIn(l.source)
	l.grid.SetOrder(order)
	column := l.source.index(current)
	if column < 0 && len(order) > 0 {
		column = order[0]
	}
	l.grid.SelectColumn(column)
}
