package lists

import (
	"slices"
	"strings"
)

// Complete returns what a person may mean by a query in which the name of a column is
// begun, or may be that of several: the query with each name written out that begins so or has such a
// word, those first that lists show first. "us" becomes "Disk:", "usage>1k" becomes "Disk>1k".
func (t *Table) Complete(query string) (meant []string) {
	before, name, behind := lastName(query)
	for _, column := range t.DisplayColumns() {
		if !hasBeginning(column.Name, foldedName(name)) {
			continue
		}
		if text := before + t.termName(column.Index) + behind; !slices.Contains(meant, text) {
			meant = append(meant, text)
		}
	}
	return meant
}

// lastName cuts a query around the name of a column in its last term, or around the
// word that may become one.
func lastName(query string) (before, name, behind string) {
	var last queryItem
	if strings.TrimRight(query, " ") == query {
		for item := range items(query) {
			last = item
		}
	}
	before = query[:len(query)-len(last.typed)]
	switch {
	case last.or || last.nearly && last.operator == "":
		return query + " ", "", ":"
	case last.operator == "":
		return before, last.value, ":"
	}
	return before, last.column, last.behind
}

// Narrow returns the query that finds, of the rows that query finds, those that terms find
// too. Terms are one alternative, such as [Bucket.Term].
func Narrow(query, terms string) string {
	alternatives := []string{""}
	for item := range items(query) {
		if item.or {
			alternatives = append(alternatives, "")
			continue
		}
		alternatives[len(alternatives)-1] += item.String() + " "
	}
	alternatives = slices.DeleteFunc(alternatives, func(alternative string) bool { return alternative == "" })
	if len(alternatives) == 0 {
		return terms
	}
	return strings.Join(alternatives, terms+" | ") + terms
}
