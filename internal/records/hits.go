package records

import "bytes"

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
