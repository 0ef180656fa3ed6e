package browse

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// export opens the screen that writes the marked rows to a file or, if none is marked, all that
// are shown.
func (l *List) export() tea.Cmd {
	w := l.writer()
	return l.Over(NewExportPrompt(l.env, ExportOffer{
		Rows:    w.count,
		One:     w.one,
		Many:    w.many,
		Order:   w.order,
		Formats: lists.Exports(),
		Name:    l.options.Many,
		Cut:     w.cut,
		Partial: w.table.Truncated(),
		Write:   w.file,
	}))
}

// describe says which rows the job has found, and in which order. For marked rows it leaves out
// the filter, as rows that it does not find can be marked, too.
func (a *arrangeJob) describe(marked bool) string {
	var parts []string
	if a.source.missing != "" {
		parts = append(parts, "of an incomplete answer")
	}
	if text := a.filter; text != "" && !marked {
		parts = append(parts, "filtered by "+safetext.Clip(text, maxName))
	}
	if len(a.keys) > 0 {
		parts = append(parts, "sorted by "+a.sortedBy())
	}
	return strings.Join(parts, ", ")
}

// sortedBy names the columns that the rows are sorted by: "Size, largest first, then Name".
func (a *arrangeJob) sortedBy() string {
	names := make([]string, len(a.keys))
	for i, key := range a.keys {
		names[i] = safetext.Clip(a.source.columns[key.Column].Heading, maxName)
		if key.Descending {
			names[i] += ", " + firstOf(a.source.kind(key.Column))
		}
	}
	return strings.Join(names, ", then ")
}

// firstOf says what comes first when a column of this kind is sorted downwards.
func firstOf(kind lists.ColumnKind) string {
	switch kind {
	case lists.NumberColumn, lists.BytesColumn:
		return "largest first"
	case lists.TimeColumn, lists.TicksColumn:
		return "latest first"
	}
	return "Z to A"
}

// shownColumns returns the columns that are shown, from left to right, as columns of the table.
func (l *List) shownColumns() []int {
	order := l.grid.Order()
	if len(order) == 0 {
		return l.source.tableColumns
	}
	shown := make([]int, len(order))
	for i, column := range order {
		shown[i] = l.source.tableColumns[column]
	}
	return shown
}

// writer writes the marked rows of a list or, if none is marked, all that are shown. It keeps its
// rows when the list changes.
type writer struct {
	table     *lists.Table
	rows      []int32  // nil for all
	count     int      // how many rows there are
	one, many string   // what a row is called
	order     string   // which rows they are, and in which order
	shown     []int    // the columns that are shown, as columns of the table
	headings  []string // of these columns
	format    lists.Format
}

// writer makes the writer for the rows as they are now.
func (l *List) writer() writer {
	w := writer{
		table:  l.source.table,
		rows:   l.rows,
		count:  l.grid.Len(),
		one:    l.options.One,
		many:   l.options.Many,
		order:  l.shownJob.describe(false),
		shown:  l.shownColumns(),
		format: l.source.format.Format,
	}
	if marked := l.grid.Marks().Len(); marked > 0 {
		w.rows, w.count = l.markedRows(), marked
		w.one, w.many = "marked "+w.one, "marked "+w.many
		w.order = l.shownJob.describe(true)
	}
	for _, column := range w.shown {
		at := slices.Index(l.source.tableColumns, column)
		w.headings = append(w.headings, l.source.columns[at].Heading)
	}
	return w
}

// file writes the rows to a file. It is the Write of an [ExportOffer].
func (w writer) file(ctx context.Context, c ExportChoice, progress Progress) error {
	var counter files.Counter
	view := w.view(c.Shown)
	view.Progress = func(rows int) { progress(rows, counter.Written()) }
	return files.Export(ctx, c.Path, c.Overwrite, func(out io.Writer) error {
		err := w.table.Write(ctx, io.MultiWriter(out, &counter), c.Format, view)
		view.Progress(w.count)
		return err
	})
}

// view says what of the table is written, and whether as shown or as sent.
func (w writer) view(shown bool) lists.View {
	style := lists.Style{Shown: shown, Format: w.format}
	return lists.View{Style: style, Rows: w.rows, Columns: w.shown, Headings: w.headings}
}

// cut counts the cells that are too long for a format.
func (w writer) cut(format *lists.Output) int { return w.table.TooLong(format, w.view(true)) }

// maxCopied is how many bytes can be copied, which is more than most terminals accept.
const maxCopied = 1 << 20

var errTooLong = errors.New("the rows are too long to be copied")

// copyAs copies the marked rows or, if none is marked, all that are shown, in a format.
func (l *List) copyAs(format *lists.Output) tea.Cmd {
	w, text := l.writer(), &limited{}
	what := human.Count(w.count, w.one, w.many) + " as " + strings.ToUpper(format.Name)
	return l.copyText(what, text, func() error {
		return w.table.Write(l.env.Context, text, format, w.view(false))
	})
}

// copyText calls write off the UI's goroutine, and copies the text that it has written. what
// names it in messages.
func (l *List) copyText(what string, text *limited, write func() error) tea.Cmd {
	return screen.Reply(l.owner, write, func(err error) tea.Cmd {
		if err != nil {
			return l.env.Root.Say("Not copied: "+what+
				" are too long for the clipboard. Filter first, or mark fewer.", true)
		}
		return l.env.Root.CopyDocument(text.String(), what)
	})
}

// limited is a text that does not grow beyond [maxCopied]: a write that would do so fails.
type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxCopied {
		return 0, errTooLong
	}
	return l.Builder.Write(p)
}
