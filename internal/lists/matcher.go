package lists

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/text/jsonscan"
)

// matcher looks for a word in the raw text of records. One of its characters,
// the one whose spellings are the rarest in the body, is its anchor: where a
// spelling of that ends in the text, the word may stand around it. What is
// escaped is decoded before it is compared.
type matcher struct {
	word     []byte // folded
	head     []byte // the word up to and with its anchor
	tail     []byte // the word after it
	inScalar bool   // a number or boolean may have the word in it
	anchors  []byte // a match has one of these bytes in it, and is looked at where they are
	cost     int    // how common those are
}

// newMatcher finds the anchor of a folded word, by how often each byte is in the body.
func newMatcher(word []byte, common [256]int) *matcher {
	m := &matcher{word: word, cost: -1}
	m.inScalar = !slices.ContainsFunc(word, jsonscan.EndsScalar)
	isEscaped := func(r rune) bool { return r == '"' || r == '\\' || r < ' ' } // in a JSON string, always
	if bytes.ContainsFunc(word, isEscaped) {
		m.anchors = []byte{'\\'}
		return m
	}
	for at, r := range string(word) {
		if r == utf8.RuneError {
			continue // stands for invalid bytes too, which are too many to look for
		}
		ends, cost := lastBytes(r), 0
		for _, c := range ends {
			cost += common[c]
		}
		if m.cost < 0 || cost < m.cost {
			end := at + utf8.RuneLen(r)
			m.head, m.tail, m.cost = word[:end], word[end:], cost
			m.anchors = append(ends, '\\')
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

// spellings returns all runes that FoldRune makes the given one of.
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

// countBytes counts the bytes in samples from all over the body.
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

// matches reports whether the word is in the text that the anchor byte at that offset of
// the record is in. If it is not, the search goes on at next.
func (m *matcher) matches(c *stringCursor, at int) (matched bool, next int) {
	if c.record[at] == '\\' || c.record[at] == '"' {
		text, _ := c.stringAt(at)
		return !isKey(c.record, text.End) && isIn(text.Of(c.record), m.word), text.End
	}
	if !endsWith(c.record[:at+1], m.head) || !beginsWith(c.record[at+1:], m.tail) {
		return false, at + 1
	}
	if text, ok := c.stringAt(at); ok { // which has no escapes up to here: those are anchors
		return !isKey(c.record, text.End), text.End
	}
	if jsonscan.EndsScalar(c.record[at]) {
		return false, at + 1
	}
	start := at
	for start > 0 && !jsonscan.EndsScalar(c.record[start-1]) {
		start--
	}
	return m.inScalar && c.record[start] != 'n', jsonscan.SkipScalar(c.record, at)
}

// shortText is how long most texts are at most; such need no memory of the heap.
const shortText = 512

// isIn reports whether a folded word is in a string, number or boolean.
func isIn(scalar, word []byte) bool {
	var folded [shortText]byte
	return scalar[0] != 'n' && bytes.Contains(Cell{scalar}.appendFolded(folded[:0]), word)
}

// beginsWith reports whether text, folded, begins with want.
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

// endsWith reports whether text, folded, ends with want.
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

// byteFinder finds where any of some bytes stand in a text, in order.
type byteFinder struct {
	text  []byte
	bytes []byte
	next  [8]int // where each byte stands next, as far as that was not passed yet
}

func newByteFinder(text, bytes []byte) byteFinder {
	f := byteFinder{text: text, bytes: bytes[:min(len(bytes), len(byteFinder{}.next))]}
	for i := range f.next {
		f.next[i] = -1
	}
	return f
}

// from returns where one stands at or after an offset, or the length of the text.
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

// stringCursor finds the strings of one record, from its start to its end. It remembers
// how far it has come, so that a record of any length is gone through once.
type stringCursor struct {
	record  []byte
	outside int // an offset that is in no string
}

// stringAt returns the string, which may be a key, in which a byte stands, and reports false if
// it stands in none. A quote stands in the string that it begins.
func (c *stringCursor) stringAt(at int) (text jsonscan.Span, ok bool) {
	passed := c.record[c.outside:at]
	switch {
	case bytes.IndexByte(passed, '\\') >= 0: // quotes that are escaped do not count
	case bytes.Count(passed, []byte{'"'})%2 != 0:
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

// anyText reports whether one of the strings, numbers and booleans in a cell is one that is looked for.
func (c Cell) anyText(wanted func(raw []byte) bool) bool {
	if kind := c.Kind(); kind < Array {
		return kind > Null && wanted(c.raw)
	}
	for at := 0; at < len(c.raw); {
		if jsonscan.EndsScalar(c.raw[at]) && c.raw[at] != '"' {
			at++
			continue
		}
		text := jsonscan.ValueAt(c.raw, at)
		if at = text.End; !isKey(c.raw, at) && wanted(text.Of(c.raw)) {
			return true
		}
	}
	return false
}

// isKey reports whether the string that ends before at is a member name.
func isKey(record []byte, at int) bool {
	at = jsonscan.SkipSpace(record, at)
	return at < len(record) && record[at] == ':'
}

// appendFolded appends text without case: by simple folding (so Σ, σ and ς are one,
// and the Kelvin sign is a k), and beyond it İ is an i, as unicode.ToLower has it.
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

// FoldRune returns the one rune that stands for all that differ from r in case only.
// It is how every filter and every search compares.
func FoldRune(r rune) rune {
	if unicode.SimpleFold(r) == r && r != 'İ' {
		return r
	}
	lower := unicode.ToLower(r)
	least := lower
	for next := unicode.SimpleFold(lower); next != lower; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
