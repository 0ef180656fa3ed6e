package records

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
)

// Stream reads a body while it arrives. What came can be seen at any time, by any
// number of goroutines, as a [Table] of the records that are complete.
type Stream struct {
	expected int64
	table    atomic.Pointer[Table] // of what came
	list     *candidates           // from which the table is
	share    *Share
	most     int64 // bytes of the room for a body of unknown length, 0 for what it needs
}

// Progress is how far the reading of a body is.
type Progress struct {
	Bytes    int64 // that came
	Expected int64 // in all, -1 if that is not known
	// Rows is how many records are complete. It becomes less where what seemed to be
	// the records turns out not to be.
	Rows int
}

// NewStream returns a stream for a body of a given length in bytes, -1 if unknown.
func NewStream(expected int64) *Stream {
	s := &Stream{expected: max(expected, -1)}
	s.table.Store(new(Table))
	return s
}

// Within takes the memory for the body of a share. It is called before [Stream.ReadFrom].
func (s *Stream) Within(share *Share) { s.share = share }

// HoldOnce has a body of unknown length take room for a number of bytes as soon as it is
// large, so that it is not copied while it grows. Systems give out what of the room is
// used, but it counts in full for the limit of the Go runtime: this is for a program with
// one body. It is called before [Stream.ReadFrom].
func (s *Stream) HoldOnce(most int64) { s.most = most }

// ReadFrom reads the body to its end, and may be called once. It returns the number
// of bytes and
//
//   - nil at its end, when [Stream.Table] is what [Parse] makes of it;
//   - a [*jsonscan.SyntaxError] if it is not JSON, as soon as that is known. It is the one of Parse;
//   - a [*CutError] if it ended too early, or could not be read to its end. It wraps a
//     [*FullError] if the budget has no memory for the rest.
//
// After an error the table has all records that were complete before it.
func (s *Stream) ReadFrom(body io.Reader) (int64, error) {
	d := newDocument(bodyReader{reader: body, expected: s.expected, most: s.most, share: s.share})
	d.wait = func() error {
		s.publish(d)
		return nil
	}
	err := d.outcome(d.scan())
	s.publish(d)
	s.list = nil
	return d.in.came(), err
}

// publish lets others see what came. They get a copy of the columns, for those still grow.
func (s *Stream) publish(d *document) {
	latest, before := d.table(), s.table.Load()
	if s.list == d.records && before.columns.sameColumns(latest.columns) {
		latest.columns = before.columns
	} else {
		latest.columns = latest.columns.clone()
	}
	s.list = d.records
	s.table.Store(latest)
}

// Progress returns how far the reading is. It does not wait for anything.
func (s *Stream) Progress() Progress {
	table := s.Table()
	return Progress{Bytes: int64(len(table.body)), Expected: s.expected, Rows: table.Len()}
}

// Table returns the records that are complete. It shares the memory of the body with
// the stream and with other such tables, and does not change when more records come.
//
// Which values are the records is sure at the end of the body only. Until then, those
// that Parse would take if nothing else came are shown; of an object with several
// arrays among which Parse would take none, the elements of the first. So rows may be
// replaced by others where the body turns out to be of another shape.
func (s *Stream) Table() *Table { return s.table.Load() }

// CutError says that a body ended too early: it was cut off, or its reader failed
// or was stopped. The records before the cut are complete.
type CutError struct {
	Rows     int    // that are complete
	Bytes    int64  // that came
	Expected int64  // in all, -1 if that is not known
	Inside   string // "inside record 1,234" (from 1) if the cut goes through a record, or ""
	// Err is the error of the reader; [io.ErrUnexpectedEOF] if it has none, wrapped
	// together with the [*jsonscan.SyntaxError] of Parse if the JSON has no end.
	Err error
}

// Error implements error, without anything from the body but what Err may quote of it.
func (e *CutError) Error() string {
	text := "the body was cut off after " + strconv.FormatInt(e.Bytes, 10)
	if e.Expected >= 0 {
		text += " of " + strconv.FormatInt(e.Expected, 10)
	}
	text += " bytes"
	if e.Inside != "" {
		text += ", " + e.Inside
	}
	return fmt.Sprintf("%s: %v", text, e.Err)
}

// Unwrap returns why the body was cut off.
func (e *CutError) Unwrap() error { return e.Err }

// outcome turns the error of the scan, and that of the reader, into the one of both. Places are
// those in the whole body.
func (d *document) outcome(err error) error {
	if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok {
		if syntax.Line == 1 {
			syntax.Column += d.goneColumns
		}
		syntax.Line += d.goneLines
		syntax.Offset += d.in.dropped
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
	cut := &CutError{Bytes: d.in.came(), Expected: d.in.expected, Err: failure}
	records := d.records
	if d.take != nil {
		records = d.passing
	}
	if records != nil {
		cut.Rows = d.passed + len(records.locations)
	}
	if d.within != nil && (d.within == records || records == nil && d.within == &d.values) {
		cut.Inside = "inside record " + human.Number(cut.Rows+1)
	}
	return cut
}
