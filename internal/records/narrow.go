package records

import (
	"slices"
	"strings"
	"time"
)

// Narrow returns the query that finds, of the rows that query finds, those that terms find
// too; terms are one alternative, such as [Bucket.Term]. A term of both is there once.
func (t *Table) Narrow(query, terms string) string {
	var alternatives, kept, added []string
	for item := range items(terms) {
		added = append(added, item.String())
	}
	end := func(last bool) {
		// An alternative that asks nothing is none, unless it is the only one.
		asks := !t.Query(strings.Join(kept, " "), time.Time{}).Empty()
		if asks || last && len(alternatives) == 0 {
			alternatives = append(alternatives, strings.Join(append(kept, added...), " "))
		}
		kept = nil
	}
	for item := range items(query) {
		if item.or {
			end(false)
		} else if !slices.Contains(added, item.String()) {
			kept = append(kept, item.String())
		}
	}
	end(true)
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
