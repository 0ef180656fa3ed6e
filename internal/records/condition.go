package records

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// term is one of the conditions that a query puts on a record.
type term struct {
	negated bool
	columns []columnTest // one of them has to hold
	mark    string       // the text that is looked for, as it was typed
	// Every record that the columns find has this word; nil if it may have any. If that is
	// enough, every record with the word is found.
	word   *matcher
	enough bool
}

// columnTest is a condition on the cells of one column, or on the whole record.
type columnTest struct {
	column int // anywhere, or among those of the table
	want   condition
}

const anywhere = -1

// condition is what a cell can fulfil.
type condition interface{ holds(c Cell) bool }

// textual is a condition that looks for a text.
type textual interface {
	condition
	// needs returns a word that every record with such a cell has; nil if it may have any.
	needs(newMatcher func(word []byte) *matcher) *matcher
}

func (t term) reads(col int) bool {
	return slices.ContainsFunc(t.columns, func(test columnTest) bool { return test.column == anywhere || test.column == col })
}

// effort is lowest for terms that are fast and find little.
func (t term) effort() int {
	const much = 1 << 40
	switch {
	case t.word == nil:
		return 2 * much
	case t.negated:
		return much + t.word.cost
	default:
		return t.word.cost
	}
}

// contains holds where a word is in a string, number or boolean of the cell.
type contains struct{ *matcher }

func (w contains) holds(c Cell) bool {
	if kind := c.Kind(); kind < Array {
		return kind > Null && w.isIn(c.raw)
	}
	return anyText(c.raw, func(text []byte) bool { return bytes.Contains(text, w.word) })
}

func (w contains) needs(func([]byte) *matcher) *matcher { return w.matcher }

// equals holds where the whole text of the cell is this one, which is folded.
type equals []byte

func (w equals) holds(c Cell) bool {
	var memory [shortText]byte
	return c.Kind() > Null && bytes.Equal(c.appendFolded(memory[:0]), w)
}

// needs nothing where the text may be that of a list or object.
func (w equals) needs(newMatcher func([]byte) *matcher) *matcher {
	if len(w) == 0 || w[0] == '[' || w[0] == '{' {
		return nil
	}
	return newMatcher(w)
}

// inState holds where the cell is of this kind, which has no value.
type inState Kind

func (w inState) holds(c Cell) bool { return c.Kind() == Kind(w) }

// Term returns the term of the query language that finds the rows of which the cell
// in the column has the same [Cell.Text] without case, or is null or missing like this one.
func (t *Table) Term(col int, cell Cell) string { return t.termName(col) + "=" + termValue(cell) }

// termName returns the name of a column as queries have it: the label or the last member, if that
// is another word and means no other column.
func (t *Table) termName(col int) string {
	name := t.columns.columns[col].Name
	for _, short := range []string{t.labels()[col], lastMember(name)} {
		if !strings.Contains(short, " ") && !strings.EqualFold(short, name) && slices.Equal(t.ColumnsNamed(short), []int{col}) {
			name = short
			break
		}
	}
	if !canBeTyped(name) || strings.HasSuffix(name, "!") || strings.ContainsFunc(name, isOperator) {
		name = strconv.Quote(name)
	}
	return name
}

func termValue(cell Cell) string {
	switch cell.Kind() {
	case Missing:
		return missingWord
	case Null:
		return nullWord
	}
	text := cell.Text()
	if _, isState := stateNamed(strings.ToLower(text)); isState || !canBeTyped(text) {
		return strconv.Quote(text)
	}
	return text
}

// canBeTyped reports whether text is a word that needs no quotes.
func canBeTyped(text string) bool {
	return text != "" && strings.IndexByte("!~=", text[0]) < 0 && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}
