package records

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

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
var listNames = []string{"data", "items", "value", "results", "records"}

// candidates are values that may be the records, and the columns that they have then.
type candidates struct {
	locations []location
	columns   schema
}

// envelopeLists are the arrays among the members of an object.
type envelopeLists struct {
	all, named   int // how many there are, and how many have a usual name
	first, usual *candidates
}

func (l *envelopeLists) add(name string, elements *candidates) {
	if l.all++; l.all == 1 {
		l.first = elements
	}
	if slices.Contains(listNames, strings.ToLower(name)) {
		l.named++
		l.usual = elements
	}
}

// list returns the list of the records; if none of the arrays is, what else to take.
func (l *envelopeLists) list(otherwise *candidates) *candidates {
	switch {
	case l.all == 1:
		return l.first
	case l.named == 1:
		return l.usual
	default:
		return otherwise
	}
}

// document reads a body, checks that it is one JSON value or several, and finds all that could
// be its records in the same pass. It keeps them, or passes them on as they come and lets go of
// their text.
type document struct {
	jsonscan.Scanner
	in    bodyReader
	wait  func() error // is called before more of the body is read
	cut   bool         // the body was cut off
	empty bool         // nothing but white space came

	values  candidates    // the values that the body is
	lists   envelopeLists // in the first value, if that is an object
	records *candidates   // those that are the records as it looks so far; nil if there are none
	message jsonscan.Span // the first member Message of that object that is text and not empty
	taken   int           // records that were found, without those of the array that is being scanned
	within  *candidates   // to which the value belongs that is being scanned, if it may be a record

	take                   func(record []byte, at int64) error // is given each record and its place in the body; nil: all are kept
	passing                *candidates                         // the list whose records are passed on as they come
	passed                 int                                 // records
	goneLines, goneColumns int                                 // of what was dropped: lines, and characters in the last line
}

func newDocument(in bodyReader) *document {
	d := &document{in: in, wait: func() error { return nil }}
	d.Scanner = jsonscan.Scanner{Text: in.body, MaxDepth: maxNesting, Read: d.more}
	return d
}

// more reads more of the body.
func (d *document) more() bool {
	if d.in.err == nil {
		d.in.err = d.wait()
	}
	more := d.in.read()
	d.Text, d.cut = d.in.body, d.in.failure() != nil
	return more
}

// scan goes through the body.
func (d *document) scan() error {
	d.skipMark()
	if d.empty = d.AtEnd(); d.empty {
		return jsonscan.NewSyntaxError(nil, 0, "the body is empty")
	}
	err := d.firstValue()
	for err == nil && !d.AtEnd() {
		if err = d.choose(&d.values); err == nil {
			err = d.record(&d.values)
		}
	}
	return err
}

func (d *document) skipMark() {
	mark := []byte(jsonscan.ByteOrderMark)
	for len(d.Text) < len(mark) && bytes.HasPrefix(mark, d.Text) && d.More() {
		continue
	}
	begins := d.cut && bytes.HasPrefix(mark, d.Text) // nothing is wrong with that yet
	if begins || bytes.HasPrefix(d.Text, mark) {
		d.At = min(len(mark), len(d.Text))
	}
}

// firstValue checks the first value. It may be an array of the records, an envelope
// with it, or a record; but a null alone is none.
func (d *document) firstValue() (err error) {
	start, first := d.At, d.Peek()
	if first != '[' && first != 'n' {
		d.records, d.within = &d.values, &d.values
	}
	switch first {
	case '[':
		d.records = new(candidates)
		err = d.array(d.records)
	case '{':
		err = d.each(d.member)
	default:
		err = d.Value()
	}
	if err != nil || !d.finish(&d.values, start) {
		return err
	}
	if first == '{' {
		return d.choose(d.lists.list(&d.values))
	}
	return d.choose(d.records)
}

// choose has the candidates be the records. Before that, nobody needs the columns of the first
// value, which may be all of the body.
func (d *document) choose(records *candidates) error {
	if d.passing != nil && d.passing != records {
		return errLists
	}
	d.records = records
	if records == &d.values && d.values.columns.root == nil {
		d.values.columns = newSchema()
		for _, record := range d.values.locations {
			d.values.columns.learn(record.of(d.Text))
		}
	}
	return nil
}

// each opens the container that begins here and calls item at each value in it.
func (d *document) each(item func() error) error {
	err := d.Open()
	for more := true; err == nil && more; {
		if more, err = d.Item(); err == nil && more {
			err = item()
		}
	}
	return err
}

// array checks an array and adds its elements to the candidates.
func (d *document) array(elements *candidates) error {
	err := d.each(func() error { return d.record(elements) })
	d.taken += len(elements.locations)
	return err
}

// member checks the value of the member whose name was the last, in an object that may be an envelope.
func (d *document) member() (err error) {
	d.Space()
	name, start, first := string(jsonscan.Unquote(d.Name.Of(d.Text))), d.At, d.Peek()
	if first == '[' {
		elements := new(candidates)
		d.lists.add(name, elements)
		d.records = d.lists.list(d.lists.first) // which to show before it is known what arrays are still to come
		err = d.array(elements)
	} else {
		err = d.Value()
	}
	if err != nil {
		return err
	}
	if d.message.End == 0 && name == "Message" && first == '"' && d.At-start > len(`""`) {
		d.message = jsonscan.Span{Start: start, End: d.At}
	}
	d.drop()
	return nil
}

