package browse

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/ui/grid"
)

// memory is what is remembered of the columns of a list, by their names: the next
// answer may have others, and what is said of those stays.
type memory struct {
	// Shown are the columns from left to right and Hidden the others; with none,
	// nobody has chosen yet. Columns in neither are shown behind them.
	Shown  []string `json:"shown,omitempty"`
	Hidden []string `json:"hidden,omitempty"`
	// Widths are the cells of columns with a width of their own.
	Widths map[string]int `json:"widths,omitempty"`
}

// memoryKey names the memory of this list.
func (m *recordList) memoryKey() string { return m.names.many + ".columns" }

// layOut shows the columns as the person left them, with the one of that title as
// the current one, or else the first.
func (m *recordList) layOut(current string) {
	var kept memory
	m.env.State.Get(m.memoryKey(), &kept)
	l := kept.layout(m.source)
	m.grid.SetColumnLayout(l)
	column := m.source.index(current)
	if column < 0 && len(l.Order) > 0 {
		column = l.Order[0]
	}
	m.grid.SelectColumn(column)
}

// pickColumns lets the person choose the columns.
func (m *recordList) pickColumns() tea.Cmd {
	leave := func(l grid.ColumnLayout) tea.Cmd {
		if !l.Equal(m.grid.ColumnLayout()) {
			m.grid.SetColumnLayout(l)
			m.rememberLayout(l)
		}
		return m.pop()
	}
	return m.push(newColumnPicker(m.env.Theme, m.source.picked(m.grid.Width), m.grid.ColumnLayout(), m.grid.Column(), leave))
}

// rememberLayout keeps the layout that a person chose.
func (m *recordList) rememberLayout(l grid.ColumnLayout) tea.Cmd {
	var kept memory
	m.env.State.Get(m.memoryKey(), &kept)
	kept.learn(m.source, l)
	m.env.State.Set(m.memoryKey(), kept)
	return m.sumUp()
}

// layout is that of the columns of a source.
func (k memory) layout(s *source) grid.ColumnLayout {
	usual := usualColumns(s.picked(nil))
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
func (k memory) order(s *source, usual grid.ColumnLayout) []int {
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
func (k *memory) learn(s *source, l grid.ColumnLayout) {
	elsewhere := func(titles []string) []string {
		return slices.DeleteFunc(slices.Clone(titles), func(title string) bool { return s.index(title) >= 0 })
	}
	k.Shown, k.Hidden = elsewhere(k.Shown), elsewhere(k.Hidden)
	maps.DeleteFunc(k.Widths, func(title string, _ int) bool { return s.index(title) >= 0 })
	if usual := usualColumns(s.picked(nil)); !slices.Equal(usual.Order, l.Order) {
		k.choose(s, l)
	}
	for column, width := range l.Widths {
		if k.Widths == nil {
			k.Widths = map[string]int{}
		}
		k.Widths[s.columns[column].Title] = width
	}
}

func (k *memory) choose(s *source, l grid.ColumnLayout) {
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

// picked are the columns as the picker lists them; width tells how wide one is,
// nil if that does not matter.
func (s *source) picked(width func(column int) int) []pickerColumn {
	list := make([]pickerColumn, len(s.columns))
	for i, c := range s.columns {
		kind := s.kind(i)
		list[i] = pickerColumn{Title: c.Title, Kind: kind.String(), OnlyNulls: kind == records.NullColumn}
		if width != nil {
			list[i].Width = width(i)
		}
	}
	return list
}
