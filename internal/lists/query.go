package lists

import (
	"slices"
	"strings"
)

// Query is a question about the records of a table, see [QueryHelp] for its
// language. It does not change, so any number of goroutines may use it.
type Query struct {
	// alternatives are lists of terms, the cheapest first. A row matches if all terms of one
	// alternative hold, or if there is no alternative.
	alternatives [][]term

	notices []Notice
}

// Query reads a query. It never fails: a term that makes no sense is looked for as text, which the
// notices say (see [Query.Misunderstood]), and one without a value waits for more. Times such as 7d
// and yesterday are counted back from when it is asked.
func (t *Table) Query(text string, by Asker) *Query {
	q := t.query(text, by)
	at := slices.IndexFunc(q.notices, Notice.Misunderstood)
	if at < 0 {
		return q
	}
	other, ok := t.Otherwise(text, by)
	switch {
	case ok && other.Kind == SortsInstead:
		q.notices = slices.Delete(q.notices, at, at+1) // which is said where nothing is found
	case ok && other.Fixes != nil:
		q.notices[at].Meant, q.notices[at].Fixes = other.Meant, other.Fixes
	}
	return q
}

// query reads a query as this language has it.
func (t *Table) query(text string, by Asker) *Query {
	c := compiler{table: t, by: by, text: text, names: newNames(t)}
	for item := range t.items(text) {
		if item.or {
			c.endAlternative()
		} else {
			c.add(item)
		}
	}
	c.endAlternative()
	return &c.query
}

// endAlternative makes an alternative of the terms so far. If there are none, it makes none: while a
// person still types after "|", the query must not match everything.
func (c *compiler) endAlternative() {
	if len(c.terms) == 0 {
		return
	}
	isSlow := func(t term) bool { return t.word == nil || t.negated }
	quick := slices.DeleteFunc(slices.Clone(c.terms), isSlow)
	slow := slices.DeleteFunc(c.terms, func(t term) bool { return !isSlow(t) })
	c.query.alternatives = append(c.query.alternatives, append(quick, slow...))
	c.terms = nil
}

// Empty reports whether the query asks nothing, so that it finds every row.
func (q *Query) Empty() bool { return len(q.alternatives) == 0 }

// Marks returns the texts, as they were typed, that the query looks for in the cells of a column.
func (q *Query) Marks(col int) []string {
	var marks []string
	for _, named := range slices.Concat(q.alternatives...) {
		if named.negated {
			continue
		}
		for _, term := range append([]term{named}, named.others...) {
			mark := term.columns[0].mark
			isNew := mark != "" && !slices.Contains(marks, mark)
			if isNew && term.reads(col) {
				marks = append(marks, mark)
			}
		}
	}
	return marks
}

// Unfinished returns the first condition that has no value yet, such as "disk>", or "". The query
// ignores it.
func (q *Query) Unfinished() string {
	at := slices.IndexFunc(q.notices, func(n Notice) bool { return n.Kind == MissingValue })
	if at < 0 {
		return ""
	}
	return q.notices[at].Text
}

// compiler makes the terms of a query.
type compiler struct {
	table  *Table
	by     Asker
	text   string // of the query
	names  *names
	query  Query
	terms  []term    // of the alternative that is being read
	common *[256]int // how often each byte is in the body, once it is known
}

// matcher returns a matcher for a word that looks for the rarest of its bytes first.
func (c *compiler) matcher(word []byte) *matcher {
	if c.common == nil {
		counts := countBytes(c.table.body)
		c.common = &counts
	}
	return newMatcher(word, *c.common)
}

// add adds the term of an item to the alternative that is being read.
func (c *compiler) add(item queryItem) {
	if item.open {
		c.notice(Notice{Kind: OpenQuote})
	}
	made, ok := c.term(item)
	if !ok {
		return
	}
	for _, value := range item.others {
		other := item
		other.itemValue = value
		if term, ok := c.term(other); ok {
			made.others = append(made.others, term)
		}
	}
	c.terms = append(c.terms, made)
}

// term returns the term for the first value of an item. ok is false if the item asks nothing yet.
func (c *compiler) term(item queryItem) (made term, ok bool) {
	var tests []columnTest
	if item.named || isBareRange(item) {
		var wait bool
		if tests, wait = c.tests(item); wait {
			return made, false
		}
		if tests == nil {
			item = queryItem{negated: item.negated, itemValue: itemValue{value: item.typed}}
		}
	}
	if tests == nil {
		if item.value == "" {
			return made, false
		}
		tests = []columnTest{{anywhere, contains(item)}}
	}
	made = term{negated: item.negated != item.unequal, columns: tests}
	wordless := func(t columnTest) bool { return t.word == nil }
	if word := tests[0].word; !slices.ContainsFunc(tests, wordless) { // all have the same one
		made.word, made.enough = c.matcher(word), tests[0].column == anywhere
	}
	return made, true
}

// tests returns the tests of an item that names a column. They are nil if the item has to be read as
// text. wait is true if the item asks nothing yet, as it has no value.
func (c *compiler) tests(item queryItem) (tests []columnTest, wait bool) {
	if item.operator == ":" && strings.HasPrefix(item.value, "//") || isDigits([]byte(item.column)) {
		return nil, false // the start of an address, or a time of the day
	}
	if c.table.sample().columns == nil {
		return nil, false // there are no records whose columns could be known
	}
	columns := c.columns(&item)
	switch {
	case columns == nil:
		return nil, false
	case item.value == "" && item.operator != "=" && item.operator != "==":
		c.notice(Notice{Kind: MissingValue, Text: item.column + item.operator})
		return nil, true
	}
	var compared []int
	var unfit *Notice // why the first column has nothing that fits
	for _, col := range columns {
		want, why := c.condition(item, col)
		switch {
		case why == nil:
			tests, compared = append(tests, columnTest{col, want}), append(compared, col)
		case unfit == nil:
			unfit = why
		}
	}
	if tests == nil {
		if unfit.Kind == WrongValue && beginsMoment(item.value) && unfit.Column.isTime() {
			c.notice(Notice{Kind: MissingValue, Text: item.typed})
			return nil, true
		}
		c.notice(*unfit)
		return nil, false
	}
	if labels := c.table.labelsAt(compared); len(labels) > 1 {
		c.notice(Notice{Kind: SeveralColumns, Text: item.column, Meant: labels})
	}
	return tests, false
}
