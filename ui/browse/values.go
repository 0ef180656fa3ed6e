package browse

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// valueCounts are the values of a column. Texts may come from outside.
type valueCounts struct {
	// Values is how many different values there are, without nulls and missing
	// ones; Total is the number of rows that were looked at.
	Values, Total int
	// Nulls and Missing are the rows in which the column is null or not there.
	Nulls, Missing int
	// Items are the values with the most rows, those first; nulls and missing ones
	// may be among them.
	Items []valueCount
	// Capped says that there are more than Values values: counting stopped there.
	Capped bool
}

// listed is how many of the items are values.
func (g *valueCounts) listed() int {
	values := 0
	for _, item := range g.Items {
		if item.State != grid.Null && item.State != grid.Missing {
			values++
		}
	}
	return values
}

// valueCount is one value and the rows that have it.
type valueCount struct {
	// Text is the value as the list shows it; State says if it is one.
	Text  string
	State grid.State
	Rows  int
	// Term finds these rows: `owner=="Lars Jensen"`. Where columns share a name it may
	// find more of them. Without one the value cannot be filtered by.
	Term string
}

// name is what the find line looks through.
func (i valueCount) name() string {
	switch i.State {
	case grid.Null:
		return "null"
	case grid.Missing:
		return "missing"
	}
	return i.Text
}

// valueList is the screen over a list that shows which values a column has and how
// many rows have each. A value becomes a term of the list's filter.
type valueList struct {
	theme    *styles.Theme
	column   string
	counting *counting // the work that fills it
	// filterBy adds a term to the filter of the list and goes back to it: the term of
	// a value, or "!" and the term to leave its rows out.
	filterBy func(term string) tea.Cmd
	leave    func() tea.Cmd

	counts  *valueCounts // nil: they are still counted
	failure string
	find    *grid.FilterLine
	grid    *grid.Model

	width, height int
	above         []string // the lines between the heading and the grid
}

// newValueList makes the screen for a column, by its title, whose values are still
// to be counted.
func newValueList(theme *styles.Theme, column string, filterBy func(term string) tea.Cmd, leave func() tea.Cmd) *valueList {
	v := &valueList{theme: theme, column: column, filterBy: filterBy, leave: leave, grid: grid.New(theme, valueRows{})}
	v.grid.RowsOnly = true
	purpose := grid.FilterPurpose{Name: "find", Open: "find among the values", Clear: "show all values again"}
	v.find = grid.NewFilterLine(theme, purpose, v.narrow)
	return v
}

// show shows what was counted.
func (v *valueList) show(counts valueCounts) {
	v.counts, v.failure = &counts, ""
	v.grid.SetSource(newValueRows(v.theme, counts), v.found())
}

// fail says why there is nothing to show, in a sentence that is safe to print.
func (v *valueList) fail(sentence string) { v.failure = sentence }

// Title implements [screen.Screen].
func (v *valueList) Title() string { return "Values" }

// Overlay implements [screen.Overlay].
func (v *valueList) Overlay() {}

// Init implements [screen.Screen].
func (v *valueList) Init() tea.Cmd { return screen.Reply(v, v.counting.run) }

// Close implements [screen.Screen].
func (v *valueList) Close() { v.counting.stop() }

// Typing implements [screen.Screen].
func (v *valueList) Typing() bool { return v.find.Typing() }

// Update implements [screen.Screen].
func (v *valueList) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(countedMsg); ok {
		v.counted(msg)
		return nil
	}
	return v.find.Update(msg)
}

func (v *valueList) counted(msg countedMsg) {
	if msg.err != nil {
		v.fail(problem.Describe(msg.err, problem.Screen).Sentence)
		return
	}
	v.show(msg.counts)
}

// Actions implements [screen.Screen].
func (v *valueList) Actions() []screen.Action {
	leave := screen.Action{ID: "groups.close", Run: v.leave}
	switch {
	case v.failure != "":
		return []screen.Action{leave}
	case v.counts == nil:
		leave.Title, leave.Description = "cancel", "stop counting and go back to the list"
		return []screen.Action{leave}
	case v.Typing():
		return v.find.Actions()
	}
	reason := v.notFilterable()
	actions := append([]screen.Action{
		{ID: "groups.only", Reason: reason, Run: func() tea.Cmd { return v.filter("") }},
		{ID: "groups.exclude", Reason: reason, Run: func() tea.Cmd { return v.filter("!") }},
	}, v.find.Actions()...)
	return append(append(actions, leave), v.grid.Actions()...)
}

// Click implements [screen.MouseHandler]: the list is filtered by the value that was
// under the cursor already.
func (v *valueList) Click(x, y int) tea.Cmd {
	hit := v.grid.Click(x, y-1-len(v.above))
	if hit.Target != grid.Row || !hit.Again || v.notFilterable() != "" {
		return nil
	}
	return v.filter("")
}

// Wheel implements [screen.MouseHandler].
func (v *valueList) Wheel(_, _, lines int) tea.Cmd {
	v.grid.Wheel(lines)
	return nil
}

func (v *valueList) notFilterable() string {
	item, ok := v.selected()
	switch {
	case !ok:
		return "there is no value here to filter by"
	case item.Term == "":
		return "this value cannot be written as a filter"
	}
	return ""
}

func (v *valueList) filter(prefix string) tea.Cmd {
	item, _ := v.selected()
	return v.filterBy(prefix + item.Term)
}

func (v *valueList) selected() (valueCount, bool) {
	row, ok := v.grid.Selected()
	if !ok {
		return valueCount{}, false
	}
	return v.counts.Items[row], true
}

func (v *valueList) narrow(string) tea.Cmd {
	v.grid.SetRows(v.found())
	v.grid.SetMatch(v.find.Words())
	return nil
}

