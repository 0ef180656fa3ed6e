package records

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

// needle is a word to look for in the raw text of records. One of its characters,
// the one whose spellings are the rarest in the body, is its anchor: where a
// spelling of that ends in the text, the word may stand around it. What is
// escaped is decoded before it is compared.
type needle struct {
	word    []byte // folded
	head    []byte // the word up to and with its anchor
	tail    []byte // the word behind it
	anchors []byte // a match has one of these bytes in it, and they are worth a look
	cost    int    // how common those are
}

// newNeedle finds the anchor of a folded word, by how often each byte is in the body.
func newNeedle(word []byte, common [256]int) *needle {
	n := &needle{word: word, cost: -1}
	if bytes.ContainsFunc(word, isEscapedAlways) {
		n.anchors = []byte{'\\'}
		return n
	}
	for at, r := range string(word) {
		if r == utf8.RuneError {
			continue // stands for invalid bytes too, which are too many to look for
		}
		ends, cost := lastBytes(r), 0
		for _, c := range ends {
			cost += common[c]
		}
		if n.cost < 0 || cost < n.cost {
			end := at + utf8.RuneLen(r)
			n.head, n.tail, n.cost = word[:end], word[end:], cost
			n.anchors = append(ends, '\\')
		}
	}
	if n.anchors == nil {
		n.anchors = []byte{'"'}
	}
	return n
}

// isEscapedAlways reports whether r cannot stand in a JSON string as it is.
func isEscapedAlways(r rune) bool { return r == '"' || r == '\\' || r < ' ' }

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

// matches reports whether the word stands around the anchor byte at that place of
// the record. If it does not, the search goes on at next.
func (n *needle) matches(l *look, at int) (matched bool, next int) {
	switch l.record[at] {
	case '\\', '"':
		text := l.stringBehind(at)
		return n.matchesString(l.record, text), text.End
	}
	head, ok := matchEnd(l.record[:at+1], n.head)
	if !ok {
		return false, at + 1
	}
	tail, ok := matchStart(l.record[at+1:], n.tail)
	if !ok {
		return false, at + 1
	}
	if text, ok := l.stringAround(at); ok {
		return !isKey(l.record, text.End), text.End
	}
	return inScalar(l.record, jsonscan.Span{Start: at + 1 - head, End: at + 1 + tail}), at + 1
}

// isIn reports whether the word stands in a value: a string, number or boolean, or one inside.
func (n *needle) isIn(value []byte) bool {
	if len(value) <= shortText && value[0] == '"' {
		return n.matchesString(value, jsonscan.Span{End: len(value)})
	}
	look := look{record: value}
	hits := newHits(value, n.anchors)
	for at := hits.from(0); at < len(value); at = hits.from(at) {
		matched, next := n.matches(&look, at)
		if matched {
			return true
		}
		at = next
	}
	return false
}

// shortText is how long most texts are at most; such are worked on without a look at the heap.
const shortText = 512

// matchesString reports whether a string of the record is a value with the word in it.
func (n *needle) matchesString(record []byte, text jsonscan.Span) bool {
	if isKey(record, text.End) {
		return false
	}
	var decoded, folded [shortText]byte
	return bytes.Contains(appendFolded(folded[:0], jsonscan.AppendUnquoted(decoded[:0], text.Of(record))), n.word)
}

// matchStart reports whether text, folded, begins with want, and with how many bytes.
func matchStart(text, want []byte) (length int, ok bool) {
	for len(want) > 0 {
		if length == len(text) {
			return 0, false
		}
		if c := text[length]; c < utf8.RuneSelf {
			if lower(c) != want[0] {
				return 0, false
			}
			length, want = length+1, want[1:]
			continue
		}
		r, size := utf8.DecodeRune(text[length:])
		wanted, wantedSize := utf8.DecodeRune(want)
		if FoldRune(r) != wanted {
			return 0, false
		}
		length, want = length+size, want[wantedSize:]
	}
	return length, true
}

// matchEnd reports whether text, folded, ends with want, and with how many bytes.
func matchEnd(text, want []byte) (length int, ok bool) {
	for len(want) > 0 {
		rest := text[:len(text)-length]
		if len(rest) == 0 {
			return 0, false
		}
		if c := rest[len(rest)-1]; c < utf8.RuneSelf {
			if lower(c) != want[len(want)-1] {
				return 0, false
			}
			length, want = length+1, want[:len(want)-1]
			continue
		}
		r, size := utf8.DecodeLastRune(rest)
		wanted, wantedSize := utf8.DecodeLastRune(want)
		if FoldRune(r) != wanted {
			return 0, false
		}
		length, want = length+size, want[:len(want)-wantedSize]
	}
	return length, true
}

// hits finds the places of some bytes in a text, in their order.
type hits struct {
	text  []byte
	bytes []byte
	next  [8]int // the next place of each byte that was not passed yet
}

func newHits(text, bytes []byte) hits {
	h := hits{text: text, bytes: bytes[:min(len(bytes), len(hits{}.next))]}
	for i := range h.next {
		h.next[i] = -1
	}
	return h
}

// from returns the next place at or behind at, or the length of the text.
func (h *hits) from(at int) int {
	nearest := len(h.text)
	for i, c := range h.bytes {
		if h.next[i] < at {
			h.next[i] = len(h.text)
			if distance := bytes.IndexByte(h.text[at:], c); distance >= 0 {
				h.next[i] = at + distance
			}
		}
		nearest = min(nearest, h.next[i])
	}
	return nearest
}

// look is the search in one record, from its start to its end. It remembers how far it
// knows the strings, so that a record of any length is gone through once.
type look struct {
	record  []byte
	outside int // a place that is in no string
}

// stringBehind returns the first string that ends behind at.
func (l *look) stringBehind(at int) jsonscan.Span {
	for {
		quote := bytes.IndexByte(l.record[l.outside:], '"')
		if quote < 0 {
			return jsonscan.Span{Start: len(l.record), End: len(l.record)}
		}
		text := jsonscan.Span{Start: l.outside + quote}
		text.End = jsonscan.SkipString(l.record, text.Start)
		if text.Start > at {
			return text
		}
		l.outside = text.End
		if text.End > at {
			return text
		}
	}
}

// stringAround returns the string, which may be a key, in which a byte other than a
// quote stands.
func (l *look) stringAround(at int) (text jsonscan.Span, ok bool) {
	passed := l.record[l.outside:at]
	if bytes.IndexByte(passed, '\\') >= 0 {
		text = l.stringBehind(at)
		return text, text.Start < at
	}
	if bytes.Count(passed, []byte{'"'})%2 == 0 {
		l.outside = at
		return jsonscan.Span{}, false
	}
	text.Start = l.outside + bytes.LastIndexByte(passed, '"')
	text.End = jsonscan.SkipString(l.record, text.Start)
	l.outside = text.End
	return text, true
}

// inScalar reports whether a part of the record that is in no string is in one
// number or boolean.
func inScalar(record []byte, part jsonscan.Span) bool {
	start := part.Start
	for start > 0 && !jsonscan.EndsScalar(record[start-1]) {
		start--
	}
	return record[start] != 'n' && jsonscan.SkipScalar(record[:part.End], part.Start) == part.End
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
