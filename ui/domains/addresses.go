package domains

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// addresses lies over the list and shows where a domain can be reached.
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
		{"Browser", "https://" + name, "guessed from the name: a device login tells the real one"},
	}}
	if gateway := m.names.addresses[row]; gateway != "" {
		a.entries = append(a.entries, address{"Gateway", gateway, "for programs such as this one"})
	}
	a.cursor.SetCount(len(a.entries))
	return m.env.Root.Push(m, a)
}

func (*addresses) Overlay() {}

// boxWidth is how wide the box is at most, inside.
const boxWidth = 72

func (a *addresses) Boxed(width, height int) (pane screen.Pane, cells, lines int) {
	cells = min(width, boxWidth)
	drawn, _ := a.draw(cells)
	return screen.Pane{Title: "Addresses of " + safetext.Clip(hostname.Readable(a.domain), width), Padding: 1}, cells, min(len(drawn), height)
}

func (a *addresses) Title() string { return "Addresses of " + a.domain }

func (a *addresses) Actions() []screen.Action {
	move := func(rows int) func() tea.Cmd { return func() tea.Cmd { return a.Wheel(0, 0, rows) } }
	return []screen.Action{
		{ID: "address.open", Run: a.open},
		{ID: "address.copy", Run: a.copy},
		{ID: "address.down", Run: move(1)},
		{ID: "address.up", Run: move(-1)},
		{ID: "domains.address", Title: "close", Description: "close the addresses", Run: func() tea.Cmd { return a.env.Root.Pop(a) }},
	}
}

func (a *addresses) open() tea.Cmd { return a.env.Root.OpenLink(a.entries[a.cursor.Row()].url) }

func (a *addresses) copy() tea.Cmd {
	chosen := a.entries[a.cursor.Row()]
	return a.env.Root.Copy(chosen.url, "the "+strings.ToLower(chosen.label)+" address")
}

// Click implements [screen.MouseHandler]: it puts the cursor on an address, and
// opens it if it is there.
func (a *addresses) Click(_, y int) tea.Cmd {
	hit := slices.Index(a.heads, y)
	switch {
	case hit < 0:
	case hit == a.cursor.Row():
		return a.open()
	default:
		a.cursor.MoveTo(hit)
	}
	return nil
}

func (a *addresses) Wheel(_, _, lines int) tea.Cmd {
	a.cursor.Move(lines)
	return nil
}

func (a *addresses) Layout(width, height int) {
	a.width, a.height = width, height
	a.lines, a.heads = a.draw(width)
}

// draw draws the entries, and tells the line on which each begins.
func (a *addresses) draw(width int) (lines []string, heads []int) {
	t := a.env.Theme
	for i, e := range a.entries {
		if i > 0 {
			lines = append(lines, "")
		}
		heads = append(heads, len(lines))
		text := t.Muted.Render(safetext.Pad(e.label, 9)) + screen.Link(t, safetext.Clip(e.url, max(width-10, 1)), e.url)
		if i == a.cursor.Row() {
			lines = append(lines, screen.CursorRow(t, text, width))
		} else {
			lines = append(lines, screen.Cut(" "+text, width))
		}
		for line := range strings.SplitSeq(screen.Wrap(e.note, max(width-1, 1)), "\n") {
			lines = append(lines, " "+t.Muted.Render(line))
		}
	}
	return lines, heads
}

func (a *addresses) View() string {
	return screen.Box(strings.Join(a.lines, "\n"), a.width, a.height)
}
