package records

import (
	"slices"
	"strings"
	"time"
)

// Narrow returns the query that finds, of the rows that query finds, those that terms find
// too; terms are one alternative, such as [Bucket.Term]. What they say more narrowly of the
// same column is left out: of two ranges the inner one remains. Times such as 7d are
// counted back from now.
func (t *Table) Narrow(query, terms string, now time.Time) string {
	inner := t.termsAt(terms, now)
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
		text := item.String()
		outer := t.termsAt(text, now)
		asks = asks || len(outer) > 0
		if !impliedBy(inner, outer) {
			kept = append(kept, text)
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

// termsAt are the terms of a query of one alternative.
func (t *Table) termsAt(text string, now time.Time) []term {
	return slices.Concat(t.Query(text, now).alternatives...)
}

// impliedBy reports whether the inner terms say all that the outer ones say of columns.
// Outer terms that ask nothing yet are not implied: the person is still typing them.
func impliedBy(inner, outer []term) bool {
	return len(outer) > 0 && !slices.ContainsFunc(outer, func(o term) bool {
		return o.columns == nil || !slices.ContainsFunc(inner, func(i term) bool { return i.implies(o) || i.within(o) })
	})
}

// within reports whether the numbers that t admits are among those of outer, in the same
// column of numbers. Text in such a column is not looked at, as [term.implies] does.
func (t term) within(outer term) bool {
	if t.negated || outer.negated || len(t.columns) != 1 || len(outer.columns) != 1 || t.columns[0].column != outer.columns[0].column {
		return false
	}
	narrow, isNumber := t.columns[0].want.(numberBound)
	wide, alsoNumber := outer.columns[0].want.(numberBound)
	return isNumber && alsoNumber && narrow.side.implies(wide.side, narrow.operand.compare(wide.operand))
}
