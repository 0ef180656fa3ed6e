package records

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
)

const (
	// MaxRecords is how many records a body may have: what is remembered of each may
	// be larger than the record itself.
	MaxRecords = 8_000_000
	// maxNesting leaves room for the array of WriteJSON below the 10,000 levels at
	// which encoding/json, and many another reader, gives up.
	maxNesting = jsonscan.DefaultMaxDepth - 1
)

// listNames are the usual names of the list in an envelope, in lower case.
var listNames = [...]string{"data", "items", "value", "results", "records"}

// candidates are values that may be the records, and the columns that they have then.
type candidates struct {
	locations []location
	columns   schema
}

// envelopeLists counts the arrays among the members of an object, any of which may be
// the list of the records.
type envelopeLists struct {
	all, named   int // how many there are, and how many have a usual name
	first, usual *candidates
}

func (l *envelopeLists) add(name string, elements *candidates) {
	if l.all++; l.all == 1 {
		l.first = elements
	}
	if slices.Contains(listNames[:], strings.ToLower(name)) {
		l.named++
		l.usual = elements
	}
}

// chosen returns the list of the records if these are all arrays, nil if there is none.
func (l *envelopeLists) chosen() *candidates {
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
func (l *envelopeLists) likely() *candidates {
	if list := l.chosen(); list != nil {
		return list
	}
	return l.first
}

// documentScanner checks that a body is one JSON value or several, and finds all
// that could be its records in the same pass.
type documentScanner struct {
	jsonscan.Scanner
	values   candidates    // the values that the body is
	lists    envelopeLists // in the first value, if that is an object
	records  *candidates   // those that are the records as it looks so far; nil if there are none
	message  jsonscan.Span // the first member Message of that object that is text and not empty
	taken    int           // records that were found, without those of the array that is being scanned
	within   *candidates   // to which the value belongs that is being scanned, if it may be a record
	expected int64         // the length of a body that is still to come; -1 if that is not known
	share    *Share        // that the memory for the locations is taken of
	cut      bool          // the body was cut off
	empty    bool          // nothing but white space came
	passer   *passer       // which takes the records as they come; nil: they are kept
}

func newDocumentScanner(body []byte, expected int64) *documentScanner {
	return &documentScanner{Scanner: jsonscan.Scanner{Text: body, MaxDepth: maxNesting}, expected: expected}
}

// scan goes through the body.
func (s *documentScanner) scan() error {
	s.skipMark()
	if s.empty = s.AtEnd(); s.empty {
		return jsonscan.NewSyntaxError(nil, 0, "the body is empty")
	}
	err := s.firstValue()
	for err == nil && !s.AtEnd() {
		if err = s.choose(&s.values); err == nil {
			err = s.record(&s.values)
		}
	}
	return err
}

func (s *documentScanner) skipMark() {
	mark := []byte(jsonscan.ByteOrderMark)
	for len(s.Text) < len(mark) && bytes.HasPrefix(mark, s.Text) && s.More() {
		continue
	}
	switch {
	case bytes.HasPrefix(s.Text, mark):
		s.At = len(mark)
	case s.cut && bytes.HasPrefix(mark, s.Text):
		s.At = len(s.Text) // what begins a mark is nothing wrong yet
	}
}

// firstValue checks the first value. It may be an array of the records, an envelope
// with it, or a record; but a null alone is none.
func (s *documentScanner) firstValue() (err error) {
	start, first := s.At, s.Peek()
	switch first {
	case '[':
		s.records = new(candidates)
		err = s.array(s.records)
	case '{':
		s.records, s.within = &s.values, &s.values
		err = s.object()
	case 'n':
		err = s.Value()
	default:
		s.records, s.within = &s.values, &s.values
		err = s.Value()
	}
	if err != nil || !s.finish(&s.values, start) {
		return err
	}
	if first == '{' {
		return s.choose(cmp.Or(s.lists.chosen(), &s.values))
	}
	return s.choose(s.records)
}

// choose has the candidates be the records. Before that, nobody needs the columns of the first
// value, which may be all of the body.
func (s *documentScanner) choose(records *candidates) error {
	if s.passer != nil && s.passer.passing != nil && s.passer.passing != records {
		return errLists
	}
	s.records = records
	if records == &s.values && s.values.columns.root == nil {
		s.values.columns = newSchema()
		for _, record := range s.values.locations {
			s.values.columns.learn(record.of(s.Text))
		}
	}
	return nil
}

// record checks the record that begins here and adds it to the candidates.
func (s *documentScanner) record(to *candidates) error {
	if s.taken+len(to.locations) >= MaxRecords {
		return s.Fail("more than " + human.Number(MaxRecords) + " records")
	}
	start := s.At
	if start < len(s.Text) {
		s.within = to
	}
	if to.columns.root == nil {
		to.columns = newSchema()
	}
	known, err := s.follow(to.columns.root)
	if err != nil {
		return err
	}
	if err := s.makeRoom(to); err != nil {
		return err
	}
	if !s.finish(to, start) {
		return nil
	}
	if !known {
		to.columns.learn(s.Text[start:s.At])
	}
	if s.passer != nil {
		return s.passer.found(to)
	}
	return nil
}

// makeRoom makes room for one more location and for those that may stand in the rest
// of the body, as far as that is known; at most as much again as there is.
func (s *documentScanner) makeRoom(c *candidates) error {
	n := len(c.locations)
	if n < cap(c.locations) {
		return nil
	}
	const least = 64
	growth := max(n, least)
	if rest := s.expected - int64(s.At); n > least && rest > 0 {
		mean := (c.locations[n-1].start() - c.locations[0].start()) / (n - 1)
		growth = int(min(int64(growth), rest/int64(mean)+int64(n)/8))
	}
	const locationSize = 8
	if err := s.share.take(int64(n+growth-cap(c.locations)) * locationSize); err != nil {
		return err
	}
	c.locations = append(make([]location, 0, n+growth), c.locations...)
	return nil
}

// finish adds the value that ends here to the candidates if it is whole, and reports that.
func (s *documentScanner) finish(to *candidates, start int) bool {
	if !s.whole() {
		return false
	}
	to.locations = append(to.locations, newLocation(start, s.At))
	s.within = nil
	return true
}

// follow checks the value of a node of the columns, and reports whether all columns
// that it has are known.
func (s *documentScanner) follow(n *node) (known bool, err error) {
	s.Space()
	if s.Peek() != '{' || len(n.path) >= maxPath {
		return n.column != noColumn, s.Value()
	}
	if err := s.Open(); err != nil {
		return false, err
	}
	known = true
	for due, first := 0, true; ; first = false {
		child, more, err := s.child(n, due, first)
		if err != nil || !more {
			if first && len(n.path) > 0 { // an empty object is a value, see nests
				known = n.column != noColumn
			}
			return known, err
		}
		if child == nil {
			known, err = false, s.Value()
		} else {
			var childKnown bool
			childKnown, err = s.follow(child)
			known, due = known && childKnown, child.position+1
		}
		if err != nil {
			return false, err
		}
	}
}

// child moves to the value of the next member of a node, and returns the node of that,
// nil if there is none. The members of most records come in the same order and spelling,
// so that the next one need only be compared with what is due.
func (s *documentScanner) child(n *node, due int, first bool) (child *node, more bool, err error) {
	if due < len(n.usual) {
		usual := n.usual[due].sent
		if first {
			usual = usual[len(","):]
		}
		if s.SkipItem(usual) {
			return n.usual[due], true, nil
		}
	}
	if more, err = s.Item(); err != nil || !more {
		return nil, false, err
	}
	return n.children[string(jsonscan.Unquote(s.Name.Of(s.Text)))], true, nil
}

// whole reports whether no more of the value that ends here can be missing: to a
// number at the end of a body that was cut off, digits may be.
func (s *documentScanner) whole() bool {
	if s.At < len(s.Text) || !jsonscan.IsDigit(s.Text[s.At-1]) {
		return true
	}
	return s.Depth() == 0 && !s.cut
}

// object checks an object that may be an envelope.
func (s *documentScanner) object() error {
	if err := s.Open(); err != nil {
		return err
	}
	for {
		more, err := s.Item()
		if err != nil || !more {
			return err
		}
		if err := s.member(); err != nil {
			return err
		}
	}
}

// member checks the value of the member whose name was the last.
func (s *documentScanner) member() error {
	s.Space()
	name, start, isText := string(jsonscan.Unquote(s.Name.Of(s.Text))), s.At, s.Peek() == '"'
	var err error
	if s.Peek() == '[' {
		elements := new(candidates)
		s.lists.add(name, elements)
		s.records = s.lists.likely()
		err = s.array(elements)
	} else {
		err = s.Value()
	}
	if err != nil {
		return err
	}
	const emptyText = 2
	if s.message.End == 0 && name == "Message" && isText && s.At-start > emptyText {
		s.message = jsonscan.Span{Start: start, End: s.At}
	}
	if s.passer != nil {
		s.passer.drop()
	}
	return nil
}

// array checks an array and adds its elements to the candidates.
func (s *documentScanner) array(elements *candidates) error {
	if err := s.Open(); err != nil {
		return err
	}
	for {
		more, err := s.Item()
		if err == nil && more {
			err = s.record(elements)
		}
		if err != nil || !more {
			s.taken += len(elements.locations)
			return err
		}
	}
}

// table returns the records, and what stands beside them, as far as the body was scanned.
// Its columns still grow.
func (s *documentScanner) table() *Table {
	t := &Table{body: s.Text}
	if s.records != nil {
		t.records, t.columns = s.records.locations, s.records.columns
	}
	if s.records != &s.values && s.message.End > 0 {
		t.message = Cell{s.message.Of(s.Text)}
	}
	return t
}
