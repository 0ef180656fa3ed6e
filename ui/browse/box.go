package browse

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// box is a list of its own in a box over the records, such as the columns, with a line that
// searches it.
type box struct {
	screen.Base
	theme *styles.Theme
	grid  *grid.Model
	find  *grid.FilterLine
	// rows makes all rows in their order, and text is what is searched of one.
	rows func() []int32
	text func(row int) string

	width, height int
	above         []string // the lines over the grid
}

// newBox makes a box for the rows of a source.
func newBox(theme *styles.Theme, purpose grid.FilterPurpose, source grid.Source, rows func() []int32, text func(row int) string) *box {
	b := &box{theme: theme, grid: grid.New(theme, source), rows: rows, text: text}
	b.grid.RowsOnly = true
	b.find = grid.NewFilterLine(theme, purpose, func(string) tea.Cmd {
		b.refresh()
		return nil
	})
	return b
}

// refresh shows the rows that have every word of the line.
func (b *box) refresh() {
	words := b.find.Words()
	rows := slices.DeleteFunc(b.rows(), func(row int32) bool { return !grid.ContainsAll(b.text(int(row)), words) })
	b.grid.SetRows(rows)
	b.grid.SetMatch(words)
}

func (b *box) Overlay() {}

func (b *box) Typing() bool { return b.find.Typing() }

func (b *box) Update(msg tea.Msg) tea.Cmd { return b.find.Update(msg) }

func (b *box) Wheel(lines int) { b.grid.Wheel(lines) }

// layOut settles what is visible below some lines and the line of the search.
func (b *box) layOut(width, height int, above ...string) {
	b.width, b.height, b.above = width, height, above
	b.find.Layout(width)
	if b.find.Visible() {
		b.above = append(b.above, b.find.View())
	}
	b.grid.Layout(width, max(height-len(b.above), 0))
}

// drawn are the rows, or a text in their place.
func (b *box) drawn(instead string) string {
	if instead == "" {
		instead = b.grid.View()
	}
	return screen.Box(strings.Join(append(slices.Clone(b.above), instead), "\n"), b.width, b.height)
}

// lines are how many lines all rows take.
func (b *box) lines(rows int) int {
	if b.find.Visible() {
		rows++
	}
	return rows + 1
}

// click moves the cursor, and reports what was hit.
func (b *box) click(x, y int) grid.Hit { return b.grid.Click(x, y-len(b.above)) }

func (b *box) Rows() int { return b.grid.Len() }

func (b *box) Choose(at int) { b.grid.Choose(at) }
