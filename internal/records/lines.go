package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"gatehouse/internal/jsonscan"
	"gatehouse/internal/problem"
)

// heldBack is how much of a body is held until it is sure which values are the
// records. After that the list that has come so far is taken for them.
const heldBack = 2 << 20

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
	p := &passer{w: w, in: bodyReader{reader: body, expected: expected, passesOn: true}}
	p.scan = newDocumentScanner(nil, expected)
	p.scan.passer, p.scan.Read = p, p.read
	err = p.outcome(p.scan.scan())
	if failed := p.flush(); failed != nil {
		err = failed
	}
	return p.rows, err
}

// LongRecordError says that a record is too long to be passed on.
type LongRecordError struct{ Limit int } // in bytes

// Error implements error.
func (e *LongRecordError) Error() string {
	return fmt.Sprintf("a record is longer than %d bytes", e.Limit)
}

// Explain implements [problem.Explainer].
func (e *LongRecordError) Explain() problem.Explanation {
	return problem.Explanation{Text: fmt.Sprintf("a record of the list is longer than %d MiB, which is too long for a line", e.Limit>>20), Hint: "Use -o json."}
}

// ShapeError says that a body had other records than those that it began with.
type ShapeError struct{}

// Error implements error.
func (e *ShapeError) Error() string { return "the answer has more than one list" }

// Explain implements [problem.Explainer].
func (e *ShapeError) Explain() problem.Explanation {
	return problem.Explanation{Text: "the answer has more than one list, so that it was not sure in time what its records are", Hint: "Use -o json."}
}

// passer takes the records of a body from the scanner, which holds a part of the text. It
// lets go of them, and of what stands before them, as soon as it has written them.
type passer struct {
	scan    *documentScanner
	in      bodyReader
	passing *candidates // the list whose records are written as they come

	goneLines, goneColumns int // of what was dropped: lines, and characters in the last line

	w        io.Writer
	line     []byte // what is to be written
	rows     int
	writeErr error
}

// first writes what was held back when the first value of a body has come, which may be the only one.
func (p *passer) first(only bool) error {
	s := p.scan
	switch {
	case p.passing != nil && !only:
		return new(ShapeError)
	case p.passing == nil && !only:
		p.pass(&s.values)
	case p.passing == nil && s.records != nil:
		p.pass(s.records)
	}
	return nil
}

// chosen is told which list of an envelope has the records.
func (p *passer) chosen(records *candidates) error {
	if p.passing != nil && p.passing != records {
		return new(ShapeError)
	}
	return nil
}

// take takes the record of a list that was the last.
func (p *passer) take(list *candidates) error {
	s := p.scan
	usual := s.lists.usual == list || s.lists.all == 0
	if list == p.passing || p.passing == nil && (usual || s.At > heldBack) {
		p.pass(list)
	}
	p.drop()
	return p.writeErr
}

// pass writes the records that are there of a list, from which all others are then.
func (p *passer) pass(list *candidates) {
	p.passing = list
	for _, location := range list.locations {
		p.write(location.span(p.scan.Text))
	}
	list.locations = list.locations[:0]
}

// drop lets go of what was passed, unless it is not sure yet that it is not needed.
func (p *passer) drop() {
	if p.passing == nil {
		return
	}
	gone := p.scan.Text[:p.scan.At]
	p.in.drop(len(gone))
	if n := bytes.Count(gone, []byte{'\n'}); n > 0 {
		p.goneLines += n
		p.goneColumns = 0
		gone = gone[bytes.LastIndexByte(gone, '\n')+1:]
	}
	p.goneColumns += utf8.RuneCount(gone)
	p.scan.Text, p.scan.At = p.in.body, 0
}

func (p *passer) write(record jsonscan.Span) {
	p.line = append(appendLine(p.line, record.Of(p.scan.Text)), '\n')
	p.rows++
	if len(p.line) >= writeBuffer {
		_ = p.flush()
	}
}

func (p *passer) flush() error {
	if len(p.line) > 0 && p.writeErr == nil {
		_, p.writeErr = p.w.Write(p.line)
	}
	p.line = p.line[:0]
	return p.writeErr
}

// read makes the text longer, after everything that is complete was written.
func (p *passer) read() bool {
	if p.in.err == nil {
		p.in.err = p.flush()
	}
	more := p.in.read()
	p.scan.Text, p.scan.cut = p.in.body, p.in.failure() != nil
	return more
}

// outcome is that of the scan, at its place in the whole body.
func (p *passer) outcome(err error) error {
	if syntax, ok := errors.AsType[*jsonscan.SyntaxError](err); ok && !p.scan.empty {
		if syntax.Line == 1 {
			syntax.Column += p.goneColumns
		}
		syntax.Line += p.goneLines
		syntax.Offset += p.in.dropped
	}
	if _, isShape := errors.AsType[*ShapeError](err); isShape {
		return err
	}
	return p.scan.outcome(err, &p.in)
}
