package lists

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"gatehouse/internal/text/problem"
)

// heldBack is how much of a body is held until it is sure which values are the
// records. After that the list that has come so far is taken for them.
const heldBack = 2 << 20

// CopyLines reads a body of a given length in bytes (-1 if unknown) and writes its
// records as [Table.WriteNDJSON] does, each as soon as it is complete. It holds but a
// part of the body. It returns how many records were written and
//
//   - nil, when they are the records of [Parse];
//   - the errors of [Stream.ReadFrom], of which a [*CutError] wraps a [*HoldError] if
//     a record is too long to be held;
//   - a [*HoldError], if the body turned out to have other records than those that were
//     written;
//   - the first error of w.
func CopyLines(w io.Writer, body io.Reader, expected int64) (rows int, err error) {
	var lines []byte
	var failed error
	flush := func() error {
		if failed == nil && len(lines) > 0 {
			_, failed = w.Write(lines)
			lines = lines[:0]
		}
		return failed
	}
	d := newDocument(bodyReader{reader: body, expected: expected, passesOn: true})
	d.wait = flush
	d.take = func(record []byte, _ int64) error {
		if failed != nil {
			return failed
		}
		rows++
		if lines = appendLine(lines, record); len(lines) >= writeBuffer {
			return flush()
		}
		return nil
	}
	err = d.passAll()
	return rows, cmp.Or(flush(), err)
}

// HoldError says that a body cannot be passed on as it comes: only a [Stream], which holds all of
// it, has its records.
type HoldError struct{ Reason string }

// Why a body has to be held.
var (
	errTooLong = &HoldError{fmt.Sprintf("a record of the list is longer than %d MiB, which is too long for a line", maxRecord>>20)}
	errLists   = &HoldError{"the answer has more than one list, so that it was not sure in time what its records are"}
	errMany    = &HoldError{"the list has more records than can be remembered"}
)

func (e *HoldError) Error() string { return e.Reason }

func (e *HoldError) Explain() problem.Explanation {
	return problem.Explanation{Text: e.Reason, Hint: "Use -o json."}
}

// Outline is what is known of a body that is not held.
type Outline struct {
	// First is a table of the first records, as many as tell the kinds of columns. It has the
	// columns of all.
	First *Table
	all   list // the records
}

// ReadOutline reads a body of a given length in bytes (-1 if unknown) to its end, and holds
// but a part of it. The errors are as with [CopyLines].
func ReadOutline(body io.Reader, expected int64) (*Outline, error) {
	var all list
	first := &Table{}
	d := newDocument(bodyReader{reader: body, expected: expected, passesOn: true})
	d.take = func(record []byte, at int64) error {
		if len(all.starts) == MaxRecords {
			return errMany
		}
		all.starts, all.end = append(all.starts, int(at)), int(at)+len(record)
		if first.Len() < sampleRows && int(at)-all.starts[0] <= sampleBytes {
			first.records.starts = append(first.records.starts, len(first.body))
			first.body = append(first.body, record...)
		}
		return nil
	}
	if err := d.passAll(); err != nil {
		return nil, err
	}
	first.records.end, first.columns = len(first.body), d.columns
	return &Outline{first, all}, nil
}

// WriteJSON writes all records of the body, which is read again, as [Table.WriteJSON] does.
func (o *Outline) WriteJSON(ctx context.Context, w io.Writer, body io.ReaderAt) error {
	return jsonArray.write(ctx, w, o.recordsIn(body), nil)
}

// csvBytes is how much of a body is held while it is made CSV, besides one record.
const csvBytes = 4 << 20

// WriteCSV writes all records of the body, which is read again, as [Table.WriteCSV] does
// with the columns of the view. All processors work on it.
func (o *Outline) WriteCSV(ctx context.Context, w io.Writer, body io.ReaderAt, v View) error {
	csv, held := o.First.asCSV(v), []byte(nil)
	err := flush(ctx, w, []byte(csv.head))
	for from, to := 0, 0; err == nil && from < len(o.all.starts); from = to {
		start := o.all.starts[from]
		to, _ = slices.BinarySearch(o.all.starts, start+csvBytes)
		_, end := o.all.bounds(to - 1)
		held = slices.Grow(held[:0], end-start)[:end-start]
		if n, err := body.ReadAt(held, int64(start)); n < len(held) {
			return err
		}
		err = o.writeRows(ctx, w, csv, from, to, held)
	}
	return err
}

// writeRows writes the records from one row to another, which are held, on all processors.
func (o *Outline) writeRows(ctx context.Context, w io.Writer, f form, from, to int, held []byte) error {
	size, n, start := o.First.rowsAtOnce(), to-from, o.all.starts[from]
	written := make([][]byte, n/size+1) // by chunks
	err := o.First.inChunks(ctx, n, func(first, end int) {
		text, room := make([]byte, 0, len(held)*(end-first)/n), []Cell(nil)
		for row := from + first; row < from+end; row++ {
			at, next := o.all.bounds(row)
			text = f.row(text, trimmed(held[at-start:next-start]), &room)
		}
		written[first/size] = text
	})
	for _, text := range written {
		if err == nil {
			err = flush(ctx, w, text)
		}
	}
	return err
}

// recordsIn yields all records in their order. Each is valid until the next.
func (o *Outline) recordsIn(body io.ReaderAt) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in, at := bufio.NewReaderSize(io.NewSectionReader(body, 0, math.MaxInt64), maxRead), 0
		var record []byte
		for row := range o.all.starts {
			from, to := o.all.bounds(row)
			record = slices.Grow(record[:0], to-from)[:to-from]
			_, err := in.Discard(from - at)
			if err == nil {
				_, err = io.ReadFull(in, record)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if at = to; !yield(trimmed(record), nil) {
				return
			}
		}
	}
}
