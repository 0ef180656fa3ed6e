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
	// MaxRecords is how many records a body may have. The place of each takes memory, more than a
	// very short record does.
	MaxRecords = 8_000_000
	// maxNesting leaves room for the array that is written around records, below the 10,000 levels
	// at which encoding/json and many other readers give up.
	maxNesting = jsonscan.DefaultMaxDepth - 1
)

// document reads a body, checks that it is one JSON value or several, and finds in the same pass
// everything that could be its records. It keeps the records, or passes each on as soon as it comes
// and drops its text.
type document struct {
	jsonscan.Scanner
	in         bodyReader
	beforeRead func() error // called before more of the body is read
	cut        bool         // the body was cut off
	empty      bool         // the body is nothing but white space

	values list  // the values that the body consists of
	usual  *list // an array with a usual name, or the body itself, see pass
	kept   int   // how many values are in all lists

	// The records, as far as the body was read.
	records *list    // nil if there are none yet
	schema  *schema  // of the records, perhaps with a part of the one that is being scanned
	columns *columns // of the records that are complete

	// What the envelope says beside the records.
	message Cell    // the first member Message that is text and not empty
	code    string  // the first response code, as it was sent
	further Further // of records that are left out

	// take, unless it is nil, is given each record and its offset in the body. Otherwise all are
	// kept.
	take func(record []byte, at int64) error
	// passing is set once a record was passed on. After that no other values can be the records.
	passing bool
}

// newDocument returns a document of which nothing has been read.
func newDocument(in bodyReader) *document {
	d := &document{in: in, beforeRead: func() error { return nil }, columns: new(columns)}
	d.Scanner = jsonscan.Scanner{Text: in.body, MaxDepth: maxNesting, Read: d.more}
	return d
}

// more reads more of the body, and reports whether more came.
func (d *document) more() bool {
	if d.in.err == nil {
		d.in.err = d.beforeRead()
	}
	more := d.in.read()
	d.Text = d.in.body
	d.cut = d.in.failure() != nil
	return more
}

// scan goes through the whole body.
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

// skipMark skips a byte order mark, or the part of one after which the body was cut off.
func (d *document) skipMark() {
	mark := []byte(jsonscan.ByteOrderMark)
	for len(d.Text) < len(mark) && bytes.HasPrefix(mark, d.Text) && d.More() {
		continue
	}
	isPart := d.cut && bytes.HasPrefix(mark, d.Text)
	if isPart || bytes.HasPrefix(d.Text, mark) {
		d.At = min(len(mark), len(d.Text))
	}
}

// firstValue checks the first value, and finds the records in it by the rule of envelope.go.
func (d *document) firstValue() (err error) {
	start, first := d.At, d.Peek()
	found := &d.values
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
	isNull := first == 'n'
	if added, err := d.add(&d.values, start); !added || isNull {
		return err
	}
	return d.choose(found)
}

// choose makes the values of a list the records, and finds the columns of those that are in it
// already.
func (d *document) choose(records *list) error {
	if d.records == records {
		return nil
	}
	if d.passing {
		return errLists
	}
	d.records = records
	d.schema = &schema{tree: newNode(nil)}
	for row := range records.starts {
		record := jsonscan.Scanner{Text: records.of(d.Text, row), MaxDepth: maxNesting}
		again := document{schema: d.schema, Scanner: record}
		_ = again.follow(d.schema.tree) // it was checked before
	}
	d.columns = d.schema.known()
	return nil
}

// each opens the object or array that begins here, and calls item at each value in it.
func (d *document) each(item func() error) error {
	err := d.Open()
	for more := true; err == nil && more; {
		if more, err = d.Item(); err == nil && more {
			err = item()
		}
	}
	return err
}

// member checks the value of a member whose name was just read, in an object that may be an
// envelope.
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
	isMessage := sent == "Message" && first == '"' && d.At-start > len(`""`)
	if isMessage && d.message.raw == nil {
		d.message = Cell{bytes.Clone(d.Text[start:d.At])}
	}
	d.drop()
	return nil
}

