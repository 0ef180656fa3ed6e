// Package activity is the tab that lists the requests the program has made, and what
// it said meanwhile: for support staff, who copy a request as a command or save all of
// them as an HTTP Archive. Nothing in it is secret, for what it is given is not.
package activity

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// pause is how long the list stays as it is when it has changed: many requests at
// once are shown together.
const pause = 100 * time.Millisecond

// Model is the list.
type Model struct {
	env     *screen.Env
	log     *Log
	version string          // of the program
	ctx     context.Context // ends with the screen
	cancel  context.CancelFunc

	seen   int       // the version of the log that is shown; -1: none yet
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
	// opened is the screen that was pushed over the list last, which may be closed.
	opened screen.Screen

	width, height int
	above         int  // lines over the list
	longest       int  // request, in cells
	ownWidths     bool // a person has changed the columns
}

// New makes the screen of a log; version is that of the program.
func New(env *screen.Env, log *Log, version string) *Model {
	m := &Model{env: env, log: log, version: version, seen: -1, list: &list{glyphs: env.Theme.Glyphs}, order: newestFirst, follow: true, newest: -1}
	m.ctx, m.cancel = context.WithCancel(env.Context)
	m.grid = grid.New(env.Theme, m.list)
	m.grid.OnColumnLayout = func(grid.ColumnLayout) { m.ownWidths = true }
	m.grid.OnCopy = m.copyCell
	m.filter = grid.NewFilterLine(env.Theme, grid.ByWords, func(string) tea.Cmd { m.arrange(); return nil })
	_ = m.refresh()
	return m
}

func (m *Model) Title() string { return "Activity" }

func (m *Model) Init() tea.Cmd { return tea.Batch(m.refresh(), m.wait(0)) }

// Focus implements [screen.Focuser]: what is shown again is up to date.
func (m *Model) Focus() tea.Cmd { return m.refresh() }

func (m *Model) Blur() {}

func (m *Model) Typing() bool { return m.filter.Typing() }

func (m *Model) Close() { m.cancel() }

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

func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case changedMsg:
		return tea.Batch(m.refresh(), m.wait(pause))
	case archiveMsg:
		return m.copyArchive(msg)
	}
	return m.filter.Update(msg)
}

// refresh lists what the log holds now. The command closes what was opened for somebody
// else.
func (m *Model) refresh() (closed tea.Cmd) {
	if m.log.isAt(m.seen) {
		return nil
	}
	following := m.following()
	entries, version, begun := m.log.all()
	if begun != m.begun {
		closed, following = m.forget(), true
	}
	m.seen, m.begun = version, begun
	m.list.update(entries)
	m.longest = m.list.longestRequest()
	if following {
		m.toNewest()
	} else {
		m.arrange()
	}
	return closed
}

