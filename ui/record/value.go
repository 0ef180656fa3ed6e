package record

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/records"
)

// maxReadable is how many bytes of JSON are read as one value; a longer one stays as
// it is.
const maxReadable = 256

// one reads a JSON value that is alone, by the name that it has: the last member of the
// path.
func one(path, raw string) (info records.ColumnInfo, cell records.Cell, ok bool) {
	if raw == "" || len(raw) > maxReadable || strings.ContainsAny(raw[:1], "{[") {
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
	if meaning := records.Meanings(path)[raw]; meaning != "" {
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

// remark says in the tree what a value means that is written otherwise there: a size, a time, or
// a number with a meaning.
func (r *Reader) remark(path []string, raw string) string {
	name := strings.Join(path, ".")
	if meaning := records.Meanings(name)[raw]; meaning != "" {
		return meaning
	}
	info, cell, ok := one(name, raw)
	if !ok || r.now == nil {
		return ""
	}
	now := r.now()
	switch v := (records.Format{Zone: now.Location(), Now: now}).Value(info, cell); {
	case v.Exact:
		return ""
	case v.Age != "":
		return v.Text + ", " + v.Age
	default:
		return v.String()
	}
}
