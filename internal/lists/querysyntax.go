package lists

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/jsonscan"
)

// Help is one thing that can be said in the query language.
type Help struct{ Example, Meaning string }

// QueryHelp returns the query language in examples, in the order in which people
// are likely to need them. Terms are separated by blanks, and all of them have to hold.
func QueryHelp() []Help {
	return []Help{
		{`report`, "the text is anywhere in the record; case does not matter"},
		{`"annual report"`, `text with a space; inside quotes, write \" for a quote and \\ for a backslash`},
		{`annual 2019`, "both are in the record"},
		{`annual | 2019`, "either is in the record; each side of | is one alternative; OR is the same"},
		{`owner:ann|bob`, "either value of one column; without spaces, | is between two values: ann|bob 2019"},
		{`!report`, "the text is not in the record; ! works before any term, as - and NOT do"},
		{`~reprot`, "the word, with at most one letter wrong, missing or extra, or two letters swapped"},
		{`owner:ann`, "the column contains the text; one word of the column's name, or the first letters of it, is enough"},
		{`owner:me`, "what is yours: your own address; @me is the same, and owner:\"me\" is the text"},
		{`owner:~jensne`, "the same, for a word that may be misspelled"},
		{`"display name":ann`, "a column with a space in its name; the quotes may be left out"},
		{`owner=ann@harbor.example`, "the column is exactly this; case does not matter"},
		{`owner==Ann`, "exactly this, including case"},
		{`owner=`, "the column is empty text"},
		{`owner=null`, `the column is null; to find the text null, write owner="null"`},
		{`owner=missing`, "the record has no such field"},
		{`owner!=null`, "the same as !owner=null"},
		{`usage>1000`, "numbers of any length; also >=, <, <=; a list counts as its length, text sorts naturally"},
		{`usage > 1.5 GB`, "sizes, with or without spaces; GB is 1,000 MB, GiB is 1,024 MiB; 1,5 Go is the same"},
		{`usage:1GB..2GB`, "from 1 GB to 2 GB; either end may be left out; works for numbers and times too"},
		{`>1GB`, "the first column of sizes; >2025 is the first column of times"},
		{`created<2020-02`, "times, in UTC unless you give a zone; a year, month or day means the whole of it"},
		{`created=14.03.2025`, "that day; also 2025/03/14, 14/03/2025, 14 March 2025; March 2025 and 03/2025 are months"},
		{`created>=yesterday`, "also today, and this or last week, month or year"},
		{`created=never`, "the time is not set; lists show it as a dash, records as never"},
		{`created>7d`, "less than 7 days ago; m, h, d, w, mo and y are minutes, hours, days, weeks, months and years; today-7 is 7d"},
	}
}

// queryItem is one term of a query as it was typed.
type queryItem struct {
	start, end int    // where it is in the query
	typed      string // all of it, but for what negates it
	negated    bool
	unequal    bool   // the operator is !=, a negated =
	named      bool   // there is a column, which may be the one that a bare comparison means
	column     string // "" for a bare comparison
	behind     string // the operator and the value as they were typed
	operator   string // "" for text alone, which is the value
	itemValue
	others []itemValue // values of which one is enough as well, as in owner:ann|bob
	open   bool        // a quote is not closed
	or     bool        // it is no term, and stands between two alternatives
}

// itemValue is what an item looks for, or compares with.
type itemValue struct {
	value  string
	quoted bool
	nearly bool // it may be spelled a little wrong
}

// String returns the item as it is typed, with its quote closed.
func (item queryItem) String() string {
	text := item.typed
	if item.negated {
		text = "!" + text
	}
	if item.open {
		text += `"`
	}
	return text
}

// items yields the terms of a query in their order.
func (t *Table) items(text string) iter.Seq[queryItem] {
	return func(yield func(queryItem) bool) {
		r := queryReader{length: len(text), rest: text, names: newNames(t)}
		for r.skipBlanks(); r.rest != ""; r.skipBlanks() {
			item, ok := r.item()
			if ok && !yield(item) {
				return
			}
			r.last = item
		}
	}
}

// queryReader reads a query. What the columns are called and hold tells which words belong together.
type queryReader struct {
	length int
	rest   string
	names  *names
	last   queryItem // the item before; the zero one at the beginning
}

func (r *queryReader) at() int { return r.length - len(r.rest) }