// forget drops what is listed and open: it was of another person.
func (m *Model) forget() tea.Cmd {
	m.list.rows, m.newest = nil, -1
	if m.opened == nil {
		return nil
	}
	return m.env.Root.Pop(m.opened)
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
	m.grid.Sorted()
	if m.order != newestFirst { // that goes without saying
		m.grid.Sorted(grid.SortKey{Column: m.order.column, Descending: m.order.descending})
	}
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

func (m *Model) Layout(width, height int) {
	m.width, m.height, m.above = width, height, 0
	if m.filter.Visible() {
		m.filter.Layout(width)
		m.above++
	}
	m.fitRequests()
	m.grid.Layout(width, max(height-m.above, 0))
}

// fitRequests gives the column of requests the room that the ones before it leave, as far
// as it needs that: a path tells what was asked for.
func (m *Model) fitRequests() {
	const before, least, host = 44, 24, 26 // cells
	if m.ownWidths {
		return
	}
	room := m.width - before
	if m.list.hosts() {
		room -= host
	}
	width := min(max(m.longest, least), max(room, least))
	layout := grid.ColumnLayout{Widths: map[int]int{columnRequest: width}}
	for column := range int(columns) {
		if column != columnHost || m.list.hosts() {
			layout.Order = append(layout.Order, column)
		}
	}
	if !layout.Equal(m.grid.ColumnLayout()) {
		m.grid.SetColumnLayout(layout)
	}
}

func (m *Model) View() string {
	width, height := m.width, m.height
	if len(m.list.rows) == 0 {
		text := "No requests yet. Each one appears here when it has been answered; " +
			m.env.Keys.Key("browse.reload") + " on Shares sends one."
		return screen.Box("\n"+m.env.Theme.Muted.Render(screen.Wrap(text, width)), width, height)
	}
	var lines []string
	if m.filter.Visible() {
		lines = append(lines, m.filter.View())
	}
	return screen.Box(strings.Join(append(lines, m.body()), "\n"), width, height)
}

func (m *Model) body() string {
	if m.grid.Len() > 0 {
		return m.grid.View()
	}
	text := "Nothing matches all these words. " + m.env.Keys.Key("filter.clear") + " clears the filter."
	return screen.Box(m.env.Theme.Muted.Render("\n"+text), m.width, max(m.height-m.above, 0))
}

func (m *Model) Explained(bool) {}

// Pane implements [screen.Paned]: how many entries there are.
func (m *Model) Pane() screen.Pane {
	if len(m.list.rows) == 0 {
		return screen.Pane{Title: m.Title()}
	}
	count := human.Count(len(m.list.rows), "entry", "entries")
	if shown := m.grid.Len(); shown != len(m.list.rows) {
		count = human.Number(shown) + " of " + count
	}
	if m.following() {
		count += ", following the newest"
	}
	return screen.Pane{Title: count, Foot: m.grid.Position()}
}

// Side implements [screen.Paned]: the entry under the cursor.
func (m *Model) Side(width, height int) (screen.Pane, string) {
	e, ok := m.selected()
	if !ok {
		return screen.Pane{}, ""
	}
	d := &detail{env: m.env, entry: e}
	lines := d.heading(width)
	text := strings.Join(lines, "\n") + "\n" + fields.Draw(m.env.Theme, d.groups(), width, max(height-len(lines), 0))
	return screen.Pane{Title: safetext.Clip(d.Title(), width)}, text
}

func (m *Model) Actions() []screen.Action {
	if m.filter.Typing() {
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
	duplicate := screen.Action{ID: "activity.copy", Run: func() tea.Cmd { return e.copy(m.env.Root) }}
	if !ok {
		duplicate.Reason = "there is nothing here to copy"
	}
	return []screen.Action{open, duplicate, sort, follow, m.exportAction()}
}

// copy copies a note as it is, and a request as a command.
func (e Entry) copy(root screen.Root) tea.Cmd {
	if e.Exchange == nil {
		return root.Copy(e.Text, "the note")
	}
	return root.CopyDocument(curl(e.Exchange), "the request as a curl command")
}

// copyCell copies what a column says of an entry.
func (m *Model) copyCell(number, column int) tea.Cmd {
	text, title := m.list.at(number).texts()[column], titles[column].Title
	if text == "" {
		return m.env.Root.Say("Not copied: this entry has no "+title+".", false)
	}
	return m.env.Root.Copy(text, title)
}

func (m *Model) open() tea.Cmd {
	if e, ok := m.selected(); ok {
		return m.push(newDetail(m.env, e))
	}
	return nil
}

func (m *Model) push(opened screen.Screen) tea.Cmd {
	m.opened = opened
	return m.env.Root.Push(m, opened)
}

func (m *Model) sort() tea.Cmd {
	m.order = m.order.next(m.grid.Column())
	m.arrange()
	return nil
}

func (m *Model) toggleFollow() tea.Cmd {
	if m.following() {
		m.follow = false
		m.grid.Move(0) // the cursor stays with its row from now on
		return nil
	}
	m.follow, m.order = true, newestFirst
	m.toNewest()
	return nil
}

// Click implements [screen.MouseHandler]: on a column's title it sorts, on a row it
// selects, on the selected one it opens, and on the filter it types.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case y < m.above:
		m.filter.Click()
		return nil
	}
	switch hit := m.grid.Click(x, y-m.above); {
	case hit.Target == grid.Header && hit.Column >= 0:
		return m.sort()
	case hit.Target == grid.Row && hit.Again:
		return m.open()
	}
	return nil
}

func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	m.grid.Wheel(lines)
	return nil
}
