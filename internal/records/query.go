package records

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Query is a question about the records of a table, see [QueryHelp] for its
// language. It does not change, so any number of goroutines may use it.
type Query struct {
	terms []term // all of them have to hold; the cheapest first
	notes []string
}

// Query reads a query. It never fails: a term that names no column is looked for
// as text, and one with nothing behind its column waits for more. Times such as 7d are counted back from now.
func (t *Table) Query(text string) *Query { return t.QueryAt(text, time.Now()) }

// QueryAt is [Table.Query] at another time than now.
func (t *Table) QueryAt(text string, now time.Time) *Query {
	c := compiler{table: t, now: now}
	for item := range items(text) {
		c.add(item)
	}
	slices.SortStableFunc(c.query.terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(a.effort(), b.effort()), cmp.Compare(a.cost(), b.cost()))
	})
	return &c.query
}

// Empty reports whether the query asks nothing, so that it finds every row.
func (q *Query) Empty() bool { return len(q.terms) == 0 }

// Narrows reports whether every row that q finds is found by previous too, so that
// q can be searched for among those. It may say no where that is not easy to see. Both are
// queries of one table, or of two tables that read the same body.
func (q *Query) Narrows(previous *Query) bool {
	return !slices.ContainsFunc(previous.terms, func(wide term) bool {
		return !slices.ContainsFunc(q.terms, func(narrow term) bool { return narrow.implies(wide) })
	})
}

// Marks returns the texts, as they were typed, that the query looks for in the cells of a column.
func (q *Query) Marks(col int) []string {
	var marks []string
	for _, term := range q.terms {
		if term.mark != "" && !term.negated && term.reads(col) && !slices.Contains(marks, term.mark) {
			marks = append(marks, term.mark)
		}
	}
	return marks
}

// Notes returns what may surprise a person in how the query was understood,
// each in a few words. Text in quotes there is safe on a terminal.
func (q *Query) Notes() []string { return slices.Clone(q.notes) }

// compiler makes the terms of a query.
type compiler struct {
	table  *Table
	now    time.Time
	query  Query
	common *[256]int // how often each byte is in the body, once it is known
}

func (c *compiler) note(format string, arguments ...any) {
	if note := fmt.Sprintf(format, arguments...); !slices.Contains(c.query.notes, note) {
		c.query.notes = append(c.query.notes, note)
	}
}

func (c *compiler) matcher(word []byte) *matcher {
	if c.common == nil {
		counts := countBytes(c.table.body)
		c.common = &counts
	}
	return newMatcher(word, *c.common)
}

func (c *compiler) add(item queryItem) {
	if item.open {
		c.note("a quote is not closed: all text behind it is looked for")
	}
	if item.operator == "" {
		c.addText(item.negated, item.value)
		return
	}
	tests, wait := c.tests(item)
	if wait {
		return
	}
	if tests == nil {
		c.addText(item.negated, item.typed)
		return
	}
	made := term{negated: item.negated != item.unequal, columns: tests}
	switch want := tests[0].want.(type) {
	case contains:
		made.mark, made.matcher = item.value, want.matcher
	case equals:
		made.mark = item.value
		if want.inScalar() {
			made.matcher = c.matcher(want)
		}
	case hasValue:
		made.mark = item.value
		if want.inScalar() {
			made.matcher = c.matcher(appendFolded(nil, want.identity))
		}
	}
	c.query.terms = append(c.query.terms, made)
}

// addText adds a text to look for anywhere.
func (c *compiler) addText(negated bool, text string) {
	if text == "" {
		return
	}
	c.query.terms = append(c.query.terms, term{
		negated: negated,
		matcher: c.matcher(appendFolded(nil, []byte(text))),
		mark:    text,
	})
}

// tests returns what an item asks of columns, nil if it is to be taken as text. It
// is to wait, and asks nothing yet, if it names a column and no more.
func (c *compiler) tests(item queryItem) (tests []columnTest, wait bool) {
	if item.operator == ":" && strings.HasPrefix(item.value, "//") {
		return nil, false // the start of an address
	}
	columns := c.table.ColumnsNamed(item.column)
	switch {
	case len(columns) == 0:
		c.note("no column %q: looked for as text", item.column)
		return nil, false
	case item.value == "" && item.operator != "=" && item.operator != "==":
		c.note("nothing behind %s%s yet", item.column, item.operator)
		return nil, true
	}
	for _, col := range columns {
		if want := c.condition(item, col); want != nil {
			tests = append(tests, columnTest{col, want})
		}
	}
	if tests == nil {
		kind := c.table.SampledKinds()[columns[0]]
		c.note("%q cannot be compared with a column of %s: looked for as text", item.value, kind.plural())
	} else if len(columns) > 1 {
		c.note("%q means any of %d columns", item.column, len(columns))
	}
	return tests, false
}

// condition returns what an item asks of the cells of a column, nil if it makes no sense there.
func (c *compiler) condition(item queryItem, col int) condition {
	folded := appendFolded(nil, []byte(item.value))
	switch item.operator {
	case ":":
		return contains{c.matcher(folded)}
	case "=":
		if state, ok := stateNamed(string(folded)); ok && !item.quoted {
			return inState(state)
		}
		return equals(folded)
	case "==":
		return c.hasValue(item)
	default:
		return c.comparison(item, col)
	}
}

// The words for cells without a value.
const (
	nullWord    = "null"
	missingWord = "missing"
)

func stateNamed(folded string) (state Kind, ok bool) {
	switch folded {
	case nullWord:
		return Null, true
	case missingWord:
		return Missing, true
	}
	return 0, false
}

// ColumnsNamed returns the columns that a person means by a name, as in a query: those that
// have it as their full name, to the letter or else without case; or else those
// of which it is the last part or parts; or else the one column that has a part
// which begins with it. Nil if there are none, or several that only begin with it.
func (t *Table) ColumnsNamed(name string) []int {
	if exact := t.columnsThat(func(column string) bool { return column == name }); exact != nil {
		return exact
	}
	wanted := foldedName(name)
	for _, fits := range []func(column string) bool{
		func(column string) bool { return column == wanted },
		func(column string) bool { return strings.HasSuffix(column, "."+wanted) },
	} {
		if columns := t.columnsThat(func(column string) bool { return fits(foldedName(column)) }); columns != nil {
			return columns
		}
	}
	columns := t.columnsThat(func(column string) bool { return hasPartWithPrefix(foldedName(column), wanted) })
	if len(columns) > 1 || wanted == "" {
		return nil
	}
	return columns
}

func (t *Table) columnsThat(fits func(column string) bool) (columns []int) {
	for col, column := range t.columns.columns {
		if fits(column.Name) {
			columns = append(columns, col)
		}
	}
	return columns
}

func foldedName(name string) string { return string(appendFolded(nil, []byte(name))) }

// hasPartWithPrefix reports whether a dotted name, or what is behind one of its dots, begins with the prefix.
func hasPartWithPrefix(name, prefix string) bool {
	return strings.HasPrefix(name, prefix) || strings.Contains(name, "."+prefix)
}
