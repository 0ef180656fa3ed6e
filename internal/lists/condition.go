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
	// Every record that the columns find has this word; nil if it may have any. If that is
	// enough, every record with the word is found.
	word   *matcher
	enough bool
	// others are further values of the same column, as in owner:ann|bob: one of them is enough.
	others []term
}

// columnTest is a condition on the cells of one column, or on the whole record.
type columnTest struct {
	column int // anywhere, or among those of the table
	condition
}

const anywhere = -1

// condition is what a cell can fulfil.
type condition struct {
	holds func(c Cell) bool
	mark  string // the text that is looked for, as it was typed; "" for none
	word  []byte // that every record with such a cell has, folded; nil if it may have any
}

func (t term) reads(col int) bool {
	return slices.ContainsFunc(t.columns, func(test columnTest) bool { return test.column == anywhere || test.column == col })
}

// contains is the condition that the value of an item is in a string, number or boolean of the cell.
func contains(item queryItem) condition {
	word := appendFolded(nil, []byte(item.value))
	if item.nearly && utf8.RuneCount(word) >= minNearly {
		return condition{holds: func(c Cell) bool { return c.anyText(func(raw []byte) bool { return nearly(raw, word) }) }, mark: item.value}
	}
	holds := func(c Cell) bool { return c.anyText(func(raw []byte) bool { return isIn(raw, word) }) }
	return condition{holds: holds, mark: item.value, word: word}
}

// minNearly is how many letters a word must have that may be spelled a little wrong: nearly
// anything is like a shorter one.
const minNearly = 4

// nearly reports whether a folded word is in a scalar, or something that is like it begins a word
// there: with one letter that is another, too many or left out, or with two letters swapped.
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

// isLike reports whether a text begins with something that is like the word. What comes
// before the first difference must be the same, so that there is one place to look at.
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

// Term returns the term of the query language that finds the rows of which the cell
// in the column has the same [Cell.Text] without case, or is null or missing like this one.
func (t *Table) Term(col int, cell Cell) string {
	return t.termName(col) + "=" + t.termValue(col, cell)
}

// termName returns the name of a column as queries have it: the label or the last member, if that
// is another word and means no other column.
func (t *Table) termName(col int) string {
	name := t.columns.names[col]
	for _, short := range []string{t.sample().columns[col].Label, lastMember(name)} {
		if !strings.Contains(short, " ") && !strings.EqualFold(short, name) && t.means(short, col) {
			name = short
			break
		}
	}
	if !canBeTyped(name) || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "!") || strings.ContainsFunc(name, isOperator) {
		name = strconv.Quote(name)
	}
	return name
}

// termValue returns a value as a query has it for exactly this text: in quotes where it would mean
// something else.
func (t *Table) termValue(col int, cell Cell) string {
	switch cell.Kind() {
	case Missing:
		return missingWord
	case Null:
		return nullWord
	}
	text, kind := cell.Text(), t.sample().columns[col].Kind
	_, isState := states[strings.ToLower(text)]
	isOther := cell.Kind() == String && (compares(kind) || kind == BoolColumn) ||
		cell.Kind() == Number && strings.ContainsAny(text, "eE") // which is any spelling of the number
	if isState || isOther || !canBeTyped(text) {
		return strconv.Quote(text)
	}
	return text
}

// canBeTyped reports whether text is a word that needs no quotes.
func canBeTyped(text string) bool {
	return text != "" && !strings.ContainsAny(text[:1], "!~=<>") && closingQuote(text) == 0 && !strings.ContainsFunc(text, func(r rune) bool {
		return r == '"' || r == '|' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}

// isMeaning reports whether a value is, or is in, what the numbers of a column mean.
func (c *compiler) isMeaning(item queryItem, col int) bool {
	return len(meaningNumbers(item, c.table.columns.names[col])) > 0
}

// meaningNumbers are the numbers of a column whose meaning fits an item.
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

// orMeaning extends what an item asks of a column to its numbers with that meaning.
func (c *compiler) orMeaning(want condition, item queryItem, col int) condition {
	numbers := meaningNumbers(item, c.table.columns.names[col])
	if numbers == nil {
		return want
	}
	asTyped := want.holds
	want.word = nil // which the numbers do not have
	want.holds = func(cell Cell) bool {
		return cell.Kind() == Number && slices.Contains(numbers, string(cell.raw)) || asTyped(cell)
	}
	return want
}
