// Package browse shows the records of one answer of the gateway: while they
// arrive, in a table that can be filtered, sorted, counted and exported, and one by
// one in full. Screens that list something are made of it.
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
