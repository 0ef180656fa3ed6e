package browse

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

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
	sort sorter
	// slow is set when the person has waited for a while, partial when the first
	// rows are shown and more are looked for.
	slow, partial bool
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

// asItCame reports that there is nothing to do.
func (a *arrangement) asItCame() bool { return a.find.text == "" && a.sort.column < 0 }

// step filters the next stretch of the rows, and sorts what was found so far.
func (a *arrangement) step() tea.Msg {
	more, err := a.find.next(a.ctx)
	if err != nil {
		return arrangedMsg{arrangement: a, err: err}
	}
	rows, err := a.sort.ordered(a.ctx, a.find.found.rows)
	return arrangedMsg{a, rows, more, err}
}

// rearrange filters and sorts the newest answer, off the UI's goroutine. What
// is shown stays until there is something to show in its place.
func (m *Model) rearrange() tea.Cmd {
	if m.newest == nil {
		return nil
	}
	a := m.arrangement()
	if m.working() && m.arrange.find.text == a.find.text && a.find.source.growing && a.find.source.continues(m.arrange.find.source) {
		return nil // the new rows are next
	}
	m.arrange.cancel()
	m.arrange = a
	if a.asItCame() {
		a.stop()
		a.find.begin()
		return m.arranged(arrangedMsg{arrangement: a})
	}
	late := tea.Tick(slow, func(time.Time) tea.Msg { return screen.Addressed{To: m.owner, Msg: slowMsg{a}} })
	return tea.Batch(screen.Reply(m.owner, a.step), late)
}

// arrangement is the work that the list as it is asks for. Rows that are still
// arriving are not sorted: each new one would move the others.
func (m *Model) arrangement() *arrangement {
	a := &arrangement{
		find: finder{source: m.newest, text: m.filter.Text(), now: m.env.Now(), before: m.found},
		sort: sorter{source: m.newest, column: -1, descending: m.order.descending, all: m.sorted},
	}
	if m.order.set && !m.newest.growing {
		a.sort.column = m.newest.index(m.order.column)
	}
	a.ctx, a.stop = context.WithCancel(m.env.Context)
	return a
}

// working reports that an arrangement is under way.
func (m *Model) working() bool { return m.arrange != nil && m.arrange.ctx.Err() == nil }

func (m *Model) arranged(msg arrangedMsg) tea.Cmd {
	a := msg.arrangement
	if a != m.arrange || msg.err != nil {
		return nil
	}
	if msg.more {
		if a.find.source.continues(m.source) { // another answer is shown when it is whole
			a.partial = true
			m.show(a, msg.rows)
		}
		return screen.Reply(m.owner, a.step)
	}
	a.stop()
	m.found, m.sorted = &a.find.found, a.sort.kept()
	a.find.before, a.sort.all = nil, nil // they may hold a body that is shown no more
	m.show(a, msg.rows)
	if m.newest != m.source {
		return tea.Batch(m.rearrange(), m.sumUp())
	}
	return m.sumUp()
}

// show draws rows that were found from now on.
func (m *Model) show(a *arrangement, rows []int32) {
	shown, before := a.find.source, m.source
	m.source = shown
	same := shown.continues(before)
	prefix := same && m.view == viewOf(a) && a.sort.column < 0
	m.view, m.rows = viewOf(a), rows
	switch {
	case m.grid == nil:
		m.grid = grid.New(m.env.Theme, shown)
		m.grid.OnColumnLayout = m.rememberLayout
		m.grid.SetRows(rows)
		m.layOut("")
	case prefix:
		m.grid.Grow(shown, rows)
	case same && shown == before:
		m.grid.SetRows(rows)
	default:
		m.replace(shown, before, rows, same)
	}
	query := a.find.found.query
	m.grid.SetColumnMatch(func(column int) []string { return query.Marks(shown.from[column]) })
	m.grid.Sorted(a.sort.column, a.sort.descending)
}

// replace shows another source. The cursor stays on its row if the new one has
// the same, or else where it is.
func (m *Model) replace(shown, before *source, rows []int32, same bool) {
	row, marked := m.grid.Selected()
	column := before.title(m.grid.Column())
	m.grid.SetSource(shown, rows)
	if same && marked {
		m.grid.Select(row)
	}
	if !shown.sameColumns(before) {
		m.layOut(column)
	}
}

// view is what decides which rows are shown, and in which order.
type view struct {
	text       string
	column     int
	descending bool
}

func viewOf(a *arrangement) view { return view{a.find.text, a.sort.column, a.sort.descending} }

func (m *Model) sort() tea.Cmd {
	m.order = m.order.next(m.source.title(m.grid.Column()))
	return m.rearrange()
}