func (r *queryReader) skipBlanks() { r.rest = strings.TrimLeftFunc(r.rest, unicode.IsSpace) }

// item reads a term, or what stands between two. It is none if the word only joins two terms.
func (r *queryReader) item() (item queryItem, ok bool) {
	item.start = r.at()
	switch joins := r.joining(); joins {
	case isOr:
		return queryItem{start: item.start, end: r.at(), typed: "|", or: true}, true
	case isAnd:
		return r.last, false
	}
	r.negations(&item)
	start := r.rest
	if item.nearly = r.fuzzy(); item.nearly {
		item.value, item.quoted, item.open = r.word()
	} else if name, ok := r.name(); ok {
		item.named, item.column = true, name.text
		item.behind, r.rest = r.rest[name.end:], r.rest[name.end:]
		r.skipBlanks()
		item.operator, item.unequal = r.operator()
		r.operand(&item)
	} else {
		item.value, item.quoted, item.open = r.word()
	}
	r.others(&item)
	item.typed = start[:len(start)-len(r.rest)]
	item.behind = strings.TrimSuffix(item.behind, r.rest)
	item.end = r.at()
	return item, true
}

// operand reads what stands after an operator.
func (r *queryReader) operand(item *queryItem) {
	if startsBlank(r.rest) {
		after := *r
		after.skipBlanks()
		if after.rest == "" || after.rest[0] == '|' || after.beginsCondition() {
			return
		}
		r.rest = after.rest
	}
	item.nearly = item.operator == ":" && r.tilde()
	before := r.rest
	item.value, item.quoted, item.open = r.word()
	if item.quoted || item.nearly {
		return
	}
	// Blanks may be in a value that makes sense as a whole: "1 GB", "14 March 2025".
	const maxWords = 6
	long := *r
	for range maxWords - 1 {
		long.skipBlanks()
		if long.rest == "" || strings.ContainsRune(`"|!`, rune(long.rest[0])) {
			return
		}
		long.rest = long.rest[wordEnd(long.rest):]
		value := before[:len(before)-len(long.rest)]
		if r.names.joins(item.column, value) {
			item.value, r.rest = value, long.rest
		}
	}
}

// others reads further values behind a | without blanks, unless a condition stands there.
func (r *queryReader) others(item *queryItem) {
	for !item.open && strings.HasPrefix(r.rest, "|") {
		behind := *r
		behind.rest = r.rest[len("|"):]
		if behind.rest == "" || behind.rest[0] == '|' || startsBlank(behind.rest) || behind.beginsCondition() {
			return
		}
		further := *item
		if item.operator == "" {
			further.nearly = behind.tilde()
			further.value, further.quoted, further.open = behind.word()
		} else {
			behind.operand(&further)
		}
		item.others, item.open = append(item.others, further.itemValue), further.open
		r.rest = behind.rest
	}
}

// The words that join terms.
type joining int

const (
	isTerm joining = iota
	isAnd
	isOr
)

// joining moves past a word that joins two terms: | and OR, && and AND, and between two conditions
// "or" and "and" as well, which otherwise are words to look for.
func (r *queryReader) joining() joining {
	word := r.joiningWord()
	after := *r
	after.rest = r.rest[len(word):]
	after.skipBlanks()
	found, isFirst := isTerm, r.last.end == 0
	switch {
	case strings.HasPrefix(r.rest, "|"):
		word = r.rest[:len(r.rest)-len(strings.TrimLeft(r.rest, "|"))]
		found = isOr
	case isFirst:
	case word == "OR":
		found = isOr
	case word == "AND" || word == "&&":
		found = isAnd
	case r.last.operator != "" && after.beginsCondition():
		found = map[string]joining{"or": isOr, "and": isAnd}[word]
	}
	if found != isTerm {
		r.rest = r.rest[len(word):]
	}
	return found
}

// joiningWord returns the word that comes next, or the beginning of one that is longer than those
// that join terms: many terms can be one long word, which is not to be read again for each.
func (r *queryReader) joiningWord() string {
	const enough = len("AND") + utf8.UTFMax // room for the blank behind it
	beginning := r.rest[:min(len(r.rest), enough)]
	return beginning[:wordEnd(beginning)]
}

