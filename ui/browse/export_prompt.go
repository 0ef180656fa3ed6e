package browse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Format is what a file is written as, and how its name ends.
type Format string

// The formats. CSV is the one that is proposed.
const (
	CSV    Format = "csv"    // a line of column titles, then a line for each row
	JSON   Format = "json"   // one array
	NDJSON Format = "ndjson" // a record on each line
)

// ExportChoice is what a person wants to export, and where to.
type ExportChoice struct {
	Format Format
	// Path is the file, with the home directory in the place of "~".
	Path string
	// Overwrite replaces a file that is there: the person was asked.
	Overwrite bool
}

// ExportOffer is what can be exported, and how.
type ExportOffer struct {
	// Rows is how many rows are written; One and Many name them: "share", "shares".
	Rows      int
	One, Many string
	// Order says in which order, and which rows: "filtered by lars, sorted by Name".
	Order string
	// Formats are what the end of a name can choose, the proposed one first, and Hint says what
	// each of several has in it.
	Formats []Format
	Hint    string
	// Name is the file that is proposed, without its end.
	Name string
	// Write writes the file; where there is one already, its error wraps
	// [files.ErrExists]. It runs beside the UI, calls progress now and then with what
	// is written so far, and leaves no file behind when it fails or when the context
	// ends.
	Write func(ctx context.Context, c ExportChoice, progress func(rows int, bytes int64)) error
}

// AtOnce makes the Write of an offer whose rows are all there when the file is.
func AtOnce(rows int, write func(out io.Writer) error) func(context.Context, ExportChoice, func(int, int64)) error {
	return func(ctx context.Context, c ExportChoice, progress func(rows int, bytes int64)) error {
		var written files.Counter
		defer func() { progress(rows, written.Written()) }()
		return files.Export(ctx, c.Path, c.Overwrite, func(w io.Writer) error { return write(io.MultiWriter(w, &written)) })
	}
}

// ExportPrompt is the screen over a list that asks for the name of a file, and writes it.
type ExportPrompt struct {
	*form.Card
	env    *screen.Env
	offer  ExportOffer
	job    *exportJob // the last one
	notice string     // why the last try wrote no file
}

// NewExportPrompt makes the prompt.
func NewExportPrompt(env *screen.Env, offer ExportOffer) *ExportPrompt {
	p := &ExportPrompt{env: env, offer: offer, Card: &form.Card{Heading: "Export", Cells: exportCells, Send: "export"}}
	p.About = p.intro
	folder := "~ is your home directory"
	if env.Folder != "" {
		folder = "in " + shownPath(env.Folder) + "; " + folder
	}
	p.Model = form.New(env.Theme, form.Field{
		Key: "file", Label: "File", Value: offer.Name + "." + string(offer.Formats[0]), Hint: folder,
		Check: func(value string) error {
			_, err := p.read(value)
			return err
		},
	})
	p.Submit = func() tea.Cmd {
		c, _ := p.read(p.Value("file"))
		return p.write(c)
	}
	p.Start("file")
	return p
}

// read is what a name asks for.
func (p *ExportPrompt) read(name string) (ExportChoice, error) {
	path, err := expand(name)
	if err != nil {
		return ExportChoice{}, err
	}
	var ends []string
	for _, f := range p.offer.Formats {
		end := "." + string(f)
		if len(p.offer.Formats) == 1 || strings.HasSuffix(strings.ToLower(path), end) {
			return ExportChoice{Format: f, Path: path}, nil
		}
		ends = append(ends, end)
	}
	return ExportChoice{}, errors.New("the name must end in " + strings.Join(ends[:len(ends)-1], ", ") + " or " + ends[len(ends)-1])
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
		return "", errors.New("after ~, type / and the rest of the path")
	}
	return expanded, nil
}

// exportFrame is how often writing shows its progress.
const exportFrame = 120 * time.Millisecond

// exportJob is the writing of a file.
type exportJob struct {
	choice  ExportChoice
	started time.Time

	// The writing counts in these; drawing reads them.
	rows, bytes atomic.Int64
}

// written is the result of writing a file.
type written struct {
	path string // from the root of the file system, where that is known
	err  error
}

// write begins to write a file.
func (p *ExportPrompt) write(c ExportChoice) (begun tea.Cmd) {
	j := &exportJob{choice: c, started: p.env.Now()}
	p.Sending, begun = screen.Begin(p.env, p, func(ctx context.Context) written {
		err := p.offer.Write(ctx, c, j.progress)
		path, unknown := filepath.Abs(c.Path)
		if unknown != nil {
			path = c.Path
		}
		return written{path, err}
	}, p.written)
	p.job, p.notice = j, ""
	return tea.Batch(begun, screen.Redraw(p.Sending.Context, p, exportFrame))
}

func (j *exportJob) progress(rows int, bytes int64) {
	j.rows.Store(int64(rows))
	j.bytes.Store(bytes)
}

