package browse

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// slow is how long filtering and sorting may take before the list says so.
const slow = 100 * time.Millisecond

// arrangement is the work of filtering and sorting after a change. A later
// change cancels it.
type arrangement struct {
	ctx  context.Context
	stop context.CancelFunc
	find finder
	keys []grid.SortKey // none: the rows stay as they came
	// slow is set when the person has waited for a while, partial when the first
	// rows are shown and more are looked for.
	slow, partial bool
	begun         time.Time
}

type arrangedMsg struct {
	arrangement *arrangement
	rows        []int32 // nil: all of them, as they came
	more        bool    // are being looked for
	err         error
}

type slowMsg struct{ arrangement *arrangement }

func (a *arrangement) cancel() {
	if a != nil {
		a.stop()
	}
}

// asItCame reports that the rows are neither filtered nor sorted.
func (a *arrangement) asItCame() bool { return a.find.text == "" && len(a.keys) == 0 }

// step filters the next stretch of the rows, and sorts what was found so far.
func (a *arrangement) step() tea.Msg {
	more, err := a.find.next(a.ctx)
	if err != nil {
		return arrangedMsg{arrangement: a, err: err}
	}
	rows, err := a.sorted(a.find.found.rows)
	return arrangedMsg{a, rows, more, err}
}

// sorted are the rows (nil: all) in the order of the keys.
func (a *arrangement) sorted(rows []int32) ([]int32, error) {
	if len(a.keys) == 0 {
		return rows, nil
	}
	if rows == nil {
		rows = rowsFrom(0, a.find.source.Len())
	} else {
		rows = slices.Clone(rows)
	}
	keys := make([]records.SortKey, len(a.keys))
	for i, key := range a.keys {
		keys[i] = records.SortKey{Column: a.find.source.from[key.Column], Descending: key.Descending}
	}
	return rows, a.find.source.table.SortBy(a.ctx, rows, keys...)
}

// rearrange filters and sorts the newest answer, off the UI's goroutine. What
// is shown stays until there is something to show in its place.
func (l *List) rearrange() tea.Cmd {
	if l.newest == nil {
		return nil
	}
	a := l.arrangement()
	if l.working() && l.arrange.find.text == a.find.text && a.find.source.growing && a.find.source.continues(l.arrange.find.source) {
		return nil // the work under way comes to the new rows
	}
	l.arrange.cancel()
	l.arrange = a
	if a.asItCame() {
		a.stop()
		a.find.begin()
		return l.arranged(arrangedMsg{arrangement: a})
	}
	late := screen.After(a.ctx, slow, screen.Addressed{To: l.owner, Msg: slowMsg{a}})
	return tea.Batch(screen.Reply(l.owner, a.step), late)
}

// arrangement is the work that the list as it is asks for. Rows that are still
// arriving are not sorted: each new one would move the others.
func (l *List) arrangement() *arrangement {
	a := &arrangement{
		find: finder{source: l.newest, text: l.filter.Text(), now: l.env.Now(), before: l.found},
	}
	if !l.newest.growing {
		a.keys = l.order.keys(l.newest)
	}
	a.begun = l.env.Now()
	a.ctx, a.stop = context.WithCancel(l.env.Context)
	return a
}

// working reports that an arrangement is under way.
func (l *List) working() bool { return l.arrange != nil && l.arrange.ctx.Err() == nil }

func (l *List) arranged(msg arrangedMsg) tea.Cmd {
	a := msg.arrangement
	if a != l.arrange || msg.err != nil {
		return nil
	}
	if msg.more {
		if a.find.source.continues(l.source) { // another answer is shown when it is whole
			a.partial = true
			l.show(a, msg.rows)
		}
		return screen.Reply(l.owner, a.step)
	}
	a.stop()
	l.took = l.env.Now().Sub(a.begun)
	l.found, a.find.before = &a.find.found, nil // which may hold a body that is shown no more
	l.show(a, msg.rows)
	if l.newest != l.source {
		return l.rearrange()
	}
	return l.placeRow()
}

// show shows the rows that were found.
func (l *List) show(a *arrangement, rows []int32) {
	shown, before := a.find.source, l.source
	l.source = shown
	l.preview.follow(shown)
	same := shown.continues(before)
	prefix := same && l.by.equal(criteriaOf(a)) && len(a.keys) == 0
	l.by, l.rows = criteriaOf(a), rows
	switch {
	case l.grid == nil:
		l.grid = grid.New(l.env.Theme, shown)
		l.grid.OnHide, l.grid.OnCopy = l.hidden, l.copyCell
		l.grid.SetRows(rows)
		l.layOut("")
	case prefix:
		l.grid.Grow(shown, rows)
	case same && shown == before:
		l.grid.SetRows(rows)
	default:
		l.replace(shown, before, rows, same)
	}
	l.release()
	query := a.find.found.query
	l.grid.SetColumnMatch(func(column int) []string { return query.Marks(shown.from[column]) })
	l.grid.Sorted(a.keys...)
}

// replace shows another source. A cursor that a person has moved stays on its row if the new
// one has the same, or else where it is.
func (l *List) replace(shown, before *source, rows []int32, same bool) {
	row, selected := l.grid.Selected()
	column := before.title(l.grid.Column())
	l.grid.SetSource(shown, rows)
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

// criteria are what decides which rows are shown, and in which order.
type criteria struct {
	text string
	keys []grid.SortKey
}

func criteriaOf(a *arrangement) criteria { return criteria{a.find.text, a.keys} }

func (c criteria) equal(other criteria) bool {
	return c.text == other.text && slices.Equal(c.keys, other.keys)
}

// sort sorts by the marked column alone.
func (l *List) sort() tea.Cmd {
	l.order = l.order.by(l.source.title(l.grid.Column()))
	return l.rearrange()
}

// sortFurther sorts rows by the marked column that are alike in the order so far.
func (l *List) sortFurther() tea.Cmd {
	l.order = l.order.with(l.source.title(l.grid.Column()))
	return l.rearrange()
}

// order is how the rows are sorted: by the first of the columns, those that are alike
// there by the second. Without any it is the service's.
type order []orderBy

// orderBy names its column, for the next answer may have others.
type orderBy struct {
	column     string
	descending bool
}

// by is the order for the key that sorts by one column: up, down, as the service sent
// the rows.
func (o order) by(column string) order {
	if len(o) == 1 && o[0].column == column {
		return o.with(column)
	}
	return order{{column: column}}
}

// with is the order for the key that adds a column: up, down, without it.
func (o order) with(column string) order {
	at := slices.IndexFunc(o, func(by orderBy) bool { return by.column == column })
	next := slices.Clone(o)
	switch {
	case at < 0:
		return append(next, orderBy{column: column})
	case !o[at].descending:
		next[at].descending = true
		return next
	}
	return slices.Delete(next, at, at+1)
}

// keys are the columns of a source that the rows are sorted by.
func (o order) keys(s *source) []grid.SortKey {
	var keys []grid.SortKey
	for _, by := range o {
		if column := s.index(by.column); column >= 0 {
			keys = append(keys, grid.SortKey{Column: column, Descending: by.descending})
		}
	}
	return keys
}
