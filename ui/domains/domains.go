// Package domains is the screen on which a person picks one of the domains that
// the account reaches: the claims of the access token (interface section 2.2).
package domains

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/action"
	"gatehouse/ui/filter"
	"gatehouse/ui/grid"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// Model is the screen.
type Model struct {
	env    *screen.Env
	status func() session.Status
	filter *filter.Model
	grid   *grid.Model
	names  list
}

// New makes the screen; status tells who is signed in.
func New(env *screen.Env, status func() session.Status) *Model {
	m := &Model{env: env, status: status, grid: grid.New(env.Theme, list{})}
	m.grid.RowsOnly = true
	m.filter = filter.New(env.Theme, m.narrow)
	m.Refresh()
	return m
}

// Refresh reads the claims again, after a sign-in.
func (m *Model) Refresh() {
	claims := m.status().Claims
	m.names = list{
		domains: claims.AllDomains(),
		primary: claims.PrimaryDomain,
		mark:    m.env.Theme.Glyphs.Primary + " primary",
	}
	m.grid.SetSource(m.names, m.found())
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Domains" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return nil }

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.filter.Update(msg) }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return m.filter.Typing() }

// Close implements [screen.Screen].
func (m *Model) Close() {}

// Actions implements [screen.Screen].
func (m *Model) Actions() []action.Action {
	if m.filter.Typing() {
		return m.filter.Actions()
	}
	open := action.Action{ID: "domains.open", Keys: []string{"enter"}, Title: "go in", Description: "go into the domain", Run: m.open}
	name, ok := m.selected()
	if !ok {
		open.Reason = "there is no domain here to go into"
	}
	list := append([]action.Action{open}, m.filter.Actions()...)
	list = append(list,
		action.Action{ID: "domains.again", Keys: []string{"S", "r"}, Title: "sign in again", Description: "sign in again, which reads the list of domains anew", Run: func() tea.Cmd { return m.env.Tell(screen.SignInAgain{From: m}) }},
		action.Action{ID: "domains.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the domain's name", Quiet: true, Reason: open.Reason, Run: func() tea.Cmd { return m.env.Tell(screen.Copy{Text: name, What: name}) }},
	)
	return append(list, m.grid.Actions()...)
}

// View implements [screen.Screen].
func (m *Model) View(width, height int) string {
	above := []string{}
	if m.filter.Visible() {
		above = append(above, m.filter.View(width))
	}
	// The list first: the line above it tells which part of it is visible.
	body := m.body(width, max(height-len(above)-1, 0))
	head := layout.Sides(m.env.Theme.Strong.Render(m.count()), m.env.Theme.Muted.Render(m.grid.Position()), width)
	lines := append([]string{head}, above...)
	return layout.Box(strings.Join(append(lines, body), "\n"), width, height)
}

// body is the table of domains, with the notes below it where there is room.
func (m *Model) body(width, height int) string {
	if len(m.names.domains) == 0 {
		return "\n" + m.nothing(width)
	}
	notes := m.notes(width)
	if height < len(notes)+4 {
		return m.grid.View(width, height)
	}
	return m.grid.View(width, height-len(notes)) + "\n" + strings.Join(notes, "\n")
}

func (m *Model) count() string {
	total := len(m.names.domains)
	switch shown := m.grid.Len(); {
	case shown != total:
		return fmt.Sprintf("%d of %d domains", shown, total)
	case total == 1:
		return "1 domain"
	}
	return fmt.Sprintf("%d domains", total)
}

// mostRejected is how many names that were left out are shown.
const mostRejected = 3

// notes say what the list is and what was left out of it.
func (m *Model) notes(width int) []string {
	status := m.status()
	notes := []string{""}
	rejected := status.Claims.Rejected
	for _, refused := range rejected[:min(len(rejected), mostRejected)] {
		text := fmt.Sprintf("%s left out, for it is no host name: %s", m.env.Theme.Glyphs.Warning, safetext.Clip(refused, width))
		notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(text, width)))
	}
	if more := len(rejected) - mostRejected; more > 0 {
		notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(fmt.Sprintf("  and %d more", more), width)))
	}
	if !status.SignedInAt.IsZero() {
		text := "As of the sign-in at " + status.SignedInAt.Local().Format("2 Jan 15:04") + "; a renewal does not read it anew."
		notes = append(notes, m.env.Theme.Faint.Render(safetext.Truncate(text, width)))
	}
	return notes
}

func (m *Model) nothing(width int) string {
	text := "The access token names no domain that can be used."
	if !m.status().Claims.Present {
		text = "The access token carries no claims that can be read, so the domains are not known."
	}
	return m.env.Theme.Muted.Render(layout.Wrap(text+" Press S to sign in again.", width))
}

func (m *Model) selected() (string, bool) {
	row, ok := m.grid.Selected()
	if !ok {
		return "", false
	}
	return m.names.domains[row], true
}

func (m *Model) open() tea.Cmd {
	name, ok := m.selected()
	if !ok {
		return nil
	}
	return m.env.Tell(screen.Reach{Domain: name})
}

func (m *Model) narrow(string) tea.Cmd {
	m.grid.SetRows(m.found())
	m.grid.SetMatch(m.filter.Words())
	return nil
}

// found are the domains that hold every word of the filter.
func (m *Model) found() []int32 {
	words := strings.Fields(strings.ToLower(m.filter.Text()))
	rows := make([]int32, 0, len(m.names.domains))
	for i, name := range m.names.domains {
		if holds(strings.ToLower(name), words) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

func holds(name string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(name, word) })
}

// list shows domains to the grid, the primary one marked.
type list struct {
	domains       []string
	primary, mark string
}

// Len implements [grid.Source].
func (l list) Len() int { return len(l.domains) }

// Columns implements [grid.Source].
func (l list) Columns() []grid.Column { return []grid.Column{{Title: "Domain"}, {Title: ""}} }

// Cells implements [grid.Source].
func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	note := grid.Cell{State: grid.Empty}
	if l.domains[row] == l.primary {
		note = grid.Cell{Text: l.mark}
	}
	return append(dst, grid.Cell{Text: l.domains[row]}, note)
}
