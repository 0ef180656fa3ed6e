package records

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Query is a question about the records of one table, see [QueryHelp] for its
// language. It does not change, so any number of goroutines may use it.
type Query struct {
	// alternatives are terms of which all have to hold, the cheapest first. One of the
	// alternatives has to; without any, every row is found.
	alternatives [][]term

	marks      []mark
	notes      []string
	unclear    []*ColumnError
	unfinished string
}

// term is one of the conditions that a query puts on a record.
type term struct {
	cost    int // lower for terms that are fast and find little
	negated bool
	holds   func(row int) bool // but for the negation
}

// mark is a text that a query looks for, as it was typed, in a column or anywhere.
type mark struct {
	column int
	text   string
}

const anywhere = -1

// Query reads a query. It never fails: a term that names no column is looked for
// as text, and one without a value waits for more. Times such as 7d are
// counted back from now.
func (t *Table) Query(text string, now time.Time) *Query {
	c := compiler{table: t, now: now}
	for item := range items(text) {
		if item.or {
			c.endAlternative()
		} else {
			c.add(item)
		}
	}
	c.endAlternative()
	return &c.query
}

// endAlternative adds the terms so far. None are no alternative: what people have still to
// type does not find everything.
func (c *compiler) endAlternative() {
	if len(c.terms) == 0 {
		return
	}
	slices.SortStableFunc(c.terms, func(a, b term) int { return cmp.Compare(a.cost, b.cost) })
	c.query.alternatives = append(c.query.alternatives, c.terms)
	c.terms = nil
}

// holds reports whether the query finds a row.
func (q *Query) holds(row int) bool {
	if q.Empty() {
		return true
	}
	fails := func(t term) bool { return t.holds(row) == t.negated }
	for _, terms := range q.alternatives {
		if !slices.ContainsFunc(terms, fails) {
			return true
		}
	}
	return false
}

// Empty reports whether the query asks nothing, so that it finds every row.
func (q *Query) Empty() bool { return len(q.alternatives) == 0 }

// Marks returns the texts, as they were typed, that the query looks for in the cells of a column.
func (q *Query) Marks(col int) (texts []string) {
	for _, m := range q.marks {
		if (m.column == anywhere || m.column == col) && !slices.Contains(texts, m.text) {
			texts = append(texts, m.text)
		}
	}
	return texts
}

// Notes returns what may surprise a person in how the query was understood,
// each in a few words. Text in quotes there is safe on a terminal.
func (q *Query) Notes() []string { return slices.Clone(q.notes) }

// Unfinished returns the first condition that has no value yet, such as "disk>". The query does
// without it.
func (q *Query) Unfinished() string { return q.unfinished }

// Unclear returns the names in the query that may mean several columns, in their order.
// It was understood as any of them, or as text; the notes say which.
func (q *Query) Unclear() []*ColumnError { return slices.Clone(q.unclear) }

// compiler makes the terms of a query.
type compiler struct {
	table  *Table
	now    time.Time
	query  Query
	terms  []term    // of the alternative that is being read
	common *[256]int // how often each byte is in the body, once it is known
}

func (c *compiler) note(format string, arguments ...any) {
	if note := fmt.Sprintf(format, arguments...); !slices.Contains(c.query.notes, note) {
		c.query.notes = append(c.query.notes, note)
	}
}

// matcher looks for a text; nil for an empty one.
func (c *compiler) matcher(text string) *matcher {
	if text == "" {
		return nil
	}
	if c.common == nil {
		counts := countBytes(c.table.body)
		c.common = &counts
	}
	return newMatcher(appendFolded(nil, []byte(text)), *c.common)
}

// add adds the term of an item. One that asks nothing of columns looks for its text anywhere.
func (c *compiler) add(item queryItem) {
	if item.open {
		c.note("a quote is not closed: searching for everything after it")
	}
	word := c.matcher(item.text())
	tests, wait := c.tests(item, word)
	if wait {
		return
	}
	if tests == nil && item.operator != "" {
		item = queryItem{negated: item.negated, value: item.typed}
		word = c.matcher(item.value)
	}
	if tests == nil && word == nil {
		return
	}
	made, table := term{cost: math.MaxInt, negated: item.negated != item.unequal}, c.table
	if word != nil {
		made.cost = word.cost
		if !made.negated {
			c.mark(item.value, tests)
		}
	}
	isCoded := slices.ContainsFunc(tests, func(test columnTest) bool { return test.coded })
	if tests != nil && word != nil && (isCoded || !c.isRare(word)) {
		word = nil // the columns tell sooner
	}
	made.holds = func(row int) bool {
		if word != nil && !word.in(table.Record(row)) {
			return false
		}
		return tests == nil || slices.ContainsFunc(tests, func(test columnTest) bool { return test.holds(table.Cell(row, test.column)) })
	}
	c.terms = append(c.terms, made)
}

