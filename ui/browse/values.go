package browse

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// maxValues is how many values of a column are listed. Nobody reads so many, but they can be
// filtered.
const maxValues = 1000

// values is the box over a list that shows the values of a column and how many rows have each.
// The list can be filtered by a value.
type values struct {
	*box
	list    *List
	source  *source
	among   []int32 // the rows that are counted; nil for all
	column  int     // whose values are counted, as a column of the grid
	columns []int   // that the list shows, from left to right
	heading string
	work    *screen.Work

	counts   *lists.Distribution // nil while they are counted
	items    []value             // in the order of the values
	maxRows  int                 // the highest number of rows of an item
	maxSize  *big.Int            // the largest size of an item; nil if there are no sizes
	widest   int                 // the width of the widest item in cells
	maxCells int                 // the width of the longest bar in cells, determined by Settle
	failure  string              // why the values could not be counted, as a sentence
	order    valueOrder
}

// valueOrder is what values are sorted by.
type valueOrder int

const (
	byRows  valueOrder = iota // the most first
	bySize                    // the largest sum of sizes first
	byValue                   // as they are sorted in the list
)

// orderKeys are the keys of the columns that have what the values are sorted by.
var orderKeys = [...]string{byRows: "rows", bySize: "sizes", byValue: "value"}

// value is a value of the column, or null, or a missing one, and what is known of the rows that
// have it.
type value struct {
	grid.Cell
	rows  int      // how many rows have it
	size  *big.Int // the sum of the first column of sizes in these rows; nil without such a column
	exact string   // as the service sent it; "" for null and a missing one

	term       string // of a filter that finds these rows
	hasTwoEnds bool   // the term cannot be negated, see [lists.Bucket]
}

// newValues makes the box for a column of the grid. The values are counted among the rows that
// are shown.
func (l *List) newValues(column int) *values {
	v := &values{
		list:    l,
		source:  l.source,
		among:   l.rows,
		column:  column,
		columns: l.grid.Shown(),
		heading: safetext.Clip(l.source.columns[column].Heading, maxName),
	}
	nameOf := func(row int) string { return v.items[row].name() }
	v.box = newBox(l.env.Theme, valueSource{v}, v.sorted, nameOf)
	v.above, v.instead, v.grid.OnClick = v.head, v.none, v.clicked
	v.grid.OnCopy = func(row, _ int) tea.Cmd {
		if text := v.items[row].exact; text != "" {
			return l.env.Root.Copy(text, "the value")
		}
		return l.env.Root.Say("Not copied: there is no value in these rows.", false)
	}
	return v
}

func (v *values) Init() (count tea.Cmd) {
	v.work, count = screen.Begin(v.list.env, v, v.count, v.counted)
	return count
}

func (v *values) Close() { v.work.Cancel() }

// counted is the result of counting.
type counted struct {
	lists.Distribution
	err error
}

// count counts the values. It is called in a command.
func (v *values) count(ctx context.Context) counted {
	info := v.source.infos[v.source.tableColumns[v.column]].ColumnInfo
	counts, err := v.source.table.Distribution(ctx, v.among, info, v.source.format.Format, maxValues)
	return counted{counts, err}
}

// counted shows the result of counting.
func (v *values) counted(c counted) tea.Cmd {
	if c.err != nil {
		v.failure = screen.Describe(c.err).Sentence
		return nil
	}
	counts := c.Distribution
	v.counts = &counts
	if counts.Ranges {
		v.order = byValue
	}
	column := v.source.tableColumns[v.column]
	for _, bucket := range counts.Buckets {
		v.items = append(v.items, v.itemOf(bucket))
	}
	v.addWithout(grid.Missing, counts.Missing, v.source.table.Term(column, lists.Cell{}))
	v.addWithout(grid.Null, counts.Nulls, v.source.table.Term(column, lists.NullCell()))
	for _, i := range v.items {
		v.maxRows, v.widest = max(v.maxRows, i.rows), max(v.widest, safetext.Width(i.Text))
		if v.maxSize == nil || i.size.Cmp(v.maxSize) > 0 {
			v.maxSize = i.size
		}
	}
	v.grid.SetSource(valueSource{v}, nil)
	v.refresh()
	v.markOrder()
	return nil
}

// itemOf is the item of a bucket. A text that would look like a missing value or null is quoted.
func (v *values) itemOf(bucket lists.Bucket) value {
	i := value{
		Cell:       grid.Cell{Text: safetext.Clip(bucket.Label, maxName)},
		rows:       bucket.Rows,
		size:       bucket.Size,
		exact:      exact(bucket.Cell),
		term:       bucket.Term,
		hasTwoEnds: bucket.HasTwoEnds,
	}
	switch {
	case v.counts.Ranges:
		i.exact = bucket.Label
	case i.Text == "", i.Text == "null":
		i.Text = strconv.Quote(i.Text)
	default:
		column := v.source.tableColumns[v.column]
		i.Text = withMeaning(v.source.infos[column].Name, i.Text)
	}
	return i
}

// markOrder marks the heading of the column that the values are sorted by.
func (v *values) markOrder() {
	isIt := func(c grid.Column) bool { return c.Key == orderKeys[v.order] }
	if at := slices.IndexFunc(valueSource{v}.Columns(), isIt); at >= 0 {
		v.grid.Sorted(lists.SortKey{Column: at, Descending: v.order != byValue})
	}
}

