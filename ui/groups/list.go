package groups

import (
	"fmt"
	"strings"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/human"
)

// barCells is how long the bar of the largest group is.
const barCells = 20

// list shows groups to the grid.
type list struct {
	groups Groups
	most   int // rows of the largest group
	bar    string
}

func newList(theme *styles.Theme, g Groups) list {
	l := list{groups: g, bar: theme.Glyphs.BarFull}
	for _, item := range g.Items {
		l.most = max(l.most, item.Rows)
	}
	return l
}

// Len implements [grid.Source].
func (l list) Len() int { return len(l.groups.Items) }

// Columns implements [grid.Source].
func (l list) Columns() []grid.Column {
	return []grid.Column{{Title: "Value"}, {Title: "Rows", Numeric: true}, {Title: "Share", Numeric: true}, {Title: ""}}
}

// Cells implements [grid.Source].
func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	item := l.groups.Items[row]
	value := grid.Cell{Text: item.Text, State: item.State}
	if item.State == grid.Empty || item.State == grid.Value && item.Text == "" {
		value = grid.Cell{Text: `""`}
	}
	return append(dst, value,
		grid.Cell{Text: human.Count(item.Rows)},
		grid.Cell{Text: share(item.Rows, l.groups.Total)},
		grid.Cell{Text: strings.Repeat(l.bar, l.length(item.Rows)), Tone: grid.Muted},
	)
}

// length is how many cells the bar of a group has: one at least.
func (l list) length(rows int) int {
	if rows <= 0 {
		return 0
	}
	return max(1, (rows*barCells+l.most/2)/l.most)
}

// share writes a part of a whole: 12.3 %.
func share(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	tenths := (part*2000 + whole) / (2 * whole)
	if tenths == 0 && part > 0 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}
