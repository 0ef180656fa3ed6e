package lists

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"gatehouse/internal/text/human"
)

// These operators depend on the column: for a text they are about a part of it.
const (
	isExactly = "is"
	isNot     = "is not"
	hasNot    = "has not"
)

// wordOperators has the operators, or one of the constants, for operators in words.
var wordOperators = map[string]string{
	"gt": ">", "over": ">", "above": ">", "after": ">", "exceeds": ">",
	"greater than": ">", "more than": ">", "larger than": ">", "bigger than": ">",
	"newer than": ">", "later than": ">", "higher than": ">",
	"larger": ">", "bigger": ">", "newer": ">",

	"ge": ">=", "gte": ">=", "at least": ">=", "since": ">=", "from": ">=", "min": ">=",

	"lt": "<", "under": "<", "below": "<", "before": "<",
	"less than": "<", "smaller than": "<", "older than": "<", "earlier than": "<", "lower than": "<",
	"smaller": "<", "older": "<",

	"le": "<=", "lte": "<=", "at most": "<=", "until": "<=", "up to": "<=", "max": "<=",

	"eq": isExactly, "equals": isExactly, "equal to": isExactly, "is": isExactly, "are": isExactly,
	"ne": isNot, "not": isNot, "is not": isNot, "isn't": isNot, "not equal to": isNot,

	"contains": ":", "contain": ":", "has": ":", "includes": ":",
	"starts with": ":", "begins with": ":", "ends with": ":",
	"like": ":", "ilike": ":", "matches": ":", "regexp": ":", "rlike": ":",
	"in": ":", "on": ":", "during": ":", "within": ":",

	"not like": hasNot, "not contain": hasNot, "not contains": hasNot,
	"not in": hasNot, "notin": hasNot,
}

// bareOperators has the operators for operators in words that make sense without a column.
var bareOperators = map[string]string{
	"older than": "<", "newer than": ">", "before": "<", "after": ">", "since": ">=", "until": "<=",
	"over": ">", "above": ">", "more than": ">", "larger than": ">", "bigger than": ">",
	"greater than": ">", "at least": ">=",
	"larger": ">", "bigger": ">", "newer": ">", "smaller": "<", "older": "<",
	"under": "<", "below": "<", "less than": "<", "smaller than": "<", "at most": "<=", "up to": "<=",
	"in": ":", "on": ":", "during": ":", "within": ":", "from": ":",
}

// anyOf returns a pattern that matches any of the words, which are the keys. The longer words come
// first, so that "older than" is found before "older".
func anyOf[V any](words map[string]V) string {
	longerFirst := func(a, b string) int { return len(b) - len(a) }
	sorted := slices.SortedFunc(maps.Keys(words), longerFirst)
	for i, word := range sorted {
		sorted[i] = regexp.QuoteMeta(word)
	}
	return strings.Join(sorted, "|")
}

// order leaves out what asks for an order, and notes it.
func (w *rewriter) order([]string) (string, bool) {
	w.sorts = true
	return "", true
}

// column returns the column for a name, which may be in quotes or brackets, and the name as it has to
// be typed in a filter.
func (w *rewriter) column(name string) (column ColumnInfo, typed string, ok bool) {
	name = strings.Trim(name, `"[]`)
	found := w.names.resolve(name)
	if found.columns == nil {
		return column, "", false
	}
	column = w.table.sample().columns[found.columns[0]]
	if !canBeTyped(name) {
		name = w.table.typedName(column.Index)
	}
	return column, name, true
}

// condition returns a condition on the column for a name. It returns false if there is none.
func (w *rewriter) condition(name string, negated bool, operator, value string) (string, bool) {
	_, typed, ok := w.column(name)
	return " " + negation(negated) + typed + operator + value, ok
}

// negation returns the sign before a condition that is negated, or "".
func negation(negated bool) string {
	if negated {
		return "!"
	}
	return ""
}

// wordOperator writes "owner contains ada" and "size more than 1 GB".
func (w *rewriter) wordOperator(parts []string) (string, bool) {
	name, word, value := parts[1], strings.ToLower(parts[2]), parts[3]
	column, _, ok := w.column(name)
	_, isOperator := wordOperators[strings.ToLower(value)] // as in "is not"
	if !ok || isOperator || isState(value) {
		return "", false
	}
	operator := wordOperators[word]
	negated := operator == isNot || operator == hasNot
	isEquality := operator == isExactly || operator == isNot
	isNumber := column.Kind == NumberColumn || column.Kind == BytesColumn
	switch {
	case isEquality && isNumber:
		operator = "="
	case operator == isExactly || negated:
		operator = ":"
	}
	written, ok := w.condition(name, negated, operator, value)
	_, after, _ := strings.Cut(parts[0], parts[2]+" "+value)
	return written + after, ok
}

