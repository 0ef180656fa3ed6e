package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// box is a small list in a box over the records, such as that of the columns. It has a filter of
// its own.
type box struct {
	screen.Base
	theme  *styles.Theme
	grid   *grid.Model
	filter *grid.FilterLine
	rows   func() []int32       // all rows, in order
	text   func(row int) string // the text of a row that is filtered
	// above is a part over the filter; nil for none.
	above func() screen.Part
	// instead is a part in place of the rows; nil, or one that returns nil, leaves the rows.
	instead func() screen.Part
}

// newBox makes a box of the rows of a source. rows returns all of them in order, and text the
// text of one that the filter looks at.
func newBox(
	theme *styles.Theme, source grid.Source, rows func() []int32, text func(row int) string,
) *box {
	b := &box{theme: theme, grid: grid.New(theme, source), rows: rows, text: text}
	b.grid.RowsOnly = true
	b.filter = grid.NewFilterLine(theme, grid.ByWords, func(string) tea.Cmd {
		b.refresh()
		return nil
	})
	return b
}

// refresh shows the rows that have every word of the filter.
func (b *box) refresh() {
	words := b.filter.Words()
	b.grid.SetRows(slices.DeleteFunc(b.rows(), func(row int32) bool {
		return !grid.ContainsAll(b.text(int(row)), words)
	}))
	b.grid.SetMatch(words)
}

func (b *box) Typing() bool { return b.filter.Typing() }

func (b *box) Update(msg tea.Msg) tea.Cmd { return b.filter.Update(msg) }

// lines is how many lines of the box a number of rows take, with their headings and the filter.
func (b *box) lines(rows int) int {
	if b.filter.Visible() {
		rows++
	}
	return rows + 1
}

// Settle implements [screen.Screen].
func (b *box) Settle(room screen.Room) {
	b.grid.Settle(room.Width, b.body().Rest(room.Width, room.Height))
}

// Frame implements [screen.Screen].
func (b *box) Frame() screen.Frame { return screen.InBox }

// View implements [screen.Screen] but for the title and the border, which each box adds.
func (b *box) View() screen.View {
	return screen.View{
		Body:   b.body(),
		Wheel:  b.grid.Wheel,
		Typing: b.Typing(),
		Modal:  true,
		Rows:   b.grid,
		Filter: b.filter.Filter,
	}
}

func (b *box) body() screen.Fill {
	filter := screen.Indent{Part: b.filter, Left: 1}
	body := screen.Fill{Above: []screen.Part{filter}, Part: b.grid}
	if b.above != nil {
		body.Above = []screen.Part{b.above(), filter}
	}
	var instead screen.Part
	if b.instead != nil {
		instead = b.instead()
	}
	if instead == nil && b.grid.Len() == 0 {
		nothing := screen.Text{Style: b.theme.Muted, Text: "Nothing here matches the filter."}
		instead = screen.Indent{Part: nothing, Left: 1}
	}
	if instead != nil {
		body.Part = screen.Padded{Part: instead}
	}
	return body
}
