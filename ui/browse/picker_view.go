package browse

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

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

// Layout implements [screen.Screen]. The titles give way to what stands behind them.
func (p *columnPicker) Layout(width, height int) {
	p.width, p.height, p.above = width, height, 1
	p.filter.Layout(width)
	if p.filter.Visible() {
		p.above = 2
	}
	const gutters, columns = 2, 4
	room := width - columns*gutters - boxWidth - p.kindWidth - widthWidth
	l := grid.ColumnLayout{Widths: map[int]int{
		boxColumn:   boxWidth,
		titleColumn: min(max(room, narrowTitle), p.titleWidth),
		kindColumn:  p.kindWidth,
		widthColumn: widthWidth,
	}}
	if !p.grid.ColumnLayout().Equal(l) {
		p.grid.SetColumnLayout(l)
	}
	p.grid.Layout(width, max(height-p.above, 0))
}

// View implements [screen.Screen].
func (p *columnPicker) View() string {
	heading := p.theme.Strong.Render("Columns: " + human.Count(p.countShown()) + " of " + human.Count(len(p.columns)) + " shown")
	lines := []string{layout.Sides(heading, p.theme.Muted.Render(p.grid.Position()), p.width)}
	if p.filter.Visible() {
		lines = append(lines, p.filter.View())
	}
	return layout.Box(strings.Join(append(lines, p.body()), "\n"), p.width, p.height)
}

func (p *columnPicker) body() string {
	if p.grid.Len() == 0 {
		return p.theme.Muted.Render(layout.Wrap("No column is found. Clear the filter to see all of them.", p.width))
	}
	return p.grid.View()
}

// Click implements [screen.MouseHandler]: a column is shown or hidden if its box or
// the line under the cursor was hit.
func (p *columnPicker) Click(x, y int) tea.Cmd {
	hit := p.grid.Click(x, y-p.above)
	if hit.Target == grid.Row && (hit.Again || hit.Column == boxColumn) {
		p.toggle()
		p.refresh()
	}
	return nil
}

// Wheel implements [screen.MouseHandler].
func (p *columnPicker) Wheel(_, _, lines int) tea.Cmd {
	p.grid.Wheel(lines)
	return nil
}

// pickerRows shows the columns to the grid: a row for each.
type pickerRows struct{ picker *columnPicker }

// The columns of the list.
const (
	boxColumn = iota
	titleColumn
	kindColumn
	widthColumn
)

// Their titles.
const titleTitle, kindTitle, widthTitle = "Column", "Kind", "Width"

// Len implements [grid.Source].
func (l pickerRows) Len() int { return len(l.picker.columns) }

// Columns implements [grid.Source].
func (l pickerRows) Columns() []grid.Column {
	return []grid.Column{{Title: ""}, {Title: titleTitle}, {Title: kindTitle}, {Title: widthTitle, Numeric: true}}
}

// Cells implements [grid.Source].
func (l pickerRows) Cells(row int, dst []grid.Cell) []grid.Cell {
	c := l.picker.columns[row]
	box, tone := "[ ]", grid.Muted
	if l.picker.shown[row] {
		box, tone = "[x]", grid.Plain
	}
	width := grid.Cell{State: grid.Empty}
	if w := l.picker.widths[row]; w > 0 {
		width = grid.Cell{Text: strconv.Itoa(w)}
	}
	return append(dst, grid.Cell{Text: box}, grid.Cell{Text: c.Title, Tone: tone}, grid.Cell{Text: c.kind(), Tone: grid.Muted}, width)
}

// kind is what the list says of the values.
func (c pickerColumn) kind() string {
	if c.OnlyNulls {
		return "only nulls"
	}
	return c.Kind
}

// found are the columns whose titles hold every word of the filter.
func (p *columnPicker) found() []int32 {
	words := p.filter.Words()
	rows := make([]int32, 0, len(p.order))
	for _, column := range p.order {
		if grid.ContainsAll(p.columns[column].Title, words) {
			rows = append(rows, column)
		}
	}
	return rows
}
