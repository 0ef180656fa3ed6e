package records

import (
	"bytes"

	"gatehouse/internal/jsonscan"
)

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
