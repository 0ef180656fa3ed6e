package cli

import (
	"bufio"
	"io"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// csvWriter writes records of RFC 4180. encoding/csv is not used: with CRLF
// line ends it changes the line ends inside the fields too.
type csvWriter struct {
	out *bufio.Writer
	// safe makes the fields harmless for a terminal; without it they are exact.
	safe bool
}

// writeCSV writes the grid with a header line.
func writeCSV(w io.Writer, g grid, safe bool) error {
	c := csvWriter{bufio.NewWriterSize(w, 64<<10), safe}
	fields := make([]string, len(g.header()))
	for i, name := range g.header() {
		fields[i] = defuse(name)
	}
	c.write(fields)
	for row := range g.len() {
		for i, cell := range g.row(row) {
			fields[i] = cell.exact()
			if cell.kind == records.String {
				fields[i] = defuse(fields[i])
			}
		}
		c.write(fields)
	}
	return c.out.Flush()
}

// write writes one record. The writer keeps its first error for Flush.
func (c csvWriter) write(fields []string) {
	for i, field := range fields {
		if i > 0 {
			_ = c.out.WriteByte(',')
		}
		if c.safe {
			field = safetext.Line(field)
		}
		// A lone empty field would be an empty line, which many readers skip.
		if strings.ContainsAny(field, "\",\r\n") || len(fields) == 1 && field == "" {
			field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
		}
		_, _ = c.out.WriteString(field)
	}
	_, _ = c.out.WriteString("\r\n")
}

// defuse keeps a spreadsheet from running a text as a formula. Numbers do not
// come here: -5 stays -5.
func defuse(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