// isRare reports whether few of the first records have a word.
func (c *compiler) isRare(word *matcher) bool {
	const first = 32
	rows, found := min(first, c.table.sampled()), 0
	for row := range rows {
		if word.in(c.table.Record(row)) {
			found++
		}
	}
	return 2*found < rows
}

// mark marks a text in the columns of the tests; without any, it is marked anywhere.
func (c *compiler) mark(text string, tests []columnTest) {
	if tests == nil {
		c.query.marks = append(c.query.marks, mark{anywhere, text})
	}
	for _, test := range tests {
		c.query.marks = append(c.query.marks, mark{test.column, text})
	}
}

// columnTest is a condition on the cells of one column.
type columnTest struct {
	column int
	holds  func(Cell) bool
	coded  bool // it holds for numbers that do not have the text, too
}

// tests returns what an item with that word asks of columns, nil if it is to be taken as text.
// It is to wait, and asks nothing yet, if it names a column and no more.
func (c *compiler) tests(item queryItem, word *matcher) (tests []columnTest, wait bool) {
	if item.operator == "" || item.operator == ":" && strings.HasPrefix(item.value, "//") { // the start of an address
		return nil, false
	}
	columns, meant := c.table.resolve(item.column)
	switch {
	case len(meant) > 0:
		c.note("%v: searching for text instead", c.isUnclear(item.column, meant))
		return nil, false
	case len(columns) == 0:
		c.note("no column %q: searching for text instead", item.column)
		return nil, false
	case item.value == "" && item.operator != "=" && item.operator != "==":
		c.query.unfinished = cmp.Or(c.query.unfinished, item.column+item.operator)
		c.note("%s%s needs a value", item.column, item.operator)
		return nil, true
	}
	for _, col := range columns {
		test := columnTest{column: col, holds: c.condition(item, word, col)}
		if numbers := item.numbers(c.table.columns.names[col]); numbers != nil {
			test.coded, test.holds = true, orNumbers(test.holds, numbers)
		}
		if test.holds != nil {
			tests = append(tests, test)
		}
	}
	if tests == nil {
		kind := c.table.SampledKinds()[columns[0]]
		c.note("%q cannot be compared with %s: searching for text instead", item.value, kindTable[kind].plural)
	} else if len(tests) > 1 {
		c.meansAny(item.column, tests)
	}
	return tests, false
}

// meansAny notes that a name was taken for several columns.
func (c *compiler) meansAny(name string, tests []columnTest) {
	var columns []int
	for _, test := range tests {
		columns = append(columns, test.column)
	}
	if c.table.shareName(columns) {
		c.note("%q means any of %d columns of that name", name, len(columns))
		return
	}
	c.note("%q means any of %s", name, listed(c.isUnclear(name, columns).Meant))
}

// isUnclear keeps that a name may mean several columns.
func (c *compiler) isUnclear(name string, columns []int) *ColumnError {
	unclear := &ColumnError{Name: name, Meant: c.table.labelsAt(columns)}
	c.query.unclear = append(c.query.unclear, unclear)
	return unclear
}

// condition returns what an item asks of the cells of a column, nil if it makes no sense there.
func (c *compiler) condition(item queryItem, word *matcher, col int) func(Cell) bool {
	switch item.operator {
	case ":":
		return func(cell Cell) bool { return word.in(cell.raw) }
	case "=", "==":
		if state, ok := item.state(); ok {
			return func(cell Cell) bool { return cell.Kind() == state }
		}
		if item.operator == "==" {
			return func(cell Cell) bool { return cell.Kind() > Null && cell.Text() == item.value }
		}
		folded := appendFolded(nil, []byte(item.value))
		return func(cell Cell) bool {
			var memory [shortText]byte
			return cell.Kind() > Null && bytes.Equal(cell.appendFolded(memory[:0]), folded)
		}
	}
	if b := c.comparison(item, col); b != nil {
		return b.holds
	}
	return nil
}

// text is in each record that the item finds; "" where it may have any.
func (i queryItem) text() string {
	_, isState := i.state()
	isEqual := strings.HasPrefix(i.operator, "=") && !isState && strings.IndexAny(i.value, "[{") != 0 // which may begin the text of a list or object
	if i.operator == "" || i.operator == ":" || isEqual {
		return i.value
	}
	return ""
}

// state is null or missing, where the value is one of these words.
func (i queryItem) state() (state Kind, ok bool) {
	if i.quoted {
		return 0, false
	}
	return stateNamed(i.value)
}

// The words for cells without a value.
const (
	nullWord    = "null"
	missingWord = "missing"
)

func stateNamed(word string) (state Kind, ok bool) {
	switch strings.ToLower(word) {
	case nullWord:
		return Null, true
	case missingWord:
		return Missing, true
	}
	return 0, false
}
