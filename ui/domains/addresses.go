package domains

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// addresses lies over the list and shows where a domain can be reached. Nothing is
// opened from it: the browser that a person wants may be on another machine.
type addresses struct {
	screen.Base
	env     *screen.Env
	domain  string
	entries []address
	cursor  screen.Cursor
	// lines are those of the entries, heads the line on which each begins; the size
	// and both are settled by Layout.
	width, height int
	lines         []string
	heads         []int
}

type address struct{ label, url, note string }

func (m *Model) showAddresses() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	name := m.names.domains[row]
	a := &addresses{env: m.env, domain: name, entries: []address{
		{"Browser", "https://" + name, "made of the domain's name: the interface does not show where the web pages are, a device login does"},
	}}
	if gateway := m.names.addresses[row]; gateway != "" {
		a.entries = append(a.entries, address{"Gateway", gateway, "for programs: what this one asks"})
	}
	a.cursor.SetCount(len(a.entries))
	return m.env.Root.Push(m, a)
}

// Overlay implements [screen.Overlay].
func (*addresses) Overlay() {}

// Title implements [screen.Screen].
func (a *addresses) Title() string { return "Addresses of " + a.domain }

// Actions implements [screen.Screen].
func (a *addresses) Actions() []screen.Action {
	move := func(rows int) func() tea.Cmd { return func() tea.Cmd { return a.Wheel(0, 0, rows) } }
	return []screen.Action{
		{ID: "address.copy", Run: a.copy},
		{ID: "address.down", Run: move(1)},
		{ID: "address.up", Run: move(-1)},
		{ID: "address.close", Run: func() tea.Cmd { return a.env.Root.Pop(a) }},
	}
}

func (a *addresses) copy() tea.Cmd {
	chosen := a.entries[a.cursor.Row()]
	return a.env.Root.Copy(chosen.url, "the "+strings.ToLower(chosen.label)+" address")
}

// Click implements [screen.MouseHandler]: it puts the cursor on an address, and
// copies it if it is there.
func (a *addresses) Click(_, y int) tea.Cmd {
	hit := slices.Index(a.heads, y)
	switch {
	case hit < 0:
	case hit == a.cursor.Row():
		return a.copy()
	default:
		a.cursor.MoveTo(hit)
	}
	return nil
}

// Wheel implements [screen.MouseHandler].
func (a *addresses) Wheel(_, _, lines int) tea.Cmd {
	a.cursor.Move(lines)
	return nil
}

// Layout implements [screen.Screen].
func (a *addresses) Layout(width, height int) {
	t := a.env.Theme
	a.width, a.height, a.heads = width, height, a.heads[:0]
	a.lines = []string{t.Strong.Render("Addresses of " + safetext.Clip(hostname.Readable(a.domain), width)), ""}
	for i, e := range a.entries {
		a.heads = append(a.heads, len(a.lines))
		text := safetext.Pad(e.label, 9) + safetext.Clip(e.url, width)
		if i == a.cursor.Row() {
			a.lines = append(a.lines, t.Selected.Render(safetext.Fit(t.Glyphs.Cursor+text, width)))
		} else {
			a.lines = append(a.lines, safetext.Truncate(" "+text, width))
		}
		note := strings.Split(t.Faint.Render(screen.Wrap(e.note, width)), "\n")
		a.lines = append(append(a.lines, note...), "")
	}
}

// View implements [screen.Screen].
func (a *addresses) View() string {
	return screen.Box(strings.Join(a.lines, "\n"), a.width, a.height)
}
