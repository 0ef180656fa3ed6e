package browse

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// ExportChoice is what a person wants to export, and where to.
type ExportChoice struct {
	Format *lists.Output // nil where the offer has none to choose
	// Shown writes columns and values as the list shows them, where the format can.
	Shown bool
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
	// Formats are those that a person can choose, the proposed one first; nil: there is one, and
	// its files end in End.
	Formats []*lists.Output
	End     string
	// Name is the file that is proposed, without its end.
	Name string
	// Cut counts the cells that a format has no room for; nil: there are none. It runs beside the
	// UI.
	Cut func(format *lists.Output) int
	// Partial is set where formats of columns leave out some: there are more than
	// [lists.MaxColumns].
	Partial bool
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
	// name and format are what the form had when both were last made to agree.
	name, format string
}

// The fields of the form.
const (
	fieldFile    = "file"
	fieldFormat  = "format"
	fieldColumns = "columns"
)

// The values of the field of the columns.
const (
	columnsShown = "shown"
	columnsSent  = "sent"
)

// NewExportPrompt makes the prompt.
func NewExportPrompt(env *screen.Env, offer ExportOffer) *ExportPrompt {
	p := &ExportPrompt{env: env, offer: offer}
	p.Card = &form.Card{Heading: "Export " + p.rows(), Cells: exportCells, Send: "export"}
	p.About = p.intro
	p.Model = form.New(env.Theme, p.fields()...)
	p.Submit = func() tea.Cmd {
		p.agree()
		choice, err := p.read(p.Value(fieldFile))
		if err != nil { // the format has changed since it was checked
			p.Start(fieldFile)
			return nil
		}
		return p.write(choice)
	}
	p.Clicked = func() tea.Cmd {
		p.agree()
		return nil
	}
	p.agree()
	p.Start(fieldFile)
	return p
}

// fields are those of the form: where there is one format, the name of the file alone.
func (p *ExportPrompt) fields() []form.Field {
	end := p.offer.End
	if len(p.offer.Formats) > 0 {
		end = p.offer.Formats[0].Extension()
	}
	file := form.Field{
		Key: fieldFile, Label: "File", Value: p.offer.Name + end, Expand: files.Complete,
		Check: func(value string) error {
			p.agree()
			_, err := p.read(value)
			return err
		},
	}
	if len(p.offer.Formats) == 0 {
		return []form.Field{file}
	}
	format := form.Field{Key: fieldFormat, Label: "Format", Ready: true}
	for _, f := range p.offer.Formats {
		format.Options = append(format.Options, form.Option{Label: f.Name, Value: f.Name})
	}
	columns := form.Field{
		Key: fieldColumns, Label: "Columns", Ready: true,
		Options: []form.Option{{Label: "as shown", Value: columnsShown}, {Label: "as sent", Value: columnsSent}},
	}
	return []form.Field{file, format, columns}
}

// Init counts what a workbook would cut, which takes a moment for many records.
func (p *ExportPrompt) Init() tea.Cmd {
	format := p.chosen()
	if p.offer.Cut == nil || format == nil || format.MaxCharacters == 0 {
		return nil
	}
	count := func() int { return p.offer.Cut(format) }
	return screen.Reply(p, count, func(cells int) tea.Cmd {
		if cells > 0 {
			p.notice = human.Count(cells, "cell is", "cells are") + " longer than " + human.Number(format.MaxCharacters) +
				" characters, the limit of " + format.Name + ", and would be cut."
		}
		return nil
	})
}

// Update takes keys and pastes. The first one takes back what was said of the last try.
func (p *ExportPrompt) Update(msg tea.Msg) tea.Cmd {
	if !p.Busy() {
		p.notice = ""
	}
	cmd := p.Card.Update(msg)
	p.agree()
	return cmd
}

// chosen is the format that the form has; nil where there is none to choose.
func (p *ExportPrompt) chosen() *lists.Output {
	if len(p.offer.Formats) == 0 {
		return nil
	}
	return lists.OutputNamed(p.Value(fieldFormat), p.offer.Formats)
}

// agree makes the end of the name and the format one: what was changed last decides.
func (p *ExportPrompt) agree() {
	name := p.Value(fieldFile)
	if format := p.chosen(); format != nil {
		named := lists.OutputOfFile(name, p.offer.Formats)
		switch {
		case format.Name != p.format && p.format != "" && named != nil:
			name = name[:len(name)-len(named.Extension())] + format.Extension()
			p.Set(fieldFile, name)
		case named != nil:
			p.Set(fieldFormat, named.Name)
		}
		format = p.chosen()
		p.format = format.Name
		p.SetLabel(fieldFormat, "Format", format.About)
		p.Hide(fieldColumns, !(format.Sent && format.Shown))
		p.SetLabel(fieldColumns, "Columns", p.aboutColumns())
	}
	if name != p.name {
		p.name = name
		p.SetLabel(fieldFile, "File", p.aboutFile(name))
	}
}

