package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/safetext"
)

// The values of --output.
const (
	formatTable  = "table"
	formatJSON   = "json"
	formatNDJSON = "ndjson" // the elements of the JSON array, each on a line
	formatCSV    = "csv"
	// formatMarkdown is one of `check` alone.
	formatMarkdown = "markdown"
)

// formats are the formats that every command has.
var formats = []string{formatTable, formatJSON, formatNDJSON, formatCSV}

// format returns the output format: --output, or else table on a terminal and JSON
// elsewhere.
func (a *app) format() string {
	switch {
	case a.flags.output != "":
		return a.flags.output
	case a.env.StdoutIsTerminal:
		return formatTable
	}
	return formatJSON
}

// forTerminal reports whether data is made safe for a terminal: unless --exact is given also for a
// visitor, whose terminal cannot be seen from here.
func (a *app) forTerminal() bool {
	return a.env.StdoutIsTerminal || !a.local && !a.flags.exact
}

// tableWidth is the maximum width of a line in cells: that of the terminal. 0 is no limit, where
// stdout is not a terminal.
func (a *app) tableWidth() int {
	if !a.env.StdoutIsTerminal {
		return 0
	}
	return cmp.Or(a.env.TerminalWidth, 80)
}

// say writes a message to stderr, formatted by [prompt.Message].
func (a *app) say(format string, args ...any) {
	_, _ = io.WriteString(a.env.Stderr, prompt.Message(format, args...))
}

// warn writes a warning to stderr, if there is one.
func (a *app) warn(text string) {
	if text != "" {
		a.say("gatehouse: %s", text)
	}
}

// labelled is one line of text: what it is, and its value.
type labelled struct{ label, value string }

// form is how the values of a command are written.
type form[T any] struct {
	// alone is set where the JSON is the only value, and not an array.
	alone   bool
	columns []string         // of CSV
	row     func(T) []string // of CSV
	// The other formats. One of these is set:
	text   func(n int, value T) string // of the nth value
	lines  func(T) []labelled
	cells  func(T) []cell // of a table, written at the end, below its titles
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
	rows    [][]cell // of a table, which close writes
}

// show writes all values of a command.
func show[T any](ctx context.Context, a *app, f form[T], values ...T) error {
	s := &sink[T]{app: a, out: a.stdout(ctx), form: f}
	for _, value := range values {
		if err := s.add(value, jsonLine(value)); err != nil {
			return err
		}
	}
	return s.close(ctx)
}

// add writes a value, whose JSON in one line is the element.
func (s *sink[T]) add(value T, element []byte) (err error) {
	n := s.written
	s.written++
	switch format := s.app.format(); {
	case format == formatJSON:
		return s.addJSON(n, element)
	case format == formatNDJSON:
		_, err = io.WriteString(s.out, string(element)+"\n")
	case format == formatCSV:
		return s.addCSV(n, value)
	case s.form.lines != nil:
		_, err = io.WriteString(s.out, s.app.cardStyle().aligned(s.form.lines(value)))
	case s.form.cells != nil:
		s.rows = append(s.rows, s.form.cells(value))
	default:
		_, err = io.WriteString(s.out, s.form.text(n, value))
	}
	return err
}

// addJSON writes the nth element of an array, or the only value, indented.
func (s *sink[T]) addJSON(n int, element []byte) error {
	before, prefix := ",\n  ", "  "
	switch {
	case s.form.alone:
		before, prefix = "", ""
	case n == 0:
		before = "[\n  "
	}
	text := bytes.NewBufferString(before)
	if err := json.Indent(text, element, prefix, "  "); err != nil {
		return err
	}
	_, err := s.out.Write(text.Bytes())
	return err
}

// addCSV writes a row.
func (s *sink[T]) addCSV(n int, value T) error {
	var text []byte
	if n == 0 {
		text = s.app.view().AppendCSV(text, s.form.columns)
	}
	_, err := s.out.Write(s.app.view().AppendCSV(text, s.form.row(value)))
	return err
}

