// Package browse shows the records of one answer of the gateway: loading with
// progress, a table that can be filtered and sorted, the detail of a record, and
// what went wrong. Screens that list something are made of it.
package browse

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/ui/action"
	"gatehouse/ui/filter"
	"gatehouse/ui/grid"
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

// Model is a list of records inside a screen.
type Model struct {
	env   *screen.Env
	owner screen.Screen
	names Names
	fetch Fetch

	job      *job
	newest   *source // the last answer: shown once it is filtered and sorted
	loadedAt time.Time
	problem  *problem.Problem

	source  *source // what is shown; nil: nothing yet
	grid    *grid.Model
	filter  *filter.Model
	order   order
	arrange *arrangement
	detail  *detail
	// tableAt is the line on which the table was last drawn.
	tableAt int
}

// New makes an empty list that belongs to a screen; Load fills it.
func New(env *screen.Env, owner screen.Screen, names Names) *Model {
	m := &Model{env: env, owner: owner, names: names}
	m.Forget(names.Of)
	return m
}

// Load asks for the list. What is shown stays until the answer is there.
func (m *Model) Load(fetch Fetch) tea.Cmd {
	m.fetch = fetch
	m.stop()
	m.job = newJob(m.env, fetch)
	return tea.Batch(screen.Reply(m.owner, m.job.run), m.job.tick(m.owner))
}

// Forget drops what is shown and how: what is loaded next is of somebody else.
func (m *Model) Forget(of string) {
	m.Close()
	m.names.Of = of
	m.newest, m.source, m.grid, m.order, m.arrange = nil, nil, nil, order{}, nil
	m.problem, m.detail = nil, nil
	m.filter = filter.New(m.env.Theme, func(string) tea.Cmd { return m.rearrange() })
}

// Typing reports that a line in which words are typed has the focus.
func (m *Model) Typing() bool {
	if m.detail != nil {
		return m.detail.tree.Typing()
	}
	return m.filter.Typing()
}

// Close ends all work.
func (m *Model) Close() {
	m.stop()
	m.arrange.cancel()
	if m.detail != nil {
		m.detail.tree.Close()
	}
}

// Update takes the answers to the list's own work, and typing into the filter.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loadedMsg:
		return m.loaded(msg)
	case tickMsg:
		if m.job != nil && msg.job == m.job {
			return m.job.tick(m.owner)
		}
		return nil
	case arrangedMsg:
		m.arranged(msg)
		return nil
	}
	if m.detail != nil {
		return m.detail.tree.Update(msg)
	}
	return m.filter.Update(msg)
}

// Actions lists what can be done with the list as it is now.
func (m *Model) Actions() []action.Action {
	switch {
	case m.detail != nil:
		return m.detail.actions(m.closeDetail)
	case m.filter.Typing():
		return m.filter.Actions()
	case m.job != nil && m.source == nil:
		return []action.Action{m.cancelAction()}
	case m.source == nil:
		return m.failedActions()
	}
	list := []action.Action{m.openAction()}
	if m.job != nil {
		list = append(list, m.cancelAction())
	}
	list = append(list, m.filter.Actions()...)
	list = append(list, m.sortAction(), m.reloadAction(), m.copyAction())
	if m.problem != nil && m.problem.Kind == problem.SignIn {
		list = append(list, m.signInAction())
	}
	return append(list, m.grid.Actions()...)
}

func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	if msg.job != m.job {
		return nil
	}
	m.job = nil
	if msg.err != nil {
		return m.failed(msg.err)
	}
	m.problem, m.newest, m.loadedAt = nil, msg.source, m.env.Now()
	return m.rearrange()
}

// failed says what went wrong. If only signing in helps, the root is asked for
// the form.
func (m *Model) failed(err error) tea.Cmd {
	described := problem.Describe(err, problem.Screen)
	m.problem = &described
	if described.Kind != problem.SignIn {
		return nil
	}
	return m.signInAgain(described.Sentence)
}

// signInAgain leads through the sign-in form back to the list, loaded anew.
func (m *Model) signInAgain(reason string) tea.Cmd {
	return m.env.Tell(screen.SignInAgain{From: m.owner, Reason: reason, Then: func() tea.Cmd { return m.Load(m.fetch) }})
}

func (m *Model) stop() {
	if m.job != nil {
		m.job.cancel()
		m.job = nil
	}
}

func (m *Model) cancelLoading() tea.Cmd {
	m.stop()
	if m.source == nil {
		m.problem = &problem.Problem{
			Sentence: fmt.Sprintf("Loading the %s was cancelled.", m.names.Many),
			Hint:     "Press r to try again.",
			Kind:     problem.Cancelled,
		}
	}
	return nil
}

// show opens the detail of a record of what is shown.
func (m *Model) show(row int) tea.Cmd {
	var read tea.Cmd
	m.detail, read = newDetail(m.env, m.owner, m.source.name(row, m.names.One), m.source.table.Record(row))
	return read
}

func (m *Model) closeDetail() tea.Cmd {
	m.detail.tree.Close()
	m.detail = nil
	return nil
}
