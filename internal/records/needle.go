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
