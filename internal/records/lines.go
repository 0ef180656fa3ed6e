package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
)

const (
	// heldBack is how much of a body is held until it is sure which values are the
	// records. After that the list that has come so far is taken for them.
	heldBack = 2 << 20
	// longestRecord is how long a record can be, and whatever stands beside the records.
	longestRecord = 4 << 20
	// firstWindow is the memory for the part of the body that is being read.
	firstWindow = 256 << 10
)

// CopyLines reads a body of so many bytes (-1 if that is not known) and writes its
// records as [Table.WriteNDJSON] does, each as soon as it is complete. It holds but a
// part of the body. It returns how many records were written and
//
//   - nil, when they are the records of [Parse];
//   - the errors of [Stream.ReadFrom], of which a [*CutError] wraps a [*LongRecordError] if
//     a record is too long to be held;
//   - a [*ShapeError], if the body turned out to have other records than those that were
//     written;
//   - the first error of w.
func CopyLines(w io.Writer, body io.Reader, expected int64) (rows int, err error) {
	s := &lineScanner{w: w, reader: body, expected: expected, window: make([]byte, firstWindow)}
	s.MaxDepth = maxNesting
	s.Text, s.Read = s.window[:0], s.read
	err = s.outcome(s.scan())
	if failed := s.flush(); failed != nil {
		err = failed
	}
	return s.rows, err
}

// LongRecordError says that a record is too long to be passed on.
type LongRecordError struct{ Limit int } // in bytes

// Error implements error.
func (e *LongRecordError) Error() string {
	return fmt.Sprintf("a record is longer than %d bytes", e.Limit)
}

// ShapeError says that a body had other records than those that it began with.
type ShapeError struct{}

// Error implements error.
func (e *ShapeError) Error() string { return "the answer has more than one list" }

// lineScanner finds the records of a body as documentScanner does. It lets go of them, and
// of what stands before them, as soon as it has written them.
type lineScanner struct {
	jsonscan.Scanner // of what is held of the body
	reader           io.Reader
	expected         int64
	window           []byte // in which the text stands
	err              error  // why no more comes
	came             int64

	gone, goneLines, goneColumns int // of the body: bytes, lines, characters in the last line

	lists   envelopeLists
	passing *candidates // the list whose records are written as they come
	within  bool        // a record
	empty   bool        // nothing but white space came

	w        io.Writer
	line     []byte // what is to be written
	rows     int
	writeErr error
}

// scan goes through the body and writes its records.
func (s *lineScanner) scan() error {
	for len(s.Text) < len(jsonscan.ByteOrderMark) && bytes.HasPrefix([]byte(jsonscan.ByteOrderMark), s.Text) && s.More() {
		continue
	}
	if rest, marked := bytes.CutPrefix(s.Text, []byte(jsonscan.ByteOrderMark)); marked {
		s.Text, s.gone = rest, len(jsonscan.ByteOrderMark)
	}
	if s.empty = s.AtEnd(); s.empty {
		return jsonscan.NewSyntaxError(nil, 0, "the body is empty")
	}
	first := jsonscan.Span{Start: s.At}
	if err := s.firstValue(); err != nil {
		return err
	}
	if first.End = s.At; s.AtEnd() {
		return s.end(first)
	}
	if s.passing != nil {
		return new(ShapeError)
	}
	s.write(first)
	for !s.AtEnd() {
		if err := s.record(nil); err != nil {
			return err
		}
	}
	return nil
}

func (s *lineScanner) firstValue() error {
	switch s.Peek() {
	case '[':
		s.passing = new(candidates)
		return s.array(s.passing)
	case '{':
		return s.object()
	default:
		s.within = true
		return s.Value()
	}
}

// end writes what was held back of a body that is one value.
func (s *lineScanner) end(first jsonscan.Span) error {
	switch list := s.lists.chosen(); {
	case s.passing != nil:
		return nil
	case list != nil:
		s.pass(list)
	case string(first.Of(s.Text)) != "null" && s.isWhole(first.End):
		s.write(first)
	}
	return nil
}

// object checks an object that may be an envelope.
func (s *lineScanner) object() error {
	if err := s.Open(); err != nil {
		return err
	}
	for {
		more, err := s.Item()
		if err != nil {
			return err
		}
		if !more {
			if s.passing != nil && s.lists.chosen() != s.passing {
				return new(ShapeError)
			}
			return nil
		}
		if err := s.member(); err != nil {
			return err
		}
	}
}

// member checks the value of the member whose name was the last.
func (s *lineScanner) member() error {
	name := s.Name
	s.Space()
	if s.Peek() != '[' {
		err := s.Value()
		if err == nil {
			s.dropIfPassing()
		}
		return err
	}
	list := new(candidates)
	s.lists.add(string(jsonscan.Unquote(name.Of(s.Text))), list)
	if s.passing == nil && s.lists.usual == list {
		s.passing = list
	}
	return s.array(list)
}

