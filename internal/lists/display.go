package lists

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Role is what a column means to people, as far as its name and the first rows show.
type Role uint8

// The roles, in the order in which a list shows what is left of them once it has
// shown one of each.
const (
	RoleName   Role = iota // says which record it is; one column at the most
	RoleSize               // a [BytesColumn]
	RoleTime               // a [TimeColumn] or [TicksColumn]
	RolePerson             // an address, or the name of a person
	RoleState              // one of few values: yes or no, a type, a state
	RoleNumber             // any other number
	RoleText               // any other text, and mixed values
	RoleLink               // a [LinkColumn]
	RoleList               // a [ListColumn]
	RoleID                 // tells a program which record it is, or another one
)

// ColumnInfo is what is known of a column, to show it.
type ColumnInfo struct {
	Index int    // among those of [Table.Columns]
	Name  string // the whole path, "SpaceUsage.DiskUsage"
	// Label is what people call the column: "Disk", or "Contact name" where there is a "Name"
	// too. Queries know it.
	Label string
	Kind  ColumnKind
	Role  Role
	// Same reports that the first rows, of which there are several, do not differ here.
	Same bool
}

// sampleRows and sampleBytes limit the [sample] of a table, for people wait for it.
const sampleRows, sampleBytes = 1000, 1 << 20

// sample is what the names and the first rows tell about the columns: at most 1,000 rows, and
// those that begin in the first megabyte of records.
type sample struct {
	columns []ColumnInfo // in the order of the table
	display []ColumnInfo // as people look for them
	few     []bool       // which columns have so few values that they may be states
}

// sample looks at the first rows, once.
func (t *Table) sample() *sample {
	t.once.Do(func() { t.first = t.newSample() })
	return t.first
}

// sampled is how many rows the sample has.
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
		info := ColumnInfo{Index: col, Name: name, Label: labels[col], Kind: kind, Same: seen[col].same()}
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
	slices.SortStableFunc(s.display, func(a, b ColumnInfo) int { return cmp.Compare(ranks[a.Index], ranks[b.Index]) })
	return s
}

// DisplayColumns returns all columns in the order in which people look for them, as
// far as the first rows tell: what names a record; then one each of
// a person, a time, a size and a state that differ between records; then the others that
// do; then those that few records have; then lists and ids; last what is the same everywhere.
func (t *Table) DisplayColumns() []ColumnInfo { return slices.Clone(t.sample().display) }

// What the last word of a name says about a column.
var (
	nameWordsInOrder = []string{"name", "displayname", "fullname", "title", "subject"}
	personWords      = []string{"author", "by", "creator", "member", "owner", "person", "user"}
	stateWords       = []string{"category", "enabled", "kind", "level", "mode", "role", "state", "status", "type"}
)

// nameColumn returns the column that says which record it is: of those that are no
// part of something else, the one with the most telling name. noColumn if there is none.
func nameColumn(columns []ColumnInfo) int {
	for _, wanted := range nameWordsInOrder {
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
	one := strings.TrimSuffix(member, "s")
	isID := strings.EqualFold(member, "id") || strings.HasSuffix(one, "Id") || strings.HasSuffix(one, "ID") || strings.HasSuffix(one, "_id")
	if isID && role != RoleList {
		return RoleID
	}
	if role != RoleText && role != RoleNumber {
		return role
	}
	const manyRows = 5 // with each value
	words := Words(member)
	isOne := func(of []string) bool { return len(words) > 0 && slices.Contains(of, words[len(words)-1]) }
	switch {
	case seen.few() && (isOne(stateWords) || c.Kind == TextColumn && seen.values >= manyRows*len(seen.first)):
		return RoleState
	case c.Kind == TextColumn && isOne(personWords):
		return RolePerson
	}
	return role
}

func lastMember(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// The ranks of columns. Those that differ between records are ranked by role, from differing on.
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

func rankOf(c ColumnInfo, seen *variety) int {
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
	case 2*seen.values < seen.rows: // most rows have none
		return rare
	case c.Role == RoleText:
		return differing + int(RoleNumber) // neither is more telling than the other
	}
	return differing + int(c.Role)
}

// leaders are the roles of which one column each comes first. The states among them
// are words: the numbers of a type mean little to people.
var leaders = []Role{RolePerson, RoleTime, RoleSize, RoleState}

// lead moves the first column of each of the leaders to the front.
func lead(infos []ColumnInfo, ranks []int) {
	for place, role := range leaders {
		for col, info := range infos {
			isCode := role == RoleState && info.Kind == NumberColumn
			if info.Role == role && differing <= ranks[col] && ranks[col] < rare && !isCode {
				ranks[col] = leading + place
				break
			}
		}
	}
}

// maxStates is how many values a column may have whose values are states.
const maxStates = 8

// variety is how the first values of a column differ.
type variety struct {
	fitting      []ColumnKind // the kinds that all values fit
	rows, values int          // rows that were looked at, and those with a value; a time that is not set is none
	unset        int          // values that mean that a time is not set
	first        [][]byte     // the different values, at most one more than maxStates
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
		if slices.ContainsFunc(v.first, func(other []byte) bool { return bytes.Equal(c.raw, other) }) {
			return
		}
		v.first = append(v.first, c.raw)
	}
	if len(v.fitting) > 1 {
		v.fitting = slices.DeleteFunc(v.fitting, func(kind ColumnKind) bool { return !kind.fits(c) })
	}
}

// close returns the kind, which is the first that all values fit and that suits the name.
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

// same reports that no row differs from another.
func (v *variety) same() bool {
	const many = 10
	usual := v.values == v.rows || v.rows >= many && 2*v.values >= v.rows
	return v.rows > 1 && (v.values == 0 || len(v.first) == 1 && usual)
}
