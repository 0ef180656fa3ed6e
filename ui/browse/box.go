package browse

import (
	"slices"
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

	width, height int
	above         []string // the lines over the grid
}

func newBox(theme *styles.Theme, source grid.Source) *box {
	b := &box{theme: theme, grid: grid.New(theme, source)}
	b.grid.RowsOnly = true
	return b
}

func (b *box) Overlay() {}

func (b *box) Wheel(lines int) { b.grid.Wheel(lines) }

// layOut settles what is visible below some lines.
func (b *box) layOut(width, height int, above ...string) {
	b.width, b.height, b.above = width, height, above
	b.grid.Layout(width, max(height-len(above), 0))
}

// drawn are the rows, or a text in their place.
func (b *box) drawn(instead string) string {
	if instead == "" {
		instead = b.grid.View()
	}
	return screen.Box(strings.Join(append(slices.Clone(b.above), instead), "\n"), b.width, b.height)
}

// click moves the cursor, and reports what was hit.
func (b *box) click(x, y int) grid.Hit { return b.grid.Click(x, y-len(b.above)) }

func (b *box) Rows() int { return b.grid.Len() }

func (b *box) Choose(at int) { b.grid.Choose(at) }