// negations moves past what negates a term: !, NOT, and a - before a word as in a web search.
func (r *queryReader) negations(item *queryItem) {
	for {
		rest, after := r.rest, ""
		switch {
		case len(rest) > 1 && rest[0] == '!' && !startsBlank(rest[1:]):
			after = rest[1:]
		case strings.HasPrefix(rest, "NOT ") || strings.HasPrefix(rest, "not "):
			behind := *r
			behind.rest = rest[len("NOT"):]
			behind.skipBlanks()
			if behind.rest == "" || rest[0] == 'n' && !behind.beginsCondition() {
				return
			}
			after = behind.rest
		case len(rest) > 2 && rest[0] == '-' && wordEnd(rest) > 2 && startsWord(rest[1:]):
			after = rest[1:]
		default:
			return
		}
		item.negated, r.rest = !item.negated, after
	}
}

// startsWord reports whether a letter or a quote comes next.
func startsWord(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) || first == '"'
}

// fuzzy moves past what says that a word may be misspelled: ~, and -f as in k9s.
func (r *queryReader) fuzzy() bool {
	if rest, ok := strings.CutPrefix(r.rest, "-f "); ok && strings.TrimSpace(rest) != "" {
		r.rest = rest
		r.skipBlanks()
		return true
	}
	return r.tilde()
}

// tilde moves past a ~ with something after it.
func (r *queryReader) tilde() bool {
	rest, ok := strings.CutPrefix(r.rest, "~")
	if !ok || rest == "" || startsBlank(rest) {
		return false
	}
	r.rest = rest
	return true
}

// columnName is the name that an operator stands behind, and where it ends.
type columnName struct {
	text string
	end  int
}

// beginsCondition reports whether a name and an operator come next.
func (r *queryReader) beginsCondition() bool {
	behind := *r
	for behind.rest != "" && (behind.rest[0] == '!' || behind.rest[0] == '-') {
		behind.rest = behind.rest[1:]
	}
	if behind.rest == "" || jsonscan.IsDigit(behind.rest[0]) { // which may be a time of the day
		return false
	}
	_, ok := behind.name()
	return ok
}

// name finds the name of a column with an operator behind it: a word, a text in quotes, several
// words if they are what a column is called, or nothing before a bare comparison.
func (r *queryReader) name() (name columnName, ok bool) {
	if length, operator := r.operatorAt(r.rest); length > 0 {
		comparison := operator[0] == '<' || operator[0] == '>'
		return columnName{}, comparison && r.names.comparable(r.rest[length:])
	}
	if closing := closingQuote(r.rest); closing > 0 || strings.HasPrefix(r.rest, `"`) {
		behind := *r
		text, _, open := behind.word()
		name = columnName{text, len(r.rest) - len(behind.rest)}
		return name, !open && r.hasOperator(name, 1)
	}
	const maxWords = 4
	end := 0
	for words := 1; words <= maxWords; words++ {
		if end > 0 {
			blanks := len(r.rest[end:]) - len(strings.TrimLeftFunc(r.rest[end:], unicode.IsSpace))
			if length, _ := r.operatorAt(r.rest[end+blanks:]); length > 0 {
				break
			}
			end += blanks
		}
		length := strings.IndexFunc(r.rest[end:], endsName)
		if length < 0 {
			return name, false
		}
		if strings.HasSuffix(r.rest[:end+length], "!") && r.rest[end+length] == '=' {
			length--
		}
		if length <= 0 {
			return name, false
		}
		end += length
		name = columnName{strings.Join(strings.Fields(r.rest[:end]), " "), end}
		if r.hasOperator(name, words) {
			return name, true
		}
	}
	return name, false
}

// hasOperator reports whether an operator belongs to a name of some words.
func (r *queryReader) hasOperator(name columnName, words int) bool {
	behind := r.rest[name.end:]
	operand := strings.TrimLeftFunc(behind, unicode.IsSpace)
	length, operator := r.operatorAt(operand)
	switch {
	case length == 0:
		return false
	case words == 1 && len(operand) == len(behind):
		return true
	case r.names.are(name.text):
		return true
	case words > 1:
		return false
	case operator == ":":
		return startsBlank(operand[length:])
	}
	// A word before a bare comparison, unless it is like the name of a column.
	return !r.names.comparable(operand[length:]) || len(r.names.like(name.text)) > 0
}

