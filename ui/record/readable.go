package record

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/lists"
)

// maxReadable is the size in bytes up to which a JSON value is made readable.
const maxReadable = 256

// one reads a single JSON value as the member at the end of the path. ok is false for an array or
// object, or a value that is too long.
func one(path, raw string) (info lists.ColumnInfo, cell lists.Cell, ok bool) {
	if raw == "" || len(raw) > maxReadable || strings.ContainsAny(raw[:1], "{[") {
		return info, cell, false
	}
	name := strconv.Quote(strings.TrimRight(lastMember(path), "0123456789[]"))
	table, err := lists.Parse(slices.Concat([]byte(`[{`+name+`:`), []byte(raw), []byte(`}]`)))
	if err != nil || table.Len() != 1 {
		return info, cell, false
	}
	infos := table.DisplayColumns()
	return infos[0], table.Cell(0, 0), len(infos) == 1
}

// Readable writes a JSON value as people read it: sizes with units, times to the minute, strings
// without quotes, and numbers with their meaning if it is known. Null, an empty string, an array and
// an object stay as they were sent.
func Readable(path, raw string, now time.Time) string {
	return readable(path, raw, lists.Format{Zone: now.Location(), Now: now})
}

// readable is Readable with a format.
func readable(path, raw string, format lists.Format) string {
	info, cell, ok := one(path, raw)
	if !ok {
		return raw
	}
	if meaning := lists.Meanings(path)[raw]; meaning != "" {
		return raw + " " + meaning
	}
	v := format.Value(info, cell)
	switch {
	case cell.Kind() == lists.Null, v.Text == "":
		return raw
	case v.Age != "":
		return v.Text + ", " + v.Age
	}
	if format.Spoken {
		return v.Amount().Spoken()
	}
	return v.String()
}

// IsID reports whether the name of the member at the end of a path says that it is an id.
func IsID(path string) bool {
	words := lists.Words(lastMember(path))
	return hasWord(words, []string{"guid", "id", "ids", "uuid"})
}

// IsIdentity reports whether a JSON value differs between any two people: an id, an address, a time
// or a size.
func IsIdentity(path, raw string) bool {
	info, _, ok := one(path, raw)
	if !ok {
		return false
	}
	switch info.Role {
	case lists.RoleID, lists.RolePerson, lists.RoleTime, lists.RoleSize:
		return true
	}
	return false
}

// remark is what the tree says beside a value that is hard to read as it was sent: a size, a time, or
// a number with a meaning; "" for any other.
func (r *Reader) remark(path []string, raw string) string {
	name := strings.Join(path, ".")
	if meaning := lists.Meanings(name)[raw]; meaning != "" {
		return meaning
	}
	info, cell, ok := one(name, raw)
	if !ok || r.now == nil {
		return ""
	}
	now := r.now()
	switch v := (lists.Format{Zone: now.Location(), Now: now}).Value(info, cell); {
	case v.Exact:
		return ""
	case v.Age != "":
		return v.Text + ", " + v.Age
	default:
		return v.String()
	}
}
