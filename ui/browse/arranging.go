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

// slow is how long filtering and sorting may take before the list says so.
const slow = 100 * time.Millisecond

// arranging is the work of applying an arrangement to a source: it filters and sorts the rows in
// steps, off the UI's goroutine. It knows no list.
type arranging struct {
	*screen.Work
	source *source
	arrangement
	keys  []lists.SortKey // none: the rows stay as they came
	first *Leading        // without keys: which rows come first; nil: none
	by    lists.Asker     // since when the work goes on
	// before is one whose rows need no second look, as far as this one's go on; nil: none.
	before *arranging

	query  *lists.Query
	search *lists.Search // nil until the first step
	known  []int32       // rows that before found
	rows   []int32       // all that were found, in the order of the source; nil: all of it
	// offer is what may be meant by a filter that finds nothing, or leaves nothing out.
	offer *lists.Notice
	// slow is set when the person has waited for a while, partial when the first
	// rows are shown and more are looked for.
	slow, partial bool
}

// newArranging prepares the first step. Rows that are still arriving are not sorted: each new one would
// move the others.
func newArranging(w *screen.Work, s *source, a arrangement, first *Leading, by lists.Asker) *arranging {
	work := &arranging{Work: w, source: s, arrangement: a, by: by}
	if !s.growing {
		work.keys, work.first = a.order.keys(s), first
	}
	return work
}

// found is the result of a step.
type found struct {
	rows []int32 // nil: all of them, as they came
	more bool    // are being looked for
	err  error
}

// begin chooses the rows to look at: of a body that has grown only the new rows are new.
func (a *arranging) begin() {
	a.query = a.source.table.Query(a.filter, a.by)
	var candidates []int32 // all
	if b := a.before; b != nil && b.rows != nil && b.filter == a.filter && a.source.continues(b.source) {
		a.known = b.rows
		candidates = rowsFrom(b.source.Len(), a.source.Len())
	}
	a.search = a.source.table.Search(a.query, candidates)
}

// step filters the next stretch of the rows, and sorts what was found so far.
func (a *arranging) step() found {
	if a.search == nil {
		a.begin()
	}
	more := false
	if !a.query.Empty() {
		var err error
		if more, err = a.search.Next(a.Context); err != nil {
			return found{err: err}
		}
		if a.rows = a.search.Rows(); len(a.known) > 0 {
			a.rows = slices.Concat(a.known, a.rows)
		}
	}
	if !more {
		if offer, ok := a.source.table.Offer(a.Context, a.filter, a.by, len(a.rows)); ok {
			a.offer = &offer
		}
	}
	rows, err := a.sorted(a.rows)
	return found{rows, more, err}
}

// moves reports whether the rows do not stay as they came.
func (a *arranging) moves() bool { return len(a.keys) > 0 || a.first != nil }

// isIdle reports whether all rows stay as they came: there is nothing to work at.
func (a *arranging) isIdle() bool { return a.filter == "" && !a.moves() }

// includes reports whether the work comes to the rows of another one of the same filter, as their body
// is still growing.
func (a *arranging) includes(other *arranging) bool {
	return a.UnderWay() && a.filter == other.filter &&
		other.source.growing && other.source.continues(a.source)
}

// done drops what was only needed for the work, which may hold a body that is shown no more.
func (a *arranging) done() {
	a.Cancel()
	a.before, a.search, a.known = nil, nil, nil
}

// sorted are rows of a table in the order of the column; those that are alike stay as they are.
func (f *Leading) sorted(table *lists.Table, rows []int32) (list []int32) {
	column := slices.Index(table.Columns(), f.Column)
	if column < 0 {
		return rows
	}
	alike := make([][]int32, len(f.Values)+1)
	for _, row := range rows {
		place := slices.Index(f.Values, table.Cell(int(row), column).Text())
		if place < 0 {
			place = len(f.Values)
		}
		alike[place] = append(alike[place], row)
	}
	return slices.Concat(alike...)
}

// sorted are the rows (nil: all) in the order of the keys.
func (a *arranging) sorted(rows []int32) ([]int32, error) {
	if !a.moves() {
		return rows, nil
	}
	if rows == nil {
		rows = rowsFrom(0, a.source.Len())
	} else {
		rows = slices.Clone(rows)
	}
	if len(a.keys) == 0 {
		return a.first.sorted(a.source.table, rows), nil
	}
	keys := make([]lists.SortKey, len(a.keys))
	for i, key := range a.keys {
		keys[i] = lists.SortKey{Column: a.source.from[key.Column], Descending: key.Descending}
	}
	return rows, a.source.table.SortBy(a.Context, rows, keys...)
}

