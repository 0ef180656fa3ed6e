package records

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// SortKey is a column to sort by, and the direction.
type SortKey struct {
	Column     int
	Descending bool
}

// SortBy orders the rows by the first key, those that are equal there by the second, and
// so on; see [Table.Sort] for the order of each. Rows that are equal in all keys stay as
// they stood. When the context ends, the rows stay as they were and its error is returned.
func (t *Table) SortBy(ctx context.Context, rows []int32, keys ...SortKey) error {
	sorted := rows
	if len(keys) > 1 {
		sorted = slices.Clone(rows)
	}
	for _, key := range slices.Backward(keys) { // each sort is stable
		if err := t.Sort(ctx, sorted, key.Column, key.Descending); err != nil {
			return err
		}
	}
	copy(rows, sorted)
	return nil
}

// SortKeys reads what to sort by: names of columns, as in a query, separated by commas, each
// with a - in front of it to have it descending: "Owner,-Disk". A name with a comma in it or a - in front is given in quotes. The error is a [*ColumnError].
func (t *Table) SortKeys(text string) ([]SortKey, error) {
	var keys []SortKey
	for _, part := range splitNames(text) {
		name, descending := strings.CutPrefix(part, "-")
		column, err := t.ColumnNamed(unquoted(name))
		if err != nil {
			return nil, err
		}
		keys = append(keys, SortKey{column, descending})
	}
	return keys, nil
}

// ColumnsOf reads names of columns separated by commas, as [Table.SortKeys] does.
func (t *Table) ColumnsOf(text string) ([]int, error) {
	var columns []int
	for _, name := range splitNames(text) {
		column, err := t.ColumnNamed(unquoted(name))
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// namePattern is a name in a list of them: up to a comma that is in no quotes.
var namePattern = regexp.MustCompile(`(?:[^,"]|"[^"]*"?)+`)

// splitNames cuts a list of names at the commas that are in no quotes.
func splitNames(text string) (names []string) {
	for _, name := range namePattern.FindAllString(text, -1) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func unquoted(name string) string {
	if inner, ok := strings.CutPrefix(name, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			return inner
		}
	}
	return name
}

// ColumnNamed returns the one column that a name means, as in a query. Of columns that
// share the whole name it is the first. The error is a [*ColumnError].
func (t *Table) ColumnNamed(name string) (int, error) {
	columns, meant := t.resolve(name)
	if len(columns) == 0 || !t.shareName(columns) {
		if meant == nil {
			meant = columns
		}
		return 0, &ColumnError{Name: name, Meant: t.labelsAt(meant)}
	}
	return columns[0], nil
}

// shareName reports whether columns have one name.
func (t *Table) shareName(columns []int) bool {
	first := t.columns.names[columns[0]]
	return !slices.ContainsFunc(columns, func(col int) bool { return t.columns.names[col] != first })
}

func (t *Table) labelsAt(columns []int) (labels []string) {
	for _, col := range columns {
		if label := t.sample().labels[col]; !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// ColumnError says that a name is that of no column, or may be that of several.
type ColumnError struct {
	Name  string
	Meant []string // the labels of the columns that it may mean; nil if there are none
}

// Error implements the error interface. What is in quotes is safe on a terminal.
func (e *ColumnError) Error() string {
	name := strconv.Quote(e.Name)
	if len(e.Meant) == 0 {
		return "no column is called " + name
	}
	return name + " may be " + listed(e.Meant)
}

// listed writes some names: "Disk", "History" or "Deleted". Of many it writes the first.
func listed(names []string) string {
	const maxNamed = 5
	quoted := make([]string, 0, maxNamed)
	for _, name := range names[:min(len(names), maxNamed)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	switch last := len(quoted) - 1; {
	case len(names) > maxNamed:
		return strings.Join(quoted, ", ") + " or others"
	case last == 0:
		return quoted[0]
	default:
		return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
	}
}