// noteCode keeps the response code if a member of an envelope is that, or has it inside.
func (d *document) noteCode(name string, value []byte) {
	isContainer := value[0] == '{' || value[0] == '['
	switch {
	case d.code != "":
	case name == "responsecode" && !isContainer:
		d.code = Cell{value}.Text()
	case name == "responseinfo" && value[0] == '{' && len(value) < maxPage:
		for item := range jsonscan.Items(value, 0) {
			sent := jsonscan.Unquote(item.Name.Of(value))
			d.noteCode(plainName(string(sent)), item.Value.Of(value))
		}
	}
}

// elements checks an array that may be the list of an object. Only the end of the object tells
// whether it is. Until then it counts as the list if it would be without the members that follow.
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
	if records := o.list(); records != nil {
		outer.addObject(name, records, true)
		return nil
	}
	itself := new(list) // nothing of it was passed on, as it has no list
	if _, err := d.add(itself, start); err != nil {
		return err
	}
	outer.addObject(name, itself, false)
	return nil
}

// record checks the value that begins here and adds it to a list.
func (d *document) record(to *list) error {
	if d.kept >= MaxRecords {
		return d.Fail("more than " + human.Number(MaxRecords) + " records")
	}
	start := d.At
	isRecord := to == d.records
	var err error
	if isRecord {
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
	if isRecord {
		if d.schema.isAhead(d.columns) {
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

// add adds the value that ends here to a list. added is false if the body was cut off in the middle
// of it, as it may have been after a digit of a number.
func (d *document) add(to *list, start int) (added bool, err error) {
	isLast := d.At == len(d.Text)
	isEnd := d.Depth() == 0 && !d.cut
	if isLast && jsonscan.IsDigit(d.Text[d.At-1]) && !isEnd {
		return false, nil
	}
	if len(to.starts) == cap(to.starts) {
		if err := d.makeRoom(to); err != nil {
			return false, err
		}
	}
	to.starts = append(to.starts, start)
	to.end = d.At
	d.kept++
	return true, nil
}

// makeRoom makes room for more values in a list, an eighth of those that it has.
func (d *document) makeRoom(l *list) error {
	const minRoom, startSize = 64, 8
	n := len(l.starts)
	room := max(minRoom, n/8)
	if err := d.in.share.take(int64(room) * startSize); err != nil {
		return err
	}
	l.starts = append(make([]int, 0, n+room), l.starts...)
	return nil
}

// follow checks the value that belongs to a node of the schema, and adds its columns.
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

// child moves to the value of the next member, and returns the node of that; nil if there is no
// room for one. more is false at the end of the object. Most records have their members in the same
// order and spelling, so the next one is first compared with the one that is due.
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

// pass passes on the records that were kept until now. After that no other values can be the
// records, so it waits until it is almost sure: the list is an array with a usual name or the body
// itself, or [heldBack] bytes have come.
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

// passAll reads the body to its end and passes on all its records.
func (d *document) passAll() error {
	err := d.scan()
	if err == nil && d.records != nil {
		err = d.pass()
	}
	return d.outcome(err)
}

// drop frees the text up to here if the records in it were passed on.
func (d *document) drop() {
	if d.passing {
		d.in.drop(d.At)
		d.Text, d.At = d.in.body, 0
	}
}

// isEnvelope reports whether the records are inside the body, as far as it was read, and not the
// body itself.
func (d *document) isEnvelope() bool { return d.records != &d.values }

// table returns the records that were kept, and what the envelope says beside them.
func (d *document) table() *Table {
	t := &Table{body: d.Text, columns: d.columns, further: d.leftOut()}
	if d.records != nil {
		t.records = *d.records
	}
	if d.isEnvelope() {
		t.message, t.code = d.message, d.code
	}
	return t
}

// leftOut returns what the envelope, if there is one, says of records that are left out.
func (d *document) leftOut() Further {
	if !d.isEnvelope() {
		return Further{}
	}
	return d.further
}

// outcome returns the error of the whole reading: that of the scan with its place in the whole
// body, or a [*CutError] if the scan failed because the body came to an end.
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
	case d.At < len(d.Text): // the fault is in what came
		return err
	case failure == nil && d.empty:
		return err
	case failure == nil:
		failure = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	return &CutError{Bytes: d.in.came(), Expected: d.in.expected, Err: failure}
}