// found are the items that hold every word of the find line; nil is all.
func (v *valueList) found() []int32 {
	words := v.find.Words()
	if len(words) == 0 {
		return nil
	}
	rows := []int32{}
	for i, item := range v.counts.Items {
		if grid.ContainsAll(item.name(), words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// barCells is how long the bar of the largest group is.
const barCells = 20

// list shows groups to the grid.
type valueRows struct {
	groups valueCounts
	most   int // rows of the largest group
	bar    string
}

func newValueRows(theme *styles.Theme, g valueCounts) valueRows {
	l := valueRows{groups: g, bar: theme.Glyphs.BarFull}
	for _, item := range g.Items {
		l.most = max(l.most, item.Rows)
	}
	return l
}

// Len implements [grid.Source].
func (l valueRows) Len() int { return len(l.groups.Items) }

// Columns implements [grid.Source].
func (l valueRows) Columns() []grid.Column {
	return []grid.Column{{Title: "Value"}, {Title: "Rows", Numeric: true}, {Title: "Share", Numeric: true}, {Title: ""}}
}

// Cells implements [grid.Source].
func (l valueRows) Cells(row int, dst []grid.Cell) []grid.Cell {
	item := l.groups.Items[row]
	value := grid.Cell{Text: item.Text, State: item.State}
	if item.State == grid.Empty || item.State == grid.Value && item.Text == "" {
		value = grid.Cell{Text: `""`}
	}
	return append(dst, value,
		grid.Cell{Text: screen.Number(item.Rows)},
		grid.Cell{Text: share(item.Rows, l.groups.Total)},
		grid.Cell{Text: strings.Repeat(l.bar, l.length(item.Rows)), Tone: grid.Muted},
	)
}

// length is how many cells the bar of a group has: one at least.
func (l valueRows) length(rows int) int {
	if rows <= 0 {
		return 0
	}
	return max(1, (rows*barCells+l.most/2)/l.most)
}

// share writes a part of a whole: 12.3 %.
func share(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	tenths := (part*2000 + whole) / (2 * whole)
	if tenths == 0 && part > 0 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// Layout implements [screen.Screen].
func (v *valueList) Layout(width, height int) {
	v.width, v.height, v.above = width, height, nil
	v.find.Layout(width)
	if v.counts == nil {
		return
	}
	if absent := v.absent(); absent != "" && height >= 6 {
		v.above = append(v.above, v.theme.Muted.Render(screen.Cut(absent, width)))
	}
	if v.find.Visible() {
		v.above = append(v.above, v.find.View())
	}
	v.grid.Layout(width, max(height-1-len(v.above), 0))
}

// View implements [screen.Screen].
func (v *valueList) View() string {
	column := safetext.Clip(v.column, v.width/2)
	switch {
	case v.failure != "":
		text := v.theme.Glyphs.Bad + " The values of " + column + " could not be counted. " + v.failure
		return screen.Box(v.theme.Bad.Render(screen.Wrap(text, v.width)), v.width, v.height)
	case v.counts == nil:
		text := "counting the values of " + column + v.theme.Glyphs.More
		return screen.Box(v.theme.Accent.Render(screen.Wrap(text, v.width)), v.width, v.height)
	}
	// Which columns are cut is of no use: nobody can go to them.
	position, _, _ := strings.Cut(v.grid.Position(), " "+v.theme.Glyphs.Separator)
	heading := screen.Sides(v.theme.Strong.Render(column+": "+v.count()), v.theme.Muted.Render(position), v.width)
	lines := append([]string{heading}, v.above...)
	return screen.Box(strings.Join(append(lines, v.body()), "\n"), v.width, v.height)
}

func (v *valueList) body() string {
	if len(v.counts.Items) == 0 {
		return "\n" + v.theme.Muted.Render("There is no row to look at.")
	}
	return v.grid.View()
}

// count says how many values there are.
func (v *valueList) count() string {
	count := screen.Count(v.counts.Values, "value", "values")
	if v.counts.Capped {
		return "more than " + count
	}
	return count
}

// absent says in how many rows there is no value, and how many values are not
// in the list.
func (v *valueList) absent() string {
	g := v.counts
	var parts []string
	if g.Nulls > 0 {
		parts = append(parts, screen.Number(g.Nulls)+" null")
	}
	if g.Missing > 0 {
		parts = append(parts, screen.Number(g.Missing)+" missing")
	}
	if len(parts) > 0 {
		parts = []string{strings.Join(parts, ", ") + " in " + screen.Number(g.Total) + " rows"}
	}
	if listed := g.listed(); listed < g.Values {
		parts = append(parts, "the most frequent "+screen.Number(listed)+" are listed")
	}
	return strings.Join(parts, " "+v.theme.Glyphs.Separator+" ")
}

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

// countValues shows the values of the current column.
func (l *recordList) countValues() tea.Cmd {
	c := &counting{source: l.source, rows: l.rows, column: l.grid.Column()}
	c.ctx, c.stop = context.WithCancel(l.env.Context)
	list := newValueList(l.env.Theme, l.source.title(c.column), l.filterBy, l.pop)
	list.counting = c
	return l.push(list)
}

// filterBy adds a term to the filter and goes back to the list.
func (l *recordList) filterBy(term string) tea.Cmd {
	popped := l.pop()
	return tea.Batch(popped, l.filter.Set(strings.TrimSpace(l.filter.Text()+" "+term)))
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
	if g.Nulls > 0 {
		g.Items = append(g.Items, c.item(records.NullCell(), g.Nulls))
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
	shown := c.source.format.cell(c.source.kinds[col], cell)
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
