package cli

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/prompt"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
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

// labelled is one line of text: what it is, and its value.
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

// forTerminal reports whether data is made safe for a terminal: unless --exact is given also for a
// visitor, whose terminal cannot be seen from here.
func (a *app) forTerminal() bool {
	return a.env.StdoutIsTerminal || !a.local && !a.flags.exact
}

// writeJSON lets a function write JSON, which is made safe for a terminal if need be.
func (a *app) writeJSON(out io.Writer, write func(io.Writer) error) error {
	if !a.forTerminal() {
		return write(out)
	}
	safe := &terminalJSON{out: out}
	return errors.Join(write(safe), safe.Close())
}

// csvField is the text of a cell in CSV. Unless --exact is given, text that a spreadsheet would
// run as a formula gets an apostrophe in front.
func (a *app) csvField(c cell) string {
	text := c.text
	if !a.flags.exact {
		text = records.Defuse(c.kind, text)
	}
	if a.forTerminal() {
		text = safetext.Line(text)
	}
	return text
}

// drawTable writes a table. One without rows is a message on stderr, empty.
func (a *app) drawTable(out io.Writer, g *grid, empty string) error {
	if g.rows == 0 {
		a.say("%s", empty)
		return nil
	}
	width := a.tableWidth()
	g.allShown = g.allShown || g.chosen && width == 0 // nothing is cut
	hidden, err := writeTable(out, g, width, a.cardStyle().theme.Strong)
	if hidden > 0 && g.chosen && err == nil {
		all := len(g.titles)
		a.say("%d of %d columns shown; choose them with --columns, or use -o json for all.", all-hidden, all)
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

// writeLines writes labels in a style and values, made safe for a terminal. Values are wrapped
// between words at width (0: never).
func writeLines(w io.Writer, lines []labelled, width int, style styles.Style) error {
	indent := 0
	for _, line := range lines {
		indent = max(indent, safetext.Width(line.label)+columnGap)
	}
	var text strings.Builder
	for _, line := range lines {
		label, value := line.label, safetext.Line(line.value)
		if width > indent+1 {
			value = ansi.Wordwrap(value, width-indent-1, "") // a hyphen may be one cell further
		}
		for part := range strings.Lines(value + "\n") {
			part = strings.TrimRight(safetext.Pad("", indent-safetext.Width(label))+part, " \n")
			text.WriteString(style.Render(label) + part + "\n")
			label = ""
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
