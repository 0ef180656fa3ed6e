package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
)

// form is what the answers of a command look like.
type form[T any] struct {
	columns []string       // of CSV
	row     func(T) []cell // of CSV
	// text is the nth answer in the other formats; nil: a table of all answers is drawn in
	// the end.
	text  func(n int, answer T) string
	table func(all []T) grid
}

// answers prints to stdout what a command found out about addresses, in the format of
// --output, each answer as soon as it is there. Its methods are called one after another.
type answers[T any] struct {
	app     *app
	out     io.Writer
	form    form[T]
	printed int
	tabled  []T // answers that are in the table
}

// newAnswers fails once ctx ends.
func newAnswers[T any](ctx context.Context, a *app, f form[T]) *answers[T] {
	return &answers[T]{app: a, out: files.Interruptible(ctx, a.env.Stdout), form: f}
}

// print prints an answer.
func (p *answers[T]) print(answer T) error { return p.printElement(answer, jsonLine(answer)) }

// printElement prints an answer whose JSON is known.
func (p *answers[T]) printElement(answer T, element []byte) error {
	n := p.printed
	p.printed++
	switch p.app.format() {
	case formatJSON:
		return p.app.writeJSON(p.out, func(w io.Writer) error { return writeInArray(w, n, element) })
	case formatNDJSON:
		return p.app.writeJSON(p.out, func(w io.Writer) error {
			_, err := w.Write(append(element[:len(element):len(element)], '\n'))
			return err
		})
	case formatCSV:
		return p.printCSV(n, answer)
	}
	if p.form.text == nil {
		p.tabled = append(p.tabled, answer)
		return nil
	}
	_, err := io.WriteString(p.out, p.form.text(n, answer))
	return err
}

// writeInArray writes the nth element of an array as [encodeJSON] does.
func writeInArray(w io.Writer, n int, element []byte) error {
	text := bytes.NewBufferString([...]string{"[\n  ", ",\n  "}[min(n, 1)])
	if err := json.Indent(text, element, "  ", "  "); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

func (p *answers[T]) printCSV(n int, answer T) error {
	style := csvStyle{exact: p.app.flags.exact, terminal: p.app.forTerminal()}
	var text []byte
	if n == 0 {
		text = records.AppendCSV(text, p.form.columns)
	}
	var fields []string
	for _, cell := range p.form.row(answer) {
		fields = append(fields, style.field(cell))
	}
	_, err := p.out.Write(records.AppendCSV(text, fields))
	return err
}

// close prints what stands behind the last answer.
func (p *answers[T]) close() error {
	text := ""
	switch p.app.format() {
	case formatJSON:
		text = "\n]\n"
		if p.printed == 0 {
			text = "[]\n"
		}
	case formatCSV:
		if p.printed == 0 {
			text = string(records.AppendCSV(nil, p.form.columns))
		}
	case formatTable:
		if p.form.table != nil {
			return p.app.printTable(p.out, result{table: p.form.table(p.tabled), empty: "There is no result yet."})
		}
	}
	_, err := io.WriteString(p.out, text)
	return err
}
