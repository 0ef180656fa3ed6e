// Package browse shows the records of one answer of the gateway: while they
// arrive, in a table that can be filtered, sorted, counted and exported, and one by
// one in full. The shares and the companies are screens made of it.
package browse

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/ui/grid"
	"gatehouse/ui/human"
	"gatehouse/ui/screen"
)

// fetch asks the service for a list. It is called in a command, with a context that
// ends when the person cancels or leaves.
type fetch func(ctx context.Context) (*api.Body, error)

// names are the words for what is listed.
type names struct {
	// one and many name a record: "share", "shares".
	one, many string
	// of says whose they are, where that can change: "reseller 42".
	of string
	// empty says why there may be none and what would change that.
	empty string
}

// count says how many there are.
func (n names) count(rows int) string {
	if rows == 1 {
		return "1 " + n.one
	}
	return human.Count(rows) + " " + n.many
}

// recordList is a list of records, which a screen is made of.
type recordList struct {
	env   *screen.Env
	owner screen.Screen
	names names
	fetch fetch

	job      *job
	newest   *source // what came last: shown once it is filtered and sorted
	loadedAt time.Time
	problem  *problem.Problem
	kinds    context.CancelFunc // ends the look at the kinds of all rows

	source *source // what is shown; nil: nothing yet
	rows   []int32 // of it; nil: all
	view   view    // how they were chosen
	grid   *grid.Model
	filter *grid.FilterLine
	order  order

	arrange    *arrangement
	found      *finding // what the last whole search brought
	sorted     *sorted  // all rows in the last order
	sum        *sum
	completion completion
	over       screen.Screen // what the list has put over itself; nil: nothing

	width, height int
	above         []string // the lines between the summary and the table
}

// newRecordList makes an empty list that belongs to a screen; load fills it.
func newRecordList(env *screen.Env, owner screen.Screen, names names) *recordList {
	m := &recordList{env: env, owner: owner, names: names}
	m.forget(names.of)
	return m
}

// forget drops what is shown and how: what is loaded next is of somebody else.
func (m *recordList) forget(of string) {
	m.Close()
	*m = recordList{env: m.env, owner: m.owner, names: m.names, fetch: m.fetch}
	m.names.of = of
	m.filter = grid.NewFilterLine(m.env.Theme, filterPurpose, func(string) tea.Cmd { return m.rearrange() })
}

// Close ends all work.
func (m *recordList) Close() {
	m.stop()
	m.arrange.cancel()
	m.dropSum()
	if m.kinds != nil {
		m.kinds()
	}
}

// push puts a screen over the list, in the place of the one that is there.
func (m *recordList) push(s screen.Screen) tea.Cmd {
	popped := m.pop()
	m.over = s
	return tea.Batch(popped, m.env.Root.Push(m.owner, s))
}

// pop goes back to the list.
func (m *recordList) pop() tea.Cmd {
	if m.over == nil {
		return nil
	}
	popped := m.env.Root.Pop(m.over)
	m.over = nil
	return tea.Batch(popped, m.sumUp())
}

// Typing reports that a line in which words are typed has the focus.
func (m *recordList) Typing() bool { return m.filter.Typing() }

// Update takes the answers to the list's own work, and typing into the filter.
func (m *recordList) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case arrivedMsg:
		return m.arrived(msg)
	case loadedMsg:
		return m.loaded(msg)
	case kindsMsg:
		return m.learned(msg)
	case arrangedMsg:
		return m.arranged(msg)
	case slowMsg:
		msg.arrangement.slow = true
		return nil
	case sumMsg:
		m.summed(msg)
		return nil
	case copiedMsg:
		return m.copied(msg)
	}
	return m.filter.Update(msg)
}

func (m *recordList) cancelledProblem() *problem.Problem {
	return &problem.Problem{
		Sentence: fmt.Sprintf("Loading the %s was cancelled.", m.names.many),
		Hint:     "Press " + m.env.Keys.Key("browse.reload") + " to try again.",
		Kind:     problem.Cancelled,
	}
}

// Actions lists what can be done with the list as it is now.
func (m *recordList) Actions() []screen.Action {
	switch {
	case m.filter.Typing():
		return m.filterActions()
	case m.source != nil:
		return m.tableActions()
	case m.job != nil:
		return []screen.Action{m.cancelAction()}
	}
	return m.failedActions()
}

