package grid

import (
	"strings"

	"gatehouse/ui/screen"
)

func (m *Model) Rows() int { return m.Len() }

func (m *Model) Choose(at int) { m.choose(at) }

// SayRow says all columns that are shown.
func (m *Model) SayRow(at int) string { return m.SayColumns(at, m.order, len(m.order)) }

// SayColumns says the first few of some columns that have a value in a row.
func (m *Model) SayColumns(at int, columns []int, most int) string {
	all := m.source.Columns()
	cells := m.source.Cells(m.row(at), nil)
	var said []string
	for _, column := range columns {
		if len(said) == most || column >= len(cells) {
			break
		}
		c := cells[column]
		text := strings.TrimSpace(c.Text + " " + strings.TrimSpace(c.Unit))
		if c.State == Value && text != "" {
			said = append(said, screen.InList(all[column].name(), text))
		}
	}
	if said == nil {
		return "It is empty."
	}
	return strings.Join(said, " ")
}
