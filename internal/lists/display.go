package lists

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Role is what a column means to people, as far as its name and the first rows show.
type Role uint8

// The roles, in the order in which a list shows the remaining columns once it has shown one of each
// leading role.
const (
	RoleName   Role = iota // names the record; at most one column
	RoleSize               // a [BytesColumn]
	RoleTime               // a [TimeColumn] or [TicksColumn]
	RolePerson             // an address, or the name of a person
	RoleState              // one of few values: yes or no, a type, a state
	RoleNumber             // any other number
	RoleText               // any other text, and mixed values
	RoleLink               // a [LinkColumn]
	RoleList               // a [ListColumn]
	RoleID                 // identifies this or another record for programs
)

// ColumnInfo describes a column for those who show it.
type ColumnInfo struct {
	Index int    // in [Table.Columns]
	Name  string // the whole path, "SpaceUsage.DiskUsage"
	// Label is what people call the column: "Disk", or "Contact name" if there is a "Name" as well.
	// Queries accept it.
	Label string
	Kind  ColumnKind
	Role  Role
	// Same reports that there are several rows, and that the first ones do not differ here.
	Same bool
}

// The limits of a [sample]: people wait for it.
const (
	sampleRows  = 1000
	sampleBytes = 1 << 20 // in which the last row of the sample begins
)

// sample is what names and first rows show about the columns of a table.
type sample struct {
	columns []ColumnInfo // in the order of the table
	display []ColumnInfo // in the order of [Table.DisplayColumns]
	few     []bool       // by column, whether its values are so few that they may be states
}

// sample looks at the first rows, once.
func (t *Table) sample() *sample {
	t.once.Do(func() { t.first = t.newSample() })
	return t.first
}

// sampled returns the number of rows in the sample.
func (t *Table) sampled() int {
	end := min(sampleRows, t.Len())
	for row := range end {
		if t.records.starts[row]-t.records.starts[0] > sampleBytes {
			return row
		}
	}
	return end
}

func (t *Table) newSample() *sample {
	names, rows := t.columns.names, t.sampled()
	seen := make([]variety, len(names))
	for col := range seen {
		seen[col] = variety{fitting: slices.Clone(byTelling), first: make([][]byte, 0, maxStates+1)}
	}
	var cells []Cell
	for row := range rows {
		cells = t.Cells(row, cells)
		for col, cell := range cells {
			seen[col].add(cell)
		}
	}
	s := &sample{columns: make([]ColumnInfo, len(names)), few: make([]bool, len(names))}
	labels, ranks := labelsOf(names), make([]int, len(names))
	for col, name := range names {
		kind := seen[col].close(name, rows)
		info := ColumnInfo{
			Index: col,
			Name:  name,
			Label: labels[col],
			Kind:  kind,
			Same:  seen[col].same(),
		}
		info.Role = roleOf(info, &seen[col])
		s.columns[col], s.few[col] = info, seen[col].few()
	}
	if name := nameColumn(s.columns); name != noColumn {
		s.columns[name].Role = RoleName
	}
	for col, info := range s.columns {
		ranks[col] = rankOf(info, &seen[col])
	}
	lead(s.columns, ranks)
	s.display = slices.Clone(s.columns)
	slices.SortStableFunc(s.display, func(a, b ColumnInfo) int {
		return cmp.Compare(ranks[a.Index], ranks[b.Index])
	})
	return s
}

// DisplayColumns returns all columns in the order in which people look for them, as far as the
// first rows show:
//
//   - the name of the record,
//   - one person, time, size and state that differ between records,
//   - the other columns that differ,
//   - columns that few records have,
//   - lists and ids,
//   - columns that are the same everywhere.
func (t *Table) DisplayColumns() []ColumnInfo { return slices.Clone(t.sample().display) }

// Names of columns, and last words of names, that show what a column means.
var (
	namesOfRecords = []string{"name", "displayname", "fullname", "title", "subject"} // best first
	personWords    = []string{"author", "by", "creator", "member", "owner", "person", "user"}
	stateWords     = []string{
		"category", "enabled", "kind", "level", "mode", "role", "state", "status", "type",
	}
)

// nameColumn returns the column that names the record, or noColumn. It is not a member of a nested
// object.
func nameColumn(columns []ColumnInfo) int {
	for _, wanted := range namesOfRecords {
		for _, c := range columns {
			if strings.EqualFold(c.Name, wanted) && c.Kind != ListColumn && c.Kind != NullColumn {
				return c.Index
			}
		}
	}
	return noColumn
}