func endsName(r rune) bool { return isOperator(r) || unicode.IsSpace(r) || r == '"' || r == '|' }

func isOperator(r rune) bool { return strings.ContainsRune(":=<>≥≤≠", r) }

func startsBlank(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(r)
}

// operators are those of the language and other spellings of them, the longer ones first.
var operators = []struct {
	typed, meant string
	mayBeText    bool
}{
	{":>=", ">=", true}, {":<=", "<=", true}, {":≥", ">=", true}, {":≤", "<=", true}, {":>", ">", true}, {":<", "<", true},
	{"=>", ">=", true}, {"=<", "<=", true},
	{"!==", "!==", false}, {"==", "==", false}, {"!=", "!=", false}, {"<>", "!=", false}, {"≠", "!=", false}, {":=", "=", false},
	{">=", ">=", false}, {"≥", ">=", false}, {"<=", "<=", false}, {"≤", "<=", false},
	{">", ">", false}, {"<", "<", false}, {"=", "=", false}, {":", ":", false},
}

// operatorAt returns the operator that a text begins with, and how long it is there; 0 for none. A
// sign of comparison after another one is part of a text unless a number, a size or a time follows.
func (r *queryReader) operatorAt(text string) (length int, meant string) {
	for _, operator := range operators {
		behind, ok := strings.CutPrefix(text, operator.typed)
		if ok && (!operator.mayBeText || r.names.comparable(behind)) {
			return len(operator.typed), operator.meant
		}
	}
	return 0, ""
}

// operator moves past the operator that comes next.
func (r *queryReader) operator() (operator string, unequal bool) {
	length, operator := r.operatorAt(r.rest)
	r.rest = r.rest[length:]
	operator, unequal = strings.CutPrefix(operator, "!")
	return operator, unequal
}

// quotes are the signs around a text, as they are typed or come with what is pasted.
var quotes = []struct{ opening, closing string }{
	{"'", "'"}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"»", "«"}, {"‘", "’"},
}

// closingQuote returns where a text in other quotes than " ends that begins here: at a blank or the
// end. 0 if there is none, so that 's-Hertogenbosch is a word.
func closingQuote(text string) (end int) {
	for _, quote := range quotes {
		inside, ok := strings.CutPrefix(text, quote.opening)
		if !ok {
			continue
		}
		for at := 0; ; {
			length := strings.Index(inside[at:], quote.closing)
			if length < 0 {
				break
			}
			at += length + len(quote.closing)
			behind, _ := utf8.DecodeRuneInString(inside[at:])
			if at == len(inside) || behind == '|' || unicode.IsSpace(behind) || isOperator(behind) {
				return len(quote.opening) + at
			}
		}
	}
	return 0
}

// word moves past a text in quotes, or to the next blank.
func (r *queryReader) word() (text string, quoted, open bool) {
	if strings.HasPrefix(r.rest, `"`) {
		text, open = r.quoted()
		return text, true, open
	}
	if end := closingQuote(r.rest); end > 0 {
		text, r.rest = r.rest[:end], r.rest[end:]
		_, opening := utf8.DecodeRuneInString(text)
		_, closing := utf8.DecodeLastRuneInString(text)
		return strings.TrimSpace(text[opening : len(text)-closing]), true, false
	}
	end := wordEnd(r.rest)
	text, r.rest = r.rest[:end], r.rest[end:]
	return text, false, false
}

// wordEnd is where the word ends that a text begins with: at a blank or a |.
func wordEnd(text string) int {
	endsWord := func(r rune) bool { return r == '|' || unicode.IsSpace(r) }
	if end := strings.IndexFunc(text, endsWord); end >= 0 {
		return end
	}
	return len(text)
}

// quoted moves past a text in quotes. There, escapes are as in Go; any other backslash is one.
func (r *queryReader) quoted() (text string, open bool) {
	var decoded []byte
	for r.rest = r.rest[1:]; r.rest != ""; {
		if r.rest[0] == '"' {
			r.rest = r.rest[1:]
			return string(decoded), false
		}
		if char, _, rest, err := strconv.UnquoteChar(r.rest, '"'); err == nil {
			decoded, r.rest = utf8.AppendRune(decoded, char), rest
		} else {
			decoded, r.rest = append(decoded, r.rest[0]), r.rest[1:]
		}
	}
	return string(decoded), true
}
