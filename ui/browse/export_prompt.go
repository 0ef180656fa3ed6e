package browse

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
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

// ExportChoice is what a person has chosen to export, and where to.
type ExportChoice struct {
	// Format is nil if the offer has no formats to choose from.
	Format *lists.Output
	// Shown writes columns and values as the list shows them, instead of as the service sent them.
	Shown bool
	// Path is the path of the file, with "~" expanded.
	Path string
	// Overwrite replaces an existing file. The person has agreed to that.
	Overwrite bool
}

// ExportOffer is what can be exported, and how.
type ExportOffer struct {
	// Rows is how many rows are written; One and Many name them: "share", "shares".
	Rows      int
	One, Many string
	// Order says which rows are written, and in which order: "filtered by lars, sorted by Name".
	Order string
	// Formats are the formats that a person can choose from, the proposed one first. If there are
	// none, the file has the extension End.
	Formats []*lists.Output
	End     string
	// Name is the proposed name of the file, without extension.
	Name string
	// Cut counts the cells that are too long for a format; it may be nil. It is called in a
	// command.
	Cut func(format *lists.Output) int
	// Partial means that there are more columns than [lists.MaxColumns], so that formats with
	// columns leave some out.
	Partial bool
	// Write writes the file. If there is one already, its error wraps [files.ErrExists]. It is
	// called in a command, calls progress now and then with what it has written so far, and leaves
	// no file behind if it fails or ctx ends.
	Write func(ctx context.Context, c ExportChoice, progress Progress) error
}

// Progress is told how many rows and bytes of a file were written so far.
type Progress = func(rows int, bytes int64)

// AtOnce makes the Write of an offer from a function that writes all rows without telling its
// progress.
func AtOnce(
	rows int, write func(out io.Writer) error,
) func(context.Context, ExportChoice, Progress) error {
	return func(ctx context.Context, c ExportChoice, progress Progress) error {
		var written files.Counter
		defer func() { progress(rows, written.Written()) }()
		return files.Export(ctx, c.Path, c.Overwrite, func(w io.Writer) error {
			return write(io.MultiWriter(w, &written))
		})
	}
}

// ExportPrompt is the screen over a list that asks for the name and the format of a file, and
// writes it.
type ExportPrompt struct {
	*form.Card
	env    *screen.Env
	offer  ExportOffer
	job    *exportJob // the last one; nil before
	notice string     // why the last try wrote no file, or what would be cut
	// name and format are what the form had after the last [ExportPrompt.syncFormat].
	name, format string
}

// The fields of the form.
const (
	fieldFile    = "file"
	fieldFormat  = "format"
	fieldColumns = "columns"
)

// The values of the field for the columns.
const (
	columnsShown = "shown"
	columnsSent  = "sent"
)

// NewExportPrompt makes the screen for an offer.
func NewExportPrompt(env *screen.Env, offer ExportOffer) *ExportPrompt {
	p := &ExportPrompt{env: env, offer: offer}
	p.Card = &form.Card{Heading: "Export " + p.rows(), Cells: exportCells, Send: "export"}
	p.About = p.intro
	p.Model = form.New(env.Theme, p.fields()...)
	p.Submit = func() tea.Cmd {
		p.notice = ""
		p.syncFormat()
		choice, err := p.choiceOf(p.Value(fieldFile))
		if err != nil { // the format has changed since it was checked
			p.Start(fieldFile)
			return nil
		}
		return p.write(choice)
	}
	p.Changed = func() tea.Cmd {
		p.notice = "" // it was about the last try
		p.syncFormat()
		return nil
	}
	p.syncFormat()
	p.Start(fieldFile)
	return p
}

