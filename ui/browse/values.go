package browse

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
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

// valueEvents are what the panel asks of the list below it.
type valueEvents struct {
	// Filter adds a term to the filter and closes the panel: the term of a value,
	// or "!" and the term to leave its rows out.
	Filter func(term string) tea.Cmd
	// Close closes the panel; before the groups are there it ends the counting.
	Close func() tea.Cmd
}

// valueList is the panel. It waits until Show or Fail tells what the counting
// brought.
type valueList struct {
	theme  *styles.Theme
	column string
	events valueEvents

	groups        *valueCounts
	failure       string
	find          *grid.FilterLine
	grid          *grid.Model
	above         int // lines above the grid, as last drawn
	width, height int // of the last Layout
}

// newValueList makes a panel for a column, by its title, whose values are still counted.
func newValueList(theme *styles.Theme, column string, events valueEvents) *valueList {
	v := &valueList{theme: theme, column: column, events: events, grid: grid.New(theme, valueRows{})}
	v.grid.RowsOnly = true
	purpose := grid.FilterPurpose{Name: "find", Open: "find among the values", Clear: "show all values again"}
	v.find = grid.NewFilterLine(theme, purpose, v.narrow)
	return v
}

// Show shows what was counted.
func (v *valueList) Show(g valueCounts) {
	v.groups, v.failure = &g, ""
	v.grid.SetSource(newValueRows(v.theme, g), v.found())
}

// Fail says why there is nothing to show, in a sentence that is safe to print.
func (v *valueList) Fail(sentence string) { v.failure = sentence }

// Typing reports that the find line has the focus.
func (v *valueList) Typing() bool { return v.find.Typing() }

// Update takes keys and pastes for the find line.
func (v *valueList) Update(msg tea.Msg) tea.Cmd { return v.find.Update(msg) }

// Actions lists what can be done with the panel as it is now.
func (v *valueList) Actions() []screen.Action {
	leave := screen.Action{ID: "groups.close", Run: v.events.Close}
	switch {
	case v.failure != "":
		return []screen.Action{leave}
	case v.groups == nil:
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

// Click puts the cursor on the value at a place of the last drawing; where it was
// already, the list is filtered by it.
func (v *valueList) Click(x, y int) tea.Cmd {
	hit := v.grid.Click(x, y-v.above)
	if hit.Target != grid.Row || !hit.Again || v.notFilterable() != "" {
		return nil
	}
	return v.filter("")
}

// Wheel scrolls by lines, down if positive.
func (v *valueList) Wheel(lines int) { v.grid.Wheel(lines) }

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
	return v.events.Filter(prefix + item.Term)
}

func (v *valueList) selected() (valueCount, bool) {
	row, ok := v.grid.Selected()
	if !ok {
		return valueCount{}, false
	}
	return v.groups.Items[row], true
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
	for i, item := range v.groups.Items {
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
		grid.Cell{Text: human.Count(item.Rows)},
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

// Layout gives the size of what View draws.
func (v *valueList) Layout(width, height int) { v.width, v.height = width, height }

// View draws the panel in exactly the size of the last Layout.
func (v *valueList) View() string {
	width, height := v.width, v.height
	column := safetext.Clip(v.column, width/2)
	switch {
	case v.failure != "":
		text := v.theme.Glyphs.Bad + " The values of " + column + " could not be counted. " + v.failure
		return layout.Box(v.theme.Bad.Render(layout.Wrap(text, width)), width, height)
	case v.groups == nil:
		text := "counting the values of " + column + v.theme.Glyphs.More
		return layout.Box(v.theme.Accent.Render(layout.Wrap(text, width)), width, height)
	}
	above := []string{}
	if absent := v.absent(); absent != "" && height >= 6 {
		above = append(above, v.theme.Muted.Render(layout.Cut(absent, width)))
	}
	if v.find.Visible() {
		v.find.Layout(width)
		above = append(above, v.find.View())
	}
	// The list first: the line above it tells which part of it is visible.
	v.above = len(above) + 1
	body := v.body(width, max(height-v.above, 0))
	// Which columns are cut is of no use: nobody can go to them.
	position, _, _ := strings.Cut(v.grid.Position(), " "+v.theme.Glyphs.Separator)
	head := layout.Sides(v.theme.Strong.Render(column+": "+v.count()), v.theme.Muted.Render(position), width)
	lines := append([]string{head}, above...)
	return layout.Box(strings.Join(append(lines, body), "\n"), width, height)
}

func (v *valueList) body(width, height int) string {
	if len(v.groups.Items) == 0 {
		return layout.Box("\n"+v.theme.Muted.Render("There is no row to look at."), width, height)
	}
	v.grid.Layout(width, height)
	return v.grid.View()
}

// count says how many values there are.
func (v *valueList) count() string {
	switch g := v.groups; {
	case g.Capped:
		return "more than " + human.Count(g.Values) + " values"
	case g.Values == 1:
		return "1 value"
	}
	return human.Count(v.groups.Values) + " values"
}

// absent says in how many rows there is no value, and how many values are not
// in the list.
func (v *valueList) absent() string {
	g := v.groups
	var parts []string
	if g.Nulls > 0 {
		parts = append(parts, human.Count(g.Nulls)+" null")
	}
	if g.Missing > 0 {
		parts = append(parts, human.Count(g.Missing)+" missing")
	}
	if len(parts) > 0 {
		parts = []string{strings.Join(parts, ", ") + " in " + human.Count(g.Total) + " rows"}
	}
	if listed := g.listed(); listed < g.Values {
		parts = append(parts, "the most frequent "+human.Count(listed)+" are listed")
	}
	return strings.Join(parts, " "+v.theme.Glyphs.Separator+" ")
}