// array checks an array, whose elements are the records if that is the list of them.
func (s *lineScanner) array(list *candidates) error {
	if err := s.Open(); err != nil {
		return err
	}
	for {
		more, err := s.Item()
		if err == nil && more {
			err = s.record(list)
		}
		if err != nil || !more {
			return err
		}
	}
}

// record checks the record that begins here, of a list or, with nil, of several values.
func (s *lineScanner) record(list *candidates) error {
	start := s.At
	s.within = list == s.passing && start < len(s.Text)
	if err := s.Value(); err != nil {
		return err
	}
	if !s.isWhole(s.At) {
		return nil
	}
	s.within = false
	switch record := (jsonscan.Span{Start: start, End: s.At}); {
	case list == s.passing:
		s.write(record)
	case s.passing == nil:
		list.locations = append(list.locations, newLocation(start, s.At))
		if s.At > heldBack {
			s.passing = list
			s.pass(list)
		}
	}
	s.dropIfPassing()
	return s.writeErr
}

// isWhole is as in documentScanner.
func (s *lineScanner) isWhole(end int) bool {
	return end < len(s.Text) || !jsonscan.IsDigit(s.Text[end-1]) || s.Depth() == 0 && s.failure() == nil
}

// pass writes the records that were held back of a list.
func (s *lineScanner) pass(list *candidates) {
	for _, location := range list.locations {
		s.write(location.span(s.Text))
	}
	list.locations = nil
}

// dropIfPassing lets go of what was passed, unless it is not sure yet that that is not
// needed.
func (s *lineScanner) dropIfPassing() {
	if s.passing == nil && s.rows == 0 {
		return
	}
	gone := s.Text[:s.At]
	s.gone += len(gone)
	if n := bytes.Count(gone, []byte{'\n'}); n > 0 {
		s.goneLines += n
		s.goneColumns = 0
		gone = gone[bytes.LastIndexByte(gone, '\n')+1:]
	}
	s.goneColumns += utf8.RuneCount(gone)
	s.Text, s.At = s.Text[s.At:], 0
}

func (s *lineScanner) write(record jsonscan.Span) {
	s.line = append(appendLine(s.line, record.Of(s.Text)), '\n')
	s.rows++
	if len(s.line) >= writeBuffer {
		_ = s.flush()
	}
}

func (s *lineScanner) flush() error {
	if len(s.line) > 0 && s.writeErr == nil {
		_, s.writeErr = s.w.Write(s.line)
	}
	s.line = s.line[:0]
	return s.writeErr
}

// read makes the text longer, after everything that is complete was written.
func (s *lineScanner) read() bool {
	if s.err != nil {
		return false
	}
	if s.err = s.flush(); s.err != nil {
		return false
	}
	if cap(s.Text)-len(s.Text) < firstWindow/8 && !s.makeRoom() {
		return false
	}
	n := 0
	for empty := 0; n == 0 && s.err == nil; empty++ {
		if empty == maxEmptyReads {
			s.err = io.ErrNoProgress
			break
		}
		n, s.err = s.reader.Read(s.Text[len(s.Text):cap(s.Text)])
	}
	s.Text = s.Text[:len(s.Text)+n]
	s.came += int64(n)
	return n > 0
}

// makeRoom moves the text to the front of the window, or of a larger one.
func (s *lineScanner) makeRoom() bool {
	if len(s.Text) > longestRecord {
		s.err = &LongRecordError{Limit: longestRecord}
		return false
	}
	if len(s.Text) > len(s.window)/2 {
		s.window = make([]byte, 2*len(s.window))
	}
	s.Text = s.window[:copy(s.window, s.Text)]
	return true
}

// failure returns why the body ended where it should not have; nil if it did not.
func (s *lineScanner) failure() error {
	switch {
	case s.err != io.EOF:
		return s.err
	case s.came < s.expected:
		return io.ErrUnexpectedEOF
	default:
		return nil
	}
}

// outcome turns the error of the scan, and that of the reader, into the one of both.
func (s *lineScanner) outcome(err error) error {
	failure := s.failure()
	if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok && !s.empty {
		if syntax.Line == 1 {
			syntax.Column += s.goneColumns
		}
		syntax.Line += s.goneLines
		syntax.Offset += int64(s.gone)
	}
	switch _, isShape := errors.AsType[*ShapeError](err); {
	case err == nil && failure == nil, isShape:
		return err
	case s.At < len(s.Text), failure == nil && s.empty: // see documentScanner.outcome
		return err
	case failure == nil:
		failure = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	cut := &CutError{Rows: s.rows, Bytes: s.came, Expected: s.expected, Err: failure}
	if s.within {
		cut.Inside = "inside record " + grouped(s.rows+1)
	}
	return cut
}
