package record

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/records"
)

// longestReadable is how many bytes of JSON are read as one value; a longer one stays as
// it is.
const longestReadable = 256

// one reads a JSON value that is alone, by the name that it has: the last member of the
// path.
func one(path, raw string) (info records.ColumnInfo, cell records.Cell, ok bool) {
	if raw == "" || len(raw) > longestReadable || strings.ContainsAny(raw[:1], "{[") {
		return info, cell, false
	}
	name := strconv.Quote(strings.TrimRight(lastMember(path), "0123456789[]"))
	table, err := records.Parse(slices.Concat([]byte(`[{`+name+`:`), []byte(raw), []byte(`}]`)))
	if err != nil || table.Len() != 1 {
		return info, cell, false
	}
	infos := table.DisplayColumns()
	return infos[0], table.Cell(0, 0), len(infos) == 1
}

// Meaning says what a number means by the name of its column, where that is known: the 2
// of a ShareAssociationType is "owner". It is "" where it is not.
func Meaning(path, number string) string { return enums[lastMember(path)][number] }

// HasMeanings reports whether [Meaning] knows numbers of a column of this name.
func HasMeanings(path string) bool { return enums[lastMember(path)] != nil }

// Readable writes a JSON value as people read it: sizes with units, times to the minute,
// strings without quotes, and numbers with their meaning where it is known. What is
// empty or null, and an array or object, stays as it was sent.
func Readable(path, raw string, now time.Time) string {
	return readable(path, raw, records.Format{Zone: now.Location(), Now: now})
}

func readable(path, raw string, format records.Format) string {
	info, cell, ok := one(path, raw)
	if !ok {
		return raw
	}
	if meaning := Meaning(path, raw); meaning != "" {
		return raw + " " + meaning
	}
	v := format.Value(info, cell)
	switch {
	case cell.Kind() == records.Null, v.Text == "":
		return raw
	case v.Age != "":
		return v.Text + ", " + v.Age
	}
	return v.String()
}

// IsIdentity reports whether a JSON value is one in which any two people differ: an id, an
// address, a time or a size.
func IsIdentity(path, raw string) bool {
	info, _, ok := one(path, raw)
	return ok && slices.Contains([]records.Role{records.RoleID, records.RolePerson, records.RoleTime, records.RoleSize}, info.Role)
}

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