// arrange filters and sorts what came last, off the UI's goroutine. What is shown stays until there is
// something to show in its place. A later change cancels the work.
func (l *List) arrange() tea.Cmd {
	if l.newest == nil {
		return nil
	}
	l.arrangement.filter = l.filter.Text()
	a := newArranging(screen.NewWork(l.env), l.newest, l.arrangement, l.options.First, l.env.Asker())
	if l.arranging.includes(a) {
		a.Cancel()
		return nil
	}
	l.arranging.Cancel()
	l.sum.Cancel()
	l.sum = sum{}
	l.arranging, a.before = a, l.arranged
	if a.isIdle() {
		a.begin()
		return l.take(a, found{})
	}
	late := screen.After(a.Context, slow, screen.Addressed{To: l.owner, Take: func() tea.Cmd {
		a.slow = true
		return nil
	}})
	return tea.Batch(l.step(a), late)
}

// step takes the next step of the work.
func (l *List) step(a *arranging) tea.Cmd {
	return screen.Reply(l.owner, a.step, func(f found) tea.Cmd { return l.take(a, f) })
}

// working reports that the list is being filtered and sorted.
func (l *List) working() bool { return l.arranging.UnderWay() }

// take takes what a step has found.
func (l *List) take(a *arranging, f found) tea.Cmd {
	if a != l.arranging || f.err != nil {
		return nil
	}
	if f.more {
		if a.source.continues(l.source) { // another answer is shown when it is whole
			a.partial = true
			l.show(a, f.rows)
		}
		return l.step(a)
	}
	a.done()
	l.arranged, l.took = a, l.env.Now().Sub(a.by.Now)
	l.show(a, f.rows)
	if l.newest != l.source {
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
		const nothing = "0" // is not worth its place in the title
		if size, ok := human.SizeOf(total.Total); ok && total.Total != nothing {
			into.text = size.String()
		}
		return nil
	})
	into.Work = work
	return add
}

// addUpFound adds up the sizes of what a filter has found.
func (l *List) addUpFound(a *arranging) tea.Cmd {
	if a.filter == "" || len(l.rows) == 0 {
		return nil
	}
	rows := l.rows
	return l.addUp(&l.sum, func() []int32 { return rows })
}

// show shows the rows that were found.
func (l *List) show(a *arranging, rows []int32) {
	shown, before := a.source, l.source
	l.source = shown
	l.preview.follow(shown)
	same := shown.continues(before)
	prefix := same && l.shown.filter == a.filter && !l.shown.moves() && !a.moves()
	l.shown, l.rows = a, rows
	switch {
	case l.grid == nil:
		l.grid = grid.New(l.env.Theme, shown)
		l.grid.OnCopy, l.grid.OnClick, l.grid.OnMark = l.copyCell, l.clicked, l.marksChanged
		l.grid.SetRows(rows)
		l.layOut("")
	case prefix:
		l.grid.Grow(shown, rows)
	case same && shown == before:
		l.grid.SetRows(rows)
	default:
		l.replace(shown, before, rows, same)
	}
	l.marking.hidden = l.countHidden()
	l.release()
	l.grid.SetColumnMatch(func(column int) []string { return a.query.Marks(shown.from[column]) })
	l.grid.Sorted(a.keys...)
}

// replace shows another source. A cursor that a person has moved stays on its row if the new
// one has the same, or else where it is.
func (l *List) replace(shown, before *source, rows []int32, same bool) {
	row, selected := l.grid.Selected()
	column := before.title(l.grid.Column())
	l.grid.SetSource(shown, rows)
	if !same {
		l.recent = nil // its rows may have other records
		l.dropMarks(shown, before)
	}
	switch {
	case shown.origin == l.renewed && selected && l.grid.Chosen():
		l.grid.Select(row + shown.first - before.first)
	case same && selected && l.grid.Chosen():
		l.grid.Select(row)
	}
	if !shown.sameColumns(before) {
		l.layOut(column)
	}
}

// sortBy changes the order by the current column.
func (l *List) sortBy(changed func(order, string) order) func() tea.Cmd {
	return func() tea.Cmd {
		l.arrangement.order = changed(l.arrangement.order, l.source.title(l.grid.Column()))
		return l.arrange()
	}
}

// columnsKey is the key under which the state keeps the columns of this list.
func (l *List) columnsKey() string { return l.options.Many + ".columns" }

// keptColumns are the columns that were chosen for this list, in any run.
func (l *List) keptColumns() (columns chosenColumns) {
	l.env.State.Get(l.columnsKey(), &columns)
	return columns
}

// layOut shows the columns as the person left them, with the one of that title as
// the current one, or else the first.
func (l *List) layOut(current string) {
	l.arrangement.columns = l.keptColumns()
	order := l.arrangement.columns.in(l.source)
	l.grid.SetOrder(order)
	column := l.source.index(current)
	if column < 0 && len(order) > 0 {
		column = order[0]
	}
	l.grid.SelectColumn(column)
}
