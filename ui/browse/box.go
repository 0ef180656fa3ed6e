package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// box is a list of its own in a box over the records, such as the columns, with a filter.
type box struct {
	screen.Base
	theme  *styles.Theme
	grid   *grid.Model
	filter *grid.FilterLine
	rows   func() []int32       // all, in their order
	text   func(row int) string // what is filtered of a row
	// above stands over the filter, instead in place of the rows; nil: nothing does.
	above, instead func() screen.Part
}

func newBox(theme *styles.Theme, source grid.Source, rows func() []int32, text func(row int) string) *box {
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
	b.grid.SetRows(slices.DeleteFunc(b.rows(), func(row int32) bool { return !grid.ContainsAll(b.text(int(row)), words) }))
	b.grid.SetMatch(words)
}

func (b *box) Typing() bool { return b.filter.Typing() }

func (b *box) Update(msg tea.Msg) tea.Cmd { return b.filter.Update(msg) }

// lines are how many lines all rows take.
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

// View is what all such boxes show.
func (b *box) View() screen.View {
	return screen.View{
		Body: b.body(), Wheel: b.grid.Wheel, Typing: b.Typing(), Modal: true, Rows: b.grid,
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
