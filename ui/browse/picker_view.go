package browse

import (
	"strconv"
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
func (p *columnPicker) Layout(width, height int) { p.width, p.height = width, height }

// View draws the picker in exactly the size of the last Layout.
func (p *columnPicker) View() string {
	width, height := p.width, p.height
	above := []string{""} // for the heading
	if p.filter.Visible() {
		p.filter.Layout(width)
		above = append(above, p.filter.View())
	}
	p.above = len(above)
	// The list first: the heading tells which part of it is visible.
	body := p.body(width, max(height-p.above, 0))
	heading := p.theme.Strong.Render("Columns: " + human.Count(p.countShown()) + " of " + human.Count(len(p.columns)) + " shown")
	above[0] = layout.Sides(heading, p.theme.Muted.Render(p.grid.Position()), width)
	return layout.Box(strings.Join(append(above, body), "\n"), width, height)
}

func (p *columnPicker) body(width, height int) string {
	if p.grid.Len() == 0 {
		return p.theme.Muted.Render(layout.Wrap("No column is found. Clear the filter to see all of them.", width))
	}
	// The title gives way to what stands behind it.
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
	p.grid.Layout(width, height)
	return p.grid.View()
}

// Click takes the cursor to the column at a place of the picker, and shows or
// hides it if the box or the line under the cursor was hit.
func (p *columnPicker) Click(x, y int) {
	hit := p.grid.Click(x, y-p.above)
	if hit.Target == grid.Row && (hit.Again || hit.Column == boxColumn) {
		p.toggle()
		p.refresh()
	}
}

// Wheel scrolls the list by lines, down if positive.
func (p *columnPicker) Wheel(lines int) { p.grid.Wheel(lines) }

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
