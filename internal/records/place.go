package records

// place is where a record stands in the body, in 8 bytes: its first byte in the
// upper 40 bits and its length in the lower 24. A length that does not fit is
// measured again when it is asked for; few records of that size fit in a body.
type place uint64

const (
	lengthBits = 24
	longRecord = 1<<lengthBits - 1
)

func newPlace(start, end int) place {
	return place(start)<<lengthBits | place(min(end-start, longRecord))
}

func (p place) start() int { return int(p >> lengthBits) }

func (p place) span(body []byte) span {
	start, length := p.start(), int(p&longRecord)
	if length == longRecord {
		return valueAt(body, start)
	}
	return span{start, start + length}
}

func (p place) of(body []byte) []byte { return p.span(body).of(body) }
