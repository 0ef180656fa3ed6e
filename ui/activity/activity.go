// Package activity is the screen that lists the requests the program has made,
// and what it said meanwhile: for support staff, who copy a request as a command
// or save all of them as an HTTP Archive. Nothing in it is secret, for what it is
// given is not.
package activity

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/browse"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// pause is how long the list stays as it is when it has changed: many requests at
// once are shown together.
const pause = 100 * time.Millisecond

// Model is the screen.
type Model struct {
	env     *screen.Env
	log     *Log
	version string          // of the program
	ctx     context.Context // ends with the screen
	cancel  context.CancelFunc

	seen   int64     // the version of the log that is shown; -1: none yet
	begun  time.Time // when that log was begun anew
	list   *list
	grid   *grid.Model
	filter *grid.FilterLine
	order  order
	// follow asks to stay with the newest, while the cursor is on it.
	follow bool
	newest int // the row that was the newest when the list was arranged; -1: none
	// requests counts those that are listed.
	requests int
	above    int // lines over the list, as last drawn

	detail        *detail
	export        *browse.ExportPrompt
	width, height int // of the last Layout
}

// New makes the screen of a log; version is that of the program.
func New(env *screen.Env, log *Log, version string) *Model {
	m := &Model{env: env, log: log, version: version, seen: -1, list: &list{}, order: newestFirst, follow: true, newest: -1}
	m.ctx, m.cancel = context.WithCancel(env.Context)
	m.grid = grid.New(env.Theme, m.list)
	m.filter = grid.NewFilterLine(env.Theme, grid.ByWords, func(string) tea.Cmd { m.arrange(); return nil })
	m.refresh()
	return m
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Activity" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return m.wait(0) }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool {
	switch {
	case m.detail != nil:
		return m.detail.tree.Typing()
	case m.export != nil:
		return m.export.Typing()
	}
	return m.filter.Typing()
}

// Close implements [screen.Screen].
func (m *Model) Close() {
	m.cancel()
	if m.export != nil {
		m.export.Close()
	}
}

// changedMsg tells that the log is another than the list.
type changedMsg struct{}

// wait answers with the next change of the log, after a pause.
func (m *Model) wait(pause time.Duration) tea.Cmd {
	version := m.seen
	return screen.Reply(m, func() tea.Msg {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-m.ctx.Done():
			return nil
		}
		select {
		case <-m.log.after(version):
			return changedMsg{}
		case <-m.ctx.Done():
			return nil
		}
	})
}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case changedMsg:
		m.refresh()
		return m.wait(pause)
	case archiveMsg:
		return m.copyArchive(msg)
	}
	switch {
	case m.detail != nil:
		return m.detail.tree.Update(msg)
	case m.export != nil:
		return m.export.Update(msg)
	}
	return m.filter.Update(msg)
}

// refresh takes over what the log holds now.
func (m *Model) refresh() {
	if m.log.version.Load() == m.seen {
		return
	}
	following := m.following()
	entries, version, begun := m.log.all()
	if begun != m.begun {
		m.forget()
		following = true
	}
	m.seen, m.begun = version, begun
	m.list.update(entries)
	if following {
		m.toNewest()
		return
	}
	m.arrange()
}

// forget drops what is open: it was of another person.
func (m *Model) forget() {
	if m.detail != nil {
		_ = m.closeDetail()
	}
	if m.export != nil {
		_ = m.closeExport()
	}
	m.list.rows, m.newest = nil, -1
}

// following reports whether the cursor stays with the newest.
func (m *Model) following() bool {
	if !m.follow || m.order != newestFirst {
		return false
	}
	selected, ok := m.grid.Selected()
	return !ok || selected == m.newest
}

// arrange shows the rows that the filter lets through, in order, with the cursor
// on the row it is on.
func (m *Model) arrange() {
	rows := m.list.arrange(m.filter.Words(), m.order)
	m.grid.SetRows(rows)
	m.grid.SetMatch(m.filter.Words())
	mark := m.order.column
	if m.order == newestFirst {
		mark = -1 // it goes without saying
	}
	m.grid.Sorted(mark, m.order.descending)
	m.requests = len(m.listed())
	m.newest = -1
	if len(rows) > 0 && m.order == newestFirst {
		m.newest = int(rows[0])
	}
}

// toNewest arranges the rows with the cursor on the first.
func (m *Model) toNewest() {
	m.grid.SetRows([]int32{}) // a cursor without a row goes to the first there is
	m.arrange()
}

