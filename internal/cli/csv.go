package cli

import (
	"context"
	"io"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// sheet is what CSV is written from.
type sheet interface {
	// writeCSV writes it with a header line: exactly, also what a spreadsheet would
	// take for a formula, or harmless for a terminal.
	writeCSV(ctx context.Context, w io.Writer, safe bool) error
}

func (g fixedGrid) writeCSV(_ context.Context, w io.Writer, safe bool) error {
	text := records.AppendCSV(nil, csvFields(g.names, safe))
	for _, row := range g.cells {
		fields := make([]string, len(row))
		for i, cell := range row {
			fields[i] = cell.text
		}
		text = records.AppendCSV(text, csvFields(fields, safe))
	}
	_, err := w.Write(text)
	return err
}

// csvFields makes the fields harmless for a terminal if that is asked for.
func csvFields(fields []string, safe bool) []string {
	if !safe {
		return fields
	}
	cleaned := make([]string, len(fields))
	for i, field := range fields {
		cleaned[i] = safetext.Line(field)
	}
	return cleaned
}

// recordSheet is the records as the service sent them.
type recordSheet struct{ table *records.Table }

func (s recordSheet) writeCSV(ctx context.Context, w io.Writer, safe bool) error {
	var all records.View
	if safe {
		all.Clean = safetext.Line
	}
	return s.table.WriteCSV(ctx, w, all)
}
