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

// makeRoom makes room for one more place and for those that may stand in the rest
// of the body, which has so many bytes; at most as much again as there is. If the
// rest is not known, it is not positive.
func (b *batch) makeRoom(rest int64) {
	n := len(b.places)
	if n < cap(b.places) {
		return
	}
	const least = 64
	growth := max(n, least)
	if n > least && rest > 0 {
		mean := (b.places[n-1].start() - b.places[0].start()) / (n - 1)
		growth = int(min(int64(growth), rest/int64(mean)+int64(n)/8))
	}
	b.places = append(make([]place, 0, n+growth), b.places...)
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

const (
	// MaxRecords is how many records a body may have: what is remembered of each may
	// be larger than the record itself.
	MaxRecords = 8_000_000
	// maxMembers is the same for the members of what may be an envelope.
	maxMembers = 250_000
)

// document is what stands in a body, as far as it was scanned.
type document struct {
	values  batch
	members []member // of the first value, if that is an object
	lists   lists    // among those
	records *batch   // the values that are the records as it looks so far; nil if there are none
}

type member struct{ key, value span }

// documentScanner checks that a body is one JSON value or several, and finds all
// that could be its records in the same pass.
type documentScanner struct {
	scanner
	document
	ahead    *ahead
	most     int    // records, in all arrays together
	taken    int    // that were found, but for those of the part of an array that is being scanned
	within   *batch // where the value belongs that has begun and is not whole, if it may be a record
	expected int64  // the length of a body that is still to come; -1 if that is not known
	cut      bool   // the body came to an end that is not its own
	empty    bool   // nothing but white space came
}

// scan goes through the body.
func (s *documentScanner) scan() error {
	s.skipMark()
	s.space()
	if s.empty = s.at == len(s.body); s.empty {
		return syntaxError(nil, 0, "the body is empty")
	}
	if err := s.first(); err != nil {
		return err
	}
	s.route = route{}
	for s.space(); s.at < len(s.body); s.space() {
		s.records = &s.values
		if err := s.take(&s.values); err != nil {
			return err
		}
	}
	return nil
}

func (s *documentScanner) skipMark() {
	for len(s.body) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, s.body) && s.more() {
		continue
	}
	switch {
	case bytes.HasPrefix(s.body, byteOrderMark):
		s.at = len(byteOrderMark)
	case s.cut && bytes.HasPrefix(byteOrderMark, s.body):
		s.at = len(s.body) // what begins a mark is nothing wrong yet
	}
}

// first checks the first value. It may be an array of the records, an envelope
// with it, or a record; but a null alone is none.
func (s *documentScanner) first() (err error) {
	start := s.at
	switch s.peek() {
	case '[':
		s.records = new(batch)
		err = s.array(s.records)
	case '{':
		s.records, s.within = &s.values, &s.values
		err = s.object()
	case 'n':
		err = s.value()
	default:
		s.records, s.within = &s.values, &s.values
		err = s.value()
	}
	if err == nil {
		s.finish(&s.values, start, true)
	}
	return err
}

// take checks the record that begins here and adds it to the batch.
func (s *documentScanner) take(to *batch) error {
	if s.taken+len(to.places) >= s.most {
		return s.fail("more than " + grouped(s.most) + " records")
	}
	start := s.at
	if start < len(s.body) {
		s.within = to
	}
	news, err := s.record()
	if err != nil {
		return err
	}
	if s.read != nil {
		to.makeRoom(s.expected - int64(s.at))
	}
	s.finish(to, start, news)
	return nil
}

// finish adds the value that ends here to the batch if it is whole.
func (s *documentScanner) finish(to *batch, start int, news bool) {
	if s.whole() {
		to.add(start, s.at, news)
		s.within = nil
	}
}

// whole reports whether no more of the value that ends here can be missing: to a
// number at the end of a body that was cut off, digits may be.
func (s *documentScanner) whole() bool {
	if s.at < len(s.body) || !isDigit(s.body[s.at-1]) {
		return true
	}
	return len(s.open) == 0 && !s.cut
}

// object checks an object that may be an envelope.
func (s *documentScanner) object() error {
	more, err := s.enter()
	for more && err == nil {
		if err := s.member(); err != nil {
			return err
		}
		more, err = s.leave(0)
	}
	if err != nil {
		return err
	}
	if s.records = s.lists.chosen(); s.records == nil {
		s.records = &s.values
	}
	return nil
}

// member checks the value of the member whose key was the last.
func (s *documentScanner) member() error {
	s.space()
	m := member{key: s.name, value: span{start: s.at}}
	if s.peek() == '[' {
		elements := new(batch)
		s.lists.add(m.name(s.body), elements)
		s.records = s.lists.likely()
		if err := s.array(elements); err != nil {
			return err
		}
	} else if err := s.value(); err != nil {
		return err
	}
	m.value.end = s.at
	if len(s.members) >= maxMembers {
		return s.fail("an object of more than " + grouped(maxMembers) + " members")
	}
	if s.whole() {
		s.members = append(s.members, m)
	}
	return nil
}

// array checks an array and adds its elements to the batch. What was scanned ahead
// is taken as it is if it begins exactly where an element begins.
func (s *documentScanner) array(found *batch) error {
	var parts []batch
	s.route = route{} // what is known from another array brings columns here
	outside := len(s.open)
	more, err := s.enter()
	for more && err == nil {
		s.space()
		if ahead := s.ahead.from(s.at); ahead != nil {
			parts = append(parts, *found, ahead.batch)
			s.taken += len(found.places) + len(ahead.places)
			*found = batch{}
			s.at = ahead.end
			continue
		}
		if err := s.take(found); err != nil {
			return err
		}
		more, err = s.leave(outside)
	}
	s.taken += len(found.places)
	*found = joinBatches(append(parts, *found))
	return err
}