// aboutColumns says what the choice of the columns does.
func (p *ExportPrompt) aboutColumns() string {
	if p.shown() {
		return "headings and values of the list, for a spreadsheet"
	}
	return "names and values exactly as the service sent them, for scripts"
}

// shown reports whether values are written as the list shows them.
func (p *ExportPrompt) shown() bool {
	format := p.chosen()
	switch {
	case format == nil || !format.Shown:
		return false
	case !format.Sent:
		return true
	}
	return p.Value(fieldColumns) == columnsShown
}

// aboutFile says where a file is, and whether it is there already.
func (p *ExportPrompt) aboutFile(name string) string {
	if path, err := expand(name); err == nil && files.Exists(path) {
		return "this file exists; you will be asked before it is replaced"
	}
	if p.env.Folder == "" {
		return "tab completes; ~ is your home directory"
	}
	return "in " + shownPath(p.env.Folder) + "; tab completes, ~ is your home directory"
}

// read is what a name asks for.
func (p *ExportPrompt) read(name string) (ExportChoice, error) {
	path, err := expand(name)
	if err != nil {
		return ExportChoice{}, err
	}
	if len(p.offer.Formats) == 0 {
		return ExportChoice{Path: path}, nil
	}
	format := lists.OutputOfFile(path, p.offer.Formats)
	if format == nil {
		return ExportChoice{}, errors.New("the name must end in " + endings(p.offer.Formats))
	}
	return ExportChoice{Format: format, Shown: p.shown(), Path: path}, format.CheckRows(p.offer.Rows)
}

// endings lists how names of files end: ".xlsx, .csv or .json".
func endings(formats []*lists.Output) string {
	last := len(formats) - 1
	text := ""
	for _, format := range formats[:last] {
		text += format.Extension() + ", "
	}
	return strings.TrimSuffix(text, ", ") + " or " + formats[last].Extension()
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
	p.Start(fieldFile)
	switch {
	case w.err == nil:
		said := "Wrote " + p.rows() + ", " + human.Bytes(j.bytes.Load()) + ", to " + shownPath(w.path) + "."
		if p.offer.Partial && j.choice.Format.Columns {
			said += " " + columnsLeftOut()
		}
		return tea.Batch(p.env.Root.Pop(p), p.env.Root.Say(said, false))
	case !j.choice.Overwrite && errors.Is(w.err, files.ErrExists):
		return p.askToReplace(j.choice)
	}
	described := screen.Describe(w.err)
	p.notice = strings.TrimSpace(described.Sentence + " " + described.Hint)
	return nil
}

// columnsLeftOut says what a format of columns has not, of a list that has very many.
func columnsLeftOut() string {
	return "Columns beyond " + human.Number(lists.MaxColumns) + " are left out; " + lists.AsJSON.Name + " has them."
}

func (p *ExportPrompt) askToReplace(c ExportChoice) tea.Cmd {
	c.Overwrite = true
	return p.env.Root.Push(p, &screen.Question{
		Env: p.env, Asks: "Replace it?", Cells: 60,
		Text: func() screen.Part { return screen.Text{Text: shownPath(c.Path) + " exists already."} },
		Answers: []screen.Answer{
			{ID: screen.ExportReplace, Text: "replace the file", SaysTitle: true, Run: func() tea.Cmd { return p.write(c) }},
			{ID: screen.ExportRename, Text: "choose another name"},
		},
	})
}

// rows says how many rows there are.
func (p *ExportPrompt) rows() string { return human.Count(p.offer.Rows, p.offer.One, p.offer.Many) }

// exportCells is the width of the box of an export.
const exportCells = 84

// View implements [screen.Screen].
func (p *ExportPrompt) View() screen.View {
	v := p.Card.View()
	if p.Busy() {
		v.Body = far{p}
		v.Progress = screen.Progress{Done: p.job.rows.Load(), Total: int64(p.offer.Rows), Working: true}
	}
	return v
}

// intro says in which order the rows are, and why the last try wrote no file.
func (p *ExportPrompt) intro() screen.Part {
	t := p.env.Theme
	parts := screen.Column{}
	if p.offer.Order != "" {
		parts = append(parts, screen.Text{Style: t.Muted, Text: p.offer.Order})
	}
	if format := p.chosen(); format != nil && format.Columns && p.offer.Partial {
		parts = append(parts, screen.Text{Style: t.Warn, Text: t.Glyphs.Warning + " " + columnsLeftOut()})
	}
	if p.notice != "" {
		parts = append(parts, screen.Text{Style: t.Bad, Text: t.Glyphs.Bad + " " + p.notice})
	}
	return parts
}

// far says how far the writing is.
type far struct{ *ExportPrompt }

