package browse

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// maxValues is how many values of a column are listed: more than anybody reads, but filters.
const maxValues = 1000

// values is the box over a list that shows which values a column has and how many rows have
// each. A value becomes a term of the list's filter.
type values struct {
	*box
	list    *List
	source  *source
	among   []int32 // the rows that are counted; nil: all
	column  int     // of the grid
	columns []int   // of the list, from left to right
	heading string
	work    *screen.Work

	counts   *lists.Distribution // nil: they are still counted
	items    []value             // in the order of their values
	maxRows  int                 // of an item
	maxSize  *big.Int            // of an item; nil: there are none
	widest   int                 // cells of an item
	maxCells int                 // of a bar, settled with the room
	failure  string
	order    valueOrder
}

// valueOrder is by what values are sorted.
type valueOrder int

const (
	byRows  valueOrder = iota // the most first
	bySize                    // the largest sum of sizes first
	byValue                   // as they are sorted in the list
)

// value is one of them, or null, or none, and the rows that have it.
type value struct {
	grid.Cell
	rows  int
	size  *big.Int // the sum of the first column of sizes in these rows; nil without one
	exact string   // as it was sent, "" where there is none

	term       string // finds these rows
	hasTwoEnds bool   // the term cannot be negated, as [lists.Bucket] says
}

func (l *List) newValues(column int) *values {
	v := &values{
		list: l, source: l.source, among: l.rows, column: column, columns: l.grid.Shown(),
		heading: safetext.Clip(l.source.columns[column].Heading, maxName),
	}
	v.box = newBox(l.env.Theme, valueRows{v}, v.sorted, func(row int) string { return v.items[row].name() })
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

func (v *values) count(ctx context.Context) counted {
	info := v.source.infos[v.source.from[v.column]].ColumnInfo
	counts, err := v.source.table.Distribution(ctx, v.among, info, v.source.format.Format, maxValues)
	return counted{counts, err}
}

// counted lists what was counted.
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
	column := v.source.from[v.column]
	for _, bucket := range counts.Buckets {
		i := value{
			Cell: grid.Cell{Text: safetext.Clip(bucket.Label, maxName)},
			rows: bucket.Rows, size: bucket.Size, exact: exact(bucket.Cell),
			term: bucket.Term, hasTwoEnds: bucket.HasTwoEnds,
		}
		switch {
		case counts.Ranges:
			i.exact = bucket.Label
		case i.Text == "", i.Text == "null": // which looks like none
			i.Text = strconv.Quote(i.Text)
		default:
			i.Text = withMeaning(v.source.infos[column].Name, i.Text)
		}
		v.items = append(v.items, i)
	}
	v.addWithout(grid.Missing, counts.Missing, v.source.table.Term(column, lists.Cell{}))
	v.addWithout(grid.Null, counts.Nulls, v.source.table.Term(column, lists.NullCell()))
	for _, i := range v.items {
		v.maxRows, v.widest = max(v.maxRows, i.rows), max(v.widest, safetext.Width(i.Text))
		if v.maxSize == nil || i.size.Cmp(v.maxSize) > 0 {
			v.maxSize = i.size
		}
	}
	v.grid.SetSource(valueRows{v}, nil)
	v.refresh()
	v.markOrder()
	return nil
}

// markOrder marks the heading of the column by which the values are sorted.
func (v *values) markOrder() {
	title := map[valueOrder]string{byRows: headRows, bySize: v.sizes(), byValue: headValue}[v.order]
	isIt := func(c grid.Column) bool { return c.Title == title }
	if at := slices.IndexFunc(valueRows{v}.Columns(), isIt); at >= 0 {
		v.grid.Sorted(lists.SortKey{Column: at, Descending: v.order != byValue})
	}
}

// addWithout adds the rows without a value, if there are any.
func (v *values) addWithout(state grid.State, of lists.Bucket, term string) {
	if of.Rows > 0 {
		v.items = append(v.items, value{Cell: grid.Cell{State: state}, rows: of.Rows, size: of.Size, term: term})
	}
}

// sorted are the values in the order that is chosen.
func (v *values) sorted() []int32 {
	rows := rowsFrom(0, len(v.items))
	switch v.order {
	case byRows:
		slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(v.items[b].rows, v.items[a].rows) })
	case bySize:
		slices.SortStableFunc(rows, func(a, b int32) int { return v.items[b].size.Cmp(v.items[a].size) })
	}
	return rows
}

