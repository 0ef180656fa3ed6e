package lists

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// resolve returns the columns that a person means by a name in a query. The first of these rules
// that finds any decides:
//
//  1. the name is the whole name of the column, to the letter;
//  2. or in another case;
//  3. it is the label, see [ColumnInfo]: "created" is CreateTime;
//  4. it is the last part or parts of the name;
//  5. it is one or more words of the last part: "usage" is DiskUsage and HistoryUsage;
//  6. it is the name of an object that the column is in: "space" is everything in SpaceUsage;
//  7. other programs call the column so: "size" is the first column of sizes;
//  8. it begins a part or a word of the name, of this column alone.
//
// If a name only begins those of several columns, resolve returns them as meant.
func (t *Table) resolve(name string) (columns, meant []int) {
	wanted := foldedName(name)
	if strings.TrimSpace(wanted) == "" {
		return nil, nil
	}
	for _, fits := range []func(c ColumnInfo) bool{
		func(c ColumnInfo) bool { return c.Name == name },
		func(c ColumnInfo) bool { return foldedName(c.Name) == wanted },
		func(c ColumnInfo) bool {
			return withoutBlanks(foldedName(c.Label)) == withoutBlanks(wanted)
		},
		func(c ColumnInfo) bool { return strings.HasSuffix(foldedName(c.Name), "."+wanted) },
		func(c ColumnInfo) bool { return hasWords(lastMember(c.Name), wanted) },
	} {
		if columns = t.columnsThat(fits); columns != nil {
			return columns, nil
		}
	}
	if columns = t.partsOf(wanted); columns != nil {
		return columns, nil
	}
	if columnsOf := otherNames[wanted]; columnsOf != nil {
		if columns = columnsOf(t); columns != nil {
			return columns, nil
		}
	}
	meant = t.columnsThat(func(c ColumnInfo) bool { return hasBeginning(c.Name, wanted) })
	if len(meant) == 1 {
		return meant, nil
	}
	return nil, meant
}

// columnsThat returns the indexes of all columns that fit.
func (t *Table) columnsThat(fits func(c ColumnInfo) bool) (columns []int) {
	for col, info := range t.sample().columns {
		if fits(info) {
			columns = append(columns, col)
		}
	}
	return columns
}

// means reports whether a person means this column alone by a name.
func (t *Table) means(name string, col int) bool {
	columns, _ := t.resolve(name)
	return slices.Equal(columns, []int{col})
}

// foldedName returns a name without case.
func foldedName(name string) string { return string(appendFolded(nil, []byte(name))) }

// hasWords reports whether consecutive words of a member make the wanted folded name.
func hasWords(member, wanted string) bool {
	words := wordsIn(member)
	for i, first := range words {
		for _, last := range words[i:] {
			if foldedName(member[first.Start:last.End]) == wanted {
				return true
			}
		}
	}
	return false
}

// hasBeginning reports whether the wanted folded name begins a dotted name, one of its members, or
// one of the words of its last member.
func hasBeginning(name, wanted string) bool {
	folded := foldedName(name)
	if strings.HasPrefix(folded, wanted) || strings.Contains(folded, "."+wanted) {
		return true
	}
	member := lastMember(name)
	for _, word := range wordsIn(member) {
		if strings.HasPrefix(foldedName(member[word.Start:]), wanted) {
			return true
		}
	}
	return false
}

// SortKeys reads what to sort by: names of columns, as in a query, separated by commas. A - before
// a name, or "down" after it, sorts that column in descending order: "Owner,-Disk". A name that has
// a comma, that - or that word in it must be in quotes. The error is a [*ColumnError].
func (t *Table) SortKeys(text string) ([]SortKey, error) {
	var keys []SortKey
	for _, part := range splitNames(text) {
		name, descending := strings.CutPrefix(part, "-")
		if !descending {
			name, descending = strings.CutSuffix(part, " down")
		}
		column, err := t.ColumnNamed(name)
		if err != nil {
			return nil, err
		}
		keys = append(keys, SortKey{column, descending})
	}
	return keys, nil
}

// ColumnsOf reads names of columns, as in a query, separated by commas. The error is a
// [*ColumnError].
func (t *Table) ColumnsOf(text string) ([]int, error) {
	var columns []int
	for _, name := range splitNames(text) {
		column, err := t.ColumnNamed(name)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// namePattern matches a name in a list, up to a comma outside quotes.
var namePattern = regexp.MustCompile(`(?:[^,"]|"[^"]*"?)+`)

// splitNames cuts a list of names at the commas outside quotes.
func splitNames(text string) (names []string) {
	for _, name := range namePattern.FindAllString(text, -1) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// ColumnNamed returns the one column that a name means in a query. The name may be in quotes. Of
// columns that share their whole name, it returns the first. The error is a [*ColumnError].
func (t *Table) ColumnNamed(name string) (int, error) {
	name = strings.Trim(name, `"`)
	columns, meant := t.resolve(name)
	labels := t.labelsAt(slices.Concat(columns, meant))
	if len(columns) > 0 && len(labels) == 1 {
		return columns[0], nil
	}
	err := &ColumnError{Name: name, Meant: labels}
	if len(labels) == 0 {
		err.Like = newNames(t).like(name)
	}
	return 0, err
}

// labelsAt returns the labels of columns. Columns that share a name share the label.
func (t *Table) labelsAt(columns []int) (labels []string) {
	for _, col := range columns {
		if label := t.sample().columns[col].Label; !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// ColumnError says that a name does not mean a column, or may mean several.
type ColumnError struct {
	Name  string
	Meant []string // the labels of the columns that it may mean
	Like  []string // if it means none: similar names, as they are typed, the likeliest first
}

// Error implements the error interface. What is in quotes is safe on a terminal.
func (e *ColumnError) Error() string {
	name := strconv.Quote(e.Name)
	if len(e.Meant) == 0 {
		return "no column is called " + name
	}
	return name + " may be " + listed(e.Meant)
}
