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

// heldBack is how many bytes of a body are held while it is not sure which of its values are the
// records. After that, the list that has come so far is taken for them.
const heldBack = 2 << 20

// CopyRecords reads a body of a given length in bytes (-1 if unknown) and writes its records in a
// format of whole records, each as soon as it is complete. It holds only a part of the body in
// memory. It returns what was written and
//
//   - nil if these are the records of [Parse];
//   - the errors of [Stream.ReadFrom], where a [*CutError] wraps a [*HoldError] if a record is too long
//     to be held;
//   - a [*HoldError] if the body turned out to have other records than those that were written;
//   - the first error of w.
func CopyRecords(w io.Writer, body io.Reader, expected int64, as *Output) (copied Copied, err error) {
	writer, failed := as.NewWriter(w, Sheet{})
	if failed != nil {
		return Copied{}, failed
	}
	d := newDocument(bodyReader{reader: body, expected: expected, passesOn: true})
	d.beforeRead = func() error {
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
	copied = Copied{Rows: writer.rows, Further: d.leftOut(), Beside: d.table().Beside()}
	return copied, cmp.Or(failed, err)
}

// Copied says what [CopyRecords] has written, and what the body says beside that.
type Copied struct {
	Rows    int    // how many records were written
	Further        // the records that the body leaves out
	Beside  Beside // what the service says about the answer
}

// IsMore reports whether the body says that there are more records than were written.
func (c Copied) IsMore() bool { return c.beyond(c.Rows) }

// HoldError says that the records of a body cannot be passed on as they come. Only a [Stream],
// which holds all of the body, has them.
type HoldError struct{ Reason string }

// Why a body has to be held.
var (
	errTooLong = &HoldError{fmt.Sprintf(
		"a record of the list is longer than %d MiB, which is too long for a line", maxRecord>>20)}
	errLists = &HoldError{
		"the answer has more than one list, so that it was not sure in time what its records are"}
	errMany = &HoldError{"the list has more records than can be remembered"}
)

func (e *HoldError) Error() string { return e.Reason }

// Explain says what to do about it.
func (e *HoldError) Explain() problem.Explanation {
	return problem.Explanation{Text: e.Reason, Help: problem.HelpWholeDocument}
}

// Outline says where the records of a body are that is not held in memory.
type Outline struct {
	// First is a table of the first records, enough to know the kinds of columns. Its columns are
	// those of all records.
	First   *Table
	all     list // the places of all records in the body
	further Further
}

// Further is [Table.Further] of the whole body.
func (o *Outline) Further() (further Further, more bool) {
	return o.further, o.further.beyond(o.Len())
}

// ReadOutline reads a body of a given length in bytes (-1 if unknown) to its end. It holds only a
// part of the body in memory. The errors are those of [CopyRecords].
func ReadOutline(body io.Reader, expected int64) (*Outline, error) {
	var all list
	first := &Table{}
	d := newDocument(bodyReader{reader: body, expected: expected, passesOn: true})
	d.take = func(record []byte, at int64) error {
		if len(all.starts) == MaxRecords {
			return errMany
		}
		all.starts = append(all.starts, int(at))
		all.end = int(at) + len(record)
		isInSample := first.Len() < sampleRows && int(at)-all.starts[0] <= sampleBytes
		if isInSample {
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
	return &Outline{First: first, all: all, further: d.leftOut()}, nil
}

// Len returns the number of records.
func (o *Outline) Len() int { return len(o.all.starts) }

// Write reads the body again and writes all its records, see [Table.Write]. Of the view, it takes
// the columns and the style.
func (o *Outline) Write(ctx context.Context, w io.Writer, body io.ReaderAt, as *Output, v View) error {
	if err := as.CheckRows(o.Len()); err != nil {
		return err
	}
	if as.independent {
		return o.writeInParallel(ctx, w, body, as, v)
	}
	return o.First.write(ctx, w, as, v, o.recordsIn(body))
}

// TooLong reads the body again and returns how many cells are too long for a format, see
// [Table.TooLong].
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

// heldBytes is how many bytes of a body are held while they become rows, besides one record.
const heldBytes = 4 << 20

// writeInParallel writes in a format whose rows are independent, on all processors.
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

// writeRows writes the rows from one up to another on all processors. held is their part of the
// body.
func (o *Outline) writeRows(ctx context.Context, w *Writer, from, to int, held []byte) error {
	n := to - from
	size := o.First.rowsAtOnce()
	start := o.all.starts[from]
	written := make([][]byte, n/size+1) // by chunks
	err := o.First.inChunks(ctx, n, func(first, end int) {
		text := make([]byte, 0, len(held)*(end-first)/n)
		reader := newRowReader(o.First.columns, nil)
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

// recordsIn yields all records in their order. Each is valid until the next one.
func (o *Outline) recordsIn(body io.ReaderAt) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(io.NewSectionReader(body, 0, math.MaxInt64), maxRead)
		at := 0 // the place in the body
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
			at = to
			if !yield(trimmed(record), nil) {
				return
			}
		}
	}
}
