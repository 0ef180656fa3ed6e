package lists

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/jsonscan"
)

// matcher looks for a word in the raw text of records, without case. It compares only where a rare
// byte of the word is: the anchor is the character of the word whose spellings are the rarest in
// the body, and anchors are the bytes in which these spellings end. Strings with escapes are
// decoded before they are compared.
type matcher struct {
	word     []byte // folded
	head     []byte // the word up to its anchor and with it
	tail     []byte // the word after its anchor
	inScalar bool   // the word may be in a number or boolean
	anchors  []byte // each match has one of these bytes in it
	cost     int    // how often the anchors are in a sample of the body
}

// newMatcher returns a matcher for a folded word. counts says how often each byte is in a sample of
// the body.
func newMatcher(word []byte, counts [256]int) *matcher {
	m := &matcher{
		word:     word,
		inScalar: !slices.ContainsFunc(word, jsonscan.EndsScalar),
		cost:     -1,
	}
	isAlwaysEscaped := func(r rune) bool { return r == '"' || r == '\\' || r < ' ' } // in JSON
	if bytes.ContainsFunc(word, isAlwaysEscaped) {
		m.anchors = []byte{'\\'}
		return m
	}
	for at, r := range string(word) {
		if r == utf8.RuneError {
			continue // it may be any invalid byte, and there are too many of those to look for
		}
		ends := lastBytes(r)
		cost := 0
		for _, c := range ends {
			cost += counts[c]
		}
		if m.cost < 0 || cost < m.cost {
			end := at + utf8.RuneLen(r)
			m.head, m.tail = word[:end], word[end:]
			m.anchors = append(ends, '\\')
			m.cost = cost
		}
	}
	if m.anchors == nil {
		m.anchors = []byte{'"'}
	}
	return m
}

// lastBytes returns the bytes in which the spellings of a folded rune end.
func lastBytes(folded rune) []byte {
	var ends []byte
	for _, r := range spellings(folded) {
		encoded := utf8.AppendRune(nil, r)
		if c := encoded[len(encoded)-1]; bytes.IndexByte(ends, c) < 0 {
			ends = append(ends, c)
		}
	}
	return ends
}

// spellings returns all runes of which [FoldRune] makes the given one.
func spellings(folded rune) []rune {
	all := []rune{folded}
	for r := unicode.SimpleFold(folded); r != folded; r = unicode.SimpleFold(r) {
		all = append(all, r)
	}
	if folded == 'i' {
		all = append(all, 'İ')
	}
	return all
}

// countBytes counts the bytes in samples from all parts of a body.
func countBytes(body []byte) (counts [256]int) {
	const samples, size = 64, 1 << 10
	step := max(size, len(body)/samples)
	for start := 0; start < len(body); start += step {
		for _, c := range body[start:min(start+size, len(body))] {
			counts[c]++
		}
	}
	return counts
}

// matches reports whether the word is in a value of the record that has an anchor at an offset. If
// not, the caller looks for the next anchor from next on.
func (m *matcher) matches(c *stringCursor, at int) (matched bool, next int) {
	record := c.record
	if record[at] == '\\' || record[at] == '"' {
		text, _ := c.stringAt(at)
		return !isKey(record, text.End) && isIn(text.Of(record), m.word), text.End
	}
	if !endsWith(record[:at+1], m.head) || !beginsWith(record[at+1:], m.tail) {
		return false, at + 1
	}
	// The string has no escape before the word: that would be an anchor, and looked at first.
	if text, isString := c.stringAt(at); isString {
		return !isKey(record, text.End), text.End
	}
	if jsonscan.EndsScalar(record[at]) {
		return false, at + 1
	}
	start := at
	for start > 0 && !jsonscan.EndsScalar(record[start-1]) {
		start--
	}
	isNull := record[start] == 'n'
	return m.inScalar && !isNull, jsonscan.SkipScalar(record, at)
}

// shortText is the length of most texts at most, in bytes. Memory for these is on the stack.
const shortText = 512

// isIn reports whether a folded word is in a string, number or boolean.
func isIn(scalar, word []byte) bool {
	var folded [shortText]byte
	return scalar[0] != 'n' && bytes.Contains(Cell{scalar}.appendFolded(folded[:0]), word)
}

