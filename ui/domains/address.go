package domains

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// address is the panel that shows where a domain can be reached. Nothing is
// opened from it: the browser that a person wants may be on another machine.
type address struct {
	domain  string
	entries []entry
	at      int
	lines   []int // of the entries, as last drawn
}

type entry struct{ label, url, note string }

func (m *Model) showAddress() tea.Cmd {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	name := m.names.domains[row]
	m.address = &address{domain: name, entries: []entry{
		{"Browser", "https://" + name, "made of the domain's name: the interface does not show where the web pages are, a device login does"},
	}}
	if gateway := m.names.addresses[row]; gateway != "" {
		m.address.entries = append(m.address.entries, entry{"Gateway", gateway, "for programs: what this one asks"})
	}
	return nil
}

func (m *Model) closeAddress() tea.Cmd {
	m.address = nil
	return nil
}

func (a *address) actions(m *Model) []screen.Action {
	by := func(n int) func() tea.Cmd {
		return func() tea.Cmd {
			a.move(n)
			return nil
		}
	}
	return []screen.Action{
		{ID: "address.copy", Run: func() tea.Cmd { return a.copy(m) }},
		{ID: "address.down", Run: by(1)},
		{ID: "address.up", Run: by(-1)},
		{ID: "address.close", Run: m.closeAddress},
	}
}

func (a *address) move(by int) { a.at = min(max(a.at+by, 0), len(a.entries)-1) }

func (a *address) copy(m *Model) tea.Cmd {
	chosen := a.entries[a.at]
	return m.env.Root.Copy(chosen.url, "the "+strings.ToLower(chosen.label)+" address")
}

// click puts the cursor on the address at a line, and copies it if it is there.
func (a *address) click(m *Model, y int) tea.Cmd {
	i := slices.Index(a.lines, y)
	if i >= 0 && i == a.at {
		return a.copy(m)
	}
	if i >= 0 {
		a.at = i
	}
	return nil
}

func (a *address) view(t *styles.Theme, width int) string {
	lines := []string{t.Strong.Render("Addresses of " + safetext.Clip(hostname.Readable(a.domain), width)), ""}
	a.lines = a.lines[:0]
	for i, e := range a.entries {
		a.lines = append(a.lines, len(lines))
		text := safetext.Pad(e.label, 9) + safetext.Clip(e.url, width)
		if i == a.at {
			lines = append(lines, t.Selected.Render(safetext.Fit(t.Glyphs.Cursor+text, width)))
		} else {
			lines = append(lines, safetext.Truncate(" "+text, width))
		}
		note := strings.Split(t.Faint.Render(screen.Wrap(e.note, width)), "\n")
		lines = append(append(lines, note...), "")
	}
	return strings.Join(lines, "\n")
}
