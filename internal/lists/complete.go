package lists

import (
	"slices"
	"strings"
)

// Complete returns what a person may mean by a query in which the name of a column is
// begun, or may be that of several: the query with each name written out that begins so or has such a
// word, those first that lists show first. "us" becomes "Disk:", "usage>1k" becomes "Disk>1k". Where a
// term was not understood, it is the query with what may be meant in its place: "dusk>1GB" becomes
// "disk>1GB".
func (t *Table) Complete(query string, by Asker) (meant []string) {
	if n, ok := t.Query(query, by).Misunderstood(); ok && n.Fixes != nil {
		return n.Fixes
	}
	before, name, behind := t.lastName(query)
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
func (t *Table) lastName(query string) (before, name, behind string) {
	var last queryItem
	if strings.TrimRight(query, " ") == query {
		for item := range t.items(query) {
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
func (t *Table) Narrow(query, terms string) string {
	alternatives := []string{""}
	for item := range t.items(query) {
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
