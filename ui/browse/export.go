package browse

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// export opens the prompt that writes what the list shows to a file.
func (m *recordList) export() tea.Cmd {
	w := m.writer()
	name := files.ExportName(m.names.many, m.names.of, m.env.Now().Format(time.DateOnly))
	return m.push(NewExportPrompt(m.env, nil, ExportOffer{
		Rows: w.count, One: m.names.one, Many: m.names.many, Order: m.how(),
		Shown: len(w.shown), All: len(m.source.columns),
		Name: name, Write: w.file, Exists: func(err error) bool { return errors.Is(err, files.ErrExists) },
	}, m.pop))
}

// how says which rows are shown, and in which order.
func (m *recordList) how() string {
	var parts []string
	if m.source.missing != "" {
		parts = append(parts, "of an answer that is not whole")
	}
	if text := m.view.text; text != "" {
		parts = append(parts, "filtered by "+safetext.Clip(text, longestName))
	}
	if m.view.column >= 0 && m.order.set {
		way := "sorted by "
		if m.order.descending {
			way = "sorted down by "
		}
		parts = append(parts, way+safetext.Clip(m.order.column, longestName))
	}
	return strings.Join(parts, ", ")
}

// shownColumns are the columns of the table that are shown, from left to right.
func (m *recordList) shownColumns() []int {
	order := m.grid.ColumnLayout().Order
	if len(order) == 0 {
		return m.source.from
	}
	shown := make([]int, len(order))
	for i, column := range order {
		shown[i] = m.source.from[column]
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

func (m *recordList) writer() writer {
	return writer{table: m.source.table, rows: m.rows, count: m.grid.Len(), shown: m.shownColumns()}
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
	view := records.View{Rows: w.rows, Columns: w.shown, Progress: progress, Exact: c.Format == ExactCSV}
	if c.AllColumns {
		view.Columns = nil
	}
	switch c.Format {
	case JSON:
		return w.table.WriteJSON(ctx, out, view)
	case NDJSON:
		return w.table.WriteNDJSON(ctx, out, view)
	}
	return w.table.WriteCSV(ctx, out, view)
}

// mostCopied is how many bytes of rows are copied: more than most clipboards take.
const mostCopied = 1 << 20

type copiedMsg struct {
	rows int
	text string
	err  error
}

var errTooLong = errors.New("the rows are too long to be copied")

// copyRows copies what the list shows as CSV, where no files may be written.
func (m *recordList) copyRows() tea.Cmd {
	w := m.writer()
	return screen.Reply(m.owner, func() tea.Msg {
		var text limited
		err := w.write(m.env.Context, &text, ExportChoice{Format: CSV}, nil)
		return copiedMsg{w.count, text.String(), err}
	})
}

func (m *recordList) copied(msg copiedMsg) tea.Cmd {
	what := m.names.count(msg.rows) + " as CSV"
	if msg.err != nil {
		return m.env.Root.Say("Not copied: "+what+" are more than a clipboard takes. Filter first.", true)
	}
	return m.env.Root.Copy(msg.text, what)
}

// limited is a text that does not grow beyond mostCopied.
type limited struct{ strings.Builder }

// Write implements [io.Writer].
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > mostCopied {
		return 0, errTooLong
	}
	return l.Builder.Write(p)
}
