package records

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"gatehouse/internal/jsonscan"
)

// term is one of the conditions that a query puts on a record.
type term struct {
	negated bool
	columns []columnTest // one of them has to hold; nil asks for the word anywhere in the record
	matcher *matcher     // what is in every record that the columns find; nil if that may be anything
	nearly  *nearly      // what is looked for instead of the word, spelled a little wrong; usually nil
	mark    string       // the text that is looked for, as it was typed
}

// columnTest is a condition on the cells of one column.
type columnTest struct {
	column int
	want   condition
}

// condition is what a cell can fulfil.
type condition interface{ holds(c Cell) bool }

func (t term) reads(col int) bool {
	return t.columns == nil || slices.ContainsFunc(t.columns, func(test columnTest) bool { return test.column == col })
}

// effort puts the terms first that are found fast, and find little.
func (t term) effort() int {
	switch {
	case t.matcher == nil: // and where a word is spelled wrong
		return 2
	case t.negated:
		return 1
	default:
		return 0
	}
}

func (t term) cost() int {
	if t.matcher == nil {
		return 0
	}
	return t.matcher.cost
}

// contains holds where a word is in a string, number or boolean of the cell.
type contains struct{ *matcher }

func (w contains) holds(c Cell) bool { return c.Kind() > Null && w.isIn(c.raw) }

// equals holds where the whole text of the cell is this one, which is folded.
type equals []byte

func (w equals) holds(c Cell) bool {
	switch c.Kind() {
	case Missing, Null:
		return false
	case String:
		text := jsonscan.Unquote(c.raw)
		length, ok := matchStart(text, w)
		return ok && length == len(text)
	case Array, Object:
		return bytes.Equal(c.appendFolded(nil), w)
	default:
		length, ok := matchStart(c.raw, w)
		return ok && length == len(c.raw)
	}
}

// inScalar reports whether a cell with that text is no list or object, so that a
// search for the text in the whole record finds it.
func (w equals) inScalar() bool { return len(w) > 0 && w[0] != '[' && w[0] != '{' }

// inState holds where the cell is of this kind, which has no value.
type inState Kind

func (w inState) holds(c Cell) bool { return c.Kind() == Kind(w) }

// Term returns the term of the query language that finds the rows of which the cell
// in the column has the same value, as [Table.Group] tells values apart, or is null or
// missing like this one. Columns of the same name cannot be told apart: where there
// are such, it finds the rows of all of them.
func (t *Table) Term(col int, cell Cell) string {
	return t.termName(col) + "==" + termValue(cell)
}

// termName returns the name of a column as queries have it: the label, if that means no other one.
func (t *Table) termName(col int) string {
	name := t.columns.columns[col].Name
	if label := t.labels()[col]; slices.Equal(t.ColumnsNamed(label), []int{col}) {
		name = label
	}
	if !canBeTyped(name) || strings.HasSuffix(name, "!") || strings.ContainsFunc(name, isOperator) {
		name = quoteQuery(name)
	}
	return name
}

func termValue(cell Cell) string {
	switch cell.Kind() {
	case Missing:
		return missingWord
	case String:
		text := cell.Text()
		if isLiteral(text) || !canBeTyped(text) {
			return quoteQuery(text)
		}
		return text
	default:
		return string(cell.identity(new([]byte)))
	}
}

// canBeTyped reports whether text is a word that needs no quotes.
func canBeTyped(text string) bool {
	return text != "" && text[0] != '!' && text[0] != '~' && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}

// hasValue holds for a cell that has the value of another one, as [Table.Group] tells
// values apart.
type hasValue struct {
	cell     Cell
	identity []byte // of the cell
}

func newHasValue(raw []byte) hasValue {
	w := hasValue{cell: Cell{raw}}
	w.identity = w.cell.identity(new([]byte))
	return w
}

// hasValue returns the condition of an item with ==: without quotes, JSON is the
// value it says, and all else is the text of a string.
func (c *compiler) hasValue(item queryItem) condition {
	if item.quoted || !isLiteral(item.value) {
		return newHasValue([]byte(quoteQuery(item.value)))
	}
	switch item.value {
	case missingWord:
		return inState(Missing)
	case nullWord:
		return inState(Null)
	}
	return newHasValue([]byte(item.value))
}

// isLiteral reports whether a text is more than text where == has it without quotes.
func isLiteral(text string) bool { return text == missingWord || json.Valid([]byte(text)) }

func (w hasValue) holds(c Cell) bool {
	return c.Kind() == w.cell.Kind() &&
		(bytes.Equal(c.raw, w.cell.raw) || bytes.Equal(c.identity(new([]byte)), w.identity))
}

// inScalar reports whether the value is no list or object, and not the empty text, so
// that a search for it in the whole record finds it.
func (w hasValue) inScalar() bool { return w.cell.Kind() < Array && len(w.identity) > 0 }
