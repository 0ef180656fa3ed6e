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

	"github.com/spf13/cobra"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
)

// accepts returns the kinds of results that a command has.
func (a *app) accepts(cmd *cobra.Command) lists.Results { return lists.AnyResults | a.results[cmd] }

// writes sets which kinds of results a command has in addition to [lists.AnyResults].
func (a *app) writes(cmd *cobra.Command, results lists.Results) {
	if a.results == nil {
		a.results = map[*cobra.Command]lists.Results{}
	}
	a.results[cmd] = results
	if results&lists.Lists != 0 {
		cmd.Flags().BoolVar(&a.flags.asShown, "as-shown", false,
			"in CSV, write headings, columns and values as a screen shows them, for a spreadsheet")
	}
}

// outputUsage returns what the help says about --output for some kinds of results.
func outputUsage(results lists.Results) string {
	names := human.Either(lists.OutputNames(lists.Outputs(results)))
	return fmt.Sprintf("`FORMAT`: %s (default: %s on a terminal, %s elsewhere)",
		names, lists.AsTable.Name, lists.AsJSON.Name)
}

// checkOutput returns an error if a command does not have the format of --output, or if the format
// cannot go where the output goes.
func (a *app) checkOutput(cmd *cobra.Command) error {
	accepted := lists.Outputs(a.accepts(cmd))
	if a.flags.output != "" && lists.OutputNamed(a.flags.output, accepted) == nil {
		return unknownValue("--output", a.flags.output, lists.OutputNames(accepted))
	}
	format := a.format()
	toFile := func(flags string) string {
		return "`" + cmd.CommandPath() + flags + " > " + cmd.Name() + format.Extension() + "`."
	}
	mayBeForTerminal := a.forTerminal() && !a.env.StdoutIsTerminal
	switch {
	case a.flags.asShown && !format.Shown:
		return usage(
			"--as-shown is not for "+format.Name+", which has the results as the service sent them",
			"Add `-o "+lists.AsCSV.Name+"`, or leave out --as-shown.",
		)
	case format.File && a.env.StdoutIsTerminal:
		return usage(
			format.Name+" is a file, which a terminal cannot show",
			"Send it to a file: "+toFile(" -o "+format.Name),
		)
	case format.File && mayBeForTerminal:
		return usage(
			format.Name+" is a file, and nobody knows here whether it goes to a terminal",
			"Send it to a file, and say so with --exact: "+toFile(" -o "+format.Name+" --exact"),
		)
	}
	return nil
}

// format returns the output format: that of --output, or else a table on a terminal and JSON
// elsewhere.
func (a *app) format() *lists.Output {
	switch {
	case a.flags.output != "":
		return lists.OutputNamed(a.flags.output, lists.Outputs(lists.Lists|lists.Reports))
	case a.env.StdoutIsTerminal:
		return lists.AsTable
	}
	return lists.AsJSON
}

// forTerminal reports whether data is made safe for a terminal. The output of a visitor may go to a
// terminal on their machine even where the connection has none, unless they say --exact.
func (a *app) forTerminal() bool {
	mayHaveTerminal := !a.local && !a.flags.exact
	return a.env.StdoutIsTerminal || mayHaveTerminal
}

// tableWidth returns the maximum width of a line in cells: that of the terminal, or 0, which means
// no limit, if stdout is not a terminal.
func (a *app) tableWidth() int {
	if !a.env.StdoutIsTerminal {
		return 0
	}
	const usualWidth = 80
	return cmp.Or(a.env.TerminalWidth, usualWidth)
}

// say writes a message to stderr, formatted by [prompt.Message].
func (a *app) say(format string, args ...any) {
	_, _ = io.WriteString(a.env.Stderr, prompt.Message(format, args...))
}

// warn writes a warning to stderr, unless it is "".
func (a *app) warn(text string) {
	if text != "" {
		a.say("gatehouse: %s", text)
	}
}

// labelled is a value with its label, on a line of its own.
type labelled struct{ label, value string }

// form is how the values of a command are written.
type form[T any] struct {
	// alone means that the JSON is an object, the only value, and not an array.
	alone bool
	// columns are those of formats that have columns and of the table for people, in the order of
	// both. The first one that has a text is the address in a list of addresses.
	columns []column[T]

	// text and lines draw a value for people in place of a row of the table. n counts the values,
	// from 0.
	text  func(n int, value T) string
	lines func(T) []labelled

	empty string // the message in place of a table without rows
}