// beginsWith reports whether a text begins with a folded one, without case.
func beginsWith(text, want []byte) bool {
	for len(want) > 0 {
		if len(text) == 0 {
			return false
		}
		if c := text[0]; c < utf8.RuneSelf {
			if lower(c) != want[0] {
				return false
			}
			text, want = text[1:], want[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		wanted, wantedSize := utf8.DecodeRune(want)
		if FoldRune(r) != wanted {
			return false
		}
		text, want = text[size:], want[wantedSize:]
	}
	return true
}

// endsWith reports whether a text ends with a folded one, without case.
func endsWith(text, want []byte) bool {
	for len(want) > 0 {
		if len(text) == 0 {
			return false
		}
		if c := text[len(text)-1]; c < utf8.RuneSelf {
			if lower(c) != want[len(want)-1] {
				return false
			}
			text, want = text[:len(text)-1], want[:len(want)-1]
			continue
		}
		r, size := utf8.DecodeLastRune(text)
		wanted, wantedSize := utf8.DecodeLastRune(want)
		if FoldRune(r) != wanted {
			return false
		}
		text, want = text[:len(text)-size], want[:len(want)-wantedSize]
	}
	return true
}

// byteFinder finds the places of some bytes in a text, from its beginning to its end.
type byteFinder struct {
	text  []byte
	bytes []byte // the wanted ones
	next  [8]int // where the next of each wanted byte is, from the last offset on; -1: not known yet
}

// newByteFinder returns a finder for the wanted bytes, of which it takes the first few.
func newByteFinder(text, wanted []byte) byteFinder {
	f := byteFinder{text: text}
	f.bytes = wanted[:min(len(wanted), len(f.next))]
	for i := range f.next {
		f.next[i] = -1
	}
	return f
}

// from returns the place of the next wanted byte at an offset or after it, or the length of the
// text if there is none. Offsets must not become less.
func (f *byteFinder) from(at int) int {
	nearest := len(f.text)
	for i, c := range f.bytes {
		if f.next[i] < at {
			f.next[i] = len(f.text)
			if distance := bytes.IndexByte(f.text[at:], c); distance >= 0 {
				f.next[i] = at + distance
			}
		}
		nearest = min(nearest, f.next[i])
	}
	return nearest
}

// stringCursor finds the strings of one record, from its beginning to its end. It remembers how far
// it has come, so that it goes once through a record of any length.
type stringCursor struct {
	record  []byte
	outside int // an offset that is outside all strings
}

// stringAt returns the string or member name that an offset is in, with its quotes. ok is false if
// it is in none. The quote at the beginning of a string is in the string. Offsets must not become
// less.
func (c *stringCursor) stringAt(at int) (text jsonscan.Span, ok bool) {
	passed := c.record[c.outside:at]
	switch {
	case bytes.IndexByte(passed, '\\') >= 0: // a quote may be escaped, so they cannot be counted
	case bytes.Count(passed, []byte{'"'})%2 != 0: // it is inside a string
		c.outside += bytes.LastIndexByte(passed, '"')
	case c.record[at] != '"':
		c.outside = at
		return text, false
	}
	for c.outside <= at {
		quote := bytes.IndexByte(c.record[c.outside:at+1], '"')
		if quote < 0 {
			return text, false
		}
		text.Start = c.outside + quote
		text.End = jsonscan.SkipString(c.record, text.Start)
		c.outside = text.End
	}
	return text, true
}

// anyText reports whether a string, number or boolean in a cell is wanted. Member names do not
// count.
func (c Cell) anyText(isWanted func(raw []byte) bool) bool {
	if kind := c.Kind(); kind < Array {
		return kind > Null && isWanted(c.raw)
	}
	for at := 0; at < len(c.raw); {
		if jsonscan.EndsScalar(c.raw[at]) && c.raw[at] != '"' {
			at++
			continue
		}
		text := jsonscan.ValueAt(c.raw, at)
		at = text.End
		if !isKey(c.raw, at) && isWanted(text.Of(c.raw)) {
			return true
		}
	}
	return false
}

// isKey reports whether the string that ends at an offset is a member name.
func isKey(record []byte, at int) bool {
	at = jsonscan.SkipSpace(record, at)
	return at < len(record) && record[at] == ':'
}

// appendFolded appends a text without case: each rune becomes [FoldRune] of it.
func appendFolded(dst, text []byte) []byte {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			dst = append(dst, lower(c))
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, FoldRune(r))
		text = text[size:]
	}
	return dst
}

// FoldRune returns the one rune that stands for all runes which differ in case only. These are the
// ones of Unicode's simple folding (Σ, σ and ς are one, and the Kelvin sign is a k), and İ is an i,
// as [unicode.ToLower] has it. All filters and searches compare in this way.
func FoldRune(r rune) rune {
	if unicode.SimpleFold(r) == r && r != 'İ' {
		return r
	}
	lower := unicode.ToLower(r)
	first := lower // in the order of Unicode
	for next := unicode.SimpleFold(lower); next != lower; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return unicode.ToLower(first)
}

// lower returns an ASCII letter in lower case, and any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
