package records

import (
	"fmt"
	"io"
	"strconv"
)

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

// outcome turns the error of the scan, and that of the reader, into the one of both.
func (s *documentScanner) outcome(err, failure error) error {
	switch {
	case err == nil && failure == nil:
		return nil
	case s.At < len(s.Text): // more of the body would not have mended it
		return err
	case failure == nil && s.empty:
		return err
	case failure == nil:
		failure = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	cut := &CutError{Bytes: int64(len(s.Text)), Expected: s.expected, Err: failure}
	if s.records != nil {
		cut.Rows = len(s.records.locations)
	}
	if s.within != nil && s.within == s.records {
		cut.Inside = "inside record " + grouped(cut.Rows+1)
	}
	return cut
}

// grouped writes a number that is not negative with a comma between thousands.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
