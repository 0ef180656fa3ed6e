package check

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// stopQuestion asks whether the checks of a table are to be stopped.
type stopQuestion struct {
	screen.Base
	table         *table
	width, height int
}

// Overlay implements [screen.Overlay].
func (*stopQuestion) Overlay() {}

// Title implements [screen.Screen].
func (*stopQuestion) Title() string { return "Stop checking?" }

// Actions implements [screen.Screen].
func (q *stopQuestion) Actions() []screen.Action {
	root := q.table.env.Root
	return []screen.Action{
		{ID: "checks.stop", Run: func() tea.Cmd { return tea.Batch(root.Pop(q), q.table.Stop()) }},
		{ID: "checks.goon", Run: func() tea.Cmd { return root.Pop(q) }},
	}
}

func (q *stopQuestion) lines() []string {
	t, keys := q.table.env.Theme, q.table.env.Keys
	key := func(id, text string) string { return t.Key.Render(safetext.Pad(keys.Key(id), 6)) + text }
	done, all, _ := q.table.Progress()
	return []string{
		human.Number(int(done)) + " of " + human.Number(int(all)) + " addresses are checked.", "",
		key("checks.stop", "stop, and keep those"), key("checks.goon", "go on checking"),
	}
}

// Boxed implements [screen.Boxed].
func (q *stopQuestion) Boxed(int, int) (pane screen.Pane, cells, lines int) {
	const wide = 44
	return screen.Pane{Title: q.Title(), Padding: 2}, wide, len(q.lines()) + 2
}

// Layout implements [screen.Screen].
func (q *stopQuestion) Layout(width, height int) { q.width, q.height = width, height }

// View implements [screen.Screen].
func (q *stopQuestion) View() string {
	lines := q.lines()
	if q.height > len(lines)+1 {
		lines = append([]string{""}, lines...)
	}
	return screen.Box(strings.Join(lines, "\n"), q.width, q.height)
}
