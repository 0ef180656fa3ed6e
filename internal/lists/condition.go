package lists

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// term is one of the conditions that a query puts on a record.
type term struct {
	negated bool
	columns []columnTest // one of them has to hold
	// word is a word that every record has for which columns hold; nil if there is none. If enough
	// is set, they hold for every record that has the word.
	word   *matcher
	enough bool
	// others are terms for further values of the same column, as in owner:ann|bob. One of them has
	// to hold if columns do not.
	others []term
}

// columnTest is a condition on the cells of one column, or on the whole record.
type columnTest struct {
	column int // the index of a column of the table, or anywhere
	condition
}

// anywhere means the whole record in place of a column.
const anywhere = -1

// condition is a condition on a cell.
type condition struct {
	holds func(c Cell) bool
	mark  string // the text that is looked for, as it was typed; "" for none
	word  []byte // a folded word of every record with such a cell; nil if there is none
}

// reads reports whether a term is about a column.
func (t term) reads(col int) bool {
	return slices.ContainsFunc(t.columns, func(test columnTest) bool {
		return test.column == anywhere || test.column == col
	})
}

// contains returns the condition that the value of an item is in a string, number or boolean of the
// cell, without case. For an item that may be misspelt, something like the value is enough.
func contains(item queryItem) condition {
	word := appendFolded(nil, []byte(item.value))
	if item.nearly && utf8.RuneCount(word) >= minNearly {
		isNear := func(raw []byte) bool { return nearly(raw, word) }
		return condition{
			holds: func(c Cell) bool { return c.anyText(isNear) },
			mark:  item.value,
		}
	}
	hasWord := func(raw []byte) bool { return isIn(raw, word) }
	return condition{
		holds: func(c Cell) bool { return c.anyText(hasWord) },
		mark:  item.value,
		word:  word,
	}
}

// minNearly is how many letters a word must have to be found if it is misspelt. Almost anything is
// like a shorter word.
const minNearly = 4

// nearly reports whether a folded word is in a scalar, or a word there begins with something like it:
// one letter is wrong, too many or missing, or two letters are swapped.
func nearly(raw, word []byte) bool {
	var memory [shortText]byte
	text := Cell{raw: raw}.appendFolded(memory[:0])
	inWord, size := false, 0
	for at := 0; at < len(text); at += size {
		if !inWord && isLike(text[at:], word) {
			return true
		}
		var r rune
		r, size = utf8.DecodeRune(text[at:])
		inWord = unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return bytes.Contains(text, word)
}

// isLike reports whether a text begins with something like the word, see [nearly]. There is one
// difference at most, so only the place of the first one is looked at.
func isLike(text, word []byte) bool {
	same := 0
	for same < len(text) && same < len(word) && text[same] == word[same] {
		same++
	}
	for same > 0 && same < len(word) && !utf8.RuneStart(word[same]) {
		same--
	}
	text, word = text[same:], word[same:]
	if len(word) == 0 {
		return true
	}
	_, want := utf8.DecodeRune(word)
	_, have := utf8.DecodeRune(text)
	_, next := utf8.DecodeRune(word[want:])
	swapped := slices.Concat(word[want:want+next], word[:want], word[want+next:])
	return bytes.HasPrefix(text, word[want:]) || // a letter too many was asked for
		bytes.HasPrefix(text, swapped) ||
		have > 0 && (bytes.HasPrefix(text[have:], word[want:]) || // another letter
			bytes.HasPrefix(text[have:], word)) // one was left out
}

// Term returns a term, in the language of filters, that finds the rows with the same value in a
// column: the same [Cell.Text], without case, or null or missing as this cell is.
func (t *Table) Term(col int, cell Cell) string {
	return t.termName(col) + "=" + t.termValue(col, cell)
}

// termName returns the name of a column for a query, in quotes if need be. That is its label or its
// last member, if that is one word and means no other column, or else the whole name.
func (t *Table) termName(col int) string {
	name := t.columns.names[col]
	for _, short := range []string{t.sample().columns[col].Label, lastMember(name)} {
		if !strings.Contains(short, " ") && !strings.EqualFold(short, name) && t.means(short, col) {
			name = short
			break
		}
	}
	negates := strings.HasPrefix(name, "-") || strings.HasSuffix(name, "!")
	if !canBeTyped(name) || negates || strings.ContainsFunc(name, isOperator) {
		name = strconv.Quote(name)
	}
	return name
}

// termValue returns a value for a query that looks for exactly the text of the cell. It is in quotes
// if it would mean something else without them.
func (t *Table) termValue(col int, cell Cell) string {
	switch cell.Kind() {
	case Missing:
		return missingWord
	case Null:
		return nullWord
	}
	text, kind := cell.Text(), t.sample().columns[col].Kind
	_, isState := states[strings.ToLower(text)]
	isReadAsOther := cell.Kind() == String && (compares(kind) || kind == BoolColumn)
	// Without quotes an exponent finds the number in any spelling.
	hasExponent := cell.Kind() == Number && strings.ContainsAny(text, "eE")
	if isState || isReadAsOther || hasExponent || !canBeTyped(text) {
		return strconv.Quote(text)
	}
	return text
}

// canBeTyped reports whether text is a word that needs no quotes.
func canBeTyped(text string) bool {
	if text == "" {
		return false
	}
	beginsAsOperator := strings.ContainsAny(text[:1], "!~=<>")
	needsQuotes := func(r rune) bool {
		return r == '"' || r == '|' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}
	return !beginsAsOperator && closingQuote(text) == 0 && !strings.ContainsFunc(text, needsQuotes)
}

// isMeaning reports whether the value of an item fits a meaning of the numbers of a column.
func (c *compiler) isMeaning(item queryItem, col int) bool {
	return len(meaningNumbers(item, c.table.columns.names[col])) > 0
}

// meaningNumbers returns the numbers of a column whose meaning fits an item, in digits.
func meaningNumbers(item queryItem, column string) (numbers []string) {
	value := item.value
	if item.operator != "==" {
		value = strings.ToLower(value)
	}
	fits := func(text string) bool {
		if item.operator == ":" {
			return strings.Contains(text, value)
		}
		return text == value
	}
	for number, meaning := range Meanings(column) {
		if fits(meaning) || fits(number+" "+meaning) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// orMeaning returns the condition that want holds, or that the cell is a number of the column whose
// meaning fits the item.
func (c *compiler) orMeaning(want condition, item queryItem, col int) condition {
	numbers := meaningNumbers(item, c.table.columns.names[col])
	if numbers == nil {
		return want
	}
	asTyped := want.holds
	want.word = nil // records with the numbers do not have it
	want.holds = func(cell Cell) bool {
		return cell.Kind() == Number && slices.Contains(numbers, string(cell.raw)) || asTyped(cell)
	}
	return want
}