// column is a column of the values of a command: in formats that have columns if it has a text, and
// in the table for people if it has a title or a cell.
type column[T any] struct {
	name string // in formats that have columns
	kind lists.ColumnKind
	host bool           // its texts are names of hosts
	own  bool           // it is of somebody's own file; those columns come first
	text func(T) string // its value, as the service sent it

	title string            // of the table
	cell  func(T) tableCell // of the table; nil: it has the text
}

// isDrawn reports whether the table for people has the column.
func (c *column[T]) isDrawn() bool { return c.title != "" || c.cell != nil }

// shown returns the text of a value as a screen shows it.
func (c *column[T]) shown(value T) string {
	if c.host {
		return hostname.Readable(c.text(value))
	}
	return c.text(value)
}

// drawn returns the cell of a value in the table for people.
func (c *column[T]) drawn(value T) tableCell {
	if c.cell != nil {
		return c.cell(value)
	}
	return textCell(c.shown(value))
}

// written returns the columns of formats that have columns.
func (f *form[T]) written() []column[T] {
	hasNoText := func(c column[T]) bool { return c.text == nil }
	return slices.DeleteFunc(slices.Clone(f.columns), hasNoText)
}

// drawn returns the columns of the table for people, or none if the values are drawn otherwise.
func (f *form[T]) drawn() []column[T] {
	if f.text != nil || f.lines != nil {
		return nil
	}
	isNotDrawn := func(c column[T]) bool { return !c.isDrawn() }
	return slices.DeleteFunc(slices.Clone(f.columns), isNotDrawn)
}

// sink writes values to stdout in the format of --output, each as soon as it is added; tables are
// written at the end. It is not safe for concurrent use.
type sink[T any] struct {
	app     *app
	out     io.Writer
	form    form[T]
	writer  *lists.Writer      // of a format that is not drawn; nil before the first value
	infos   []lists.ColumnInfo // of writer
	columns []column[T]        // of writer
	written int                // values
	table   []column[T]        // for people; none if the values are drawn otherwise
	rows    [][]tableCell      // of table, which close writes
}

// newSink returns a sink that writes to out.
func newSink[T any](a *app, out io.Writer, f form[T]) *sink[T] {
	return &sink[T]{app: a, out: out, form: f, columns: f.written(), table: f.drawn()}
}

// show writes values in the format of --output.
func show[T any](ctx context.Context, a *app, f form[T], values ...T) error {
	s := newSink(a, a.stdout(ctx), f)
	for _, value := range values {
		if err := s.add(value, jsonLine(value)); err != nil {
			return err
		}
	}
	return s.close(ctx)
}

// add writes a value. element is its JSON, on one line.
func (s *sink[T]) add(value T, element []byte) (err error) {
	n := s.written
	s.written++
	switch {
	case !s.app.format().Drawn:
		return s.write(value, element)
	case s.form.lines != nil:
		_, err = io.WriteString(s.out, s.app.cardStyle().aligned(s.form.lines(value)))
	case s.form.text != nil:
		_, err = io.WriteString(s.out, s.form.text(n, value))
	default:
		row := make([]tableCell, len(s.table))
		for i := range s.table {
			row[i] = s.table[i].drawn(value)
		}
		s.rows = append(s.rows, row)
	}
	return err
}

// open begins the output in a format that is not drawn, unless it has begun.
func (s *sink[T]) open() (err error) {
	if s.writer != nil {
		return nil
	}
	var names []string
	own, kinds := 0, map[string]lists.ColumnKind{}
	for _, column := range s.columns {
		names = append(names, column.name)
		if column.own {
			own++
			continue
		}
		kinds[column.name] = column.kind
	}
	s.infos = lists.ColumnsNamed(names, own, kinds)
	sheet := lists.Sheet{
		Style:    s.app.style(),
		Columns:  s.infos,
		Alone:    s.form.alone,
		Indented: true,
	}
	s.writer, err = s.app.format().NewWriter(s.out, sheet)
	return err
}

// write writes a value in a format that is not drawn, and its JSON.
func (s *sink[T]) write(value T, element []byte) error {
	if err := s.open(); err != nil {
		return err
	}
	var cells []lists.Cell
	if s.app.format().Columns {
		cells = s.cells(value)
	}
	if err := s.writer.Write(lists.NewRow(element, cells)); err != nil {
		return err
	}
	return s.writer.Flush()
}