func (m *recordList) tableActions() []screen.Action {
	list := []screen.Action{m.openAction()}
	if m.job != nil && !m.job.cancelled {
		list = append(list, m.cancelAction())
	}
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	list = append(list, m.filter.Actions()...)
	list = append(list, m.sortAction(), m.columnsAction(), m.valuesAction(), m.exportAction(), m.reloadAction())
	list = append(list, screen.Action{ID: "browse.copy", Reason: m.notCopied(), Run: m.copyRecord})
	return append(list, m.movements()...)
}

// movements are those of the grid. Another column may have another sum.
func (m *recordList) movements() []screen.Action {
	list := m.grid.Actions()
	for i := range list {
		move := list[i].Run
		if move == nil {
			continue
		}
		list[i].Run = func() tea.Cmd { return tea.Batch(move(), m.sumUp()) }
	}
	return list
}

func (m *recordList) openAction() screen.Action {
	a := screen.Action{ID: "browse.open", Run: m.openRecord}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to open"
	}
	return a
}

func (m *recordList) sortAction() screen.Action {
	a := screen.Action{ID: "browse.sort", Run: m.sort}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here to sort by"
	}
	return a
}

func (m *recordList) columnsAction() screen.Action {
	a := screen.Action{ID: "browse.columns", Run: m.pickColumns}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here"
	}
	return a
}

func (m *recordList) valuesAction() screen.Action {
	a := screen.Action{ID: "browse.values", Run: m.settled(m.countValues)}
	switch {
	case len(m.source.columns) == 0:
		a.Reason = "there is no column here whose values could be counted"
	case m.source.growing:
		a.Reason = m.stillComing()
	}
	return a
}

func (m *recordList) exportAction() screen.Action {
	a := screen.Action{ID: "browse.export", Run: m.settled(m.export)}
	if m.env.Remote {
		a.Title, a.Run = "copy rows", m.settled(m.copyRows)
		a.Description = "copy what is shown as CSV; a file would be written on the machine you are signed in to"
	}
	switch {
	case m.source.growing:
		a.Reason = m.stillComing()
	case m.grid.Len() == 0:
		a.Reason = "there is nothing here to export"
	}
	return a
}

// settled makes a run of what is about the rows that the person has asked for:
// while they are looked for, those of before are shown.
func (m *recordList) settled(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !m.working() {
			return run()
		}
		return m.env.Root.Say("The "+m.names.many+" are still being filtered and sorted; press the key again in a moment.", false)
	}
}

// stillComing is why something waits for the end of the loading.
func (m *recordList) stillComing() string {
	return "the " + m.names.many + " are still arriving; " + m.env.Keys.Key("browse.cancel") + " keeps those that are here"
}

func (m *recordList) reloadAction() screen.Action {
	a := screen.Action{ID: "browse.reload", Run: func() tea.Cmd { return m.load(m.fetch) }}
	if m.job != nil {
		a.Reason = "it is being loaded already"
	}
	return a
}

func (m *recordList) cancelAction() screen.Action {
	return screen.Action{ID: "browse.cancel", Run: m.cancelLoading}
}

func (m *recordList) signInAction() screen.Action {
	return screen.Action{ID: "browse.signin", Run: func() tea.Cmd { return m.signInAgain("") }}
}

// failedActions lead on from a list that could not be loaded.
func (m *recordList) failedActions() []screen.Action {
	if m.fetch == nil {
		return nil
	}
	list := []screen.Action{m.reloadAction()}
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	return list
}

// Click takes a click on a cell: the head of a column sorts by it, a row is marked,
// and opened where it was marked before.
func (m *recordList) Click(x, y int) tea.Cmd {
	if m.source == nil {
		return nil
	}
	switch hit := m.grid.Click(x, y-1-len(m.above)); {
	case hit.Target == grid.Header:
		return tea.Batch(m.sort(), m.sumUp())
	case hit.Target == grid.Row && hit.Again:
		return m.openRecord()
	}
	return m.sumUp()
}

// Wheel scrolls the list by lines, down counting up.
func (m *recordList) Wheel(_, _, lines int) tea.Cmd {
	if m.source != nil {
		m.grid.Wheel(lines)
	}
	return nil
}
