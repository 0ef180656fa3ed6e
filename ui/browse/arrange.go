package browse

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

// order is how the rows are sorted; an order that is not set is the service's.
type order struct {
	set        bool
	column     int // of the source
	descending bool
}

// next is the order that the sort key asks for: up, down, as they came.
func (o order) next(column int) order {
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
	ctx   context.Context
	stop  context.CancelFunc
	table *records.Table
	query string
	order order
	// column is the records' column that the order is by.
	column int
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

func (a *arrangement) run() tea.Msg {
	defer a.stop()
	rows, err := a.rows()
	return arrangedMsg{a, rows, err}
}

func (a *arrangement) rows() ([]int32, error) {
	if a.query == "" && !a.order.set {
		return nil, nil
	}
	rows, err := a.table.Filter(a.ctx, a.query, nil)
	if err != nil || !a.order.set {
		return rows, err
	}
	return rows, a.table.Sort(a.ctx, rows, a.column, a.order.descending)
}

// rearrange filters and sorts anew, off the UI's goroutine.
func (m *Model) rearrange() tea.Cmd {
	m.arrange.cancel()
	if m.table == nil {
		return nil
	}
	a := &arrangement{table: m.table, query: m.filter.Text(), order: m.order}
	if a.order.set {
		a.column = m.source.column(a.order.column)
	}
	a.ctx, a.stop = context.WithCancel(m.env.Context)
	m.arrange = a
	return screen.Reply(m.owner, a.run)
}

func (m *Model) arranged(msg arrangedMsg) {
	if msg.arrangement != m.arrange || msg.err != nil {
		return
	}
	m.grid.SetRows(msg.rows)
	m.grid.SetMatch(m.filter.Words())
	if o := msg.arrangement.order; o.set {
		m.grid.Sorted(o.column, o.descending)
	} else {
		m.grid.Sorted(-1, false)
	}
}

func (m *Model) sort() tea.Cmd {
	m.order = m.order.next(m.grid.Column())
	return m.rearrange()
}
