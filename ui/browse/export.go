package browse

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// export opens the prompt that writes what the list shows to a file.
func (l *recordList) export() tea.Cmd {
	w := l.writer()
	name := files.ExportName("gatehouse", l.names.many, l.names.ofWhole, l.env.Now().Format(time.DateOnly))
	return l.push(NewExportPrompt(l.env, ExportOffer{
		Rows: w.count, One: l.names.one, Many: l.names.many, Order: l.how(),
		Shown: len(w.shown), All: len(l.source.columns),
		Name: name, Write: w.file,
	}))
}

// how says which rows are shown, and in which order.
func (l *recordList) how() string {
	var parts []string
	if l.source.missing != "" {
		parts = append(parts, "of an incomplete answer")
	}
	if text := l.by.text; text != "" {
		parts = append(parts, "filtered by "+safetext.Clip(text, longestName))
	}
	if len(l.by.keys) > 0 {
		parts = append(parts, "sorted by "+l.sortedBy())
	}
	return strings.Join(parts, ", ")
}

// sortedBy names the columns of the order: "Size down, then Name".
func (l *recordList) sortedBy() string {
	names := make([]string, len(l.by.keys))
	for i, key := range l.by.keys {
		names[i] = safetext.Clip(l.source.columns[key.Column].Heading, longestName)
		if key.Descending {
			names[i] += " down"
		}
	}
	return strings.Join(names, ", then ")
}

// shownColumns are the columns of the table that are shown, from left to right.
func (l *recordList) shownColumns() []int {
	order := l.grid.ColumnLayout().Order
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

func (l *recordList) writer() writer {
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
func (l *recordList) copyRows() tea.Cmd {
	w := l.writer()
	return screen.Reply(l.owner, func() tea.Msg {
		var text limited
		err := w.write(l.env.Context, &text, ExportChoice{Format: CSV}, nil)
		return copiedMsg{w.count, text.String(), err}
	})
}

func (l *recordList) copied(msg copiedMsg) tea.Cmd {
	what := l.names.count(msg.rows) + " as CSV"
	if msg.err != nil {
		return l.env.Root.Say("Not copied: "+what+" are too long for the clipboard. Filter first.", true)
	}
	return l.env.Root.CopyDocument(msg.text, what)
}

// limited is a text that does not grow beyond mostCopied.
type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > mostCopied {
		return 0, errTooLong
	}
	return l.Builder.Write(p)
}

// Format is what a file is written as.
type Format string

// The formats. CSV is the one that is proposed.
const (
	CSV      Format = "csv"       // a line of column titles, then a line for each row
	ExactCSV Format = "exact csv" // the same without apostrophes before what looks like a formula
	JSON     Format = "json"      // one array
	NDJSON   Format = "ndjson"    // a record on each line
)

// extension is how the names of files of a format end.
func (f Format) extension() string {
	if f == ExactCSV {
		f = CSV
	}
	return "." + string(f)
}

// ExportChoice is what a person wants to have written, and where.
type ExportChoice struct {
	Format Format
	// AllColumns takes the columns that are not shown, too.
	AllColumns bool
	// Path is the file, with the home directory in the place of "~".
	Path string
	// Overwrite replaces a file that is there: the person was asked.
	Overwrite bool
}

const allColumns = "all"

// exportFields are the inputs of the form; the file is the last one, behind which the
// export begins.
func exportFields(o ExportOffer, folder string) []form.Field {
	hint := "~ is home"
	if folder != "" {
		hint = "in " + shownPath(folder) + "; " + hint
	}
	if o.Only != "" {
		return []form.Field{{Key: "file", Label: "File", Value: o.Name + o.Only.extension(), Hint: hint, Check: checkFile}}
	}
	return []form.Field{
		{Key: "format", Label: "Format", Value: string(CSV), Hint: "←/→ choose", Options: []form.Option{
			{Label: "CSV, for spreadsheets", Value: string(CSV)},
			{Label: "JSON, one array", Value: string(JSON)},
			{Label: "NDJSON, one record per line", Value: string(NDJSON)},
			{Label: "CSV, formulas unchanged", Value: string(ExactCSV)},
		}},
		{Key: "columns", Label: "Columns", Hint: "←/→ choose", Options: []form.Option{
			{Label: "the " + human.Number(o.Shown) + " shown", Value: ""},
			{Label: "all " + human.Number(o.All), Value: allColumns},
		}},
		{Key: "file", Label: "File", Value: o.Name + CSV.extension(), Hint: hint, Check: checkFile},
	}
}

func checkFile(value string) error {
	_, err := expand(value)
	return err
}

// expand puts the home directory in the place of "~".
func expand(path string) (string, error) {
	path = strings.TrimSpace(path)
	switch {
	case path == "":
		return "", errors.New("type the name of the file")
	case os.IsPathSeparator(path[len(path)-1]):
		return "", errors.New("type the name of a file in this folder")
	}
	expanded, err := files.ExpandHome(path)
	switch {
	case err != nil:
		return "", errors.New("the home directory is not known; type the whole path")
	case path == "~" || expanded[0] == '~':
		return "", errors.New("after ~ comes / and the rest of the path")
	}
	return expanded, nil
}

// choice reads the form, whose checks have passed.
func (p *ExportPrompt) choice() ExportChoice {
	path, _ := expand(p.form.Value("file"))
	if p.offer.Only != "" {
		return ExportChoice{Format: p.offer.Only, Path: path}
	}
	return ExportChoice{Format: Format(p.form.Value("format")), AllColumns: p.form.Value("columns") == allColumns, Path: path}
}

// followFormat changes the end of the file's name with the format, unless the
// person gave it another end, and the format with the end that is typed.
func (p *ExportPrompt) followFormat() {
	chosen := p.choice().Format
	if chosen == p.format {
		p.followName()
		return
	}
	if name, ours := strings.CutSuffix(p.form.Value("file"), p.format.extension()); ours {
		p.form.Set("file", name+chosen.extension())
		p.form.Init(p.form.Focused())
	}
	p.format = chosen
}

// followName chooses the format that the end of the file's name stands for.
func (p *ExportPrompt) followName() {
	if p.offer.Only != "" {
		return
	}
	name := strings.ToLower(p.form.Value("file"))
	if strings.HasSuffix(name, p.format.extension()) {
		return // two formats share an end
	}
	for _, f := range []Format{CSV, JSON, NDJSON} {
		if strings.HasSuffix(name, f.extension()) {
			p.form.Set("format", string(f))
			p.form.Init(p.form.Focused())
			p.format = f
			return
		}
	}
}

// columns says which columns a choice takes.
func (o ExportOffer) columns(c ExportChoice) string {
	if c.AllColumns {
		return "all " + human.Number(o.All) + " columns"
	}
	return "the " + human.Number(o.Shown) + " columns shown"
}

// rows says how many rows there are.
func (o ExportOffer) rows() string { return human.Count(o.Rows, o.One, o.Many) }

// shownPath is a path as people read it.
func shownPath(path string) string { return safetext.Clip(path, longestPath) }

const longestPath = 300
