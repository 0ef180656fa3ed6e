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

// arrangement is the work of filtering and sorting after a change, and what it found. A later
// change cancels it.
type arrangement struct {
	*screen.Work
	source *source
	text   string          // what the rows are filtered by
	keys   []lists.SortKey // none: the rows stay as they came
	first  *Leading        // without keys: which rows come first; nil: none
	begun  time.Time       // from which times such as 7d are counted back
	// before is one whose rows need no second look, as far as this one's go on; nil: none.
	before *arrangement

	query  *lists.Query
	search *lists.Search // nil until the first step
	known  []int32       // rows that before found
	rows   []int32       // all that were found, in the order of the source; nil: all of it
	// offer is what may be meant by a filter that finds nothing.
	offer *lists.Notice
	// slow is set when the person has waited for a while, partial when the first
	// rows are shown and more are looked for.
	slow, partial bool
}

// arranged is the result of a step.
type arranged struct {
	rows []int32 // nil: all of them, as they came
	more bool    // are being looked for
	err  error
}

// begin chooses the rows to look at: of a body that has grown only the new rows are new.
func (a *arrangement) begin() {
	a.query = a.source.table.Query(a.text, a.begun)
	var candidates []int32 // all
	if b := a.before; b != nil && b.rows != nil && b.text == a.text && a.source.continues(b.source) {
		a.known = b.rows
		candidates = rowsFrom(b.source.Len(), a.source.Len())
	}
	a.search = a.source.table.Search(a.query, candidates)
}

// step filters the next stretch of the rows, and sorts what was found so far.
func (a *arrangement) step() arranged {
	if a.search == nil {
		a.begin()
	}
	more := false
	if !a.query.Empty() {
		var err error
		if more, err = a.search.Next(a.Context); err != nil {
			return arranged{err: err}
		}
		if a.rows = a.search.Rows(); len(a.known) > 0 {
			a.rows = slices.Concat(a.known, a.rows)
		}
	}
	rows, err := a.sorted(a.rows)
	return arranged{rows, more, err}
}

// moves reports whether the rows do not stay as they came.
func (a *arrangement) moves() bool { return len(a.keys) > 0 || a.first != nil }

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
func (a *arrangement) sorted(rows []int32) ([]int32, error) {
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

// rearrange filters and sorts the newest answer, off the UI's goroutine. What
// is shown stays until there is something to show in its place.
func (l *List) rearrange() tea.Cmd {
	if l.newest == nil {
		return nil
	}
	a := l.arrangement()
	if l.working() && l.arrange.text == a.text && a.source.growing && a.source.continues(l.arrange.source) {
		return nil // the work under way comes to the new rows
	}
	l.arrange.Cancel()
	l.sum.Cancel()
	l.sum = sum{}
	l.arrange = a
	if a.text == "" && !a.moves() { // the rows stay as they came
		a.begin()
		return l.arranged(a, arranged{})
	}
	late := screen.After(a.Context, slow, screen.Addressed{To: l.owner, Take: func() tea.Cmd {
		a.slow = true
		return nil
	}})
	return tea.Batch(l.step(a), late)
}

// step takes the next step of an arrangement.
func (l *List) step(a *arrangement) tea.Cmd {
	return screen.Reply(l.owner, a.step, func(found arranged) tea.Cmd { return l.arranged(a, found) })
}

// arrangement is the work that the list as it is asks for. Rows that are still
// arriving are not sorted: each new one would move the others.
func (l *List) arrangement() *arrangement {
	a := &arrangement{Work: screen.NewWork(l.env), source: l.newest, text: l.filter.Text(), begun: l.env.Now(), before: l.found}
	if !l.newest.growing {
		a.keys, a.first = l.order.keys(l.newest), l.options.First
	}
	return a
}

// working reports that an arrangement is under way.
func (l *List) working() bool { return l.arrange.UnderWay() }

func (l *List) arranged(a *arrangement, found arranged) tea.Cmd {
	if a != l.arrange || found.err != nil {
		return nil
	}
	if found.more {
		if a.source.continues(l.source) { // another answer is shown when it is whole
			a.partial = true
			l.show(a, found.rows)
		}
		return l.step(a)
	}
	a.Cancel()
	l.took = l.env.Now().Sub(a.begun)
	if offer, ok := a.source.table.Otherwise(a.text, a.begun); ok && len(found.rows) == 0 && !a.query.Empty() {
		a.offer = &offer
	}
	l.found, a.before, a.search, a.known = a, nil, nil, nil // which may hold a body that is shown no more
	l.show(a, found.rows)
	if l.newest != l.source {
		return l.rearrange()
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
func (l *List) addUpFound(a *arrangement) tea.Cmd {
	if a.text == "" || len(l.rows) == 0 {
		return nil
	}
	rows := l.rows
	return l.addUp(&l.sum, func() []int32 { return rows })
}

// show shows the rows that were found.
func (l *List) show(a *arrangement, rows []int32) {
	shown, before := a.source, l.source
	l.source = shown
	l.preview.follow(shown)
	same := shown.continues(before)
	prefix := same && l.by.text == a.text && !l.by.moves() && !a.moves()
	l.by, l.rows = a, rows
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
	case shown.job != nil && shown.job == l.renewed && selected && l.grid.Chosen():
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
		l.order = changed(l.order, l.source.title(l.grid.Column()))
		return l.rearrange()
	}
}

// order is how the rows are sorted: by the first of the columns, those that are alike
// there by the second. Without any it is the service's. It names its columns, for the next
// answer may have others.
type order []SortedBy

// by is the order for the key that sorts by one column: up, down, as the service sent
// the rows.
func (o order) by(column string) order {
	if len(o) == 1 && o[0].Column == column {
		return o.with(column)
	}
	return order{{Column: column}}
}

// with is the order for the key that adds a column: up, down, without it.
func (o order) with(column string) order {
	at := slices.IndexFunc(o, func(by SortedBy) bool { return by.Column == column })
	next := slices.Clone(o)
	switch {
	case at < 0:
		return append(next, SortedBy{Column: column})
	case !o[at].Descending:
		next[at].Descending = true
		return next
	}
	return slices.Delete(next, at, at+1)
}

// keys are the columns of a source that the rows are sorted by.
func (o order) keys(s *source) []lists.SortKey {
	var keys []lists.SortKey
	for _, by := range o {
		if column := s.index(by.Column); column >= 0 {
			keys = append(keys, lists.SortKey{Column: column, Descending: by.Descending})
		}
	}
	return keys
}
