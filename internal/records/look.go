package records

import "bytes"

// look is the search in one record, from its start to its end. It remembers how far it
// knows the strings, so that a record of any length is gone through once.
type look struct {
	record  []byte
	outside int // a place that is in no string
}

// stringBehind returns the first string that ends behind at.
func (l *look) stringBehind(at int) span {
	for {
		quote := bytes.IndexByte(l.record[l.outside:], '"')
		if quote < 0 {
			return span{len(l.record), len(l.record)}
		}
		text := span{start: l.outside + quote}
		text.end = skipString(l.record, text.start)
		if text.start > at {
			return text
		}
		l.outside = text.end
		if text.end > at {
			return text
		}
	}
}

// stringAround returns the string, which may be a key, in which a byte other than a
// quote stands.
func (l *look) stringAround(at int) (text span, ok bool) {
	passed := l.record[l.outside:at]
	if bytes.IndexByte(passed, '\\') >= 0 {
		text = l.stringBehind(at)
		return text, text.start < at
	}
	if bytes.Count(passed, []byte{'"'})%2 == 0 {
		l.outside = at
		return span{}, false
	}
	text.start = l.outside + bytes.LastIndexByte(passed, '"')
	text.end = skipString(l.record, text.start)
	l.outside = text.end
	return text, true
}

// inScalar reports whether a part of the record that is in no string is in one
// number or boolean.
func inScalar(record []byte, part span) bool {
	start := part.start
	for start > 0 && !endsScalar(record[start-1]) {
		start--
	}
	return record[start] != 'n' && skipScalar(record[:part.end], part.start) == part.end
}

// isKey reports whether the string that ends before at is a member name.
func isKey(record []byte, at int) bool {
	at = skipSpace(record, at)
	return at < len(record) && record[at] == ':'
}
