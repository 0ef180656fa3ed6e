package records

import (
	"slices"
	"strings"
)

// Narrow returns the query that finds, of the rows that query finds, those that terms find
// too; terms are one alternative, such as [Bucket.Term]. A term of both is there once.
func (t *Table) Narrow(query, terms string) string {
	var added, kept, alternatives []string
	asks := false // of an alternative: it has an item, if only one of terms
	for item := range items(terms) {
		added = append(added, item.String())
	}
	end := func() {
		if asks {
			alternatives = append(alternatives, strings.Join(slices.Concat(kept, added), " "))
		}
		kept, asks = nil, false
	}
	for item := range items(query) {
		if item.or {
			end()
			continue
		}
		asks = true
		if text := item.String(); !slices.Contains(added, text) {
			kept = append(kept, text)
		}
	}
	end()
	if alternatives == nil {
		return terms
	}
	return strings.Join(alternatives, " | ")
}

// String returns the item as it is typed, with its quote closed.
func (i queryItem) String() string {
	text := i.typed
	if i.negated {
		text = "!" + text
	}
	if i.open {
		text += `"`
	}
	return text
}
