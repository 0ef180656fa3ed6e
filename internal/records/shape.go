package records

import (
	"slices"
	"strings"
)

// listNames are the usual names of the list in an envelope, in lower case.
var listNames = [...]string{"data", "items", "value", "results", "records"}

// lists counts the arrays among the members of an object, any of which may be the
// list of the records.
type lists struct {
	all, named   int // how many there are, and how many have a usual name
	first, usual *batch
}

func (l *lists) add(name string, elements *batch) {
	if l.all++; l.all == 1 {
		l.first = elements
	}
	if slices.Contains(listNames[:], strings.ToLower(name)) {
		l.named++
		l.usual = elements
	}
}

// chosen returns the list of the records if these are all arrays, nil if there is none.
func (l *lists) chosen() *batch {
	switch {
	case l.all == 1:
		return l.first
	case l.named == 1:
		return l.usual
	default:
		return nil
	}
}

// likely returns the list to show before it is known which arrays are still to come.
func (l *lists) likely() *batch {
	if list := l.chosen(); list != nil {
		return list
	}
	return l.first
}

// finding is the records of a body, and what stands beside them, as far as it was scanned.
type finding struct {
	body    []byte
	list    *batch   // which of the values are the records; nil if there are none
	batch            // what there is of those
	members []member // of the envelope
}

func (s *documentScanner) finding() finding {
	f := finding{body: s.body, list: s.records}
	if f.list != nil {
		f.batch = *f.list
	}
	if f.list != &s.values {
		f.members = s.members
	}
	return f
}

func (f *finding) table(columns schema) *Table {
	return &Table{body: f.body, records: f.places, columns: columns, message: f.message()}
}

// message returns the first member Message beside the records that is text and not
// empty; a missing cell if there is none.
func (f *finding) message() Cell {
	for i := range f.members {
		m := &f.members[i]
		value := Cell{m.value.of(f.body)}
		if value.Kind() == String && string(value.raw) != `""` && m.name(f.body) == "Message" {
			return value
		}
	}
	return Cell{}
}

func (m *member) name(body []byte) string { return string(unquote(m.key.of(body))) }
