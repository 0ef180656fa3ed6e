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

// accepts are the kinds of results that a command has.
func (a *app) accepts(cmd *cobra.Command) lists.Results { return lists.AnyResults | a.results[cmd] }

// writes says which kinds of results a command has, beside those of every command.
func (a *app) writes(cmd *cobra.Command, results lists.Results) {
	if a.results == nil {
		a.results = map[*cobra.Command]lists.Results{}
	}
	a.results[cmd] = results
	if results&lists.Lists != 0 {
		cmd.Flags().BoolVar(&a.flags.asShown, "as-shown", false, "in CSV, write headings, columns and values as a screen shows them, for a spreadsheet")
	}
}

// outputUsage is what help says of --output for some kinds of results.
func outputUsage(results lists.Results) string {
	return fmt.Sprintf("`FORMAT`: %s (default: %s on a terminal, %s elsewhere)",
		human.Either(lists.OutputNames(lists.Outputs(results))), lists.AsTable.Name, lists.AsJSON.Name)
}

// checkOutput refuses a format that a command does not have, or that cannot go where its results
// go.
func (a *app) checkOutput(cmd *cobra.Command) error {
	accepted := lists.Outputs(a.accepts(cmd))
	if a.flags.output != "" && lists.OutputNamed(a.flags.output, accepted) == nil {
		return unknownValue("--output", a.flags.output, lists.OutputNames(accepted))
	}
	switch format := a.format(); {
	case a.flags.asShown && !format.Shown:
		return usage("--as-shown is not for "+format.Name+", which has the results as the service sent them",
			"Add `-o "+lists.AsCSV.Name+"`, or leave out --as-shown.")
	case format.File && a.env.StdoutIsTerminal:
		return usage(format.Name+" is a file, which a terminal cannot show",
			"Send it to a file: `"+cmd.CommandPath()+" -o "+format.Name+" > "+cmd.Name()+format.Extension()+"`.")
	case format.File && a.forTerminal(): // which cannot be seen from here
		return usage(format.Name+" is a file, and nobody knows here whether it goes to a terminal",
			"Send it to a file, and say so with --exact: `"+cmd.CommandPath()+" -o "+format.Name+" --exact > "+cmd.Name()+format.Extension()+"`.")
	}
	return nil
}

// format returns the output format: --output, or else a table on a terminal and JSON
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
	columns []string         // of formats with columns
	row     func(T) []string // the cells of them
	// kinds are those of columns that are not text, and hosts are the columns with names of hosts.
	kinds map[string]lists.ColumnKind
	hosts []string
	// How the values are drawn. One of these is set:
	text   func(n int, value T) string // of the nth value
	lines  func(T) []labelled
	cells  func(T) []cell // of a table, written at the end, below its titles
	titles []string
	// address is which of titles is the address, in a table of a list. In CSV it is the first.
	address int
	empty   string // in place of a table without rows
}

// sink writes values to stdout in the format of --output, each as soon as it is there. Its
// methods are called one after another.
type sink[T any] struct {
	app     *app
	out     io.Writer
	form    form[T]
	writer  *lists.Writer // of formats that are not drawn
	columns []lists.ColumnInfo
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
	switch {
	case !s.app.format().Drawn:
		return s.write(value, element)
	case s.form.lines != nil:
		_, err = io.WriteString(s.out, s.app.cardStyle().aligned(s.form.lines(value)))
	case s.form.cells != nil:
		s.rows = append(s.rows, s.form.cells(value))
	default:
		_, err = io.WriteString(s.out, s.form.text(n, value))
	}
	return err
}

// open begins to write in a format that is not drawn.
func (s *sink[T]) open() (err error) {
	if s.writer != nil {
		return nil
	}
	s.columns = lists.ColumnsNamed(s.form.columns, s.form.kinds)
	sheet := lists.Sheet{Style: s.app.style(), Columns: s.columns, Alone: s.form.alone, Indented: true}
	s.writer, err = s.app.format().NewWriter(s.out, sheet)
	return err
}

// write writes a value in such a format.
func (s *sink[T]) write(value T, element []byte) error {
	if err := s.open(); err != nil {
		return err
	}
	row := lists.Row{Record: element}
	if s.app.format().Columns {
		row.Cells = s.cells(s.form.row(value))
	}
	if err := s.writer.Write(row); err != nil {
		return err
	}
	return s.writer.Flush()
}

// cells are the texts of a row as cells of their columns.
func (s *sink[T]) cells(texts []string) []lists.Cell {
	cells := make([]lists.Cell, len(texts))
	for i, text := range texts {
		column := s.columns[i]
		if s.app.shows() && slices.Contains(s.form.hosts, column.Name) {
			text = hostname.Readable(text)
		}
		cells[i] = column.Kind.CellOf(text)
	}
	return cells
}

// style is how cells are written: unless --exact is given, text that a spreadsheet would run as a
// formula gets an apostrophe in front in CSV.
func (a *app) style() lists.Style {
	s := lists.Style{Shown: a.shows(), Exact: a.flags.exact, Format: lists.Format{Zone: a.env.Now().Location()}}
	if a.forTerminal() {
		s.Clean = safetext.Line
	}
	return s
}

// shows reports whether cells are written as a screen shows them.
func (a *app) shows() bool { return a.flags.asShown || !a.format().Sent }

// close ends the output.
func (s *sink[T]) close(ctx context.Context) error {
	if !s.app.format().Drawn {
		if err := s.open(); err != nil {
			return err
		}
		return s.writer.Close()
	}
	if s.form.cells == nil {
		return nil
	}
	g := &grid{titles: s.form.titles, rows: len(s.rows), row: func(i int, take func(int, cell)) {
		for column, c := range s.rows[i] {
			take(column, c)
		}
	}}
	_, err := s.app.drawTable(ctx, s.out, g, s.form.empty)
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
	if a.forTerminal() && a.format().JSON {
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
