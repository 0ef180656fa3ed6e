package cli

import (
	"bufio"
	"io"
	"strings"

	"gatehouse/internal/safetext"
)

// csvWriter writes records of RFC 4180. encoding/csv is not used: with CRLF
// line ends it changes the line ends inside the fields too.
type csvWriter struct {
	out *bufio.Writer
	// safe makes the fields harmless for a terminal; without it they are exact.
	safe bool
}

// writeCSV writes the grid with a header line. Fields are exact, also those that
// a spreadsheet would take for a formula.
func writeCSV(w io.Writer, g grid, safe bool) error {
	if len(g.header()) == 0 {
		return nil // no record has told what there is
	}
	c := csvWriter{bufio.NewWriterSize(w, 64<<10), safe}
	c.write(g.header())
	fields := make([]string, len(g.header()))
	for row := range g.len() {
		for i, cell := range g.row(row) {
			fields[i] = cell.exact()
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
