package browse

import (
	"cmp"
	"strings"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// box is a list of its own in a box over the records, such as the columns.
type box struct {
	screen.Base
	theme *styles.Theme
	grid  *grid.Model
	above int // lines over the grid
}

func newBox(theme *styles.Theme, source grid.Source) *box {
	b := &box{theme: theme, grid: grid.New(theme, source)}
	b.grid.RowsOnly = true
	return b
}

func (b *box) Overlay() {}

func (b *box) Wheel(lines int) { b.grid.Wheel(lines) }

func (b *box) Draw(width, height int) string { return b.draw(width, height, "") }

// draw draws the rows, or a text in their place, below some lines.
func (b *box) draw(width, height int, instead string, above ...string) string {
	b.above = len(above)
	rows := b.grid.Draw(width, max(height-len(above), 0))
	return screen.Box(strings.Join(append(above, cmp.Or(instead, rows)), "\n"), width, height)
}

// click moves the cursor, and reports what was hit.
func (b *box) click(x, y int) grid.Hit { return b.grid.Click(x, y-b.above) }

func (b *box) Rows() int { return b.grid.Len() }

func (b *box) Choose(at int) { b.grid.Choose(at) }

func (b *box) SayRow(at int) string { return b.grid.SayRow(at) }