// name is what is said of it.
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
		stop := screen.Action{ID: screen.RootBack, Title: "cancel", Description: "stop counting and go back to the list"}
		return append(v.besides(), stop)
	case v.eachOnce():
		filter := screen.Action{
			ID: screen.FilterOpen, Title: "filter", Description: "go back to the list and filter it",
			Run: func() tea.Cmd { return tea.Batch(v.list.pop(), v.list.filter.Edit()) },
		}
		return append([]screen.Action{filter}, v.besides()...)
	}
	i := v.selected()
	none := screen.If(i == nil, "there is no value here to filter by")
	isRange := i != nil && i.hasTwoEnds
	only := screen.Action{ID: screen.GroupsOnly, Reason: none, Run: func() tea.Cmd { return v.narrow("") }}
	without := screen.Action{ID: screen.GroupsExclude, Reason: cmp.Or(none, screen.If(isRange, "a range cannot be left out")), Run: func() tea.Cmd { return v.narrow("!") }}
	order := v.reorder()
	return slices.Concat([]screen.Action{only, without}, v.filter.Actions(), []screen.Action{order}, v.besides(), v.grid.Actions())
}

// reorder sorts the values by what comes next: rows, the sum of sizes, values.
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

// sizes is what the column of sizes is called that is added up; "" if there is none.
func (v *values) sizes() string {
	if v.counts == nil || v.counts.Sizes == nil {
		return ""
	}
	return safetext.Clip(v.counts.Sizes.Label, maxName)
}

// besides count the values of the columns beside this one.
func (v *values) besides() []screen.Action {
	return []screen.Action{
		v.beside(screen.GridRight, 1, "this is the last column"),
		v.beside(screen.GridLeft, -1, "this is the first column"),
	}
}

// beside counts the values of the column so many to the right, unless that is beyond the end.
func (v *values) beside(id screen.ActionID, by int, end string) screen.Action {
	a := screen.Action{ID: id, Title: screen.If(by > 0, "next column")}
	to := slices.Index(v.columns, v.column) + by
	if to < 0 || to >= len(v.columns) {
		a.Reason = end
	} else {
		a.Description = "count the values of " + safetext.Clip(v.source.columns[v.columns[to]].Heading, maxName)
	}
	if v.list.source != v.source {
		a.Reason = "the list was loaded again; count its values again"
	}
	a.Run = func() tea.Cmd { return v.list.Over(v.list.newValues(v.columns[to])) }
	return a
}

// clicked filters the list by the value that was under the cursor already.
func (v *values) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && hit.Again {
		return v.narrow("")
	}
	return nil
}

// narrow narrows the filter of the list by a value, or by all but that.
func (v *values) narrow(not string) tea.Cmd {
	l, term := v.list, not+v.selected().term
	popped := l.pop()
	return tea.Batch(popped, l.filter.Set(v.source.table.Narrow(l.filter.Text(), term)))
}

// selected is the value under the cursor, nil where there is none.
func (v *values) selected() *value {
	row, ok := v.grid.Selected()
	if !ok {
		return nil
	}
	return &v.items[row]
}

// The bar of the largest group has the cells that the box leaves beside values and figures,
// within bounds.
const minBar, maxBar, figureCells = 8, 40, 14 // of a percentage, and what is around the columns

// sumCells are those of a sum of sizes and what is around its column.
const sumCells = len("999.9 GB") + 2

// The headings of the values and of the rows that have them.
const headValue, headRows = "Value", "Rows"

// valueRows shows the values to the grid.
type valueRows struct{ *values }

func (v valueRows) Len() int { return len(v.items) }

func (v valueRows) Columns() []grid.Column {
	columns := []grid.Column{{Title: headValue}}
	if v.maxRows > 1 { // a bar of one says nothing
		columns = append(columns, grid.Column{Title: headRows, Numeric: true}, grid.Column{Title: "%", Numeric: true})
	}
	if sizes := v.sizes(); sizes != "" {
		columns = append(columns, grid.Column{Title: sizes, Numeric: true})
	}
	if v.maxRows > 1 {
		columns = append(columns, grid.Column{Title: ""})
	}
	return columns
}

func (v valueRows) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	i := v.items[row]
	cells := []grid.Cell{i.Cell}
	if v.maxRows > 1 {
		cells = append(cells, grid.Cell{Text: human.Number(i.rows), Tone: grid.Number}, grid.Cell{Text: percent(i.rows, v.total()), Tone: grid.Muted})
	}
	if v.sizes() != "" {
		cells = append(cells, grid.Cell{Text: i.sum(), Tone: grid.Number})
	}
	if v.maxRows > 1 { // the bar is thin, so that lines stay apart
		bar := strings.Repeat(v.theme.Glyphs.BarFull, v.barCells(i))
		cells = append(cells, grid.Cell{Text: bar, Tone: grid.Number})
	}
	return grid.Pick(cells, columns, dst)
}

// barCells is how long the bar of a value is: it shows the sum of sizes where the values are sorted by
// that, and the rows otherwise. Only a sum of nothing, or below 0, has no bar.
func (v *values) barCells(i value) int {
	of, most := float64(i.rows), float64(v.maxRows)
	if v.order == bySize {
		of, _ = i.size.Float64()
		most, _ = v.maxSize.Float64()
	}
	if of <= 0 {
		return 0
	}
	return max(1, int(math.Round(of/most*float64(v.maxCells))))
}

