// Package groups is the panel that shows which values a column has and how many
// rows have each, over the list whose rows they are. A value becomes a term of
// the list's filter.
package groups

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Groups are the values of a column. Texts may come from outside.
type Groups struct {
	// Values is how many different values there are, without nulls and missing
	// ones; Total is the number of rows that were looked at.
	Values, Total int
	// Nulls and Missing are the rows in which the column is null or not there.
	Nulls, Missing int
	// Items are the values with the most rows, those first; nulls and missing ones
	// may be among them.
	Items []Item
	// Capped says that there are more than Values values: counting stopped there.
	Capped bool
}

// listed is how many of the items are values.
func (g *Groups) listed() int {
	values := 0
	for _, item := range g.Items {
		if item.State != grid.Null && item.State != grid.Missing {
			values++
		}
	}
	return values
}

// Item is one value and the rows that have it.
type Item struct {
	// Text is the value as the list shows it; State says if it is one.
	Text  string
	State grid.State
	Rows  int
	// Term finds these rows: `owner=="Lars Jensen"`. Where columns share a name it may
	// find more of them. Without one the value cannot be filtered by.
	Term string
}

// name is what the find line looks through.
func (i Item) name() string {
	switch i.State {
	case grid.Null:
		return "null"
	case grid.Missing:
		return "missing"
	}
	return i.Text
}

// Events are what the panel asks of the list below it.
type Events struct {
	// Filter adds a term to the filter and closes the panel: the term of a value,
	// or "!" and the term to leave its rows out.
	Filter func(term string) tea.Cmd
	// Close closes the panel; before the groups are there it ends the counting.
	Close func() tea.Cmd
}

// Model is the panel. It waits until Show or Fail tells what the counting
// brought.
type Model struct {
	theme  *styles.Theme
	column string
	events Events

	groups        *Groups
	failure       string
	find          *grid.FilterLine
	grid          *grid.Model
	above         int // lines above the grid, as last drawn
	width, height int // of the last Layout
}

// New makes a panel for a column, by its title, whose values are still counted.
func New(theme *styles.Theme, column string, events Events) *Model {
	m := &Model{theme: theme, column: column, events: events, grid: grid.New(theme, list{})}
	m.grid.RowsOnly = true
	purpose := grid.FilterPurpose{Name: "find", Open: "find among the values", Clear: "show all values again"}
	m.find = grid.NewFilterLine(theme, purpose, m.narrow)
	return m
}

// Show shows what was counted.
func (m *Model) Show(g Groups) {
	m.groups, m.failure = &g, ""
	m.grid.SetSource(newList(m.theme, g), m.found())
}

// Fail says why there is nothing to show, in a sentence that is safe to print.
func (m *Model) Fail(sentence string) { m.failure = sentence }

// Typing reports that the find line has the focus.
func (m *Model) Typing() bool { return m.find.Typing() }

// Update takes keys and pastes for the find line.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.find.Update(msg) }

// Actions lists what can be done with the panel as it is now.
func (m *Model) Actions() []screen.Action {
	leave := screen.Action{ID: "groups.close", Run: m.events.Close}
	switch {
	case m.failure != "":
		return []screen.Action{leave}
	case m.groups == nil:
		leave.Title, leave.Description = "cancel", "stop counting and go back to the list"
		return []screen.Action{leave}
	case m.Typing():
		return m.find.Actions()
	}
	reason := m.notFilterable()
	actions := append([]screen.Action{
		{ID: "groups.only", Reason: reason, Run: func() tea.Cmd { return m.filter("") }},
		{ID: "groups.exclude", Reason: reason, Run: func() tea.Cmd { return m.filter("!") }},
	}, m.find.Actions()...)
	return append(append(actions, leave), m.grid.Actions()...)
}

// Click puts the cursor on the value at a place of the last drawing; where it was
// already, the list is filtered by it.
func (m *Model) Click(x, y int) tea.Cmd {
	hit := m.grid.Click(x, y-m.above)
	if hit.Target != grid.Row || !hit.Again || m.notFilterable() != "" {
		return nil
	}
	return m.filter("")
}

// Wheel scrolls by lines, down if positive.
func (m *Model) Wheel(lines int) { m.grid.Wheel(lines) }

func (m *Model) notFilterable() string {
	item, ok := m.selected()
	switch {
	case !ok:
		return "there is no value here to filter by"
	case item.Term == "":
		return "this value cannot be written as a filter"
	}
	return ""
}

func (m *Model) filter(prefix string) tea.Cmd {
	item, _ := m.selected()
	return m.events.Filter(prefix + item.Term)
}

func (m *Model) selected() (Item, bool) {
	row, ok := m.grid.Selected()
	if !ok {
		return Item{}, false
	}
	return m.groups.Items[row], true
}

func (m *Model) narrow(string) tea.Cmd {
	m.grid.SetRows(m.found())
	m.grid.SetMatch(m.find.Words())
	return nil
}

// found are the items that hold every word of the find line; nil is all.
func (m *Model) found() []int32 {
	words := m.find.Words()
	if len(words) == 0 {
		return nil
	}
	rows := []int32{}
	for i, item := range m.groups.Items {
		if grid.ContainsAll(item.name(), words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}