// roleOf returns the role of a column that is not the name of the record.
func roleOf(c ColumnInfo, seen *variety) Role {
	role, member := kindTable[c.Kind].role, lastMember(c.Name)
	if isIDName(member) && role != RoleList {
		return RoleID
	}
	if role != RoleText && role != RoleNumber {
		return role
	}
	words := Words(member)
	lastWordIsIn := func(list []string) bool {
		return len(words) > 0 && slices.Contains(list, words[len(words)-1])
	}
	const manyRows = 5 // for each different value, on average
	areRepeatedTexts := c.Kind == TextColumn && seen.values >= manyRows*len(seen.first)
	switch {
	case seen.few() && (lastWordIsIn(stateWords) || areRepeatedTexts):
		return RoleState
	case c.Kind == TextColumn && lastWordIsIn(personWords):
		return RolePerson
	}
	return role
}

// isIDName reports whether a member is called like an id, or ids.
func isIDName(member string) bool {
	singular := strings.TrimSuffix(member, "s")
	return strings.EqualFold(member, "id") ||
		strings.HasSuffix(singular, "Id") ||
		strings.HasSuffix(singular, "ID") ||
		strings.HasSuffix(singular, "_id")
}

// lastMember returns the last member in the name of a column.
func lastMember(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// The ranks of columns, see [Table.DisplayColumns]. From differing on, the role is added.
const (
	naming = 100 * iota
	leading
	differing
	rare
	listing
	identifying
	alike
	empty
)

// rankOf returns the rank of a column before lead moves some to the front.
func rankOf(c ColumnInfo, seen *variety) int {
	isRare := 2*seen.values < seen.rows
	switch {
	case c.Role == RoleName:
		return naming
	case c.Kind == NullColumn:
		return empty
	case c.Same:
		return alike
	case c.Role == RoleID:
		return identifying
	case c.Role == RoleList:
		return listing
	case isRare:
		return rare
	case c.Role == RoleText:
		return differing + int(RoleNumber) // texts and numbers are equally useful
	}
	return differing + int(c.Role)
}

// leaders are the roles of which one column each comes first.
var leaders = []Role{RolePerson, RoleTime, RoleSize, RoleState}

// lead moves the first column of each of the leaders to the front. A state in numbers does not
// lead, as it means little to people.
func lead(infos []ColumnInfo, ranks []int) {
	for place, role := range leaders {
		for col, info := range infos {
			isCode := role == RoleState && info.Kind == NumberColumn
			differs := differing <= ranks[col] && ranks[col] < rare
			if info.Role == role && differs && !isCode {
				ranks[col] = leading + place
				break
			}
		}
	}
}

// maxStates is how many different values a column of states may have.
const maxStates = 8

// variety is how the first values of a column differ.
type variety struct {
	fitting []ColumnKind // the kinds that all values fit
	rows    int          // how many rows the sample has
	values  int          // how many of them have a value; an unset time does not count
	unset   int          // values that mean that a time is not set
	first   [][]byte     // the different values, at most one more than maxStates
}

// add adds the cell of one row.
func (v *variety) add(c Cell) {
	if c.Kind() <= Null {
		return
	}
	v.values++
	if string(c.raw) == "0" || bytes.HasPrefix(c.raw, []byte(`"0001-01-01`)) {
		v.unset++
	}
	if v.few() {
		isSame := func(other []byte) bool { return bytes.Equal(c.raw, other) }
		if slices.ContainsFunc(v.first, isSame) {
			return
		}
		v.first = append(v.first, c.raw)
	}
	if len(v.fitting) > 1 {
		isUnfit := func(kind ColumnKind) bool { return !kind.fits(c) }
		v.fitting = slices.DeleteFunc(v.fitting, isUnfit)
	}
}

// close ends the sample, which has so many rows, and returns the kind of the column: the first one
// that all values fit and that suits the name.
func (v *variety) close(name string, rows int) (kind ColumnKind) {
	for _, kind = range v.fitting {
		proven := kind != TicksColumn || v.unset < v.values // 0 alone proves nothing
		if proven && kind.suits(name) {
			break
		}
	}
	if kindTable[kind].role == RoleTime {
		v.values -= v.unset
	}
	v.rows = rows
	return kind
}

// few reports that the values are so few that they may be states.
func (v *variety) few() bool { return len(v.first) <= maxStates }

// same reports that there are several rows with no value, or with one value that all of them have, or
// at least half of many.
func (v *variety) same() bool {
	const many = 10
	isUsual := v.values == v.rows || v.rows >= many && 2*v.values >= v.rows
	hasOneValue := len(v.first) == 1 && isUsual
	return v.rows > 1 && (v.values == 0 || hasOneValue)
}