// sum is the sum of the sizes as people read it, below 0 in digits as the list has such a size;
// "" where there is none.
func (i value) sum() string {
	if i.size == nil {
		return ""
	}
	digits := i.size.String()
	if size, ok := human.SizeOf(digits); ok {
		return size.String()
	}
	return digits
}

// total is how many rows were counted.
func (v *values) total() int {
	if v.among == nil {
		return v.source.Len()
	}
	return len(v.among)
}

// percent writes a part of a whole: 12.3.
func percent(part, whole int) string {
	if tenths := (part*2000 + whole) / max(2*whole, 1); tenths > 0 {
		return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
	}
	return "<0.1"
}

// View implements [screen.Screen].
func (v *values) View() screen.View {
	shown := v.box.View()
	shown.Title, shown.Border = "Values", v.border()
	shown.Rows = valuesHeard{v}
	if len(v.items) > 0 {
		shown.Said = []string{v.heading + ": " + v.howMany()}
	}
	return shown
}

func (v *values) border() screen.Pane {
	pane := screen.Pane{Title: v.heading}
	if v.counts == nil {
		return pane
	}
	pane.Title += " " + v.theme.Glyphs.Separator + " " + v.howMany()
	if len(v.items) > 0 {
		pane.Foot = v.grid.RowPosition()
	}
	return pane
}

// Size implements [screen.Screen].
func (v *values) Size(int, int) screen.Size {
	switch {
	case v.counts == nil:
		return screen.Size{Cells: minBox, Lines: 3}
	case len(v.items) == 0:
		return screen.Size{Cells: minBox, Lines: 3, Padding: 1}
	}
	lines := v.lines(len(v.items))
	if v.others() != "" {
		lines++
	}
	return screen.Size{Cells: maxValueCells, Lines: lines}
}

// How wide a box over a list is at least, and that of values at most.
const minBox, maxValueCells = 50, 86

// Settle implements [screen.Screen]: the bars have the room that the values leave.
func (v *values) Settle(room screen.Room) {
	figures := figureCells + max(len(headRows)+2, len(human.Number(v.maxRows)))
	if sizes := v.sizes(); sizes != "" {
		figures += max(sumCells, safetext.Width(sizes)+4)
	}
	cells := max(minBar, min(maxBar, room.Width-v.widest-figures))
	if cells != v.maxCells {
		v.maxCells = cells
		v.refresh() // which measures the bars
	}
	v.box.Settle(room)
}

// head says how many values are not listed.
func (v *values) head() screen.Part {
	others := v.others()
	if others == "" {
		return screen.Column{}
	}
	return screen.Text{Style: v.theme.Muted, Text: "  " + others, Most: 1}
}

// none says why no values are listed; nil if some are.
func (v *values) none() screen.Part {
	text, style := v.why(), v.theme.Muted
	if v.failure != "" {
		style = v.theme.Bad
	}
	if text == "" {
		return nil
	}
	return screen.Text{Style: style, Text: text}
}

// why says why no values are listed, "" if some are.
func (v *values) why() string {
	switch {
	case v.failure != "":
		return v.theme.Glyphs.Bad + " The values of " + v.heading + " could not be counted. " + v.failure
	case v.counts == nil:
		return "Counting the values of " + v.heading + v.theme.Glyphs.More
	case v.eachOnce():
		return "Each value occurs once: nothing to count.\n\nFilter the list with " + v.list.env.Keys.Key(screen.FilterOpen) + " to find one."
	case len(v.items) == 0:
		return "There are no rows."
	}
	return ""
}

// eachOnce reports that there are only values of which each is in one row, and too many of them
// to be listed.
func (v *values) eachOnce() bool { return len(v.items) == 0 && v.counts.OtherValues > 0 }

// howMany says how many values there are.
func (v *values) howMany() string {
	if v.counts.Ranges {
		return human.Count(v.total(), "row", "rows")
	}
	return human.Count(len(v.counts.Buckets)+v.counts.OtherValues, "value", "values")
}

// others says how many values are not listed, "" if all are.
func (v *values) others() string {
	if len(v.items) == 0 || v.counts.OtherValues == 0 {
		return ""
	}
	return human.Count(v.counts.OtherValues, "other value", "other values") + " in " + human.Count(v.counts.OtherRows, "row", "rows")
}

// valuesHeard are the values for those who hear them.
type valuesHeard struct{ *values }

// Len implements [screen.Rows].
func (v valuesHeard) Len() int { return v.grid.Len() }

// Choose implements [screen.Rows].
func (v valuesHeard) Choose(at int) { v.grid.Choose(at) }

// SayRow implements [screen.Rows].
func (v valuesHeard) SayRow(at int) string {
	row, _ := v.grid.At(at)
	i := v.items[row]
	rows := human.Count(i.rows, "row", "rows")
	if v.maxRows > 1 {
		rows += ", " + percent(i.rows, v.total()) + " %"
	}
	if sum := i.sum(); sum != "" {
		rows += ", " + v.sizes() + " " + sum
	}
	return screen.InList(i.name(), rows)
}
