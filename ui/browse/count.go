package browse

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
)

// mostValues is how many values of a column are listed.
const mostValues = 1000

// counting is the work of counting the values of a column.
type counting struct {
	ctx    context.Context
	stop   context.CancelFunc
	source *source
	rows   []int32 // that are shown; nil: all
	column int     // of the grid
}

type countedMsg struct {
	counts valueCounts
	err    error
}

// countValues shows the values of the marked column.
func (m *recordList) countValues() tea.Cmd {
	c := &counting{source: m.source, rows: m.rows, column: m.grid.Column()}
	c.ctx, c.stop = context.WithCancel(m.env.Context)
	list := newValueList(m.env.Theme, m.source.title(c.column), m.filterBy, m.pop)
	list.counting = c
	return m.push(list)
}

// filterBy adds a term to the filter and goes back to the list.
func (m *recordList) filterBy(term string) tea.Cmd {
	popped := m.pop()
	return tea.Batch(popped, m.filter.Set(strings.TrimSpace(m.filter.Text()+" "+term)))
}

func (c *counting) run() tea.Msg {
	defer c.stop()
	counts, err := c.count()
	return countedMsg{counts, err}
}

func (c *counting) count() (valueCounts, error) {
	s, col := c.source, c.source.from[c.column]
	counted, err := s.table.Group(c.ctx, c.rows, col, mostValues)
	if err != nil {
		return valueCounts{}, err
	}
	g := valueCounts{Values: counted.Values, Total: c.total(), Nulls: counted.Nulls, Missing: counted.Missing, Capped: counted.Capped}
	for _, value := range counted.Top {
		g.Items = append(g.Items, c.item(value.Cell, value.Rows))
	}
	tellApart(g.Items, counted.Top)
	if g.Missing > 0 {
		g.Items = append(g.Items, c.item(records.Cell{}, g.Missing))
	}
	if null, ok := c.null(g.Nulls); ok {
		g.Items = append(g.Items, c.item(null, g.Nulls))
	}
	return g, nil
}

func (c *counting) total() int {
	if c.rows == nil {
		return c.source.Len()
	}
	return len(c.rows)
}

func (c *counting) item(cell records.Cell, rows int) valueCount {
	col := c.source.from[c.column]
	shown := c.source.words.cell(c.source.kinds[col], cell)
	return valueCount{Text: shown.Text, State: shown.State, Rows: rows, Term: c.source.table.Term(col, cell)}
}

// tellApart adds what is exactly there to values, if some of them look alike:
// sizes and times are rounded, and a list shows how long it is.
func tellApart(items []valueCount, values []records.Group) {
	seen := map[string]bool{}
	alike := false
	for _, item := range items {
		alike = alike || seen[item.Text]
		seen[item.Text] = true
	}
	for i := range items {
		if alike && items[i].State == grid.Value {
			items[i].Text += "  " + exactly(values[i].Cell, items[i].Text)
		}
	}
}

// exactly is a value as it was sent, without the quotes of a text if it then
// differs from what is shown.
func exactly(c records.Cell, shown string) string {
	if text := c.Text(); c.Kind() == records.String && text != shown {
		return safetext.Clip(text, longestName)
	}
	return safetext.Clip(string(c.Raw()), longestName)
}

// null finds one of the nulls of the column.
func (c *counting) null(nulls int) (records.Cell, bool) {
	for position := 0; nulls > 0 && position < c.total() && c.ctx.Err() == nil; position++ {
		row := position
		if c.rows != nil {
			row = int(c.rows[position])
		}
		if cell := c.source.table.Cell(row, c.source.from[c.column]); cell.Kind() == records.Null {
			return cell, true
		}
	}
	return records.Cell{}, false
}
