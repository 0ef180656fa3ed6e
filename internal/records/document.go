package records

import (
	"bytes"
	"slices"
)

// batch is a number of values that may be the records.
type batch struct {
	places []place
	news   []place // those that may bring columns
}

func (b *batch) add(start, end int, news bool) {
	p := newPlace(start, end)
	b.places = append(b.places, p)
	if news {
		b.news = append(b.news, p)
	}
}

// joinBatches copies every place once, where appending would do so again and again.
func joinBatches(parts []batch) batch {
	if len(parts) == 1 {
		return parts[0]
	}
	places, news := make([][]place, len(parts)), make([][]place, len(parts))
	for i, part := range parts {
		places[i], news[i] = part.places, part.news
	}
	return batch{slices.Concat(places...), slices.Concat(news...)}
}

// document is what stands in a body.
type document struct {
	values   batch
	elements batch    // if the first value is an array
	members  []member // if the first value is an object
}

type member struct {
	key, value span
	elements   *batch // if the value is an array
}

// scanDocument checks that the body is one JSON value or several, and finds
// all that could be its records in the same pass.
func scanDocument(body []byte, pieceSize int) (*document, error) {
	s := documentScanner{scanner: scanner{body: body}, ahead: scanAhead(body, pieceSize)}
	defer s.ahead.stop()
	if bytes.HasPrefix(body, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	s.space()
	if s.at == len(body) {
		return nil, syntaxError(nil, 0, "the body is empty")
	}
	start := s.at
	if err := s.first(); err != nil {
		return nil, err
	}
	s.values.add(start, s.at, true)
	s.route = route{}
	for s.space(); s.at < len(body); s.space() {
		start := s.at
		news, err := s.record()
		if err != nil {
			return nil, err
		}
		s.values.add(start, s.at, news)
	}
	return &s.document, nil
}

type documentScanner struct {
	scanner
	document
	ahead *ahead
}

// first checks the first value; it may be an array of the records, or an envelope with it.
func (s *documentScanner) first() (err error) {
	switch s.peek() {
	case '[':
		s.elements, err = s.array()
		return err
	case '{':
		return s.object()
	default:
		return s.value()
	}
}

func (s *documentScanner) object() error {
	key := skipSpace(s.body, s.at+1)
	more, err := s.enter()
	for more && err == nil {
		if key, err = s.member(key); err != nil {
			return err
		}
		more, err = s.leave(0)
	}
	return err
}

// member checks the value of the member with the given key.
// It returns where the key of the next one is, if there is one.
func (s *documentScanner) member(key int) (next int, err error) {
	s.space()
	m := member{key: span{key, skipString(s.body, key)}, value: span{start: s.at}}
	if s.peek() == '[' {
		elements, err := s.array()
		if err != nil {
			return 0, err
		}
		m.elements = &elements
	} else if err := s.value(); err != nil {
		return 0, err
	}
	m.value.end = s.at
	s.members = append(s.members, m)
	comma := skipSpace(s.body, s.at)
	return skipSpace(s.body, min(comma+1, len(s.body))), nil
}

// array checks an array and returns its elements. What was scanned ahead is
// taken as it is if it begins exactly where an element begins.
func (s *documentScanner) array() (batch, error) {
	parts := make([]batch, 1)
	s.route = route{} // what is known from another array brings columns here
	outside := len(s.open)
	more, err := s.enter()
	for more && err == nil {
		s.space()
		if found := s.ahead.from(s.at); found != nil {
			parts = append(parts, found.batch, batch{})
			s.at = found.end
			continue
		}
		start := s.at
		news, err := s.record()
		if err != nil {
			return batch{}, err
		}
		parts[len(parts)-1].add(start, s.at, news)
		if more, err = s.leave(outside); err != nil {
			return batch{}, err
		}
	}
	return joinBatches(parts), err
}
