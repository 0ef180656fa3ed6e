package browse

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

// sum is what the numbers of the current column add up to in the rows shown.
type sum struct {
	ctx    context.Context
	stop   context.CancelFunc
	source *source
	rows   []int32
	by     criteria
	column int // of the grid

	known  bool
	result records.Sum
}

type sumMsg struct {
	sum    *sum
	result records.Sum
	err    error
}

// sumUp begins to add the numbers of the current column, if it has any and that was
// not done already. It is called after whatever changes the rows or the column.
func (l *recordList) sumUp() tea.Cmd {
	if l.source == nil || len(l.source.columns) == 0 {
		return nil
	}
	column := l.grid.Column()
	if s := l.sum; s != nil && s.source == l.source && s.column == column && s.by.equal(l.by) && len(s.rows) == len(l.rows) {
		return nil
	}
	l.dropSum()
	if kind := l.source.kind(column); l.source.growing || kind != records.NumberColumn && kind != records.BytesColumn {
		return nil
	}
	s := &sum{source: l.source, rows: l.rows, by: l.by, column: column}
	s.ctx, s.stop = context.WithCancel(l.env.Context)
	l.sum = s
	return screen.Reply(l.owner, s.run)
}

func (l *recordList) dropSum() {
	if l.sum != nil {
		l.sum.stop()
		l.sum = nil
	}
}

func (s *sum) run() tea.Msg {
	defer s.stop()
	result, err := s.source.table.Sum(s.ctx, s.rows, s.source.from[s.column])
	return sumMsg{s, result, err}
}

func (l *recordList) summed(msg sumMsg) {
	if msg.sum == l.sum && msg.err == nil {
		l.sum.known, l.sum.result = true, msg.result
	}
}

// String says what is known: "DiskUsage: 4.2 TB in 977 rows".
func (s *sum) String() string {
	if s == nil || !s.known || s.result.Numbers == 0 {
		return ""
	}
	return shortTitle(s.source.title(s.column)) + ": sum " + s.total() + ", count " + human.Number(s.result.Numbers)
}

func (s *sum) total() string {
	if s.source.kind(s.column) == records.BytesColumn {
		whole, _, _ := strings.Cut(s.result.Total, ".")
		if number, unit, ok := human.SizeOf(whole); ok {
			return number + " " + unit
		}
	}
	return human.Grouped(s.result.String())
}
