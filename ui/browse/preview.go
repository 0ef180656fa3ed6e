package browse

import (
	"cmp"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// preview is the pane beside a list with the record under the cursor. After a pause the record
// is read with the key, and row and preview are one frame. While a key is held, and if it is
// long, it is read once the cursor rests; a long one off the UI's goroutine.
type preview struct {
	list   *List
	choice previewChoice
	source *source // of which a record was read; nil: none
	reader *record.Reader
	// reading is set while a long record is being read, and nothing else is.
	reading bool
	read    *previewed // the record that was read last, perhaps of a list before; nil: none
	// wanted is the row whose record was missing last, and wantedAt since when.
	wanted   int
	wantedAt time.Time
}

// previewed is a record in a preview.
type previewed struct {
	row    int
	title  string
	label  int // cells of the labels
	groups []fields.Group
}

// previewChoice is what a person chose, for all lists; it is kept between runs.
type previewChoice struct {
	Hidden bool `json:"hidden,omitempty"`
	// Percent is the part of the screen that the preview has; 0: the usual one.
	Percent int `json:"percent,omitempty"`
}

const (
	previewKey = "lists.preview"
	// rest is how long the cursor stays on a row before its record is read.
	rest = 40 * time.Millisecond
	// pause is how long after the last step a key is one of its own, and not one that repeats.
	pause = 50 * time.Millisecond
	// Percent of the screen.
	usualPreview, minPreview, maxPreview, previewStep = 37, 20, 70, 5
)

func (c previewChoice) percent() int {
	if c.Percent == 0 {
		return usualPreview
	}
	return max(minPreview, min(c.Percent, maxPreview))
}

// previewing reports that there is a preview beside the list. While a filter is typed that
// finds nothing yet, it stays.
func (p *preview) previewing() bool { return p.list.inPane && p.wantsPane() }

// wantsPane reports that there is a preview where there is room for one.
func (p *preview) wantsPane() bool {
	l := p.list
	return !p.choice.Hidden && l.source != nil && (l.grid.Len() > 0 || l.filter.Typing())
}

// Beside implements [screen.Screen].
func (p *preview) Beside(width int) int {
	if !p.wantsPane() {
		return 0
	}
	return width * p.choice.percent() / 100
}

// side is the pane of the preview: it shows the record under the cursor, or the previous one until
// that is read. A click opens the record.
func (p *preview) side() screen.Side {
	side := screen.Side{
		Border: screen.Pane{Title: p.list.env.Theme.Glyphs.More}, Click: p.list.openRecord,
	}
	switch {
	case p.list.source != nil && p.list.grid.Len() == 0: // what is typed finds nothing
		side.Border.Title = ""
	case p.read != nil:
		side.Border.Title, side.Body = p.read.title, previewPart{p}
	}
	return side
}

// previewActions show and hide the preview, and change its width.
func (p *preview) previewActions() []screen.Action {
	chosen := p.choice
	small := screen.If(!p.list.inPane, "the preview needs a terminal of at least "+human.Number(screen.PaneWidth)+" columns")
	show := screen.Action{
		ID: screen.BrowsePreview, Reason: small, Description: screen.If(p.list.inPane && !chosen.Hidden, "hide the preview of the record under the cursor"),
		Run: screen.Do(func() { p.choosePreview(previewChoice{Hidden: !chosen.Hidden, Percent: chosen.Percent}) }),
	}
	resize := func(id screen.ActionID, by int, end string) screen.Action {
		before := chosen.percent()
		after := max(minPreview, min(before+by, maxPreview))
		a := screen.Action{ID: id, Reason: cmp.Or(small, screen.If(after == before, end)), Run: screen.Do(func() { p.choosePreview(previewChoice{Percent: after}) })}
		if p.list.inPane && !p.previewing() {
			a.Reason, a.First = "there is no preview", show.ID
		}
		return a
	}
	return []screen.Action{show,
		resize(screen.BrowsePreviewWider, previewStep, "the preview is as wide as it can be"),
		resize(screen.BrowsePreviewNarrower, -previewStep, "the preview is as narrow as it can be")}
}

func (p *preview) choosePreview(c previewChoice) {
	p.choice = c
	p.list.env.State.Set(previewKey, c)
}

// Shown implements [screen.Screen]: it waits for the cursor to rest on a record that is
// not there yet, or loads the list when the renewal that it lacked is tried again.
func (p *preview) Shown() tea.Cmd {
	if d := p.list.delayed; d != nil && !p.list.env.Now().Before(d.RetryAt) {
		return func() tea.Msg { return screen.Addressed{To: p.list.owner, Take: p.list.Load} }
	}
	row, ok := p.unread()
	if !ok {
		return nil
	}
	s := p.list.source
	read := screen.Addressed{To: p.list.owner, Take: func() tea.Cmd { return p.rested(s, row) }}
	if p.list.env.Theme.Options.Spoken { // no key is held: who listens waits for the row
		return func() tea.Msg { return read }
	}
	return screen.After(p.list.env.Context, rest, read)
}

// unread is the row under the cursor if its record is to be read for the preview.
func (p *preview) unread() (row int, ok bool) {
	if !p.previewing() || p.reading {
		return 0, false
	}
	row, ok = p.list.grid.Selected()
	return row, ok && (p.source != p.list.source || p.read == nil || p.read.row != row)
}

// follow goes on to another source. Nothing is kept of a body that is shown no more, even
// if the preview is hidden.
func (p *preview) follow(s *source) {
	switch {
	case p.source == s || p.source == nil:
	case s.continues(p.source):
		p.source, p.reader, p.reading = s, nil, false
	default:
		*p = preview{list: p.list, choice: p.choice, read: p.read}
		if p.read != nil { // it is shown until another one is read, and is of no row here
			old := *p.read
			old.row = -1
			p.read = &old
		}
	}
}

// rest drops what was read of a short record.
func (p *preview) rest() {
	p.reader = nil
	if p.read != nil && p.read.row >= 0 && len(p.source.table.Record(p.read.row)) <= longRecord {
		p.read.groups = nil
	}
}

// rested reads the record on which the cursor still is.
func (p *preview) rested(s *source, at int) tea.Cmd {
	row, ok := p.unread()
	if !ok || s != p.list.source || at != row {
		return nil
	}
	if len(p.list.source.table.Record(row)) <= longRecord {
		p.readPreview(row)
		return nil
	}
	p.source, p.reading = s, true
	return screen.Reply(p.list.owner, p.reads(row, p.newReader()), func(read *previewed) tea.Cmd {
		if p.source == s && p.reading {
			p.read, p.reading = read, false
		}
		return nil
	})
}

func (p *preview) newReader() *record.Reader {
	return record.NewReader(p.list.source.table, p.list.env.Theme.Glyphs, p.list.env.Now)
}

// reads makes what reads a record.
func (p *preview) reads(row int, reader *record.Reader) func() *previewed {
	s, read, one := p.list.source, p.list.options.Preview, p.list.options.One
	return func() *previewed {
		if read != nil {
			return &previewed{row, s.name(row, one), fields.MaxLabel, read(s.table.Record(row))}
		}
		return &previewed{row, s.name(row, one), reader.LabelCells(), reader.Groups(row)}
	}
}

// readPreview reads a record.
func (p *preview) readPreview(row int) {
	p.source = p.list.source
	if p.reader == nil {
		p.reader = p.newReader()
	}
	p.read = p.reads(row, p.reader)()
}

// readAtOnce reads the record under the cursor if it is short and its key came after a pause.
func (p *preview) readAtOnce() {
	if p.previewing() && p.read != nil && p.read.groups == nil && p.read.row >= 0 { // it was dropped
		p.readPreview(p.read.row)
	}
	row, ok := p.unread()
	if !ok || row == p.wanted && !p.wantedAt.IsZero() {
		return
	}
	since := p.list.env.Now().Sub(p.wantedAt)
	p.wanted, p.wantedAt = row, p.list.env.Now()
	if since >= pause && len(p.list.source.table.Record(row)) <= longRecord {
		p.readPreview(row)
	}
}

// previewPart is the record that was read last.
type previewPart struct{ *preview }

// Draw implements [screen.Part].
func (p previewPart) Draw(width, height int) screen.Drawing {
	return fields.Groups{Theme: p.list.env.Theme, Groups: p.read.groups, Label: p.read.label}.Draw(width, height)
}

// Say implements [screen.Part].
func (p previewPart) Say() iter.Seq[string] { return fields.Say(p.read.groups, nil) }

// detail is the screen over a list that shows one record, whole.
type detail struct {
	*record.Model
	list   *List
	title  string
	source *source // whose records are shown
	row    int     // of it
}

// show shows a row of the list.
func (d *detail) show(row int) {
	d.source, d.row = d.list.source, row
	d.title = d.source.name(row, d.list.options.One)
	d.Model = record.Open(d.list.env, d.list.source.records(d.list.env), row)
	d.Name, d.Lead, d.Explains = d.title+" as JSON", d.lead, d.list.options.Explains
	d.Whole = "An export of the list (" + d.list.env.Keys.Key(screen.BrowseExport) + ") has all of it."
	if d.list.env.Remote {
		d.Whole = "The command " + d.list.options.Many + " writes all of it."
	}
}

// records reads the rows as fields.
func (s *source) records(env *screen.Env) *record.Reader {
	if s.reader == nil {
		s.reader = record.NewReader(s.table, env.Theme.Glyphs, env.Now)
		s.reader.Spoken = env.Theme.Options.Spoken
		s.reader.Leads = func(record.LeadKind) bool { return true }
	}
	return s.reader
}

// lead is where a value leads: a person to what else is theirs in the list, a company or
// a reseller to the companies.
func (d *detail) lead(kind record.LeadKind, path string, cell lists.Cell) *record.Way {
	if kind != record.Person {
		return record.Companies(d.list.env.Root, kind, cell.Text())
	}
	many := d.list.options.Many
	return &record.Way{
		Title: "filter", Description: "show the other " + many + " with this address",
		Related: "the " + many + " with this address",
		Run: func() tea.Cmd {
			return d.list.related(d, d.source.table.Term(slices.Index(d.source.table.Columns(), path), cell))
		},
	}
}

// openRecord shows the selected record whole.
func (l *List) openRecord() tea.Cmd {
	row, ok := l.grid.Selected()
	if !ok {
		return nil
	}
	if l.options.Open != nil {
		return l.options.Open(l.source.table.Record(row))
	}
	return l.openRow(row)
}

func (l *List) openRow(row int) tea.Cmd {
	d := &detail{list: l}
	d.show(row)
	if !l.env.Theme.Options.Spoken { // where words are commands
		const most = 5
		others := slices.DeleteFunc(l.recent, func(before int) bool { return before == row })
		l.recent = slices.Insert(others[:min(len(others), most-1)], 0, row)
	}
	return l.Over(d)
}

func (d *detail) Actions() []screen.Action {
	list := d.Model.Actions()
	if d.Typing() {
		return list
	}
	return append(list,
		d.stepAction(screen.DetailNext, 1),
		d.stepAction(screen.DetailPrevious, -1),
	)
}

// stepAction leads to the record beside this one in the list.
func (d *detail) stepAction(id screen.ActionID, by int) screen.Action {
	return screen.Action{ID: id, Reason: d.list.NoneBeside(by), Run: func() tea.Cmd {
		d.list.grid.Move(by)
		row, ok := d.list.grid.Selected()
		if !ok {
			return nil
		}
		d.show(row)
		return d.Init()
	}}
}

// Frame implements [screen.Screen].
func (d *detail) Frame() screen.Frame { return screen.InPane }

// View implements [screen.Screen].
func (d *detail) View() screen.View {
	v := d.Model.View()
	v.Title = d.title
	v.Border = screen.Pane{Title: safetext.Clip(d.title, maxName), Foot: d.position()}
	v.Said = []string{"This is " + d.list.options.One + " " + d.position() + ":"}
	return v
}

// position says where in the list the record is, "" if it is not under the cursor there: a filter
// may leave it out.
func (d *detail) position() string {
	list := d.list.grid
	if row, ok := list.Selected(); !ok || row != d.row {
		return ""
	}
	return human.Number(list.Cursor()+1) + " of " + human.Number(list.Len())
}

// copyCell copies the value of a cell as it was sent, or what the marked rows have in its column.
func (l *List) copyCell(row, column int) tea.Cmd {
	if l.grid.Marks().Len() > 0 {
		return l.copyCells(column)
	}
	c, title := l.source.table.Cell(row, l.source.from[column]), l.source.columns[column].Heading
	text := exact(c)
	if text == "" {
		return l.env.Root.Say("Not copied: this "+l.options.One+" has no "+safetext.Clip(title, maxName)+".", false)
	}
	return l.env.Root.Copy(text, title)
}

// exact is a value as it was sent, "" where there is none.
func exact(c lists.Cell) string {
	if c.Kind() == lists.Array || c.Kind() == lists.Object {
		return string(c.Raw())
	}
	return c.Text()
}
