package records

import (
	"bytes"
	"cmp"
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
	flush := func() error {
		if len(lines) == 0 {
			return nil
		}
		_, err := w.Write(lines)
		lines = lines[:0]
		return err
	}
	p := newPasser(body, expected)
	p.wait = flush
	p.take = func(record []byte, _ int64) error {
		rows++
		if lines = appendLine(lines, record); len(lines) >= writeBuffer {
			return flush()
		}
		return nil
	}
	err = p.scanAll()
	if p.err == nil {
		p.err = flush()
	}
	return rows, cmp.Or(p.err, err)
}

// HoldError says that a body cannot be passed on as it comes: only a [Stream], which holds all of
// it, has its records.
type HoldError struct{ Reason string }

// Why a body has to be held.
var (
	errTooLong = &HoldError{fmt.Sprintf("a record of the list is longer than %d MiB, which is too long for a line", maxRecord>>20)}
	errLists   = &HoldError{"the answer has more than one list, so that it was not sure in time what its records are"}
)

func (e *HoldError) Error() string { return e.Reason }

func (e *HoldError) Explain() problem.Explanation {
	return problem.Explanation{Text: e.Reason, Hint: "Use -o json."}
}

// passer passes on the records of a body that the scanner finds, which holds a part of the
// text. It lets go of them, and of what stands before them, as soon as they are taken.
type passer struct {
	scan    *documentScanner
	in      bodyReader
	passing *candidates // the list whose records are passed on as they come
	rows    int         // that were passed on

	goneLines, goneColumns int // of what was dropped: lines, and characters in the last line

	take func(record []byte, at int64) error // is given a record and where in the body it stands
	wait func() error                        // is called before more of the body is read
	err  error                               // of these two
}

func newPasser(body io.Reader, expected int64) *passer {
	p := &passer{in: bodyReader{reader: body, expected: expected, passesOn: true}, wait: func() error { return nil }}
	p.scan = newDocumentScanner(nil, expected)
	p.scan.passer, p.scan.Read = p, p.read
	return p
}

// scanAll reads the body to its end. Its errors are those of [CopyLines].
func (p *passer) scanAll() error {
	err := p.scan.scan()
	if err == nil && p.scan.records != nil {
		p.pass(p.scan.records)
		err = p.err
	}
	return p.outcome(err)
}

// found is told that the last record of a list is complete.
func (p *passer) found(list *candidates) error {
	s := p.scan
	isUsual := list == &s.values || list == s.lists.usual || s.lists.all == 0
	if list == p.passing || p.passing == nil && (isUsual || s.At > heldBack) {
		p.pass(list)
	}
	p.drop()
	return p.err
}

// pass passes on the records that are there of a list, from which all others are then.
func (p *passer) pass(list *candidates) {
	p.passing = list
	for _, location := range list.locations {
		if p.err == nil {
			p.err = p.take(location.of(p.scan.Text), p.in.dropped+int64(location.start()))
			p.rows++
		}
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

// read makes the text longer, after everything that is complete was taken.
func (p *passer) read() bool {
	if p.in.err == nil {
		p.err = cmp.Or(p.err, p.wait())
		p.in.err = p.err
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
	if err == errLists {
		return err
	}
	return p.scan.outcome(err, &p.in)
}
