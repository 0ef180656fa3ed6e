package records

import "gatehouse/internal/jsonscan"

// location is where a record stands in the body, in 8 bytes: its first byte in the
// upper 40 bits and its length in the lower 24. A length that does not fit is
// measured again when it is asked for; few records of that size fit in a body.
type location uint64

const (
	lengthBits = 24
	longRecord = 1<<lengthBits - 1
)

func newLocation(start, end int) location {
	return location(start)<<lengthBits | location(min(end-start, longRecord))
}

func (l location) start() int { return int(l >> lengthBits) }

func (l location) span(body []byte) jsonscan.Span {
	start, length := l.start(), int(l&longRecord)
	if length == longRecord {
		return jsonscan.ValueAt(body, start)
	}
	return jsonscan.Span{Start: start, End: start + length}
}

func (l location) of(body []byte) []byte { return l.span(body).Of(body) }
