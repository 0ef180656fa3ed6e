package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// panel lies over the list and takes its keys: the detail of a record, the picker
// of columns, the values of a column, the prompt for an export.
type panel interface {
	Update(msg tea.Msg) tea.Cmd
	Actions() []screen.Action
	Typing() bool
	Layout(width, height int)
	View() string
	Click(x, y int) tea.Cmd
	Wheel(lines int)
	// Close ends the work of the panel.
	Close()
}

// closePanel goes back to the list.
func (m *Model) closePanel() tea.Cmd {
	m.panel.Close()
	m.panel = nil
	return m.sumUp()
}

// picker is the panel of the columns.
type picker struct{ *columnPicker }

// Click implements [panel].
func (p picker) Click(x, y int) tea.Cmd {
	p.columnPicker.Click(x, y)
	return nil
}

// Close implements [panel].
func (picker) Close() {}

func (m *Model) pickColumns() tea.Cmd {
	leave := func(l grid.ColumnLayout) tea.Cmd {
		if !l.Equal(m.grid.ColumnLayout()) {
			m.grid.SetColumnLayout(l)
			m.rememberLayout(l)
		}
		return m.closePanel()
	}
	m.panel = picker{newColumnPicker(m.env.Theme, m.source.picked(m.grid.Width), m.grid.ColumnLayout(), m.grid.Column(), leave)}
	return nil
}

// values is the panel of the values of a column.
type values struct {
	*valueList
	counting *counting
}

// Close implements [panel].
func (v values) Close() { v.counting.stop() }

// exporting is the prompt for an export.
type exporting struct{ *ExportPrompt }

// Click implements [panel]. The prompt is for the keyboard.
func (exporting) Click(int, int) tea.Cmd { return nil }

// Wheel implements [panel].
func (exporting) Wheel(int) {}