func (p *ExportPrompt) written(w written) tea.Cmd {
	j := p.job
	p.Start("file")
	switch {
	case w.err == nil:
		said := "Wrote " + p.rows() + ", " + human.Bytes(j.bytes.Load()) + ", to " + shownPath(w.path) + "."
		return tea.Batch(p.env.Root.Pop(p), p.env.Root.Say(said, false))
	case !j.choice.Overwrite && errors.Is(w.err, files.ErrExists):
		return p.askToReplace(j.choice)
	}
	described := problem.Describe(w.err, problem.Screen)
	p.notice = strings.TrimSpace(described.Sentence + " " + described.Hint)
	return nil
}

func (p *ExportPrompt) askToReplace(c ExportChoice) tea.Cmd {
	c.Overwrite = true
	return p.env.Root.Push(p, &screen.Question{
		Env: p.env, Asks: "Replace it?", Cells: 60,
		Text: func(width int) string { return screen.Wrap(shownPath(c.Path)+" exists already.", width) },
		Answers: []screen.Answer{
			{ID: screen.ExportReplace, Text: "replace the file", Run: func() tea.Cmd { return p.write(c) }},
			{ID: screen.ExportRename, Text: "choose another name"},
		},
	})
}

// rows says how many rows there are.
func (p *ExportPrompt) rows() string { return human.Count(p.offer.Rows, p.offer.One, p.offer.Many) }

// exportCells is the width of the box of an export.
const exportCells = 84

func (p *ExportPrompt) Draw(width, height int) string {
	if p.Busy() {
		return screen.Box(p.far(width), width, height)
	}
	return screen.Box(p.Card.Draw(width, height), width, height)
}

// intro says what is exported. What matters most comes first.
func (p *ExportPrompt) intro(width int) []string {
	t := p.env.Theme
	lines := []string{t.Strong.Render(screen.Cut("Export "+p.rows(), width))}
	for _, text := range []string{p.offer.Order, p.offer.Hint} {
		if text != "" {
			lines = append(lines, screen.Wrapped(t.Muted, text, width)...)
		}
	}
	if p.notice != "" {
		lines = append(lines, screen.Wrapped(t.Bad, t.Glyphs.Bad+" "+p.notice, width)...)
	}
	return lines
}

func (p *ExportPrompt) Progress() (done, total int64, working bool) {
	if !p.Busy() {
		return 0, 0, false
	}
	return p.job.rows.Load(), int64(p.offer.Rows), true
}

// far says how far the writing is.
func (p *ExportPrompt) far(width int) string {
	t, j := p.env.Theme, p.job
	elapsed := max(p.env.Now().Sub(j.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/exportFrame)%len(t.Glyphs.Spinner)]
	rows := int(j.rows.Load())
	far := fmt.Sprintf("%s of %s, %s  %s", human.Number(rows), p.rows(), human.Bytes(j.bytes.Load()), human.Span(elapsed))
	return strings.Join([]string{
		t.Accent.Render(sign) + " writing " + shownPath(j.choice.Path), "",
		t.Muted.Render(far), screen.Gauge(t, t.Accent, float64(rows)/float64(p.offer.Rows), min(width, 40)),
	}, "\n")
}

// shownPath is a path as people read it.
func shownPath(path string) string { return safetext.Clip(path, maxPath) }

const maxPath = 300

// export opens the prompt that writes what the list shows to a file.
func (l *List) export() tea.Cmd {
	w := l.writer()
	name := files.ExportName("gatehouse", l.options.Many, l.ofWhole, l.env.Now().Format(time.DateOnly))
	return l.Over(NewExportPrompt(l.env, ExportOffer{
		Rows: w.count, One: l.options.One, Many: l.options.Many, Order: l.by.how(),
		Formats: []Format{CSV, JSON, NDJSON},
		Hint:    ".csv: the " + human.Count(len(w.shown), "column", "columns") + " shown. .json and .ndjson: whole records.",
		Name:    name, Write: w.file,
	}))
}

// how says which rows are shown, and in which order.
func (a *arrangement) how() string {
	var parts []string
	if a.source.missing != "" {
		parts = append(parts, "of an incomplete answer")
	}
	if text := a.text; text != "" {
		parts = append(parts, "filtered by "+safetext.Clip(text, maxName))
	}
	if len(a.keys) > 0 {
		parts = append(parts, "sorted by "+a.sortedBy())
	}
	return strings.Join(parts, ", ")
}

// sortedBy names the columns of the order: "Size down, then Name".
func (a *arrangement) sortedBy() string {
	names := make([]string, len(a.keys))
	for i, key := range a.keys {
		names[i] = safetext.Clip(a.source.columns[key.Column].Heading, maxName)
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
	table *lists.Table
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
		err := w.write(ctx, io.MultiWriter(out, &counter), c, told)
		told(w.count)
		return err
	})
}

func (w writer) write(ctx context.Context, out io.Writer, c ExportChoice, progress func(rows int)) error {
	view := lists.View{Rows: w.rows, Columns: w.shown, Progress: progress}
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
