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

// Fetch asks the service for the list. It is called in a command, with a context
// that ends when the person cancels or leaves.
type Fetch func(ctx context.Context) (*api.Body, error)

// Names are the words for what is listed.
type Names struct {
	// One and Many name a record: "share", "shares".
	One, Many string
	// Of says whose they are, where that can change: "reseller 42".
	Of string
	// Empty says why there may be none and what would change that.
	Empty string
}

// count says how many there are.
func (n Names) count(rows int) string {
	if rows == 1 {
		return "1 " + n.One
	}
	return human.Count(rows) + " " + n.Many
}

// Model is a list of records inside a screen.
type Model struct {
	env   *screen.Env
	owner screen.Screen
	names Names
	fetch Fetch

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
	panel      panel // over the list; nil: none
	// tableAt is the line on which the table was last drawn.
	tableAt       int
	width, height int // of the last Layout
}

// New makes an empty list that belongs to a screen; Load fills it.
func New(env *screen.Env, owner screen.Screen, names Names) *Model {
	m := &Model{env: env, owner: owner, names: names}
	m.Forget(names.Of)
	return m
}

// Forget drops what is shown and how: what is loaded next is of somebody else.
func (m *Model) Forget(of string) {
	m.Close()
	*m = Model{env: m.env, owner: m.owner, names: m.names, fetch: m.fetch}
	m.names.Of = of
	m.filter = grid.NewFilterLine(m.env.Theme, filterPurpose, func(string) tea.Cmd { return m.rearrange() })
}

// Close ends all work.
func (m *Model) Close() {
	m.stop()
	m.arrange.cancel()
	m.dropSum()
	if m.kinds != nil {
		m.kinds()
	}
	if m.panel != nil {
		m.panel.Close()
	}
}

// Typing reports that a line in which words are typed has the focus.
func (m *Model) Typing() bool {
	if m.panel != nil {
		return m.panel.Typing()
	}
	return m.filter.Typing()
}

// Update takes the answers to the list's own work, and typing into the filter.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
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
	case countedMsg:
		m.counted(msg)
		return nil
	case copiedMsg:
		return m.copied(msg)
	}
	if m.panel != nil {
		return m.panel.Update(msg)
	}
	return m.filter.Update(msg)
}

func (m *Model) cancelledProblem() *problem.Problem {
	return &problem.Problem{
		Sentence: fmt.Sprintf("Loading the %s was cancelled.", m.names.Many),
		Hint:     "Press " + m.env.Keys.Key("browse.reload") + " to try again.",
		Kind:     problem.Cancelled,
	}
}

// Actions lists what can be done with the list as it is now.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.panel != nil:
		return m.panel.Actions()
	case m.filter.Typing():
		return m.filterActions()
	case m.source != nil:
		return m.tableActions()
	case m.job != nil:
		return []screen.Action{m.cancelAction()}
	}
	return m.failedActions()
}

func (m *Model) tableActions() []screen.Action {
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
func (m *Model) movements() []screen.Action {
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

func (m *Model) openAction() screen.Action {
	a := screen.Action{ID: "browse.open", Run: m.openRecord}
	if _, ok := m.grid.Selected(); !ok {
		a.Reason = "there is no record here to open"
	}
	return a
}

func (m *Model) sortAction() screen.Action {
	a := screen.Action{ID: "browse.sort", Run: m.sort}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here to sort by"
	}
	return a
}

func (m *Model) columnsAction() screen.Action {
	a := screen.Action{ID: "browse.columns", Run: m.pickColumns}
	if len(m.source.columns) == 0 {
		a.Reason = "there is no column here"
	}
	return a
}

func (m *Model) valuesAction() screen.Action {
	a := screen.Action{ID: "browse.values", Run: m.settled(m.countValues)}
	switch {
	case len(m.source.columns) == 0:
		a.Reason = "there is no column here whose values could be counted"
	case m.source.growing:
		a.Reason = m.stillComing()
	}
	return a
}

func (m *Model) exportAction() screen.Action {
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
func (m *Model) settled(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !m.working() {
			return run()
		}
		return m.env.Root.Say("The "+m.names.Many+" are still being filtered and sorted; press the key again in a moment.", false)
	}
}

// stillComing is why something waits for the end of the loading.
func (m *Model) stillComing() string {
	return "the " + m.names.Many + " are still arriving; " + m.env.Keys.Key("browse.cancel") + " keeps those that are here"
}

func (m *Model) reloadAction() screen.Action {
	a := screen.Action{ID: "browse.reload", Run: func() tea.Cmd { return m.Load(m.fetch) }}
	if m.job != nil {
		a.Reason = "it is being loaded already"
	}
	return a
}

func (m *Model) cancelAction() screen.Action {
	return screen.Action{ID: "browse.cancel", Run: m.cancelLoading}
}

func (m *Model) signInAction() screen.Action {
	return screen.Action{ID: "browse.signin", Run: func() tea.Cmd { return m.signInAgain("") }}
}

// failedActions lead on from a list that could not be loaded.
func (m *Model) failedActions() []screen.Action {
	if m.fetch == nil {
		return nil
	}
	list := []screen.Action{m.reloadAction()}
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	return list
}

// Click takes a click on a cell of what View last drew: the head of a column sorts
// by it, a row is marked, and opened where it was marked before.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case m.panel != nil:
		return m.panel.Click(x, y)
	case m.source == nil:
		return nil
	}
	switch hit := m.grid.Click(x, y-m.tableAt); {
	case hit.Target == grid.Header:
		return tea.Batch(m.sort(), m.sumUp())
	case hit.Target == grid.Row && hit.Again:
		return m.openRecord()
	}
	return m.sumUp()
}

// Wheel scrolls the list, or the panel over it, by lines, down counting up.
func (m *Model) Wheel(lines int) tea.Cmd {
	switch {
	case m.panel != nil:
		m.panel.Wheel(lines)
	case m.source != nil:
		m.grid.Wheel(lines)
	}
	return nil
}
