package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"

	"gatehouse/internal/batch"
	"gatehouse/internal/records"
)

// outputBuffer is how much of the output of a batch is written at once.
const outputBuffer = 64 << 10

// elements are those of a batch that are known, which are read as they are needed: together
// they may take hundreds of megabytes.
type elements struct {
	journal *batch.Journal
	known   []int // indexes of addresses
	err     error // of a row that could not be read
}

// writeJSON writes the elements as [encodeJSON] writes an array.
func (e *elements) writeJSON(w io.Writer) error {
	if len(e.known) == 0 {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	out := bufio.NewWriterSize(w, outputBuffer)
	var text bytes.Buffer
	opening := [...]string{"[\n  ", ",\n  "} // of the first, and of each other one
	n := 0
	for element := range e.all() {
		text.Reset()
		text.WriteString(opening[min(n, 1)])
		n++
		if err := json.Indent(&text, element, "  ", "  "); err != nil {
			return err
		}
		if _, err := out.Write(text.Bytes()); err != nil {
			return err
		}
	}
	_, _ = out.WriteString("\n]\n")
	return out.Flush()
}

// all are the elements one after the other, each valid until the next. It ends at one that
// cannot be read, see [elements.err].
func (e *elements) all() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for n := range e.known {
			if element := e.at(n); e.err != nil || !yield(element) {
				return
			}
		}
	}
}

// at is one of the elements, nil if it cannot be read.
func (e *elements) at(n int) []byte {
	element, err := e.journal.Element(e.known[n])
	if err != nil {
		e.err = err
		return nil
	}
	return element
}

// elementGrid is elements as a table or CSV.
type elementGrid struct {
	*elements
	names []string
	// cells makes a row of an element, as many cells as names, of which the rest is left out.
	cells func(element []byte) []cell
}

func (g *elementGrid) header() []string { return g.names }
func (g *elementGrid) len() int         { return len(g.known) }
func (g *elementGrid) allShown() bool   { return false }
func (g *elementGrid) row(i int) []cell { return g.cells(g.at(i))[:len(g.names)] }

func (g *elementGrid) writeCSV(_ context.Context, w io.Writer, s csvStyle) error {
	out := bufio.NewWriterSize(w, outputBuffer)
	_, _ = out.Write(records.AppendCSV(nil, g.names))
	fields := make([]string, len(g.names))
	var line []byte
	for i := range g.len() {
		for n, cell := range g.row(i) {
			fields[n] = s.field(cell)
		}
		line = records.AppendCSV(line[:0], fields)
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// batchProgress shows on stderr how far a batch is: one line that is rewritten on a
// terminal, a line every ten seconds elsewhere.
type batchProgress struct {
	*progressLine
	app   *app
	quiet bool
	calls int
	// ending is true once it has been said that the batch is ending.
	ending bool
}

func (a *app) batchProgress(quiet bool) *batchProgress {
	p := &batchProgress{progressLine: new(progressLine), app: a, quiet: quiet}
	if !quiet {
		p.progressLine = a.progressLine()
	}
	return p
}

// show is called at the start, each second and at the end.
func (p *batchProgress) show(progress batch.Progress) {
	const plainEvery = 10 // seconds
	p.calls++
	if progress.Ending && !p.ending && p.app.env.LetInterrupt != nil {
		p.app.env.LetInterrupt()
	}
	switch {
	case p.quiet:
	case p.out != nil:
		p.rewrite(progress.String())
	case p.calls%plainEvery == 1 && p.calls > 1, progress.Ending && !p.ending:
		p.app.say("%s", progress)
	}
	p.ending = progress.Ending
}
