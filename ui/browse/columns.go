package browse

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
)

// rememberedColumns are what is remembered of the columns of a list, by their names: the next
// answer may have others, and what is said of those stays.
type rememberedColumns struct {
	// Shown are the columns from left to right and Hidden the others; with none,
	// nobody has chosen yet. Columns in neither are shown behind them.
	Shown  []string `json:"shown,omitempty"`
	Hidden []string `json:"hidden,omitempty"`
	// Widths are the cells of columns with a width of their own.
	Widths map[string]int `json:"widths,omitempty"`
}

const columnsSuffix = ".columns"

// columnsKey is where the state keeps the columns of this list.
func (l *List) columnsKey() string { return l.options.Many + columnsSuffix }

// layOut shows the columns as the person left them, with the one of that title as
// the current one, or else the first.
func (l *List) layOut(current string) {
	var kept rememberedColumns
	l.env.State.Get(l.columnsKey(), &kept)
	chosen := kept.layout(l.source)
	l.grid.SetColumnLayout(chosen)
	column := l.source.index(current)
	if column < 0 && len(chosen.Order) > 0 {
		column = chosen.Order[0]
	}
	l.grid.SelectColumn(column)
}

// pickColumns lets the person choose the columns.
func (l *List) pickColumns() tea.Cmd { return l.Over(newColumnPicker(l)) }

// hidden says which column a key has hidden, and how it comes back.
func (l *List) hidden(column int) tea.Cmd {
	title, key := safetext.Clip(l.source.columns[column].Heading, maxName), l.env.Keys.Key("browse.columns")
	return l.env.Root.Say("Hid "+title+". Press "+key+" to show it again.", false)
}

// rememberLayout keeps the layout that a person chose.
func (l *List) rememberLayout(chosen grid.ColumnLayout) {
	var kept rememberedColumns
	l.env.State.Get(l.columnsKey(), &kept)
	kept.learn(l.source, chosen)
	l.env.State.Set(l.columnsKey(), kept)
}

// layout is that of the columns of a source.
func (k rememberedColumns) layout(s *source) grid.ColumnLayout {
	usual := s.usualColumns()
	l := grid.ColumnLayout{Order: usual.Order}
	if len(k.Shown) > 0 {
		l.Order = k.order(s, usual)
	}
	for column, c := range s.columns {
		if width := k.Widths[c.Title]; width > 0 {
			if l.Widths == nil {
				l.Widths = map[int]int{}
			}
			l.Widths[column] = width
		}
	}
	return l
}

// order is the columns as they were chosen, and behind them those that nobody
// has seen yet.
func (k rememberedColumns) order(s *source, usual grid.ColumnLayout) []int {
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
		if !known && (usual.Order == nil || slices.Contains(usual.Order, column)) {
			fresh = append(fresh, column)
		}
	}
	return append(order, fresh...)
}

// learn takes over a layout, and keeps what is known of columns that the source lacks.
func (k *rememberedColumns) learn(s *source, l grid.ColumnLayout) {
	elsewhere := func(titles []string) []string {
		return slices.DeleteFunc(slices.Clone(titles), func(title string) bool { return s.index(title) >= 0 })
	}
	k.Shown, k.Hidden = elsewhere(k.Shown), elsewhere(k.Hidden)
	maps.DeleteFunc(k.Widths, func(title string, _ int) bool { return s.index(title) >= 0 })
	if usual := s.usualColumns(); !slices.Equal(usual.Order, l.Order) {
		k.choose(s, l)
	}
	for column, width := range l.Widths {
		if k.Widths == nil {
			k.Widths = map[string]int{}
		}
		k.Widths[s.columns[column].Title] = width
	}
}

func (k *rememberedColumns) choose(s *source, l grid.ColumnLayout) {
	shown := l.Order
	if len(shown) == 0 { // all
		for column := range s.columns {
			shown = append(shown, column)
		}
	}
	var titles []string
	for _, column := range shown {
		titles = append(titles, s.columns[column].Title)
	}
	k.Shown = append(titles, k.Shown...)
	for column, c := range s.columns {
		if !slices.Contains(shown, column) {
			k.Hidden = append(k.Hidden, c.Title)
		}
	}
}