// view is how CSV is written: unless --exact is given, text that a spreadsheet would run as a
// formula gets an apostrophe in front.
func (a *app) view() (v lists.View) {
	v.Exact = a.flags.exact
	if a.forTerminal() {
		v.Clean = safetext.Line
	}
	return v
}

// close ends the output.
func (s *sink[T]) close(ctx context.Context) error {
	text := ""
	switch format := s.app.format(); {
	case format == formatJSON && s.form.alone:
		text = "\n"
	case format == formatJSON && s.written == 0:
		text = "[]\n"
	case format == formatJSON:
		text = "\n]\n"
	case format == formatCSV && s.written == 0:
		text = string(s.app.view().AppendCSV(nil, s.form.columns))
	case format == formatTable && s.form.cells != nil:
		g := &grid{titles: s.form.titles, rows: len(s.rows), row: func(i int, take func(int, cell)) {
			for column, c := range s.rows[i] {
				take(column, c)
			}
		}}
		_, err := s.app.drawTable(ctx, s.out, g, s.form.empty)
		return err
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

// stdout is where a command writes its data. It fails once ctx ends, and makes JSON safe for a
// terminal if need be.
func (a *app) stdout(ctx context.Context) io.Writer {
	out := files.Interruptible(ctx, a.env.Stdout)
	if format := a.format(); a.forTerminal() && (format == formatJSON || format == formatNDJSON) {
		return &terminalJSON{out: out}
	}
	return out
}

// terminalJSON writes JSON, the last line of which is complete, to a terminal. Control characters
// and invisible ones become \u escapes, which encode the same value.
type terminalJSON struct {
	out     io.Writer
	pending []byte // the beginning of a line
}

// maxPending is how much of a line is held: a record may be as long as a list.
const maxPending = 64 << 10

// Write writes the lines that are complete, and what is too long to be held.
func (t *terminalJSON) Write(p []byte) (int, error) {
	for part := range slices.Chunk(p, maxPending) {
		t.pending = append(t.pending, part...)
		end := bytes.LastIndexByte(t.pending, '\n') + 1
		if len(t.pending)-end > maxPending {
			end = len(t.pending) - 1 // the last character may be incomplete
			for end > len(t.pending)-utf8.UTFMax && !utf8.RuneStart(t.pending[end]) {
				end--
			}
		}
		if _, err := io.WriteString(t.out, safeJSON(string(t.pending[:end]))); err != nil {
			return 0, err
		}
		t.pending = append(t.pending[:0], t.pending[end:]...)
	}
	return len(p), nil
}

// safeJSON escapes in JSON text what safetext would change. It checks each ASCII character
// together with the non-ASCII text after it: combining marks and joiners are harmless only after
// the character they modify.
func safeJSON(text string) string {
	var safe strings.Builder
	safe.Grow(len(text))
	for text != "" {
		_, size := utf8.DecodeRuneInString(text)
		for size < len(text) && text[size] >= utf8.RuneSelf {
			size++
		}
		piece := text[:size]
		text = text[size:]
		if piece == "\n" || size == 1 && ' ' <= piece[0] && piece[0] <= '~' || safetext.Line(piece) == piece {
			safe.WriteString(piece)
			continue
		}
		for _, r := range piece {
			character := string(r)
			high, low := utf16.EncodeRune(r)
			switch {
			case r == '\n', safetext.Line(character) == character:
				safe.WriteString(character)
			case r == '\t', r == '\r': // between values: inside a string JSON escapes them
				safe.WriteByte(' ')
			case high != utf8.RuneError:
				fmt.Fprintf(&safe, `\u%04x\u%04x`, high, low)
			default:
				fmt.Fprintf(&safe, `\u%04x`, r)
			}
		}
	}
	return safe.String()
}