// fields are the fields of the form. Without formats to choose from, that is the name of the file
// alone.
func (p *ExportPrompt) fields() []form.Field {
	end := p.offer.End
	if len(p.offer.Formats) > 0 {
		end = p.offer.Formats[0].Extension()
	}
	file := form.Field{
		Key: fieldFile, Label: "File", Value: p.offer.Name + end, Expand: files.Complete,
		Check: func(value string) error {
			p.syncFormat()
			_, err := p.choiceOf(value)
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
		Options: []form.Option{
			{Label: "as shown", Value: columnsShown},
			{Label: "as sent", Value: columnsSent},
		},
	}
	return []form.Field{file, format, columns}
}

// Init counts the cells that the proposed format would cut, which takes a moment for many records.
func (p *ExportPrompt) Init() tea.Cmd {
	format := p.chosen()
	if p.offer.Cut == nil || format == nil || format.MaxCharacters == 0 {
		return nil
	}
	count := func() int { return p.offer.Cut(format) }
	return screen.Reply(p, count, func(cells int) tea.Cmd {
		if cells > 0 {
			p.notice = human.Count(cells, "cell is", "cells are") + " longer than " +
				human.Number(format.MaxCharacters) + " characters, the limit of " + format.Name +
				", and would be cut."
		}
		return nil
	})
}

// chosen is the format that is chosen in the form; nil if there is none to choose from.
func (p *ExportPrompt) chosen() *lists.Output {
	if len(p.offer.Formats) == 0 {
		return nil
	}
	return lists.OutputNamed(p.Value(fieldFormat), p.offer.Formats)
}

// syncFormat makes the extension of the name and the format agree, after either was changed. It
// also updates the labels that depend on them.
func (p *ExportPrompt) syncFormat() {
	name := p.Value(fieldFile)
	if format := p.chosen(); format != nil {
		named := lists.OutputOfFile(name, p.offer.Formats)
		isFormatChanged := p.format != "" && format.Name != p.format
		switch {
		case named == nil:
		case isFormatChanged:
			name = name[:len(name)-len(named.Extension())] + format.Extension()
			p.Set(fieldFile, name)
		default:
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

// aboutColumns explains the chosen columns.
func (p *ExportPrompt) aboutColumns() string {
	if p.shown() {
		return "headings and values of the list, for a spreadsheet"
	}
	return "names and values exactly as the service sent them, for scripts"
}

// shown reports whether columns and values are written as the list shows them.
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

// aboutFile says in which directory a file is, or that it exists already.
func (p *ExportPrompt) aboutFile(name string) string {
	if path, err := expand(name); err == nil && files.Exists(path) {
		return "this file exists; you will be asked before it is replaced"
	}
	if p.env.Folder == "" {
		return "tab completes; ~ is your home directory"
	}
	return "in " + shownPath(p.env.Folder) + "; tab completes, ~ is your home directory"
}

// choiceOf is the choice of the form, with a name for the file. The error is for the person and
// says why the name cannot be used.
func (p *ExportPrompt) choiceOf(name string) (ExportChoice, error) {
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

// endings lists the extensions of formats: ".xlsx, .csv or .json".
func endings(formats []*lists.Output) string {
	var names []string
	for _, format := range formats {
		names = append(names, format.Extension())
	}
	return human.Either(names)
}

// expand trims a path and replaces "~" by the home directory. The error says why it is not the
// path of a file.
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

// exportFrame is how often the progress of writing is shown.
const exportFrame = 120 * time.Millisecond

// exportJob is the writing of a file.
type exportJob struct {
	choice      ExportChoice
	started     time.Time
	rows, bytes atomic.Int64 // written so far
}

// written is the result of writing a file.
type written struct {
	path string // absolute, if possible
	err  error
}

// write starts writing a file.
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

// progress is the [Progress] of the job.
func (j *exportJob) progress(rows int, bytes int64) {
	j.rows.Store(int64(rows))
	j.bytes.Store(bytes)
}

// written is called when a file was written, or could not be. If it exists already, the person is
// asked whether to replace it.
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

// columnsLeftOut says that a format leaves out the columns beyond [lists.MaxColumns].
func columnsLeftOut() string {
	return "Columns beyond " + human.Number(lists.MaxColumns) + " are left out; " +
		lists.AsJSON.Name + " has them."
}

// askToReplace asks whether to replace an existing file.
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

// rows says how many rows are written, such as "42 shares".
func (p *ExportPrompt) rows() string { return human.Count(p.offer.Rows, p.offer.One, p.offer.Many) }

// exportCells is the width of the box in cells.
const exportCells = 84

// View implements [screen.Screen].
func (p *ExportPrompt) View() screen.View {
	v := p.Card.View()
	if p.Busy() {
		v.Body = writingPart{p}
		v.Progress = screen.Progress{Done: p.job.rows.Load(), Total: int64(p.offer.Rows), Working: true}
	}
	return v
}

// intro is the text over the fields: which rows are written, what would be left out, and why the
// last try wrote no file.
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

// writingPart shows how far the writing is.
type writingPart struct{ *ExportPrompt }

// Draw implements [screen.Part].
func (p writingPart) Draw(width, height int) screen.Drawing {
	t, j := p.env.Theme, p.job
	elapsed := max(p.env.Now().Sub(j.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/exportFrame)%len(t.Glyphs.Spinner)]
	rows := int(j.rows.Load())
	written := human.Number(rows) + " of " + p.rows() + ", " + human.Bytes(j.bytes.Load()) +
		"  " + human.Span(elapsed)
	const maxGauge = 40 // cells
	return screen.Lines{
		t.Accent.Render(sign) + " writing " + shownPath(j.choice.Path),
		"",
		t.Muted.Render(written),
		screen.Gauge(t, t.Accent, float64(rows)/float64(p.offer.Rows), min(width, maxGauge)),
	}.Draw(width, height)
}

// Say implements [screen.Part].
func (p writingPart) Say() iter.Seq[string] {
	return screen.Texts("Writing " + p.rows() + " to " + p.job.choice.Path)
}

// shownPath is a path that is safe for a terminal, clipped to maxPath cells.
func shownPath(path string) string { return safetext.Clip(path, maxPath) }

const maxPath = 300
