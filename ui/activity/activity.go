// Package activity is the screen that lists the requests the program has made.
package activity

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/ui/action"
	"gatehouse/ui/grid"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// Model is the screen.
type Model struct {
	env  *screen.Env
	log  *Log
	seen int
	grid *grid.Model
}

// New makes the screen for a log.
func New(env *screen.Env, log *Log) *Model {
	return &Model{env: env, log: log, seen: -1, grid: grid.New(env.Theme, list(nil))}
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Activity" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return nil }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return false }

// Close implements [screen.Screen].
func (m *Model) Close() {}

// Update implements [screen.Screen].
func (m *Model) Update(tea.Msg) tea.Cmd { return nil }

// Actions implements [screen.Screen].
func (m *Model) Actions() []action.Action { return m.grid.Actions() }

// View implements [screen.Screen].
func (m *Model) View(width, height int) string {
	m.refresh()
	if m.seen == 0 {
		return layout.Box("\n"+m.env.Theme.Muted.Render("No request has been made yet."), width, height)
	}
	head := m.env.Theme.Strong.Render(human.Count(m.seen) + " requests, the newest first")
	if m.seen == 1 {
		head = m.env.Theme.Strong.Render("1 request")
	}
	// The list first: the line above it tells which part of it is visible.
	list := m.grid.View(width, max(height-1, 0))
	return layout.Sides(head, m.env.Theme.Muted.Render(m.grid.Position()), width) + "\n" + list
}

func (m *Model) refresh() {
	if total := m.log.Total(); total != m.seen {
		m.seen = total
		m.grid.SetSource(list(m.log.Latest()), nil)
	}
}

// list shows requests to the grid.
type list []api.Exchange

// Len implements [grid.Source].
func (l list) Len() int { return len(l) }

// Columns implements [grid.Source].
func (l list) Columns() []grid.Column {
	return []grid.Column{
		{Title: "Time"}, {Title: "Method"}, {Title: "Status", Numeric: true}, {Title: "Took", Numeric: true},
		{Title: "Size", Numeric: true}, {Title: "Host"}, {Title: "Path"}, {Title: "Credential"},
	}
}

// Cells implements [grid.Source].
func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	e := l[row]
	status := "failed"
	if e.Status != 0 {
		status = strconv.Itoa(e.Status)
	}
	for _, text := range []string{
		e.Start.Local().Format(time.TimeOnly), e.Method, status, strconv.FormatInt(e.Duration.Milliseconds(), 10) + " ms",
		human.Bytes(e.Bytes), e.Host, e.Path, e.Credential,
	} {
		dst = append(dst, grid.Cell{Text: text})
	}
	return dst
}
