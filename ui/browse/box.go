package browse

import (
	"cmp"
	"strings"

	"gatehouse/styles"
	"gatehouse/ui/form"
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

// formBox is a form in a box over a list.
type formBox struct {
	*form.Model
	title string
	cells int
	// about are lines that stand above the form as far as there is room; nil: none.
	about  func(width int) []string
	submit string // says what confirming does
}

func (f *formBox) Title() string { return f.title }

func (f *formBox) Overlay() {}

func (f *formBox) Actions() []screen.Action { return f.Model.Actions(f.submit, false) }

func (f *formBox) lines(width int) []string {
	if f.about == nil {
		return nil
	}
	return append(f.about(width), "")
}

func (f *formBox) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	cells = min(width, f.cells)
	return screen.Pane{Title: f.title, Padding: 1}, cells, len(f.lines(cells)) + f.Height()
}

func (f *formBox) Draw(width, height int) string {
	above := f.lines(width)
	return f.DrawUnder(above[:max(0, min(len(above), height-f.Height()))], width, height)
}
