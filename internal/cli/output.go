package cli

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/files"
	"gatehouse/internal/prompt"
	"gatehouse/internal/safetext"
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

// formats are those of every command.
var formats = []string{formatTable, formatJSON, formatNDJSON, formatCSV}

// result is the output of a command in every format.
type result struct {
	json func(io.Writer) error
	// ndjson writes the elements of the JSON one a line; nil: it is made of that.
	ndjson func(io.Writer) error
	csv    grid
	// In table format, a list is written as table, a single thing as lines.
	table grid
	lines []labelled
	// empty is written to stderr instead of a table without rows.
	empty string
}

// labelled is one line of a result: what it is, and its value.
type labelled struct{ label, value string }

// format returns the output format: --output, or else table on a terminal and JSON
// elsewhere.
func (a *app) format() string {
	switch {
	case a.flags.output != "":
		return a.flags.output
	case a.env.StdoutIsTerminal:
		return formatTable
	default:
		return formatJSON
	}
}

// print writes the result to stdout.
func (a *app) print(ctx context.Context, r result) error {
	out := files.Interruptible(ctx, a.env.Stdout)
	switch a.format() {
	case formatJSON:
		return a.writeJSON(out, r.json)
	case formatNDJSON:
		if r.ndjson != nil {
			return a.writeJSON(out, r.ndjson)
		}
		return a.writeJSON(out, func(w io.Writer) error { return writeElements(w, r.json) })
	case formatCSV:
		return r.csv.writeCSV(ctx, out, csvStyle{exact: a.flags.exact, terminal: a.forTerminal()})
	default:
		return a.printTable(out, r)
	}
}

// forTerminal reports whether data is made safe for a terminal.
func (a *app) forTerminal() bool {
	return a.env.StdoutIsTerminal || a.env.StdoutIsShown && !a.flags.exact
}

// writeJSON lets a function write JSON, which is made safe for a terminal if need be.
func (a *app) writeJSON(out io.Writer, write func(io.Writer) error) error {
	if !a.forTerminal() {
		return write(out)
	}
	safe := &terminalJSON{out: out}
	return errors.Join(write(safe), safe.Close())
}

func (a *app) printTable(out io.Writer, r result) error {
	if r.table == nil {
		return writeLines(out, r.lines, a.tableWidth())
	}
	if r.table.len() == 0 {
		a.say("%s", r.empty)
		return nil
	}
	hidden, err := writeTable(out, r.table, a.tableWidth())
	if hidden > 0 && err == nil {
		all := len(r.table.header())
		a.say("%d of %d columns shown; use -o json for all.", all-hidden, all)
	}
	return err
}

// tableWidth is the maximum width of a line in cells: COLUMNS, or else the width of the
// terminal. 0 is no limit, the default where stdout is not a terminal.
func (a *app) tableWidth() int {
	if value, ok := a.env.LookupEnv("COLUMNS"); ok {
		if columns, err := strconv.Atoi(value); err == nil && columns > 0 {
			return columns
		}
	}
	if !a.env.StdoutIsTerminal {
		return 0
	}
	if width := a.env.TerminalWidth(); width > 0 {
		return width
	}
	return 80
}

// say writes a message to stderr, formatted by [prompt.Message].
func (a *app) say(format string, args ...any) {
	_, _ = a.env.Stderr.Write([]byte(prompt.Message(format, args...)))
}

// warn writes a warning to stderr, if there is one.
func (a *app) warn(text string) {
	if text != "" {
		a.say("gatehouse: %s", text)
	}
}

// writeLines writes labels and values, made safe for a terminal. Values are wrapped
// between words at width (0: never).
func writeLines(w io.Writer, lines []labelled, width int) error {
	indent := 0
	for _, line := range lines {
		indent = max(indent, safetext.Width(line.label)+columnGap)
	}
	var text strings.Builder
	for _, line := range lines {
		label, value := line.label, safetext.Line(line.value)
		if width > indent {
			value = ansi.Wordwrap(value, width-indent, "")
		}
		for part := range strings.Lines(value + "\n") {
			text.WriteString(strings.TrimRight(safetext.Pad(label, indent)+part, " \n") + "\n")
			label = ""
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
