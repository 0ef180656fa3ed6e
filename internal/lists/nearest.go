package lists

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Offer returns what a person may have meant by a query that found no row, or that should leave some
// out and leaves out none: the query as it is written here (see [Table.Otherwise]), or the nearest one
// that finds something. found is how many rows it found. When the context ends, nothing is offered.
func (t *Table) Offer(ctx context.Context, text string, by Asker, found int) (Notice, bool) {
	query := t.Query(text, by)
	if _, misunderstood := query.Misunderstood(); query.Empty() || misunderstood {
		return Notice{}, false
	}
	switch {
	case found == 0:
		if offer, ok := t.Otherwise(text, by); ok {
			return offer, true
		}
		return t.nearest(ctx, text, by)
	case found == t.Len() && query.leavesOut():
		offer, ok := t.Otherwise(text, by)
		offer.Kind = LeavesNoneOut
		return offer, ok && offer.Fixes != nil
	}
	return Notice{}, false
}

// leavesOut reports that the query is there to leave rows out.
func (q *Query) leavesOut() bool {
	isNegated := func(t term) bool { return t.negated }
	return slices.ContainsFunc(slices.Concat(q.alternatives...), isNegated)
}

// nearest offers the first query that is like a text and finds something. Of a long list the first
// rows tell.
func (t *Table) nearest(ctx context.Context, text string, by Asker) (Notice, bool) {
	const maxRows = 100_000
	rows := t.rowsOr(nil)
	rows = rows[:min(len(rows), maxRows)]
	finds := func(text string) bool {
		query := t.query(text, by)
		if _, misunderstood := query.Misunderstood(); misunderstood || query.Empty() {
			return false
		}
		search := t.Search(query, rows)
		return search.lookAt(ctx, len(rows)) == nil && len(search.found) > 0
	}
	items := slices.Collect(t.items(text))
	isOr := func(item queryItem) bool { return item.or }
	if len(text) > maxHabit || slices.ContainsFunc(items, isOr) {
		return Notice{}, false
	}
	nearby := []string{plainSigns(text), withoutSigns(text, items), joinedValue(text, items)}
	nearby = append(nearby, respelled(text)...)
	nearby = append(nearby, misspelled(text, items, finds), without(text, items, finds))
	for _, near := range nearby {
		if near = strings.Join(strings.Fields(near), " "); near != "" && near != text && finds(near) {
			return Notice{Kind: MayMean, Text: text, Meant: []string{near}, Fixes: []string{near}}, true
		}
	}
	return Notice{}, false
}

// plainSigns writes a text with the signs of this language: narrow ones for wide ones, straight quotes,
// and nothing that cannot be seen.
func plainSigns(text string) string {
	text = norm.NFC.String(width.Narrow.String(text))
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case r == '’' || r == '‘' || r == '´':
			return '\''
		case unicode.Is(unicode.Pd, r):
			return '-'
		}
		return r
	}, text)
}

// withoutSigns leaves out the signs around the texts: brackets, a hash, a quote that is not closed.
func withoutSigns(text string, items []queryItem) string {
	isSign := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '"'
	}
	for _, item := range slices.Backward(items) {
		bare := strings.Trim(strings.TrimFunc(item.value, isSign), `"`)
		isOneText := !item.quoted && item.others == nil
		if !item.isContained() || !isOneText || bare == "" {
			continue
		}
		at := item.end - len(item.value)
		text = text[:at] + bare + text[item.end:]
	}
	return text
}

// letterPairs are letters that a keyboard may not have, and what is typed in their place.
var letterPairs = []*strings.Replacer{
	strings.NewReplacer("ss", "ß", "ae", "ä", "oe", "ö", "ue", "ü"),
	strings.NewReplacer("ae", "æ", "oe", "ø", "aa", "å"),
	strings.NewReplacer("ss", "ß"),
}

// respelled writes a text with the letters of German, Danish and Norwegian that may be meant.
func respelled(text string) (texts []string) {
	for _, spelling := range letterPairs {
		texts = append(texts, spelling.Replace(strings.ToLower(text)))
	}
	return texts
}

// joinedValue writes name=Board minutes with the words behind the value as a part of it; "" if there
// are none.
func joinedValue(text string, items []queryItem) string {
	for at, item := range items {
		isCompared := item.operator == ":" || item.operator == "="
		isOneText := !item.quoted && !item.nearly && item.others == nil
		if !isCompared || !isOneText {
			continue
		}
		isWord := func(i queryItem) bool { return i.operator == "" && !i.negated && !i.quoted }
		end := at + 1
		for end < len(items) && isWord(items[end]) {
			end++
		}
		if end == at+1 {
			continue
		}
		value := strings.TrimSpace(text[item.end-len(item.value) : items[end-1].end])
		return text[:item.end-len(item.value)] + `"` + value + `"` + text[items[end-1].end:]
	}
	return ""
}

// isPlainWord reports whether an item is one word as a person types it, in any column or in a named
// one, and long enough to be found although a letter is wrong.
func (item queryItem) isPlainWord() bool {
	isMarked := item.negated || item.quoted || item.nearly || item.others != nil
	isOneWord := !strings.ContainsFunc(item.value, unicode.IsSpace)
	isLong := utf8.RuneCountInString(item.value) >= minNearly
	return item.isContained() && !isMarked && isOneWord && isLong
}

// isContained reports whether an item finds what contains its value, in any column or in a named one.
func (item queryItem) isContained() bool { return item.operator == "" || item.operator == ":" }

// misspelled writes the texts that nothing has as such that may be misspelled; "" if there are none.
func misspelled(text string, items []queryItem, finds func(string) bool) string {
	made := ""
	for _, item := range slices.Backward(items) {
		if !item.isPlainWord() || finds(text[item.start:item.end]) {
			continue
		}
		at := item.end - len(item.value)
		text = text[:at] + "~" + text[at:]
		made = text
	}
	return made
}

// without leaves out the texts beside conditions that nothing has; "" if there are none.
func without(text string, items []queryItem, finds func(string) bool) string {
	left := slices.DeleteFunc(slices.Clone(items), func(item queryItem) bool {
		return item.operator == "" && !item.quoted && !finds(text[item.start:item.end])
	})
	isCondition := func(item queryItem) bool { return item.operator != "" }
	if len(left) == len(items) || !slices.ContainsFunc(left, isCondition) {
		return ""
	}
	var parts []string
	for _, item := range left {
		parts = append(parts, text[item.start:item.end])
	}
	return strings.Join(parts, " ")
}
