package records

import (
	"slices"
	"strings"
	"time"
)

// Narrow returns the query that finds, of the rows that query finds, those that terms find
// too; terms are one alternative, such as [Bucket.Term]. A bound or a term that they say
// already is left out: of two ranges the inner one remains. Times such as 7d are
// counted back from now.
func (t *Table) Narrow(query, terms string, now time.Time) string {
	inner := t.termsOf(terms, now)
	var (
		narrowed, kept []string
		asks           bool // the alternative asks something, so that it is one
	)
	endAlternative := func() {
		if asks {
			narrowed = append(narrowed, strings.Join(append(kept, terms), " "))
		}
		kept, asks = nil, false
	}
	for item := range items(query) {
		if item.or {
			endAlternative()
			continue
		}
		outer := t.termsOf(item.String(), now)
		asks = asks || len(outer) > 0
		said := len(outer) == 1 && slices.ContainsFunc(inner, func(i term) bool { return i.within(outer[0]) })
		if !said && item.String() != terms {
			kept = append(kept, item.String())
		}
	}
	asks = asks || len(narrowed) == 0
	endAlternative()
	return strings.Join(narrowed, " | ")
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

// termsOf are the terms of a query of one alternative.
func (t *Table) termsOf(text string, now time.Time) []term {
	return slices.Concat(t.Query(text, now).alternatives...)
}

// within reports whether t and outer are bounds of one column, and t the narrower one.
func (t term) within(outer term) bool {
	if t.negated || outer.negated || len(t.columns) != 1 || len(outer.columns) != 1 || t.columns[0].column != outer.columns[0].column {
		return false
	}
	narrow, isBound := t.columns[0].want.(*bound)
	wide, isOuter := outer.columns[0].want.(*bound)
	return isBound && isOuter && narrow.within(wide)
}
