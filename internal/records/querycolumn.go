package records

import "strings"

// columnsNamed returns the columns that a name in a query stands for: those that
// have it as their full name, to the letter or else without case; or else those
// of which it is the last part or parts; or else the one column that has a part
// which begins with it. Nil if there are none, or several that only begin with it.
func (t *Table) columnsNamed(name string) []int {
	if exact := t.columnsThat(func(column string) bool { return column == name }); exact != nil {
		return exact
	}
	wanted := foldedName(name)
	for _, fits := range []func(column string) bool{
		func(column string) bool { return column == wanted },
		func(column string) bool { return strings.HasSuffix(column, "."+wanted) },
	} {
		if columns := t.columnsThat(func(column string) bool { return fits(foldedName(column)) }); columns != nil {
			return columns
		}
	}
	columns := t.columnsThat(func(column string) bool { return hasPartWithPrefix(foldedName(column), wanted) })
	if len(columns) > 1 || wanted == "" {
		return nil
	}
	return columns
}

func (t *Table) columnsThat(fits func(column string) bool) (columns []int) {
	for col, column := range t.columns.columns {
		if fits(column.Name) {
			columns = append(columns, col)
		}
	}
	return columns
}

func foldedName(name string) string { return string(appendFolded(nil, []byte(name))) }

// hasPartWithPrefix reports whether a dotted name, or what is behind one of its dots, begins with the prefix.
func hasPartWithPrefix(name, prefix string) bool {
	return strings.HasPrefix(name, prefix) || strings.Contains(name, "."+prefix)
}