// addWithout adds the rows in which the value is missing or null, if there are any. term finds
// them.
func (v *values) addWithout(state grid.State, bucket lists.Bucket, term string) {
	if bucket.Rows == 0 {
		return
	}
	v.items = append(v.items, value{
		Cell: grid.Cell{State: state},
		rows: bucket.Rows,
		size: bucket.Size,
		term: term,
	})
}

// sorted returns the indexes of the items in the chosen order.
func (v *values) sorted() []int32 {
	items := rowsFrom(0, len(v.items))
	switch v.order {
	case byRows:
		slices.SortStableFunc(items, func(a, b int32) int {
			return cmp.Compare(v.items[b].rows, v.items[a].rows)
		})
	case bySize:
		slices.SortStableFunc(items, func(a, b int32) int {
			return v.items[b].size.Cmp(v.items[a].size)
		})
	}
	return items
}

// name is the value in words.
func (i value) name() string {
	switch i.State {
	case grid.Null:
		return "null"
	case grid.Missing:
		return "missing"
	}
	return i.Text
}

func (v *values) Actions() []screen.Action {
	switch {
	case v.failure != "":
		return v.besides()
	case v.Typing():
		return v.filter.Actions()
	case v.counts == nil:
		stop := screen.Action{
			ID:          screen.RootBack,
			Title:       "cancel",
			Description: "stop counting and go back to the list",
		}
		return append(v.besides(), stop)
	case v.eachOnce():
		filter := screen.Action{
			ID:          screen.FilterOpen,
			Title:       "filter",
			Description: "go back to the list and filter it",
			Run: func() tea.Cmd {
				return tea.Batch(v.list.closeOverlay(), v.list.filter.Edit())
			},
		}
		return append([]screen.Action{filter}, v.besides()...)
	}
	selected := v.selected()
	noValue := screen.If(selected == nil, "there is no value here to filter by")
	isRange := selected != nil && selected.hasTwoEnds
	only := screen.Action{
		ID:     screen.GroupsOnly,
		Reason: noValue,
		Run:    func() tea.Cmd { return v.narrow("") },
	}
	without := screen.Action{
		ID:     screen.GroupsExclude,
		Reason: cmp.Or(noValue, screen.If(isRange, "a range cannot be left out")),
		Run:    func() tea.Cmd { return v.narrow("!") },
	}
	return slices.Concat(
		[]screen.Action{only, without}, v.filter.Actions(),
		[]screen.Action{v.reorder()}, v.besides(), v.grid.Actions(),
	)
}

// filterBy filters the values by words, or the list if each row has a value of its own; nil while
// there are no values.
func (v *values) filterBy() func(words string) tea.Cmd {
	switch {
	case v.failure != "" || v.counts == nil:
		return nil
	case v.eachOnce():
		return func(words string) tea.Cmd {
			return tea.Batch(v.list.closeOverlay(), v.list.filter.Filter(words))
		}
	}
	return v.filter.Filter
}

// reorder is the action that sorts by the next of: rows, the sum of sizes, values.
func (v *values) reorder() screen.Action {
	next := map[valueOrder]valueOrder{byRows: bySize, bySize: byValue, byValue: byRows}[v.order]
	if next == bySize && v.counts.Sizes == nil {
		next = byValue
	}
	a := screen.Action{ID: screen.GroupsSort, Run: screen.Do(func() {
		v.order = next
		v.refresh()
		v.markOrder()
	})}
	switch next {
	case byRows:
		a.Title, a.Description = "sort by rows", "sort by number of rows"
	case bySize:
		a.Title, a.Description = "sort by "+v.sizes(), "sort by the sum of "+v.sizes()
	case byValue:
		a.Title, a.Description = "sort by value", "sort in the order of values"
	}
	return a
}

// sizes names the column of sizes that is added up; "" if there is none.
func (v *values) sizes() string {
	if v.counts == nil || v.counts.Sizes == nil {
		return ""
	}
	return safetext.Clip(v.counts.Sizes.Label, maxName)
}

// besides are the actions that count the values of the columns beside this one.
func (v *values) besides() []screen.Action {
	return []screen.Action{
		v.beside(screen.GridRight, 1, "this is the last column"),
		v.beside(screen.GridLeft, -1, "this is the first column"),
	}
}

// beside is the action that counts the values of the column by positions to the right, or to the
// left if negative. atEnd is the reason if there is none.
func (v *values) beside(id screen.ActionID, by int, atEnd string) screen.Action {
	a := screen.Action{ID: id, Title: screen.If(by > 0, "next column")}
	to := slices.Index(v.columns, v.column) + by
	if to < 0 || to >= len(v.columns) {
		a.Reason = atEnd
	} else {
		heading := v.source.columns[v.columns[to]].Heading
		a.Description = "count the values of " + safetext.Clip(heading, maxName)
	}
	if v.list.source != v.source {
		a.Reason = "the list was loaded again; count its values again"
	}
	a.Run = func() tea.Cmd { return v.list.Over(v.list.newValues(v.columns[to])) }
	return a
}

// clicked filters the list by a value after a second click on it.
func (v *values) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && hit.Again {
		return v.narrow("")
	}
	return nil
}

// narrow narrows the filter of the list to the selected value or, if not is "!", to all others.
func (v *values) narrow(not string) tea.Cmd {
	l, term := v.list, not+v.selected().term
	popped := l.closeOverlay()
	return tea.Batch(popped, l.filter.Set(v.source.table.Narrow(l.filter.Text(), term)))
}

// selected is the value under the cursor, nil if there is none.
func (v *values) selected() *value {
	row, ok := v.grid.Selected()
	if !ok {
		return nil
	}
	return &v.items[row]
}
