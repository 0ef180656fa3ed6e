package lists

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// resolve returns the columns that a person means by a name, as in a query: those that
// have it as their whole name, to the letter or else without case; or else the one of which it
// is the label (see [ColumnInfo]): "created" is CreateTime; or else those of which it is the last
// part or parts; or else those of which it is one or more words: "usage" is DiskUsage and
// HistoryUsage; or else those that are part of an object of that name: "space" is all that
// SpaceUsage has; or else the one that other programs call so: "size" is the first column of sizes;
// or else the one column in which a part or a word begins with it. If several only begin
// with it, they are what may be meant.
func (t *Table) resolve(name string) (columns, meant []int) {
	wanted := foldedName(name)
	if strings.TrimSpace(wanted) == "" {
		return nil, nil
	}
	for _, fits := range []func(c ColumnInfo) bool{
		func(c ColumnInfo) bool { return c.Name == name },
		func(c ColumnInfo) bool { return foldedName(c.Name) == wanted },
		func(c ColumnInfo) bool { return withoutBlanks(foldedName(c.Label)) == withoutBlanks(wanted) },
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
	if other := otherNames[wanted]; other != nil {
		if columns = other(t); columns != nil {
			return columns, nil
		}
	}
	meant = t.columnsThat(func(c ColumnInfo) bool { return hasBeginning(c.Name, wanted) })
	if len(meant) == 1 {
		return meant, nil
	}
	return nil, meant
}

func (t *Table) columnsThat(fit func(c ColumnInfo) bool) (columns []int) {
	for col, info := range t.sample().columns {
		if fit(info) {
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

func foldedName(name string) string { return string(appendFolded(nil, []byte(name))) }

// hasWords reports whether some words in a row of a member make what is wanted.
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

// hasBeginning reports whether a dotted name, or what is after one of its dots, or one of
// the words of its last member and those after it begin with what is wanted.
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

// SortKeys reads what to sort by: names of columns, as in a query, separated by commas, each
// with a - in front of it, or "down" after it, to have it descending: "Owner,-Disk". A name with a
// comma, such a - or such a word in it is given in quotes. The error is a [*ColumnError].
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

// ColumnsOf reads names of columns separated by commas, as [Table.SortKeys] does.
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

// ColumnNamed returns the one column that a name, which may be in quotes, means as in a query. Of
// columns that share the whole name it is the first. The error is a [*ColumnError].
func (t *Table) ColumnNamed(name string) (int, error) {
	name = strings.Trim(name, `"`)
	columns, meant := t.resolve(name)
	if labels := t.labelsAt(slices.Concat(columns, meant)); len(columns) == 0 || len(labels) > 1 {
		unclear := &ColumnError{Name: name, Meant: labels}
		if len(labels) == 0 {
			unclear.Like = newNames(t).like(name)
		}
		return 0, unclear
	}
	return columns[0], nil
}

// labelsAt returns what columns are called; some that share a name share the label.
func (t *Table) labelsAt(columns []int) (labels []string) {
	for _, col := range columns {
		if label := t.sample().columns[col].Label; !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// ColumnError says that a name is of no column, or may be of several.
type ColumnError struct {
	Name  string
	Meant []string // the labels of the columns that it may mean; nil if there are none
	Like  []string // of a name that means none: the likeliest ones, as they are typed
}

// Error implements the error interface. What is in quotes is safe on a terminal.
func (e *ColumnError) Error() string {
	name := strconv.Quote(e.Name)
	if len(e.Meant) == 0 {
		return "no column is called " + name
	}
	return name + " may be " + listed(e.Meant)
}
