package browse

import (
	"slices"

	"gatehouse/internal/lists"
)

// arrangement is how a list shows its records: which of them, in which order, and in which columns. It
// is a value that can be applied to any source: columns go by their names, for the next answer may have
// others.
type arrangement struct {
	filter  string
	order   order
	columns chosenColumns
}

// equal reports whether both show the same of any source.
func (a arrangement) equal(b arrangement) bool {
	return a.filter == b.filter && slices.Equal(a.order, b.order) && a.columns.equal(b.columns)
}

// order is how the rows are sorted: by the first of the columns, those that are alike
// there by the second. Without any it is the service's.
type order []SortedBy

// SortedBy is a column that the rows are sorted by.
type SortedBy struct {
	Column     string `json:"column"`
	Descending bool   `json:"descending,omitempty"`
}

// by is the order for the key that sorts by one column: up, down, as the service sent
// the rows.
func (o order) by(column string) order {
	if len(o) == 1 && o[0].Column == column {
		return o.with(column)
	}
	return order{{Column: column}}
}

// with is the order for the key that adds a column: up, down, without it.
func (o order) with(column string) order {
	at := slices.IndexFunc(o, func(by SortedBy) bool { return by.Column == column })
	next := slices.Clone(o)
	switch {
	case at < 0:
		return append(next, SortedBy{Column: column})
	case !o[at].Descending:
		next[at].Descending = true
		return next
	}
	return slices.Delete(next, at, at+1)
}

// keys are the columns of a source that the rows are sorted by.
func (o order) keys(s *source) []lists.SortKey {
	var keys []lists.SortKey
	for _, by := range o {
		if column := s.index(by.Column); column >= 0 {
			keys = append(keys, lists.SortKey{Column: column, Descending: by.Descending})
		}
	}
	return keys
}

// chosenColumns are the columns that a person has chosen, as they are kept between runs. What is said of
// columns that an answer lacks stays.
type chosenColumns struct {
	// Shown are the columns from left to right and Hidden the others; with none,
	// nobody has chosen yet. Columns in neither are shown after them.
	Shown  []string `json:"shown,omitempty"`
	Hidden []string `json:"hidden,omitempty"`
}

func (c chosenColumns) equal(other chosenColumns) bool {
	return slices.Equal(c.Shown, other.Shown) && slices.Equal(c.Hidden, other.Hidden)
}

// in are the columns of a source as they were chosen, and after them those that nobody
// has seen yet.
func (c chosenColumns) in(s *source) []int {
	usual := s.usualColumns()
	if len(c.Shown) == 0 {
		return usual
	}
	var chosen, fresh []int
	for _, title := range c.Shown {
		for column, of := range s.columns {
			if of.Title == title && !slices.Contains(chosen, column) {
				chosen = append(chosen, column)
			}
		}
	}
	for column, of := range s.columns {
		known := slices.Contains(chosen, column) || slices.Contains(c.Hidden, of.Title)
		if !known && (usual == nil || slices.Contains(usual, column)) {
			fresh = append(fresh, column)
		}
	}
	return append(chosen, fresh...)
}

// with is the choice after these columns of a source were chosen; none are all.
func (c chosenColumns) with(s *source, shown []int) chosenColumns {
	elsewhere := func(titles []string) []string {
		return slices.DeleteFunc(slices.Clone(titles), func(title string) bool { return s.index(title) >= 0 })
	}
	next := chosenColumns{Shown: elsewhere(c.Shown), Hidden: elsewhere(c.Hidden)}
	if slices.Equal(s.usualColumns(), shown) {
		return next
	}
	var titles []string
	for _, column := range shown {
		titles = append(titles, s.columns[column].Title)
	}
	for column, of := range s.columns {
		switch {
		case len(shown) == 0: // all
			titles = append(titles, of.Title)
		case !slices.Contains(shown, column):
			next.Hidden = append(next.Hidden, of.Title)
		}
	}
	next.Shown = append(titles, next.Shown...)
	return next
}
