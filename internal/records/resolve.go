package records

import "strings"

// ColumnsNamed returns the columns that a person means by a name, as in a query: those that
// have it as their whole name, to the letter or else without case; or else the one of which it
// is the label (see [ColumnInfo]): "created" is CreateTime; or else those of which it is the last
// part or parts; or else those of which it is one or more words: "usage" is DiskUsage and
// HistoryUsage; or else the one column in which a part or a word begins with it. Nil if there are
// none, or several that only begin with it.
func (t *Table) ColumnsNamed(name string) []int {
	columns, _ := t.resolve(name)
	return columns
}

// resolve is ColumnsNamed. Where that is nil, meant are the columns in which something
// begins with the name.
func (t *Table) resolve(name string) (columns, meant []int) {
	wanted := foldedName(name)
	if exact := t.columnsThat(func(column string) bool { return column == name }); exact != nil || wanted == "" {
		return exact, nil
	}
	if whole := t.columnsThat(func(column string) bool { return foldedName(column) == wanted }); whole != nil {
		return whole, nil
	}
	if labelled := t.labelled(wanted); len(labelled) == 1 {
		return labelled, nil
	}
	if ending := t.columnsThat(func(column string) bool { return strings.HasSuffix(foldedName(column), "."+wanted) }); ending != nil {
		return ending, nil
	}
	if spoken := t.columnsThat(func(column string) bool { return hasWords(column, wanted) }); spoken != nil {
		return spoken, nil
	}
	meant = t.columnsThat(func(column string) bool { return hasBeginning(column, wanted) })
	if len(meant) == 1 {
		return meant, nil
	}
	return nil, meant
}

func (t *Table) columnsThat(fits func(column string) bool) (columns []int) {
	for col, name := range t.columns.names {
		if fits(name) {
			columns = append(columns, col)
		}
	}
	return columns
}

// labelled returns the columns with that label, which is folded and may be in one word.
func (t *Table) labelled(wanted string) (columns []int) {
	for col, label := range t.sample().labels {
		if folded := foldedName(label); folded == wanted || strings.ReplaceAll(folded, " ", "") == wanted {
			columns = append(columns, col)
		}
	}
	return columns
}

func foldedName(name string) string { return string(appendFolded(nil, []byte(name))) }

// hasWords reports whether the last member in a name has some of its words in a row that
// make what is wanted.
func hasWords(name, wanted string) bool {
	member := lastMember(name)
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

// hasBeginning reports whether a dotted name, or what is behind one of its dots, or one of
// the words of its last member and those behind it begin with what is wanted.
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
