package browse

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
)

// mostValues is how many values of a column are listed: more than anybody reads.
const mostValues = 200

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

// countValues shows the values of the current column.
func (l *List) countValues() tea.Cmd { return l.countValuesOf(l.grid.Column()) }

func (l *List) countValuesOf(column int) tea.Cmd {
	c := &counting{source: l.source, rows: l.rows, column: column}
	c.ctx, c.stop = context.WithCancel(l.env.Context)
	list := newValueList(l.env.Theme, l.source.columns[c.column].Heading, l.filterBy)
	list.counting = c
	list.root, list.openFilter, list.filterKey = l.env.Root, l.openFilter, l.env.Keys.Key("find.open")
	return l.Over(list)
}

// openFilter goes back to the list and types its filter.
func (l *List) openFilter() tea.Cmd { return tea.Batch(l.pop(), l.filter.Edit()) }

// filterBy narrows the filter by a term, and goes back to the list.
func (l *List) filterBy(term string) tea.Cmd {
	popped := l.pop()
	return tea.Batch(popped, l.filter.Set(l.source.table.Narrow(l.filter.Text(), term)))
}

func (c *counting) run() tea.Msg {
	defer c.stop()
	counts, err := c.count()
	return countedMsg{counts, err}
}

func (c *counting) count() (valueCounts, error) {
	s, col := c.source, c.source.from[c.column]
	counted, err := s.table.Distribution(c.ctx, c.rows, s.infos[col].ColumnInfo, s.format.Format, mostValues)
	if err != nil {
		return valueCounts{}, err
	}
	g := valueCounts{
		Values: counted.Values, Total: c.total(), Nulls: counted.Nulls, Missing: counted.Missing,
		Ranges: counted.Ranges, OtherValues: counted.OtherValues, OtherRows: counted.OtherRows,
	}
	places := map[string]int{}
	for place, bucket := range counted.ByValue() {
		places[bucket.Term] = place
	}
	for _, bucket := range counted.Buckets {
		item := valueCount{Text: safetext.Clip(bucket.Label, longestName), Rows: bucket.Rows, Term: bucket.Term, Place: places[bucket.Term]}
		item.Exact = exact(bucket.Cell)
		if counted.Ranges {
			item.Exact = bucket.Label
		} else {
			item.Text = withMeaning(s.infos[col].Name, item.Text)
		}
		if item.Text == "" {
			item.State = grid.Empty
		}
		g.Items = append(g.Items, item)
	}
	if g.Missing > 0 {
		g.Items = append(g.Items, valueCount{State: grid.Missing, Rows: g.Missing, Term: s.table.Term(col, records.Cell{}), Place: len(places)})
	}
	if g.Nulls > 0 {
		g.Items = append(g.Items, valueCount{State: grid.Null, Rows: g.Nulls, Term: s.table.Term(col, records.NullCell()), Place: len(places) + 1})
	}
	return g, nil
}

func (c *counting) total() int {
	if c.rows == nil {
		return c.source.Len()
	}
	return len(c.rows)
}
