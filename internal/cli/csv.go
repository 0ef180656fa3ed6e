package cli

import (
	"context"
	"io"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// sheet is what CSV is written from.
type sheet interface {
	// writeCSV writes it with a header line.
	writeCSV(ctx context.Context, w io.Writer, s csvStyle) error
}

// csvStyle is how CSV is written: what a spreadsheet would take for a formula
// stands behind an apostrophe, unless it is exact.
type csvStyle struct {
	exact bool
	// terminal has it harmless for a terminal.
	terminal bool
}

func (g fixedGrid) writeCSV(_ context.Context, w io.Writer, s csvStyle) error {
	text := records.AppendCSV(nil, g.names)
	for _, row := range g.cells {
		fields := make([]string, len(row))
		for i, cell := range row {
			fields[i] = s.field(cell)
		}
		text = records.AppendCSV(text, fields)
	}
	_, err := w.Write(text)
	return err
}

func (s csvStyle) field(c cell) string {
	text := c.text
	if c.kind == records.String && !s.exact {
		text = records.Defuse(text)
	}
	if s.terminal {
		text = safetext.Line(text)
	}
	return text
}

// recordSheet is the records as the service sent them.
type recordSheet struct{ table *records.Table }

func (r recordSheet) writeCSV(ctx context.Context, w io.Writer, s csvStyle) error {
	all := records.View{Exact: s.exact}
	if s.terminal {
		all.Clean = safetext.Line
	}
	return r.table.WriteCSV(ctx, w, all)
}
