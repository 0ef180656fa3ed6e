package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// rememberedColumns are what is remembered of the columns of a list, by their names: the next
// answer may have others, and what is said of those stays.
type rememberedColumns struct {
	// Shown are the columns from left to right and Hidden the others; with none,
	// nobody has chosen yet. Columns in neither are shown behind them.
	Shown  []string `json:"shown,omitempty"`
	Hidden []string `json:"hidden,omitempty"`
}

// columnsKey is where the state keeps the columns of this list.
func (l *List) columnsKey() string { return l.options.Many + ".columns" }

// layOut shows the columns as the person left them, with the one of that title as
// the current one, or else the first.
func (l *List) layOut(current string) {
	var kept rememberedColumns
	l.env.State.Get(l.columnsKey(), &kept)
	order := kept.order(l.source)
	l.grid.SetOrder(order)
	column := l.source.index(current)
	if column < 0 && len(order) > 0 {
		column = order[0]
	}
	l.grid.SelectColumn(column)
}

// pickColumns lets the person choose the columns.
func (l *List) pickColumns() tea.Cmd { return l.Over(newColumnPicker(l)) }

// rememberColumns keeps the columns that a person chose.
func (l *List) rememberColumns() {
	var kept rememberedColumns
	l.env.State.Get(l.columnsKey(), &kept)
	kept.learn(l.source, l.grid.Order())
	l.env.State.Set(l.columnsKey(), kept)
}

// order is the columns of a source as they were chosen, and behind them those that nobody
// has seen yet.
func (k rememberedColumns) order(s *source) []int {
	usual := s.usualColumns()
	if len(k.Shown) == 0 {
		return usual
	}
	var order, fresh []int
	for _, title := range k.Shown {
		for column, c := range s.columns {
			if c.Title == title && !slices.Contains(order, column) {
				order = append(order, column)
			}
		}
	}
	for column, c := range s.columns {
		known := slices.Contains(order, column) || slices.Contains(k.Hidden, c.Title)
		if !known && (usual == nil || slices.Contains(usual, column)) {
			fresh = append(fresh, column)
		}
	}
	return append(order, fresh...)
}

// learn takes over the columns of a source, and keeps what is known of those that it lacks.
func (k *rememberedColumns) learn(s *source, shown []int) {
	elsewhere := func(titles []string) []string {
		return slices.DeleteFunc(slices.Clone(titles), func(title string) bool { return s.index(title) >= 0 })
	}
	k.Shown, k.Hidden = elsewhere(k.Shown), elsewhere(k.Hidden)
	if slices.Equal(s.usualColumns(), shown) {
		return
	}
	var titles []string
	for _, column := range shown {
		titles = append(titles, s.columns[column].Title)
	}
	for column, c := range s.columns {
		switch {
		case len(shown) == 0: // all
			titles = append(titles, c.Title)
		case !slices.Contains(shown, column):
			k.Hidden = append(k.Hidden, c.Title)
		}
	}
	k.Shown = append(titles, k.Shown...)
}
