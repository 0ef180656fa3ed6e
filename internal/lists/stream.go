package lists

import (
	"fmt"
	"io"
	"sync/atomic"
)

// Stream reads a body while it arrives. What came can be seen at any time, by any
// number of goroutines, as a [Table] of the records that are complete.
type Stream struct {
	// Share is what the memory for the body is taken of; nil: no limit.
	Share *Share
	// HoldOnce, if it is not 0, has a body of unknown length take room for so many bytes as
	// soon as it is large, so that it is not copied while it grows. Systems give out what of
	// the room is used, but it counts in full for the limit of the Go runtime: this is for a
	// program with one body.
	HoldOnce int64

	expected int64
	table    atomic.Pointer[Table] // of what came
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
	s.table.Store(&Table{columns: new(columns)})
	return s
}

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
	d := newDocument(bodyReader{reader: body, expected: s.expected, holdOnce: s.HoldOnce, share: s.Share})
	d.wait = func() error {
		s.table.Store(d.table())
		return nil
	}
	err := d.outcome(d.scan())
	d.in.fit()
	if d.schema != nil && len(d.schema.names) == len(d.columns.names) { // no record was cut off
		d.columns.once.Do(func() { d.columns.root = d.schema.tree })
	}
	s.table.Store(d.table())
	return d.in.came(), err
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
	Bytes    int64 // that came
	Expected int64 // in all, -1 if that is not known
	// Err is the error of the reader; [io.ErrUnexpectedEOF] if it has none, wrapped
	// together with the [*jsonscan.SyntaxError] of Parse if the JSON has no end.
	Err error
}

// Error implements error, without anything from the body but what Err may quote of it.
func (e *CutError) Error() string {
	of := ""
	if e.Expected >= 0 {
		of = fmt.Sprintf(" of %d", e.Expected)
	}
	return fmt.Sprintf("the body was cut off after %d%s bytes: %v", e.Bytes, of, e.Err)
}

// Unwrap returns why the body was cut off.
func (e *CutError) Unwrap() error { return e.Err }
