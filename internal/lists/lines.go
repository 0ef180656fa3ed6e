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

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
)

// heldBack is how much of a body is held until it is sure which values are the
// records. After that the list that has come so far is taken for them.
const heldBack = 2 << 20

// CopyRecords reads a body of a given length in bytes (-1 if unknown) and writes its
// records in a format of whole records, each as soon as it is complete. It holds but a
// part of the body. It returns what was written and
//
//   - nil, when they are the records of [Parse];
//   - the errors of [Stream.ReadFrom], of which a [*CutError] wraps a [*HoldError] if
//     a record is too long to be held;
//   - a [*HoldError], if the body turned out to have other records than those that were
//     written;
//   - the first error of w.
func CopyRecords(w io.Writer, body io.Reader, expected int64, as *Output) (copied Copied, err error) {
	writer, failed := as.NewWriter(w, Sheet{})
	if failed != nil {
		return Copied{}, failed
	}
	d := newDocument(bodyReader{reader: body, expected: expected, passesOn: true})
	d.wait = func() error {
		if failed == nil {
			failed = writer.Flush()
		}
		return failed
	}
	d.take = func(record []byte, _ int64) error {
		if failed == nil {
			failed = writer.Write(Row{Record: record})
		}
		return failed
	}
	err = d.passAll()
	if failed == nil {
		failed = writer.Close()
	}
	return Copied{writer.rows, d.ofPages(), d.table().Beside()}, cmp.Or(failed, err)
}

// Copied is what [CopyRecords] has written: how many records, and what the body says of further ones
// and of itself.
type Copied struct {
	Rows int
	Further
	Beside Beside
}

// IsMore reports that the body says that there are more records than were written.
func (c Copied) IsMore() bool { return c.beyond(c.Rows) }

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
	First   *Table
	all     list // the records
	further Further
}

// Further is as [Table.Further].
func (o *Outline) Further() (further Further, more bool) {
	return o.further, o.further.beyond(o.Len())
}

// ReadOutline reads a body of a given length in bytes (-1 if unknown) to its end, and holds
// but a part of it. The errors are as with [CopyRecords].
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
	whole := d.table()
	first.message, first.code = whole.message, whole.code
	return &Outline{first, all, d.ofPages()}, nil
}

// Len is the number of records.
func (o *Outline) Len() int { return len(o.all.starts) }

// Write writes all records of the body, which is read again, as [Table.Write] does with the
// columns and the style of the view.
func (o *Outline) Write(ctx context.Context, w io.Writer, body io.ReaderAt, as *Output, v View) error {
	if err := as.CheckRows(o.Len()); err != nil {
		return err
	}
	if as.independent {
		return o.writeInParallel(ctx, w, body, as, v)
	}
	return o.First.write(ctx, w, as, v, o.recordsIn(body))
}

// TooLong is how many cells of the records are longer than a format has room for, as
// [Table.TooLong] counts them.
func (o *Outline) TooLong(body io.ReaderAt, as *Output, v View) (count int, err error) {
	if as.MaxCharacters == 0 {
		return 0, nil
	}
	s := o.First.sheet(as, v)
	var record []byte
	reader := newRowReader(o.First.columns, nil)
	for row := range o.all.starts {
		from, to := o.all.bounds(row)
		if to-from <= as.MaxCharacters {
			continue
		}
		record = slices.Grow(record[:0], to-from)[:to-from]
		if n, err := body.ReadAt(record, int64(from)); n < len(record) {
			return count, err
		}
		count += s.tooLong(reader.read(trimmed(record)))
	}
	return count, nil
}

// heldBytes is how much of a body is held while rows are made of it, besides one record.
const heldBytes = 4 << 20

// writeInParallel writes in a format whose rows are independent. All processors work on it.
func (o *Outline) writeInParallel(ctx context.Context, w io.Writer, body io.ReaderAt, as *Output, v View) error {
	writer, err := as.NewWriter(files.Interruptible(ctx, w), o.First.sheet(as, v))
	if err != nil {
		return err
	}
	if err := writer.Flush(); err != nil {
		return err
	}
	var held []byte
	for from, to := 0, 0; from < len(o.all.starts); from = to {
		start := o.all.starts[from]
		to, _ = slices.BinarySearch(o.all.starts, start+heldBytes)
		_, end := o.all.bounds(to - 1)
		held = slices.Grow(held[:0], end-start)[:end-start]
		if n, err := body.ReadAt(held, int64(start)); n < len(held) {
			return err
		}
		if err := o.writeRows(ctx, writer, from, to, held); err != nil {
			return err
		}
	}
	return writer.Close()
}

// writeRows writes the records from one row to another, which are held, on all processors.
func (o *Outline) writeRows(ctx context.Context, w *Writer, from, to int, held []byte) error {
	size, n, start := o.First.rowsAtOnce(), to-from, o.all.starts[from]
	written := make([][]byte, n/size+1) // by chunks
	err := o.First.inChunks(ctx, n, func(first, end int) {
		text, reader := make([]byte, 0, len(held)*(end-first)/n), newRowReader(o.First.columns, nil)
		for row := from + first; row < from+end; row++ {
			at, next := o.all.bounds(row)
			record := trimmed(held[at-start : next-start])
			text = w.encoder.row(text, row, reader.read(record))
		}
		written[first/size] = text
	})
	for _, text := range written {
		if err == nil {
			w.buffer = append(w.buffer, text...)
			err = w.Flush()
		}
	}
	w.rows = to
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