// presences are the words for whether a column has a value.
var presences = map[string]bool{
	"set": true, "defined": true, "there": true, "exists": true, "any": true,

	nullWord: false, missingWord: false,
	"empty": false, "blank": false, "blanks": false, "unset": false,
	"none": false, "nil": false, "undefined": false, "n/a": false,
	"[]": false, "{}": false, `""`: false, "''": false, "-": false, "–": false, "—": false,
}

// isState reports whether a value is a word for whether a column has a value: "not set".
func isState(value string) bool {
	_, ok := presences[strings.TrimPrefix(strings.ToLower(value), "not ")]
	return ok
}

// presence writes "parent is not set". The words null and missing are taken literally, even for a
// number, for which other words mean 0.
func (w *rewriter) presence(parts []string) (string, bool) {
	name, isNegated, word := parts[1], parts[2] != "", strings.ToLower(parts[3])
	some := presences[word] != isNegated
	_, isLiteral := states[word]
	column, typed, ok := w.column(name)
	hasOperator := strings.Contains(parts[0], "=")
	if isLiteral && hasOperator && !isNegated { // it is a condition of this language
		return "", false
	}
	if ok && (isLiteral || word == "nil") && !column.Kind.isTime() {
		return " " + negation(some) + typed + "=" + noValue, true
	}
	return w.has(name, some)
}

// noValue is the value in a filter for cells without a value.
const noValue = nullWord + "|" + missingWord

// has returns the condition that a column has a value, or that it has none. The number 0, an empty
// list and a time that is not set count as none.
func (w *rewriter) has(name string, some bool) (string, bool) {
	column, typed, ok := w.column(name)
	if !ok {
		return "", false
	}
	switch column.Kind {
	case NumberColumn, BytesColumn, ListColumn:
		if some {
			return " " + typed + ">0", true
		}
		return " " + typed + "=0", true
	case TimeColumn, TicksColumn:
		return " " + negation(some) + typed + "=" + human.Never + "|" + noValue, true
	}
	return " " + negation(some) + typed + "=" + noValue, true
}

// has returns a writing that the column, the first part, has a value, or that it has none.
func has(some bool) writing {
	return func(w *rewriter, parts []string) (string, bool) { return w.has(parts[1], some) }
}

// empty writes that a record has no size.
func (w *rewriter) empty([]string) (string, bool) { return w.ofFirst(firstSize, "=0") }

// antonyms has the names of columns of yes and no for words that mean no.
var antonyms = map[string]string{
	"disabled": "enabled",
	"closed":   "open",
	"locked":   "unlocked",
	"unread":   "read",
}

// state writes a word that is the name of a column of yes and no, "enabled" or "not enabled", or what
// the numbers of a column mean.
func (w *rewriter) state(parts []string) (string, bool) {
	isNegated, prefix, word := parts[1] != "", parts[2], strings.ToLower(parts[3])
	if written, ok := w.yesOrNo(word, !isNegated && prefix == ""); ok {
		return written, true
	}
	if written, ok := w.meant(prefix+word, isNegated); ok {
		return written, true
	}
	return w.meant(word, isNegated || prefix != "")
}

// yesOrNo returns the condition that the column of yes and no which a word names has a value. For a
// word that means the opposite of the column, it is the other value.
func (w *rewriter) yesOrNo(word string, yes bool) (string, bool) {
	for _, column := range w.table.sample().display {
		if column.Kind != BoolColumn {
			continue
		}
		isColumn := func(word string) bool {
			folded := foldedName(word)
			return folded == foldedName(column.Label) ||
				folded == foldedName(lastMember(column.Name))
		}
		value := map[bool]string{false: "no", true: "yes"}
		switch name := w.table.typedName(column.Index); {
		case isColumn(word):
			return " " + name + "=" + value[yes], true
		case isColumn(antonyms[word]):
			return " " + name + "=" + value[!yes], true
		}
	}
	return "", false
}

// meant returns the condition that the numbers of the first column in which a word has a meaning mean
// that.
func (w *rewriter) meant(word string, negated bool) (string, bool) {
	for _, column := range w.table.sample().display {
		if meaning, ok := meaningOf(column.Name, word); ok {
			name := w.table.typedName(column.Index)
			return " " + negation(negated) + name + ":" + meaning, true
		}
	}
	return "", false
}

// meaningOf returns the meaning of the numbers of a column that a word spells, with or without
// hyphens.
func meaningOf(column, word string) (meaning string, ok bool) {
	plain := func(text string) string { return strings.NewReplacer("-", "", "_", "").Replace(text) }
	for _, meaning := range Meanings(column) {
		if plain(meaning) == plain(word) {
			return meaning, true
		}
	}
	return "", false
}
