package lists

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/jsonscan"
)

const (
	// MaxRecords is how many records a body may have: what is remembered of each may
	// be larger than the record itself.
	MaxRecords = 8_000_000
	// maxNesting leaves room for the array of WriteJSON below the 10,000 levels at
	// which encoding/json, and many another reader, gives up.
	maxNesting = jsonscan.DefaultMaxDepth - 1
)

// document reads a body, checks that it is one JSON value or several, and finds all that could
// be its records in the same pass. It keeps them, or passes them on as they come and drops
// their text.
type document struct {
	jsonscan.Scanner
	in    bodyReader
	wait  func() error // is called before more of the body is read
	cut   bool         // the body was cut off
	empty bool         // nothing but white space came

	values  list     // the values that the body is
	usual   *list    // of an array with a usual name, or of the body: its records are passed on at once
	further Further  // what the envelopes say of further records
	records *list    // the values that are the records as it looks so far; nil if none are
	schema  *schema  // of the records, perhaps with a part of the one that is being scanned
	columns *columns // of the records that are complete
	message Cell     // the first member Message of the envelope that is text and not empty
	code    string   // the first response code of the envelope, as it was sent
	kept    int      // values in all lists

	take    func(record []byte, at int64) error // is given each record and its place in the body; nil: all are kept
	passing bool                                // records are passed on, and no others can be the records
}