// Draw implements [screen.Part].
func (p far) Draw(width, height int) screen.Drawing {
	t, j := p.env.Theme, p.job
	elapsed := max(p.env.Now().Sub(j.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/exportFrame)%len(t.Glyphs.Spinner)]
	rows := int(j.rows.Load())
	written := human.Number(rows) + " of " + p.rows() + ", " + human.Bytes(j.bytes.Load()) + "  " + human.Span(elapsed)
	return screen.Lines{
		t.Accent.Render(sign) + " writing " + shownPath(j.choice.Path),
		"",
		t.Muted.Render(written),
		screen.Gauge(t, t.Accent, float64(rows)/float64(p.offer.Rows), min(width, 40)),
	}.Draw(width, height)
}

// Say implements [screen.Part].
func (p far) Say() iter.Seq[string] {
	return screen.Texts("Writing " + p.rows() + " to " + p.job.choice.Path)
}

// shownPath is a path as people read it.
func shownPath(path string) string { return safetext.Clip(path, maxPath) }

const maxPath = 300

// export opens the prompt that writes the marked rows to a file, or all that the list shows where
// none is marked.
func (l *List) export() tea.Cmd {
	w := l.writer()
	return l.Over(NewExportPrompt(l.env, ExportOffer{
		Rows: w.count, One: w.one, Many: w.many, Order: w.order,
		Formats: lists.Exports(), Name: l.options.Many, Cut: w.cut, Partial: w.table.Truncated(), Write: w.file,
	}))
}

// how says which rows are shown, and in which order. Of marked rows the filter says nothing.
func (a *arranging) how(marked bool) string {
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

// sortedBy names the columns of the order: "Size down, then Name".
func (a *arranging) sortedBy() string {
	names := make([]string, len(a.keys))
	for i, key := range a.keys {
		names[i] = safetext.Clip(a.source.columns[key.Column].Heading, maxName)
		if key.Descending {
			names[i] += ", " + firstOf(a.source.infos[a.source.from[key.Column]].Kind)
		}
	}
	return strings.Join(names, ", then ")
}

// firstOf says what comes first where a column of a kind is sorted downwards.
func firstOf(kind lists.ColumnKind) string {
	switch kind {
	case lists.NumberColumn, lists.BytesColumn:
		return "largest first"
	case lists.TimeColumn, lists.TicksColumn:
		return "latest first"
	}
	return "Z to A"
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

// writer writes the marked rows of a list, or what it shows where none is marked.
type writer struct {
	table     *lists.Table
	rows      []int32
	count     int      // of the rows
	one, many string   // what a row is called
	order     string   // which rows they are, and in which order
	shown     []int    // columns of the table
	headings  []string // of these columns
	format    lists.Format
}

func (l *List) writer() writer {
	w := writer{
		table: l.source.table, shown: l.shownColumns(), format: l.source.format.Format,
		rows: l.rows, count: l.grid.Len(), one: l.options.One, many: l.options.Many, order: l.shown.how(false),
	}
	if marked := l.grid.Marks().Len(); marked > 0 {
		w.rows, w.count = l.markedRows(), marked
		w.one, w.many = "marked "+w.one, "marked "+w.many
		w.order = l.shown.how(true)
	}
	for _, column := range w.shown {
		at := slices.Index(l.source.from, column)
		w.headings = append(w.headings, l.source.columns[at].Heading)
	}
	return w
}

// file writes a file as the person chose it.
func (w writer) file(ctx context.Context, c ExportChoice, progress func(rows int, bytes int64)) error {
	var counter files.Counter
	view := w.view(c.Shown)
	view.Progress = func(rows int) { progress(rows, counter.Written()) }
	return files.Export(ctx, c.Path, c.Overwrite, func(out io.Writer) error {
		err := w.table.Write(ctx, io.MultiWriter(out, &counter), c.Format, view)
		view.Progress(w.count)
		return err
	})
}

// view is what is written: the rows and columns of the list.
func (w writer) view(shown bool) lists.View {
	style := lists.Style{Shown: shown, Format: w.format}
	return lists.View{Style: style, Rows: w.rows, Columns: w.shown, Headings: w.headings}
}

// cut counts the cells that a format has no room for.
func (w writer) cut(format *lists.Output) int { return w.table.TooLong(format, w.view(true)) }

// maxCopied is how many bytes of rows are copied: more than most clipboards take.
const maxCopied = 1 << 20

var errTooLong = errors.New("the rows are too long to be copied")

// copyAs copies the rows of a writer in a format.
func (l *List) copyAs(format *lists.Output) tea.Cmd {
	w, text := l.writer(), &limited{}
	write := func() error { return w.table.Write(l.env.Context, text, format, w.view(false)) }
	return l.copyText(human.Count(w.count, w.one, w.many)+" as "+strings.ToUpper(format.Name), text, write)
}

// copyText copies a text that is written off the UI's goroutine.
func (l *List) copyText(what string, text *limited, write func() error) tea.Cmd {
	return screen.Reply(l.owner, write, func(err error) tea.Cmd {
		if err != nil {
			return l.env.Root.Say("Not copied: "+what+" are too long for the clipboard. Filter first, or mark fewer.", true)
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
