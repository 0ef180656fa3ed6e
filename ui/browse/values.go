package browse

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
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
	// Ranges says that the items are ranges of values. How many values there are is not
	// known then.
	Ranges bool
	// OtherValues and OtherRows are in no item.
	OtherValues, OtherRows int
}

// most is how many rows the item with the most has.
func (g *valueCounts) most() int {
	most := 0
	for _, item := range g.Items {
		most = max(most, item.Rows)
	}
	return most
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
	// Exact is the value as it was sent, for the clipboard; "" where there is none.
	Exact string
	// Place is where it stands in the order of values.
	Place int
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
	// openFilter goes back to the list and types its filter, filterKey is the name of
	// the key for that.
	openFilter func() tea.Cmd
	filterKey  string
	root       screen.Root

	counts  *valueCounts // nil: they are still counted
	failure string
	byValue bool // in the order of values, not of rows
	find    *grid.FilterLine
	grid    *grid.Model

	width, height int
	above         []string // the lines between the heading and the grid
}

// newValueList makes the screen for a column, by its title, whose values are still
// to be counted.
func newValueList(theme *styles.Theme, column string, filterBy func(term string) tea.Cmd) *valueList {
	v := &valueList{theme: theme, column: column, filterBy: filterBy, grid: grid.New(theme, valueRows{})}
	v.grid.RowsOnly, v.grid.OnCopy = true, v.copyValue
	purpose := grid.FilterPurpose{Name: "find", Open: "search the values", Clear: "show all values again"}
	v.find = grid.NewFilterLine(theme, purpose, v.narrow)
	return v
}

// show shows what was counted.
func (v *valueList) show(counts valueCounts) {
	v.counts, v.failure, v.byValue = &counts, "", counts.Ranges
	v.grid.SetSource(newValueRows(v.theme, counts), v.found())
}

// fail says why there is nothing to show, in a sentence that is safe to print.
func (v *valueList) fail(sentence string) { v.failure = sentence }

func (v *valueList) Title() string { return "Values" }

func (v *valueList) Overlay() {}

func (v *valueList) Init() tea.Cmd { return screen.Reply(v, v.counting.run) }

func (v *valueList) Close() { v.counting.stop() }

func (v *valueList) Typing() bool { return v.find.Typing() }

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

func (v *valueList) Actions() []screen.Action {
	switch {
	case v.failure != "":
		return nil
	case v.counts == nil:
		return []screen.Action{{ID: screen.Back, Title: "cancel", Description: "stop counting and go back to the list"}}
	case v.Typing():
		return v.find.Actions()
	case v.eachOnce():
		filter := screen.Action{ID: "find.open", Title: "filter", Description: "go back to the list and filter it", Run: v.openFilter}
		return []screen.Action{filter}
	}
	reason := v.notFilterable()
	without := screen.Action{ID: "groups.exclude", Reason: reason, Run: func() tea.Cmd { return v.filter("!") }}
	if item, _ := v.selected(); reason == "" && strings.Contains(item.Term, " ") && v.counts.Ranges {
		without.Reason = "a range cannot be left out"
	}
	order := screen.Action{ID: "groups.sort", Run: v.reorder}
	if v.byValue {
		order.Title, order.Description = "by rows", "sort by number of rows"
	}
	actions := append([]screen.Action{
		{ID: "groups.only", Reason: reason, Run: func() tea.Cmd { return v.filter("") }},
		without, order,
	}, v.find.Actions()...)
	return append(actions, v.grid.Actions()...)
}

// Click implements [screen.MouseHandler]: the list is filtered by the value that was
// under the cursor already.
func (v *valueList) Click(x, y int) tea.Cmd {
	hit := v.grid.Click(x, y-len(v.above))
	if hit.Target != grid.Row || !hit.Again || v.notFilterable() != "" {
		return nil
	}
	return v.filter("")
}

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

// copyValue copies the value of a row as it was sent.
func (v *valueList) copyValue(row, _ int) tea.Cmd {
	text := v.counts.Items[row].Exact
	if text == "" {
		return v.root.Say("Not copied: there is no value in these rows.", false)
	}
	return v.root.Copy(text, "the value")
}

// reorder sorts by value instead of by rows, or the other way.
func (v *valueList) reorder() tea.Cmd {
	v.byValue = !v.byValue
	return v.narrow("")
}

func (v *valueList) narrow(string) tea.Cmd {
	v.grid.SetRows(v.found())
	v.grid.SetMatch(v.find.Words())
	return nil
}

// found are the items that hold every word of the find line, in the order that is chosen.
func (v *valueList) found() []int32 {
	words := v.find.Words()
	rows := []int32{}
	for i, item := range v.counts.Items {
		if grid.ContainsAll(item.name(), words) {
			rows = append(rows, int32(i))
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int {
		one, other := v.counts.Items[a], v.counts.Items[b]
		if v.byValue {
			return cmp.Compare(one.Place, other.Place)
		}
		return cmp.Compare(other.Rows, one.Rows)
	})
	return rows
}