// record checks the record that begins here and adds it to the candidates.
func (d *document) record(to *candidates) error {
	if d.taken+len(to.locations) >= MaxRecords {
		return d.Fail("more than " + human.Number(MaxRecords) + " records")
	}
	start := d.At
	if start < len(d.Text) {
		d.within = to
	}
	if to.columns.root == nil {
		to.columns = newSchema()
	}
	known, err := d.follow(to.columns.root)
	if err == nil {
		err = d.makeRoom(to)
	}
	if err != nil || !d.finish(to, start) {
		return err
	}
	if !known {
		to.columns.learn(d.Text[start:d.At])
	}
	if d.take == nil {
		return nil
	}
	isUsual := to == &d.values || to == d.lists.usual || d.lists.all == 0
	if to == d.passing || d.passing == nil && (isUsual || d.At > heldBack) {
		err = d.pass(to)
	}
	d.drop()
	return err
}

// makeRoom makes room for one more location and for those that may stand in the rest
// of the body, as far as that is known; at most as much again as there is.
func (d *document) makeRoom(c *candidates) error {
	n := len(c.locations)
	if n < cap(c.locations) {
		return nil
	}
	const least = 64
	growth := max(n, least)
	if rest := d.in.expected - int64(d.At); n > least && rest > 0 {
		mean := (c.locations[n-1].start() - c.locations[0].start()) / (n - 1)
		growth = int(min(int64(growth), rest/int64(mean)+int64(n)/8))
	}
	const locationSize = 8
	if err := d.in.share.take(int64(n+growth-cap(c.locations)) * locationSize); err != nil {
		return err
	}
	c.locations = append(make([]location, 0, n+growth), c.locations...)
	return nil
}

// finish adds the value that ends here to the candidates if it is whole, and reports that.
// To a number at the end of a body that was cut off, digits may be missing.
func (d *document) finish(to *candidates, start int) bool {
	whole := d.At < len(d.Text) || !jsonscan.IsDigit(d.Text[d.At-1]) || d.Depth() == 0 && !d.cut
	if whole {
		to.locations = append(to.locations, newLocation(start, d.At))
		d.within = nil
	}
	return whole
}

// follow checks the value of a node of the columns, and reports whether all columns
// that it has are known.
func (d *document) follow(n *node) (known bool, err error) {
	d.Space()
	if d.Peek() != '{' || len(n.path) >= maxPath {
		return n.column != noColumn, d.Value()
	}
	if err := d.Open(); err != nil {
		return false, err
	}
	known = true
	for due, first := 0, true; ; first = false {
		child, more, err := d.child(n, due, first)
		if err != nil || !more {
			if first && len(n.path) > 0 { // an empty object is a value, see nests
				known = n.column != noColumn
			}
			return known, err
		}
		if child == nil {
			known, err = false, d.Value()
		} else {
			var childKnown bool
			childKnown, err = d.follow(child)
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
func (d *document) child(n *node, due int, first bool) (child *node, more bool, err error) {
	if due < len(n.usual) {
		usual := n.usual[due].sent
		if first {
			usual = usual[len(","):]
		}
		if d.SkipItem(usual) {
			return n.usual[due], true, nil
		}
	}
	if more, err = d.Item(); err != nil || !more {
		return nil, false, err
	}
	return n.children[string(jsonscan.Unquote(d.Name.Of(d.Text)))], true, nil
}

// pass passes on the records that are there of a list, from which all others are then.
func (d *document) pass(list *candidates) error {
	d.passing = list
	for _, place := range list.locations {
		if err := d.take(place.of(d.Text), d.in.dropped+int64(place.start())); err != nil {
			return err
		}
		d.passed++
	}
	list.locations = list.locations[:0]
	return nil
}

// passAll reads the body to its end and passes on its records.
func (d *document) passAll() error {
	err := d.scan()
	if err == nil && d.records != nil {
		err = d.pass(d.records)
	}
	return d.outcome(err)
}

// drop lets go of what was passed, unless it is not sure yet that it is not needed.
func (d *document) drop() {
	if d.passing == nil {
		return
	}
	gone := d.Text[:d.At]
	d.in.drop(len(gone))
	if n := bytes.Count(gone, []byte{'\n'}); n > 0 {
		d.goneLines += n
		d.goneColumns = 0
		gone = gone[bytes.LastIndexByte(gone, '\n')+1:]
	}
	d.goneColumns += utf8.RuneCount(gone)
	d.Text, d.At = d.in.body, 0
}

// table returns the records that are kept, and what stands beside them, as far as the body was
// scanned. Its columns still grow.
func (d *document) table() *Table {
	t := &Table{body: d.Text}
	if d.records != nil {
		t.records, t.columns = d.records.locations, d.records.columns
	}
	if d.take == nil && d.records != &d.values && d.message.End > 0 {
		t.message = Cell{d.message.Of(d.Text)}
	}
	return t
}
