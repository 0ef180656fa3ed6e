package lists

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Query is a question about the records of a table, see [QueryHelp] for its
// language. It does not change, so any number of goroutines may use it.
type Query struct {
	// alternatives are terms of which all have to hold, the cheapest first. One of the
	// alternatives has to; without any, every row is found.
	alternatives [][]term

	notes      []string
	unclear    bool
	unfinished string
}

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
	for _, term := range slices.Concat(q.alternatives...) {
		if mark := term.columns[0].mark; mark != "" && !term.negated && term.reads(col) && !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	return marks
}

// Notes returns what may surprise a person in how the query was understood,
// each in a few words. Text in quotes there is safe on a terminal.
func (q *Query) Notes() []string { return slices.Clone(q.notes) }

// Unfinished returns the first condition that has no value yet, such as "disk>". The query does
// without it.
func (q *Query) Unfinished() string { return q.unfinished }

// Unclear reports that a name in the query may mean several columns. It was understood as any
// of them, or as text; the notes say which.
func (q *Query) Unclear() bool { return q.unclear }

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

func (c *compiler) matcher(word []byte) *matcher {
	if c.common == nil {
		counts := countBytes(c.table.body)
		c.common = &counts
	}
	return newMatcher(word, *c.common)
}

func (c *compiler) add(item queryItem) {
	if item.open {
		c.note("a quote is not closed: searching for everything after it")
	}
	var tests []columnTest
	if item.operator != "" {
		var wait bool
		if tests, wait = c.tests(item); wait {
			return
		}
		if tests == nil {
			item = queryItem{negated: item.negated, value: item.typed}
		}
	}
	if tests == nil {
		if item.value == "" {
			return
		}
		tests = []columnTest{{anywhere, contains(item)}}
	}
	made := term{negated: item.negated != item.unequal, columns: tests}
	wordless := func(t columnTest) bool { return t.word == nil }
	if word := tests[0].word; !slices.ContainsFunc(tests, wordless) { // all have the same one
		made.word, made.enough = c.matcher(word), tests[0].column == anywhere
	}
	c.terms = append(c.terms, made)
}

// tests returns what an item asks of columns, nil if it is to be taken as text. It
// is to wait, and asks nothing yet, if it names a column and no more.
func (c *compiler) tests(item queryItem) (tests []columnTest, wait bool) {
	if item.operator == ":" && strings.HasPrefix(item.value, "//") {
		return nil, false // the start of an address
	}
	columns, meant := c.table.resolve(item.column)
	switch {
	case len(meant) > 0:
		c.query.unclear = true
		c.note("%v; searching for the text instead", &ColumnError{Name: item.column, Meant: c.table.labelsAt(meant)})
		return nil, false
	case len(columns) == 0:
		c.note("there is no column %q; searching for the text instead", item.column)
		return nil, false
	case item.value == "" && item.operator != "=" && item.operator != "==":
		c.query.unfinished = cmp.Or(c.query.unfinished, item.column+item.operator)
		c.note("%s%s needs a value", item.column, item.operator)
		return nil, true
	}
	var compared []int
	for _, col := range columns {
		if want := c.condition(item, col); want.holds != nil {
			tests, compared = append(tests, columnTest{col, want}), append(compared, col)
		}
	}
	if tests == nil {
		kind := c.table.sample().columns[columns[0]].Kind
		c.note("%q cannot be compared with %s; searching for the text instead", item.value, kindTable[kind].plural)
	} else if labels := c.table.labelsAt(compared); len(labels) > 1 {
		c.query.unclear = true
		c.note("%q means any of %s", item.column, listed(labels))
	}
	return tests, false
}

// condition returns what an item asks of the cells of a column, the zero one if it makes no sense there.
func (c *compiler) condition(item queryItem, col int) condition {
	switch item.operator {
	case ":":
		return c.orMeaning(contains(item), item, col)
	case "=", "==":
		folded := appendFolded(nil, []byte(item.value))
		if state, ok := states[string(folded)]; ok && !item.quoted {
			return condition{holds: func(cell Cell) bool { return cell.Kind() == state }}
		}
		want := condition{mark: item.value, holds: func(cell Cell) bool {
			var memory [shortText]byte
			return cell.Kind() > Null && bytes.Equal(cell.appendFolded(memory[:0]), folded)
		}}
		if item.operator == "==" {
			want.holds = func(cell Cell) bool { return cell.Kind() > Null && cell.Text() == item.value }
		}
		if len(folded) > 0 && folded[0] != '[' && folded[0] != '{' { // which may be the text of a list or object
			want.word = folded
		}
		return c.orMeaning(want, item, col)
	}
	if b := c.comparison(item, col); b != nil {
		return condition{holds: b.holds}
	}
	return condition{}
}

// The words for cells without a value.
const (
	nullWord    = "null"
	missingWord = "missing"
)

var states = map[string]Kind{nullWord: Null, missingWord: Missing}
