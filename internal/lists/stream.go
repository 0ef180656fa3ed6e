package lists

import (
	"fmt"
	"io"
	"sync/atomic"
)

// Stream reads a body while it arrives. At any time, any number of goroutines may see the records
// that are complete as a [Table].
type Stream struct {
	// Share counts the memory of the body; nil: there is no limit.
	Share *Share
	// HoldOnce, unless it is 0, is how many bytes of memory a body of unknown length takes at once
	// as soon as it is large, so that it need not be copied while it grows. The system provides
	// only the part that is used, but the limit of the Go runtime counts all of it: this is for a
	// program with a single body.
	HoldOnce int64

	expected int64
	table    atomic.Pointer[Table] // the complete records
}

// Progress is how much of a body has been read.
type Progress struct {
	Bytes    int64 // read so far
	Expected int64 // of the whole body, -1 if that is not known
	// Rows is how many records are complete. It may fall: what looked like the records may turn out
	// not to be.
	Rows int
}

// NewStream returns a stream for a body of a given length in bytes, -1 if unknown.
func NewStream(expected int64) *Stream {
	s := &Stream{expected: max(expected, -1)}
	s.table.Store(&Table{columns: new(columns)})
	return s
}

// ReadFrom reads the body to its end. It may be called once, and returns the number of bytes and
//
//   - nil if the body is complete: [Stream.Table] is what [Parse] makes of it;
//   - a [*jsonscan.SyntaxError], the one of Parse, as soon as it is known that the body is not JSON;
//   - a [*CutError] if the body ended too early or could not be read to its end. It wraps a
//     [*FullError] if the budget has no memory for the rest.
//
// After an error the table has all records that were complete before it.
func (s *Stream) ReadFrom(body io.Reader) (int64, error) {
	d := newDocument(bodyReader{
		reader:   body,
		expected: s.expected,
		holdOnce: s.HoldOnce,
		share:    s.Share,
	})
	d.beforeRead = func() error {
		s.table.Store(d.table())
		return nil
	}
	err := d.outcome(d.scan())
	d.in.fit()
	isWhole := d.schema != nil && len(d.schema.names) == len(d.columns.names)
	if isWhole { // the tree has no path of a record that was cut off
		d.columns.once.Do(func() { d.columns.root = d.schema.tree })
	}
	s.table.Store(d.table())
	return d.in.came(), err
}

// Progress returns how much has been read. It never waits.
func (s *Stream) Progress() Progress {
	table := s.Table()
	return Progress{Bytes: int64(len(table.body)), Expected: s.expected, Rows: table.Len()}
}

// Table returns the records that are complete. It shares the memory of the body with the stream and
// with other such tables, and does not change when more records come.
//
// Only the end of the body tells for sure which of its values are the records. Until then they are
// those that Parse would take if nothing else came; in an object with several arrays of which Parse
// would take none, they are the elements of the first one. So a later table may have other records.
func (s *Stream) Table() *Table { return s.table.Load() }

// CutError says that a body ended too early: it was cut off, or its reader failed or was stopped.
// The records before the cut are complete.
type CutError struct {
	Bytes    int64 // read before the cut
	Expected int64 // of the whole body, -1 if that is not known
	// Err is the error of the reader. If it has none, it is [io.ErrUnexpectedEOF], together with
	// the [*jsonscan.SyntaxError] of Parse if the JSON is not complete.
	Err error
}

// Error implements error. It has nothing from the body, except what Err may quote.
func (e *CutError) Error() string {
	of := ""
	if e.Expected >= 0 {
		of = fmt.Sprintf(" of %d", e.Expected)
	}
	return fmt.Sprintf("the body was cut off after %d%s bytes: %v", e.Bytes, of, e.Err)
}

// Unwrap returns why the body ended.
func (e *CutError) Unwrap() error { return e.Err }
