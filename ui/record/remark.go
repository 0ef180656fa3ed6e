package record

import (
	"slices"
	"strings"

	"gatehouse/internal/records"
)

// longestRemarked is how many bytes a record may have whose tree has remarks.
const longestRemarked = 32 << 10

// remarks say in the tree of a row what its values mean that are written otherwise there:
// sizes, times and numbers with a meaning.
func (r *Reader) remarks(row int) func(path []string, raw string) string {
	if r.table == nil || len(r.record(row)) > longestRemarked {
		return nil
	}
	now := r.now()
	format := records.Format{Zone: now.Location(), Now: now}
	cells := slices.Clone(r.table.Cells(row, nil))
	columns := make(map[string]*column, len(r.columns))
	for i := range r.columns {
		columns[r.columns[i].Name] = &r.columns[i]
	}
	return func(path []string, raw string) string {
		c := columns[strings.Join(path, ".")]
		if c == nil || string(cells[c.Index].Raw()) != raw {
			return enums[path[len(path)-1]][raw]
		}
		if meaning := c.enum[raw]; meaning != "" {
			return meaning
		}
		v := format.Value(c.ColumnInfo, cells[c.Index])
		switch {
		case v.Exact:
			return ""
		case v.Age != "":
			return v.Text + ", " + v.Age
		}
		return v.String()
	}
}