// selected is the entry under the cursor.
func (m *Model) selected() (Entry, bool) {
	number, ok := m.grid.Selected()
	if !ok {
		return Entry{}, false
	}
	return m.list.at(number).Entry, true
}

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View implements [screen.Screen].
func (m *Model) View() string {
	width, height := m.width, m.height
	m.refresh()
	switch {
	case m.detail != nil:
		return screen.Box(m.detail.view(width, height), width, height)
	case m.export != nil:
		m.export.Layout(width, height)
		return m.export.View()
	case len(m.list.rows) == 0:
		text := "Nothing has been asked of the service yet. Each request appears here as soon as it is answered: " +
			m.env.Keys.Key("browse.reload") + " on Shares makes one."
		return screen.Box("\n"+m.env.Theme.Muted.Render(screen.Wrap(text, width)), width, height)
	}
	above := []string{}
	if m.filter.Visible() {
		m.filter.Layout(width)
		above = append(above, m.filter.View())
	}
	m.above = len(above) + 1
	// The list first: the line above it tells which part of it is visible.
	body := m.body(width, max(height-m.above, 0))
	lines := append([]string{m.summary(width)}, above...)
	return screen.Box(strings.Join(append(lines, body), "\n"), width, height)
}

func (m *Model) body(width, height int) string {
	if m.grid.Len() == 0 {
		return screen.Box(m.env.Theme.Muted.Render("\nNothing here has all these words. "+m.env.Keys.Key("filter.clear")+" shows everything again."), width, height)
	}
	m.grid.Layout(width, height)
	return m.grid.View()
}

// summary is the line above the list: how many, and which of them is marked.
func (m *Model) summary(width int) string {
	t := m.env.Theme
	count := screen.Number(len(m.list.rows)) + " entries"
	if len(m.list.rows) == 1 {
		count = "1 entry"
	}
	if shown := m.grid.Len(); shown != len(m.list.rows) {
		count = screen.Number(shown) + " of " + count
	}
	if m.following() {
		count += ", following the newest"
	}
	return screen.Sides(t.Strong.Render(count), t.Muted.Render(m.grid.Position()), width)
}

// Breadcrumbs implements [screen.Breadcrumbs].
func (m *Model) Breadcrumbs() []string {
	if m.detail == nil {
		return nil
	}
	return []string{m.detail.title()}
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	m.refresh()
	switch {
	case m.detail != nil:
		return m.detail.actions(screen.Action{ID: "activity.close", Run: m.closeDetail}, m.copyAction(m.detail.entry, true))
	case m.export != nil:
		return m.export.Actions()
	case m.filter.Typing():
		return m.filter.Actions()
	}
	return slices.Concat(m.listActions(), m.filter.Actions(), m.grid.Actions())
}

func (m *Model) listActions() []screen.Action {
	e, ok := m.selected()
	open := screen.Action{ID: "activity.open", Run: m.open}
	if !ok {
		open.Reason = "there is nothing here to open"
	}
	follow := screen.Action{ID: "activity.follow", Run: m.toggleFollow}
	sort := screen.Action{ID: "activity.sort", Run: m.sort}
	return []screen.Action{open, m.copyAction(e, ok), sort, follow, m.exportAction()}
}

func (m *Model) copyAction(e Entry, ok bool) screen.Action {
	a := screen.Action{ID: "activity.copy"}
	a.Run = func() tea.Cmd {
		if e.Exchange == nil {
			return m.env.Root.Copy(e.Text, "the note")
		}
		return m.env.Root.Copy(Curl(e.Exchange), "the request as a curl command")
	}
	if !ok {
		a.Reason = "there is nothing here to copy"
	}
	return a
}

func (m *Model) open() tea.Cmd {
	if e, ok := m.selected(); ok {
		m.detail = newDetail(m.env, m, e)
	}
	return nil
}

func (m *Model) closeDetail() tea.Cmd {
	m.detail.tree.Close()
	m.detail = nil
	return nil
}

func (m *Model) sort() tea.Cmd {
	m.order = m.order.next(m.grid.Column())
	m.arrange()
	return nil
}

func (m *Model) toggleFollow() tea.Cmd {
	if m.following() {
		m.follow = false
		return nil
	}
	m.follow, m.order = true, newestFirst
	m.toNewest()
	return nil
}
