package lists

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
		{`annual | 2019`, "either is in the record; each side of | is one alternative"},
		{`!report`, "the text is not in the record; ! works before any term"},
		{`~reprot`, "the word, with at most one letter wrong, missing or extra, or two letters swapped"},
		{`owner:ann`, "the column contains the text; one word of the column's name, or the first letters of it, is enough"},
		{`owner:~jensne`, "the same, for a word that may be misspelled"},
		{`"display name":ann`, "a column with a space in its name"},
		{`owner=ann@harbor.example`, "the column is exactly this; case does not matter"},
		{`owner==Ann`, "exactly this, including case"},
		{`owner=`, "the column is empty text"},
		{`owner=null`, `the column is null; to find the text null, write owner="null"`},
		{`owner=missing`, "the record has no such field"},
		{`owner!=null`, "the same as !owner=null"},
		{`usage>1000`, "numbers of any length; also >=, <, <=; a list counts as its length, text sorts naturally"},
		{`usage>=1.5GB`, "sizes (k, MB, GB, TB, PB, EB: powers of 1,000) work in columns of numbers"},
		{`created<2020-02`, "times, in UTC unless you give a zone; a year, month or day means the whole of it"},
		{`created>7d`, "less than 7 days ago; m, h, d and w are minutes, hours, days and weeks"},
	}
}

// queryItem is one term of a query as it was typed.
type queryItem struct {
	typed    string // all of it, but for what negates it
	negated  bool
	unequal  bool // the operator is !=, a negated =
	column   string
	behind   string // the operator and the value as they were typed
	operator string // "" for text alone, which is the value
	value    string
	quoted   bool // the value is
	open     bool // a quote is not closed
	nearly   bool // the value may be spelled a little wrong
	or       bool // it is no term, and stands between two alternatives
}

// String returns the item as it is typed, with its quote closed.
func (i queryItem) String() string {
	text := i.typed
	if i.negated {
		text = "!" + text
	}
	if i.open {
		text += `"`
	}
	return text
}

// items yields the terms of a query in their order.
func items(text string) iter.Seq[queryItem] {
	return func(yield func(queryItem) bool) {
		r := queryReader{rest: text}
		for r.skipBlanks(); r.rest != ""; r.skipBlanks() {
			if !yield(r.item()) {
				return
			}
		}
	}
}

type queryReader struct{ rest string }

func (r *queryReader) skipBlanks() { r.rest = strings.TrimLeftFunc(r.rest, unicode.IsSpace) }

func (r *queryReader) item() (item queryItem) {
	if rest, ok := strings.CutPrefix(r.rest, "|"); ok && (rest == "" || startsBlank(rest)) {
		r.rest = rest
		return queryItem{typed: "|", or: true}
	}
	for len(r.rest) > 1 && r.rest[0] == '!' && !startsBlank(r.rest[1:]) {
		item.negated, r.rest = !item.negated, r.rest[1:]
	}
	start := r.rest
	if item.nearly = r.tilde(); item.nearly {
		item.value, item.quoted, item.open = r.value()
	} else if start[0] == '"' {
		item.value, item.open = r.quoted()
		item.column, item.behind = item.value, r.rest
		item.operator = r.operator()
	} else if end := strings.IndexFunc(start, endsColumn); end > 0 && !startsBlank(start[end:]) {
		item.column, r.rest = start[:end], start[end:]
		item.operator = r.operator()
		// The first part of != was read with the column.
		if column, ok := strings.CutSuffix(item.column, "!"); ok && strings.HasPrefix(item.operator, "=") && column != "" {
			item.column, item.unequal = column, true
		}
		item.behind = start[len(item.column):]
	} else {
		item.value = r.word()
	}
	if item.operator != "" {
		item.nearly = item.operator == ":" && r.tilde()
		item.value, item.quoted, item.open = r.value()
	}
	item.typed = start[:len(start)-len(r.rest)]
	item.behind = strings.TrimSuffix(item.behind, r.rest)
	return item
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

// value moves past a text in quotes or a word.
func (r *queryReader) value() (text string, quoted, open bool) {
	if strings.HasPrefix(r.rest, `"`) {
		text, open = r.quoted()
		return text, true, open
	}
	return r.word(), false, false
}

func endsColumn(r rune) bool { return isOperator(r) || unicode.IsSpace(r) }

func isOperator(r rune) bool { return r == ':' || r == '=' || r == '<' || r == '>' }

func startsBlank(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(r)
}

// operator moves past an operator if one comes next.
func (r *queryReader) operator() string {
	for _, operator := range []string{"==", ">=", "<=", ">", "<", "=", ":"} {
		if rest, ok := strings.CutPrefix(r.rest, operator); ok {
			r.rest = rest
			return operator
		}
	}
	return ""
}

// word moves to the next blank.
func (r *queryReader) word() string {
	end := strings.IndexFunc(r.rest, unicode.IsSpace)
	if end < 0 {
		end = len(r.rest)
	}
	word := r.rest[:end]
	r.rest = r.rest[end:]
	return word
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
