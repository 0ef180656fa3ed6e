package browse

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// order is how the rows are sorted; an order that is not set is the service's.
// It names its column, for the next answer may have others.
type order struct {
	set        bool
	column     string
	descending bool
}

// next is the order that the sort key asks for: up, down, as they came.
func (o order) next(column string) order {
	switch {
	case !o.set || o.column != column:
		return order{set: true, column: column}
	case !o.descending:
		return order{set: true, column: column, descending: true}
	}
	return order{}
}

// arrangement is the work of filtering and sorting after a change. A later
// change cancels it.
type arrangement struct {
	ctx    context.Context
	stop   context.CancelFunc
	source *source
	query  string
	// column is the source's column to sort by; -1 leaves the order as it came.
	column     int
	descending bool
}

type arrangedMsg struct {
	arrangement *arrangement
	rows        []int32 // nil: all of them, as they came
	err         error
}

func (a *arrangement) cancel() {
	if a != nil {
		a.stop()
	}
}

// asItCame reports that there is nothing to do.
func (a *arrangement) asItCame() bool { return a.query == "" && a.column < 0 }

func (a *arrangement) run() tea.Msg {
	defer a.stop()
	rows, err := a.rows()
	return arrangedMsg{a, rows, err}
}

func (a *arrangement) rows() ([]int32, error) {
	table := a.source.table
	rows, err := table.Filter(a.ctx, a.query, nil)
	if err != nil || a.column < 0 {
		return rows, err
	}
	return rows, table.Sort(a.ctx, rows, a.source.from[a.column], a.descending)
}

// rearrange filters and sorts the newest answer, off the UI's goroutine. What
// is shown stays until that is done, so that the cursor keeps its place.
func (m *Model) rearrange() tea.Cmd {
	m.arrange.cancel()
	if m.newest == nil {
		return nil
	}
	a := &arrangement{source: m.newest, query: m.filter.Text(), column: -1, descending: m.order.descending}
	if m.order.set {
		a.column = m.newest.index(m.order.column)
	}
	a.ctx, a.stop = context.WithCancel(m.env.Context)
	m.arrange = a
	if a.asItCame() {
		a.stop()
		m.arranged(arrangedMsg{arrangement: a})
		return nil
	}
	return screen.Reply(m.owner, a.run)
}

func (m *Model) arranged(msg arrangedMsg) {
	a := msg.arrangement
	if a != m.arrange || msg.err != nil {
		return
	}
	if m.grid == nil {
		m.grid = grid.New(m.env.Theme, a.source)
	}
	if m.source == a.source {
		m.grid.SetRows(msg.rows)
	} else {
		m.source = a.source
		m.grid.SetSource(a.source, msg.rows)
	}
	m.grid.SetMatch(m.filter.Words())
	m.grid.Sorted(a.column, a.descending)
}

func (m *Model) sort() tea.Cmd {
	m.order = m.order.next(m.source.columns[m.grid.Column()].Title)
	return m.rearrange()
}
