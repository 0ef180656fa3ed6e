package columns

import (
	"strings"

	"gatehouse/ui/grid"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
)

const (
	widestTitle = 200 // cells beyond which no title is measured
	widestKind  = 20
	boxWidth    = len("[x]")
	widthWidth  = len(widthTitle)
	narrowTitle = 12 // cells that a title has on the narrowest screen
)

// Layout gives the size of what View draws.
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View draws the picker in exactly the size of the last Layout.
func (m *Model) View() string {
	width, height := m.width, m.height
	above := []string{""} // for the heading
	if m.filter.Visible() {
		m.filter.Layout(width)
		above = append(above, m.filter.View())
	}
	m.above = len(above)
	// The list first: the heading tells which part of it is visible.
	body := m.body(width, max(height-m.above, 0))
	heading := m.theme.Strong.Render("Columns: " + human.Count(m.countShown()) + " of " + human.Count(len(m.columns)) + " shown")
	above[0] = layout.Sides(heading, m.theme.Muted.Render(m.grid.Position()), width)
	return layout.Box(strings.Join(append(above, body), "\n"), width, height)
}

func (m *Model) body(width, height int) string {
	if m.grid.Len() == 0 {
		return m.theme.Muted.Render(layout.Wrap("No column is found. Clear the filter to see all of them.", width))
	}
	// The title gives way to what stands behind it.
	const gutters, columns = 2, 4
	room := width - columns*gutters - boxWidth - m.kindWidth - widthWidth
	l := grid.ColumnLayout{Widths: map[int]int{
		boxColumn:   boxWidth,
		titleColumn: min(max(room, narrowTitle), m.titleWidth),
		kindColumn:  m.kindWidth,
		widthColumn: widthWidth,
	}}
	if !m.grid.ColumnLayout().Equal(l) {
		m.grid.SetColumnLayout(l)
	}
	m.grid.Layout(width, height)
	return m.grid.View()
}

// Click takes the cursor to the column at a place of the picker, and shows or
// hides it if the box or the line under the cursor was hit.
func (m *Model) Click(x, y int) {
	hit := m.grid.Click(x, y-m.above)
	if hit.Target == grid.Row && (hit.Again || hit.Column == boxColumn) {
		m.toggle()
		m.refresh()
	}
}

// Wheel scrolls the list by lines, down if positive.
func (m *Model) Wheel(lines int) { m.grid.Wheel(lines) }
