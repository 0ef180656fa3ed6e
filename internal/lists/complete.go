package lists

import (
	"slices"
	"strings"
)

// Complete returns the queries that a person may mean who has typed a part of the name of a column
// at the end of one: the query with each name that fits, in the order in which lists show the
// columns. "us" becomes "Disk:", and "usage>1k" becomes "Disk>1k". If a term was not understood,
// Complete returns the query with what may be meant instead: "dusk>1GB" becomes "disk>1GB".
func (t *Table) Complete(query string, by Asker) (meant []string) {
	if n, ok := t.Query(query, by).Misunderstood(); ok && n.Fixes != nil {
		return n.Fixes
	}
	before, name, behind := t.lastName(query)
	for _, column := range t.DisplayColumns() {
		if !hasBeginning(column.Name, foldedName(name)) {
			continue
		}
		completed := before + t.termName(column.Index) + behind
		if !slices.Contains(meant, completed) {
			meant = append(meant, completed)
		}
	}
	return meant
}

// lastName cuts a query around the name of a column in its last term, or around the word that may
// become one. A blank at the end begins another term, whose name is "".
func (t *Table) lastName(query string) (before, name, behind string) {
	var last queryItem
	if !strings.HasSuffix(query, " ") {
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

// Narrow returns a query for the rows that both the query and the terms find. The terms must be a
// single alternative, such as [Bucket.Term].
func (t *Table) Narrow(query, terms string) string {
	alternatives := []string{""}
	for item := range t.items(query) {
		if item.or {
			alternatives = append(alternatives, "")
			continue
		}
		alternatives[len(alternatives)-1] += item.String() + " "
	}
	isEmpty := func(alternative string) bool { return alternative == "" }
	alternatives = slices.DeleteFunc(alternatives, isEmpty)
	if len(alternatives) == 0 {
		return terms
	}
	return strings.Join(alternatives, terms+" | ") + terms
}
