package device

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
)

// Click puts the cursor on what is at a place of the screen as it was last
// drawn; a result of the list that is under the cursor is opened.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case m.comparison != nil:
		m.comparison.click(y)
	case m.past != nil:
		if hit := m.past.grid.Click(x, y-1); hit.Target == grid.Row && hit.Again {
			return m.openEntry(m.past.selected())
		}
	case m.attempt != nil:
	case m.result != nil:
		m.result.tree.Click(x, y-m.result.above)
	default:
		m.form.Click(y - m.above)
	}
	return nil
}

// Wheel scrolls by lines, down for more than zero.
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	switch {
	case m.comparison != nil:
		m.comparison.move(lines)
	case m.past != nil:
		m.past.grid.Wheel(lines)
	case m.attempt != nil:
	case m.result != nil:
		m.result.tree.Wheel(lines)
	default:
		m.form.Wheel(lines)
	}
	return nil
}

// Breadcrumbs names what is open on the screen.
func (m *Model) Breadcrumbs() []string {
	trail := []string{}
	if m.result != nil {
		trail = append(trail, "Result "+strconv.Itoa(m.result.entry.number))
	}
	if m.past != nil {
		trail = append(trail, "Results")
	}
	if m.comparison != nil {
		trail = append(trail, "Compare")
	}
	return trail
}
