package browse

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// The bar of the largest group has the cells that the box leaves beside values and figures,
// within bounds.
const leastBarCells, mostBarCells, figureCells = 20, 40, 24

// valueRows shows groups to the grid.
type valueRows struct {
	groups valueCounts
	most   int // rows of the largest group
	bar    string
	cells  int // of the longest bar
}

func newValueRows(theme *styles.Theme, g valueCounts) valueRows {
	widest := 0
	for _, item := range g.Items {
		widest = max(widest, safetext.Width(item.Text))
	}
	cells := max(leastBarCells, min(mostBarCells, mostValueCells-widest-figureCells))
	return valueRows{groups: g, most: g.most(), bar: theme.Glyphs.Life, cells: cells} // thin, so that lines stay apart
}

func (l valueRows) Len() int { return len(l.groups.Items) }

func (l valueRows) Columns() []grid.Column {
	value := grid.Column{Title: "Value"}
	if l.most <= 1 {
		return []grid.Column{value} // a bar of one says nothing
	}
	return []grid.Column{value, {Title: "Rows", Numeric: true}, {Title: "%", Numeric: true}, {Title: ""}}
}

func (l valueRows) Cells(row int, dst []grid.Cell) []grid.Cell {
	item := l.groups.Items[row]
	value := grid.Cell{Text: item.Text, State: item.State}
	if item.State == grid.Empty || item.State == grid.Value && item.Text == "" {
		value = grid.Cell{Text: `""`}
	}
	return append(dst, value,
		grid.Cell{Text: human.Number(item.Rows), Tone: grid.Number},
		grid.Cell{Text: percent(item.Rows, l.groups.Total), Tone: grid.Muted},
		grid.Cell{Text: strings.Repeat(l.bar, l.length(item.Rows)), Tone: grid.Accent},
	)
}

// length is how many cells the bar of a group has: one at least.
func (l valueRows) length(rows int) int {
	if rows <= 0 {
		return 0
	}
	return max(1, (rows*l.cells+l.most/2)/l.most)
}

// percent writes a part of a whole: 12.3.
func percent(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	tenths := (part*2000 + whole) / (2 * whole)
	if tenths == 0 && part > 0 {
		return "<0.1"
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

func (v *valueList) Boxed(width, height int) (pane screen.Pane, cells, lines int) {
	pane = screen.Pane{Title: safetext.Clip(v.column, width/2)}
	if v.counts == nil {
		return pane, leastValues, 3
	}
	pane.Title += " " + v.theme.Glyphs.Separator + " " + v.count()
	if len(v.counts.Items) == 0 {
		cells, pane.Padding = min(width, leastValues), 1
		return pane, cells, strings.Count(v.nothing(cells), "\n") + 1
	}
	pane.Foot = v.grid.RowPosition()
	return pane, mostValueCells, len(v.counts.Items) + 1 + len(v.aboveOf(width, height))
}

// How wide the box of values is at least and at most.
const leastValues, mostValueCells = 50, 86

func (v *valueList) Layout(width, height int) {
	v.width, v.height, v.above = width, height, nil
	v.find.Layout(width)
	if v.counts == nil {
		return
	}
	v.above = v.aboveOf(width, height)
	v.grid.Layout(width, max(height-len(v.above), 0))
}

// aboveOf are the lines over the values.
func (v *valueList) aboveOf(width, height int) []string {
	var above []string
	if len(v.counts.Items) == 0 {
		return nil
	}
	if absent := v.absent(); absent != "" && height >= 6 {
		above = append(above, v.theme.Muted.Render(screen.Cut("  "+absent, width)))
	}
	if v.find.Visible() {
		above = append(above, v.find.View())
	}
	return above
}

func (v *valueList) View() string {
	column := safetext.Clip(v.column, v.width/2)
	switch {
	case v.failure != "":
		text := v.theme.Glyphs.Bad + " The values of " + column + " could not be counted. " + v.failure
		return screen.Box(v.theme.Bad.Render(screen.Wrap(text, v.width)), v.width, v.height)
	case v.counts == nil:
		text := "counting the values of " + column + v.theme.Glyphs.More
		return screen.Box(v.theme.Accent.Render(screen.Wrap(text, v.width)), v.width, v.height)
	}
	return screen.Box(strings.Join(append(slices.Clone(v.above), v.body()), "\n"), v.width, v.height)
}

func (v *valueList) body() string {
	if len(v.counts.Items) == 0 {
		return v.theme.Muted.Render(v.nothing(v.width))
	}
	return v.grid.View()
}

// eachOnce reports that there are only values of which each is in one row, and too many
// of them to be listed.
func (v *valueList) eachOnce() bool {
	return v.counts != nil && len(v.counts.Items) == 0 && v.counts.OtherValues > 0
}

// nothing says why no values are listed, in lines of a width.
func (v *valueList) nothing(width int) string {
	text := "There are no rows."
	if v.eachOnce() {
		text = "Each value occurs once: nothing to count."
		text += "\n\n" + "Filter the list with " + v.filterKey + " to find one."
	}
	return screen.Wrap(text, width)
}

// count says how many values there are.
func (v *valueList) count() string {
	if v.counts.Ranges {
		return human.Count(v.counts.Total, "row", "rows")
	}
	return human.Count(v.counts.Values, "value", "values")
}

// absent says in how many rows there is no value, and how many values are not
// in the list.
func (v *valueList) absent() string {
	g := v.counts
	var parts []string
	if g.Nulls > 0 {
		parts = append(parts, "null in "+human.Number(g.Nulls))
	}
	if g.Missing > 0 {
		parts = append(parts, "not there in "+human.Number(g.Missing))
	}
	if len(parts) > 0 {
		parts = []string{strings.Join(parts, ", ") + " of " + human.Number(g.Total) + " rows"}
	}
	switch {
	case g.most() <= 1 && len(g.Items) > 0:
		parts = append(parts, "each in one row")
	case g.OtherValues > 0 && g.OtherValues == g.OtherRows:
		parts = append(parts, human.Count(g.OtherValues, "other value", "other values")+", each in one row")
	case g.OtherValues > 0:
		parts = append(parts, human.Count(g.OtherValues, "other value", "other values")+" in "+human.Count(g.OtherRows, "row", "rows"))
	}
	return strings.Join(parts, " "+v.theme.Glyphs.Separator+" ")
}