// cells returns the cells of a value, of the kinds that their columns have.
func (s *sink[T]) cells(value T) []lists.Cell {
	cells := make([]lists.Cell, len(s.columns))
	for i, column := range s.columns {
		text := column.text
		if s.app.shows() {
			text = column.shown
		}
		cells[i] = s.infos[i].Kind.CellOf(text(value))
	}
	return cells
}

// style returns how cells are written. Unless --exact is given, CSV has an apostrophe before text
// that a spreadsheet would run as a formula.
func (a *app) style() lists.Style {
	s := lists.Style{
		Shown:  a.shows(),
		Exact:  a.flags.exact,
		Format: lists.Format{Zone: a.env.Now().Location()},
	}
	if a.forTerminal() {
		s.Clean = safetext.Line
	}
	return s
}

// shows reports whether cells are written as a screen shows them, and not as the service sent them.
func (a *app) shows() bool { return a.flags.asShown || !a.format().Sent }

// close ends the output, and writes the table if there is one.
func (s *sink[T]) close(ctx context.Context) error {
	if !s.app.format().Drawn {
		if err := s.open(); err != nil {
			return err
		}
		return s.writer.Close()
	}
	if len(s.table) == 0 {
		return nil
	}
	g := &textTable{
		rows: len(s.rows),
		row: func(i int, take func(int, tableCell)) {
			for column, c := range s.rows[i] {
				take(column, c)
			}
		},
	}
	for _, column := range s.table {
		g.titles = append(g.titles, column.title)
	}
	_, err := s.app.drawTable(ctx, s.out, g, s.form.empty)
	return err
}

// jsonLine returns the JSON of a value on one line, without a line end.
func jsonLine(value any) []byte {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the type of the value has no JSON: a bug
	}
	return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
}

// stdout returns the writer for the data of a command. Writing fails once ctx ends. JSON for a
// terminal is made safe for it.
func (a *app) stdout(ctx context.Context) io.Writer {
	out := files.Interruptible(ctx, a.env.Stdout)
	if a.forTerminal() && a.format().JSON {
		return &terminalJSON{out: out}
	}
	return out
}

// terminalJSON writes JSON to a terminal. Control characters and invisible ones become \u escapes,
// which encode the same value. The JSON must end with a line end: what follows the last one is not
// written.
type terminalJSON struct {
	out     io.Writer
	pending []byte // the beginning of a line
}

// maxPending is how many bytes of a line are held. A record may be as long as a list.
const maxPending = 64 << 10

// Write writes the lines that are complete, and the beginning of a line that is too long to be held.
func (t *terminalJSON) Write(p []byte) (int, error) {
	for part := range slices.Chunk(p, maxPending) {
		t.pending = append(t.pending, part...)
		end := bytes.LastIndexByte(t.pending, '\n') + 1
		if len(t.pending)-end > maxPending {
			end = lastCharacter(t.pending)
		}
		if _, err := io.WriteString(t.out, safeJSON(string(t.pending[:end]))); err != nil {
			return 0, err
		}
		t.pending = append(t.pending[:0], t.pending[end:]...)
	}
	return len(p), nil
}

// lastCharacter returns where the last character of a text begins, which may be incomplete.
func lastCharacter(text []byte) int {
	at := len(text) - 1
	for at > len(text)-utf8.UTFMax && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
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
		isPlain := size == 1 && (piece == "\n" || ' ' <= piece[0] && piece[0] <= '~')
		if isPlain || safetext.Line(piece) == piece {
			safe.WriteString(piece)
			continue
		}
		for _, r := range piece {
			writeEscaped(&safe, r)
		}
	}
	return safe.String()
}

// writeEscaped writes a character of JSON, as \u escapes if it is not safe on a terminal.
func writeEscaped(out *strings.Builder, r rune) {
	character := string(r)
	high, low := utf16.EncodeRune(r)
	switch {
	case r == '\n', safetext.Line(character) == character:
		out.WriteString(character)
	case r == '\t', r == '\r': // between values: inside a string JSON escapes them
		out.WriteByte(' ')
	case high != utf8.RuneError:
		fmt.Fprintf(out, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(out, `\u%04x`, r)
	}
}
