package records

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Term returns the term of the query language that finds the rows of which the cell
// in the column has the same [Cell.Text] without case, or is null or missing like this one.
func (t *Table) Term(col int, cell Cell) string { return t.termName(col) + "=" + termValue(cell) }

// termName returns the name of a column as queries have it: the label or the last member, if that
// is another word and means no other column.
func (t *Table) termName(col int) string {
	name := t.columns.names[col]
	for _, short := range []string{t.sample().labels[col], lastMember(name)} {
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
	if _, isState := stateNamed(text); isState || !canBeTyped(text) {
		return strconv.Quote(text)
	}
	return text
}

// canBeTyped reports whether text is a word that needs no quotes.
func canBeTyped(text string) bool {
	return text != "" && strings.IndexByte("!=", text[0]) < 0 && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}
