package browse

import (
	"slices"

	"gatehouse/internal/lists"
)

// arrangement is how a list shows its records: which of them, in which order, and in which
// columns. It can be applied to any source. Columns are identified by name, as the next answer
// may have others.
type arrangement struct {
	filter  string
	order   order
	columns chosenColumns
}

// equal reports whether both arrangements show any source in the same way.
func (a arrangement) equal(b arrangement) bool {
	return a.filter == b.filter && slices.Equal(a.order, b.order) && a.columns.equal(b.columns)
}

// order is what the rows are sorted by, the most important column first. Without columns the rows
// stay in the order of the service.
type order []SortedBy

// SortedBy is a column that the rows are sorted by. It is kept between runs.
type SortedBy struct {
	Column     string `json:"column"`
	Descending bool   `json:"descending,omitempty"`
}

// sortedOnlyBy is the next order for the key that sorts by one column: first upwards, then
// downwards, then in the order of the service.
func (o order) sortedOnlyBy(column string) order {
	if len(o) == 1 && o[0].Column == column {
		return o.sortedAlsoBy(column)
	}
	return order{{Column: column}}
}

// sortedAlsoBy is the next order for the key that adds a column: first upwards, then downwards,
// then without the column.
func (o order) sortedAlsoBy(column string) order {
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

// keys returns the order as columns of a source. Columns that the source lacks are left out.
func (o order) keys(s *source) []lists.SortKey {
	var keys []lists.SortKey
	for _, by := range o {
		if column := s.index(by.Column); column >= 0 {
			keys = append(keys, lists.SortKey{Column: column, Descending: by.Descending})
		}
	}
	return keys
}

// chosenColumns are the columns that a person has chosen. They are kept between runs, with those
// that the current answer lacks.
type chosenColumns struct {
	// Shown are the columns that are shown, from left to right, and Hidden those that are not. If
	// Shown is empty, nothing was chosen yet. Columns in neither are shown after all others.
	Shown  []string `json:"shown,omitempty"`
	Hidden []string `json:"hidden,omitempty"`
}

func (c chosenColumns) equal(other chosenColumns) bool {
	return slices.Equal(c.Shown, other.Shown) && slices.Equal(c.Hidden, other.Hidden)
}

// indexesIn returns the columns of a source as they were chosen, by their indexes, and then those
// that were in no source before. It is nil for all columns in the order of the source.
func (c chosenColumns) indexesIn(s *source) []int {
	usual := s.usualColumns()
	if len(c.Shown) == 0 {
		return usual
	}
	var chosen, unseen []int
	for _, key := range c.Shown {
		for index, column := range s.columns {
			if column.Key == key && !slices.Contains(chosen, index) {
				chosen = append(chosen, index)
			}
		}
	}
	for index, column := range s.columns {
		isKnown := slices.Contains(chosen, index) || slices.Contains(c.Hidden, column.Key)
		isUsual := usual == nil || slices.Contains(usual, index)
		if !isKnown && isUsual {
			unseen = append(unseen, index)
		}
	}
	return append(chosen, unseen...)
}

// choose returns what is kept after a person has chosen to show these columns of a source, by their
// indexes; none means all. What was chosen of columns that the source lacks stays.
func (c chosenColumns) choose(s *source, shown []int) chosenColumns {
	elsewhere := func(keys []string) []string {
		return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
			return s.index(key) >= 0
		})
	}
	next := chosenColumns{Shown: elsewhere(c.Shown), Hidden: elsewhere(c.Hidden)}
	if slices.Equal(s.usualColumns(), shown) {
		return next
	}
	var keys []string
	for _, column := range shown {
		keys = append(keys, s.columns[column].Key)
	}
	showsAll := len(shown) == 0
	for index, column := range s.columns {
		switch {
		case showsAll:
			keys = append(keys, column.Key)
		case !slices.Contains(shown, index):
			next.Hidden = append(next.Hidden, column.Key)
		}
	}
	next.Shown = append(keys, next.Shown...)
	return next
}