func newDocument(in bodyReader) *document {
	d := &document{in: in, wait: func() error { return nil }, columns: new(columns)}
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
		return &jsonscan.SyntaxError{Reason: "the body is empty"}
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

// firstValue checks the first value, and finds the records in it by the rule of envelope.go.
func (d *document) firstValue() (err error) {
	start, first, found := d.At, d.Peek(), &d.values
	switch first {
	case '[':
		found = new(list)
		d.usual = found
		if err = d.choose(found); err == nil {
			err = d.each(func() error { return d.record(found) })
		}
	case '{':
		o := &object{}
		err = d.each(func() error { return d.member(o) })
		if elements := o.list(); elements != nil {
			found = elements
		}
	default:
		err = d.Value()
	}
	if err != nil {
		return err
	}
	if added, err := d.add(&d.values, start); !added || first == 'n' {
		return err
	}
	return d.choose(found)
}

// choose has the values of a list be the records.
func (d *document) choose(records *list) error {
	if d.records == records {
		return nil
	}
	if d.passing {
		return errLists
	}
	d.records, d.schema = records, &schema{tree: newNode(nil)}
	for row := range records.starts {
		again := document{schema: d.schema, Scanner: jsonscan.Scanner{Text: records.of(d.Text, row), MaxDepth: maxNesting}}
		_ = again.follow(d.schema.tree) // which was checked
	}
	d.columns = d.schema.known()
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

// member checks the value of the member whose name was the last, in an object that may be an envelope.
func (d *document) member(o *object) (err error) {
	d.Space()
	sent, start, first := string(jsonscan.Unquote(d.Name.Of(d.Text))), d.At, d.Peek()
	name := plainName(sent)
	o.members++
	switch {
	case first == '[' && o.mayHold(name, first):
		err = d.elements(o, name)
	case first == '{' && o.mayHold(name, first):
		err = d.object(o, name)
	default:
		if err = d.Value(); err == nil {
			value := d.Text[start:d.At]
			o.note(sent, name, value)
			d.further.note(name, value)
			d.noteCode(name, value)
		}
	}
	if err != nil {
		return err
	}
	if d.message.raw == nil && sent == "Message" && first == '"' && d.At-start > len(`""`) {
		d.message = Cell{bytes.Clone(d.Text[start:d.At])}
	}
	d.drop()
	return nil
}

// noteCode takes note of a member of an envelope, if it is the response code or has it.
func (d *document) noteCode(name string, value []byte) {
	switch {
	case d.code != "":
	case name == "responsecode" && value[0] != '{' && value[0] != '[':
		d.code = Cell{value}.Text()
	case name == "responseinfo" && value[0] == '{' && len(value) < maxPage:
		for item := range jsonscan.Items(value, 0) {
			d.noteCode(plainName(string(jsonscan.Unquote(item.Name.Of(value)))), item.Value.Of(value))
		}
	}
}

// elements checks an array that may be the list of an object. It is taken for that, if it would be without
// what follows: only the end of the object tells.
func (d *document) elements(o *object, name string) error {
	elements := new(list)
	o.addArray(name, elements)
	if listNames[name] {
		d.usual = elements
	}
	if o.outer == nil || d.records == nil {
		_ = d.choose(o.provisional())
	}
	return d.each(func() error { return d.record(elements) })
}

// object checks an object in another one that may hold the list.
func (d *document) object(outer *object, name string) error {
	start, o := d.At, &object{outer: outer}
	if err := d.each(func() error { return d.member(o) }); err != nil {
		return err
	}
	records, isEnvelope := o.list(), true
	if records == nil { // of what was passed on nothing is left to be one
		records, isEnvelope = new(list), false
		if _, err := d.add(records, start); err != nil {
			return err
		}
	}
	outer.addObject(name, records, isEnvelope)
	return nil
}

// record checks the value that begins here and adds it to a list.
func (d *document) record(to *list) error {
	if d.kept >= MaxRecords {
		return d.Fail("more than " + human.Number(MaxRecords) + " records")
	}
	start, err := d.At, error(nil)
	if to == d.records {
		err = d.follow(d.schema.tree)
	} else {
		err = d.Value()
	}
	if err != nil {
		return err
	}
	if added, err := d.add(to, start); !added {
		return err
	}
	if to == d.records {
		if known := d.columns; len(d.schema.names) > len(known.names) || d.schema.truncated != known.truncated || d.schema.disordered != known.disordered {
			d.columns = d.schema.known()
		}
		isUsual := to == &d.values || to == d.usual
		if d.take != nil && (d.passing || isUsual || d.At > heldBack) {
			err = d.pass()
		}
	}
	d.drop()
	return err
}

// add adds the value that ends here to a list if it is whole, and reports that. To a number at
// the end of a body that was cut off, digits may be missing.
func (d *document) add(to *list, start int) (added bool, err error) {
	whole := d.At < len(d.Text) || !jsonscan.IsDigit(d.Text[d.At-1]) || d.Depth() == 0 && !d.cut
	if !whole {
		return false, nil
	}
	if n := len(to.starts); n == cap(to.starts) {
		const minRoom, startSize = 64, 8
		room := max(minRoom, n/8)
		if err := d.in.share.take(int64(room) * startSize); err != nil {
			return false, err
		}
		to.starts = append(make([]int, 0, n+room), to.starts...)
	}
	to.starts, to.end = append(to.starts, start), d.At
	d.kept++
	return true, nil
}

// follow checks the value of a node of the columns, and adds the columns that it has.
func (d *document) follow(n *node) error {
	d.Space()
	if d.Peek() != '{' || len(n.path) >= maxPath {
		d.schema.add(n)
		return d.Value()
	}
	if err := d.Open(); err != nil {
		return err
	}
	for due, first := 0, true; ; first = false {
		child, more, err := d.child(n, due, first)
		switch {
		case err == nil && !more:
			if first && len(n.path) > 0 { // an empty object is a value, see nests
				d.schema.add(n)
			}
			return nil
		case err == nil && child == nil:
			err = d.Value()
		case err == nil:
			d.schema.disordered = d.schema.disordered || child.position < due
			due = child.position + 1
			err = d.follow(child)
		}
		if err != nil {
			return err
		}
	}
}

// child moves to the value of the next member of a node, and returns the node of that,
// nil if there is no room for it. The members of most records come in the same order and
// spelling, so that the next one need only be compared with what is due.
func (d *document) child(n *node, due int, first bool) (child *node, more bool, err error) {
	if due < len(n.inOrder) {
		sent := n.inOrder[due].sent
		if first {
			sent = sent[len(","):]
		}
		if d.SkipItem(sent) {
			return n.inOrder[due], true, nil
		}
	}
	if more, err = d.Item(); err != nil || !more {
		return nil, false, err
	}
	return d.schema.member(n, jsonscan.Unquote(d.Name.Of(d.Text))), true, nil
}

// pass passes on the records that are there, after which no others can be the records.
func (d *document) pass() error {
	d.passing = true
	for row, start := range d.records.starts {
		if err := d.take(d.records.of(d.Text, row), d.in.dropped+int64(start)); err != nil {
			return err
		}
	}
	d.kept -= len(d.records.starts)
	d.records.starts = d.records.starts[:0]
	return nil
}

// passAll reads the body to its end and passes on its records.
func (d *document) passAll() error {
	err := d.scan()
	if err == nil && d.records != nil {
		err = d.pass()
	}
	return d.outcome(err)
}

// drop frees what was passed on and what stands beside it.
func (d *document) drop() {
	if d.passing {
		d.in.drop(d.At)
		d.Text, d.At = d.in.body, 0
	}
}

// table returns the records that are kept, and what stands beside them, as far as the body was
// scanned.
func (d *document) table() *Table {
	t := &Table{body: d.Text, columns: d.columns}
	if d.records != nil {
		t.records = *d.records
	}
	if d.records != &d.values {
		t.message, t.code = d.message, d.code
	}
	t.further = d.ofPages()
	return t
}

// ofPages is what the envelope says of further records, nothing if the body is none.
func (d *document) ofPages() Further {
	if d.records == &d.values {
		return Further{}
	}
	return d.further
}

// outcome turns the error of the scan, and that of the reader, into the one of both. Places are
// those in the whole body.
func (d *document) outcome(err error) error {
	if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok {
		if syntax.Line == 1 {
			syntax.Column += d.in.column
		}
		syntax.Line += d.in.lines
	}
	failure := d.in.failure()
	full, isFull := errors.AsType[*FullError](err)
	switch {
	case isFull:
		failure = full
	case err == nil && failure == nil, err == errLists:
		return err
	case d.At < len(d.Text): // more of the body would not have mended it
		return err
	case failure == nil && d.empty:
		return err
	case failure == nil:
		failure = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	return &CutError{Bytes: d.in.came(), Expected: d.in.expected, Err: failure}
}
