package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
)

// form is how the values of a command are written.
type form[T any] struct {
	// alone is set where the JSON is the only value, and not an array.
	alone   bool
	columns []string       // of CSV
	row     func(T) []cell // of CSV
	// The other formats. One of these is set:
	text  func(n int, value T) string // of the nth value, written at once
	lines func(T) []labelled          // written at the end, as the next two
	cells func(T) []cell              // of a table, below its titles

	titles []string
	empty  string // in place of a table without rows
}

// sink writes values to stdout in the format of --output, each as soon as it is there. Its
// methods are called one after another.
type sink[T any] struct {
	app     *app
	out     io.Writer
	form    form[T]
	written int
	// What close writes.
	lines []labelled
	rows  [][]cell
}

// newSink makes a sink that fails once ctx ends.
func newSink[T any](ctx context.Context, a *app, f form[T]) *sink[T] {
	return &sink[T]{app: a, out: files.Interruptible(ctx, a.env.Stdout), form: f}
}

// show writes all values of a command.
func show[T any](ctx context.Context, a *app, f form[T], values ...T) error {
	s := newSink(ctx, a, f)
	for _, value := range values {
		if err := s.add(value, jsonLine(value)); err != nil {
			return err
		}
	}
	return s.close()
}

// add writes a value, whose JSON in one line is the element.
func (s *sink[T]) add(value T, element []byte) error {
	n := s.written
	s.written++
	switch s.app.format() {
	case formatJSON:
		return s.addJSON(n, element)
	case formatNDJSON:
		return s.writeJSON(append(element[:len(element):len(element)], '\n'))
	case formatCSV:
		return s.addCSV(n, value)
	}
	switch {
	case s.form.lines != nil:
		s.lines = append(s.lines, s.form.lines(value)...)
	case s.form.cells != nil:
		s.rows = append(s.rows, s.form.cells(value))
	default:
		_, err := io.WriteString(s.out, s.form.text(n, value))
		return err
	}
	return nil
}

// addJSON writes the nth element of an array, or the only value, indented.
func (s *sink[T]) addJSON(n int, element []byte) error {
	before, prefix := [...]string{"[\n  ", ",\n  "}[min(n, 1)], "  "
	if s.form.alone {
		before, prefix = "", ""
	}
	text := bytes.NewBufferString(before)
	if err := json.Indent(text, element, prefix, "  "); err != nil {
		return err
	}
	return s.writeJSON(text.Bytes())
}

func (s *sink[T]) writeJSON(text []byte) error {
	if s.app.forTerminal() {
		text = []byte(safeJSON(string(text)))
	}
	_, err := s.out.Write(text)
	return err
}

func (s *sink[T]) addCSV(n int, value T) error {
	var text []byte
	if n == 0 {
		text = records.AppendCSV(text, s.form.columns)
	}
	var fields []string
	for _, cell := range s.form.row(value) {
		fields = append(fields, s.app.csvField(cell))
	}
	_, err := s.out.Write(records.AppendCSV(text, fields))
	return err
}

// close ends the output.
func (s *sink[T]) close() error {
	text := ""
	switch format := s.app.format(); {
	case format == formatJSON && s.form.alone:
		text = "\n"
	case format == formatJSON && s.written == 0:
		text = "[]\n"
	case format == formatJSON:
		text = "\n]\n"
	case format == formatCSV && s.written == 0:
		text = string(records.AppendCSV(nil, s.form.columns))
	case format == formatTable && s.form.cells != nil:
		g := &grid{titles: s.form.titles, rows: len(s.rows), row: func(i int) []cell { return s.rows[i] }}
		return s.app.drawTable(s.out, g, s.form.empty)
	case format == formatTable:
		return writeLines(s.out, s.lines, s.app.tableWidth(), s.app.cardStyle().theme.Muted)
	}
	_, err := io.WriteString(s.out, text)
	return err
}

// jsonLine is a value as JSON in one line, without a line end.
func jsonLine(value any) []byte {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the type of the value cannot be JSON: wrong in the source
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
}
