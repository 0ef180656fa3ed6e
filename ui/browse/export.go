package browse

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// export opens the prompt that writes what the list shows to a file.
func (l *List) export() tea.Cmd {
	w := l.writer()
	name := files.ExportName("gatehouse", l.options.Many, l.ofWhole, l.env.Now().Format(time.DateOnly))
	return l.Over(NewExportPrompt(l.env, ExportOffer{
		Rows: w.count, One: l.options.One, Many: l.options.Many, Order: l.how(),
		Formats: []Format{CSV, JSON, NDJSON},
		Hint:    ".csv has the " + human.Count(len(w.shown), "column", "columns") + " shown, .json and .ndjson whole records.",
		Name:    name, Write: w.file,
	}))
}

// how says which rows are shown, and in which order.
func (l *List) how() string {
	var parts []string
	if l.source.missing != "" {
		parts = append(parts, "of an incomplete answer")
	}
	if text := l.by.text; text != "" {
		parts = append(parts, "filtered by "+safetext.Clip(text, maxName))
	}
	if len(l.by.keys) > 0 {
		parts = append(parts, "sorted by "+l.sortedBy())
	}
	return strings.Join(parts, ", ")
}

// sortedBy names the columns of the order: "Size down, then Name".
func (l *List) sortedBy() string {
	names := make([]string, len(l.by.keys))
	for i, key := range l.by.keys {
		names[i] = safetext.Clip(l.source.columns[key.Column].Heading, maxName)
		if key.Descending {
			names[i] += " down"
		}
	}
	return strings.Join(names, ", then ")
}

// shownColumns are the columns of the table that are shown, from left to right.
func (l *List) shownColumns() []int {
	order := l.grid.Order()
	if len(order) == 0 {
		return l.source.from
	}
	shown := make([]int, len(order))
	for i, column := range order {
		shown[i] = l.source.from[column]
	}
	return shown
}

// writer writes what a list shows.
type writer struct {
	table *records.Table
	rows  []int32
	count int   // of the rows
	shown []int // columns of the table
}

func (l *List) writer() writer {
	return writer{table: l.source.table, rows: l.rows, count: l.grid.Len(), shown: l.shownColumns()}
}

// file writes a file as the person chose it.
func (w writer) file(ctx context.Context, c ExportChoice, progress func(rows int, bytes int64)) error {
	var counter files.Counter
	told := func(rows int) { progress(rows, counter.Written()) }
	return files.Export(ctx, c.Path, c.Overwrite, func(out io.Writer) error {
		err := w.write(ctx, counter.To(out), c, told)
		told(w.count)
		return err
	})
}

func (w writer) write(ctx context.Context, out io.Writer, c ExportChoice, progress func(rows int)) error {
	view := records.View{Rows: w.rows, Columns: w.shown, Progress: progress}
	switch c.Format {
	case JSON:
		return w.table.WriteJSON(ctx, out, view)
	case NDJSON:
		return w.table.WriteNDJSON(ctx, out, view)
	}
	return w.table.WriteCSV(ctx, out, view)
}

// maxCopied is how many bytes of rows are copied: more than most clipboards take.
const maxCopied = 1 << 20

var errTooLong = errors.New("the rows are too long to be copied")

// copyRows copies what the list shows as CSV, where no files may be written.
func (l *List) copyRows() tea.Cmd {
	w, text := l.writer(), &limited{}
	write := func() error { return w.write(l.env.Context, text, ExportChoice{Format: CSV}, nil) }
	return screen.Reply(l.owner, write, func(err error) tea.Cmd {
		what := l.options.count(w.count) + " as CSV"
		if err != nil {
			return l.env.Root.Say("Not copied: "+what+" are too long for the clipboard. Filter first.", true)
		}
		return l.env.Root.CopyDocument(text.String(), what)
	})
}

// limited is a text that does not grow beyond maxCopied.
type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxCopied {
		return 0, errTooLong
	}
	return l.Builder.Write(p)
}
