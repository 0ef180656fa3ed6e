package browse

import (
	"iter"
	"time"

	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// preview reads records, to be shown beside a list, and keeps the one that it has read last as it is
// drawn. It knows no list: it is given a source and a row. After a pause a record is read with the key,
// and row and preview are one frame. While a key is held, and if a record is long, it is read once the
// cursor rests; a long one off the UI's goroutine.
type preview struct {
	env     *screen.Env
	options *Options
	source  *source // of which a record was read; nil: none
	reader  *record.Reader
	// reading is set while a long record is being read, and nothing else is.
	reading bool
	read    *previewed // the record that was read last, perhaps of a source before; nil: none
	drawn   drawnPreview
	// step is the row whose record was missing last, and steppedAt since when.
	step      int
	steppedAt time.Time
}

// previewed is a record that was read. It does not change.
type previewed struct {
	row    int // of the source; -1: of a source before
	title  string
	label  int            // cells of the labels
	groups []fields.Group // nil: they were dropped
}

// drawnPreview is a record as it is drawn.
type drawnPreview struct {
	of            *previewed // nil: nothing is drawn
	width, height int
	theme         styles.Options
	lines         []string
}

const (
	// rest is how long the cursor stays on a row before its record is read.
	rest = 40 * time.Millisecond
	// pause is how long after the last step a key is one of its own, and not one that repeats.
	pause = 50 * time.Millisecond
)

// lacks reports whether the record of a row is to be read.
func (p *preview) lacks(s *source, row int) bool {
	return !p.reading && (p.source != s || p.read == nil || p.read.row != row)
}

// follow goes on to another source. Nothing is kept of a body that is shown no more.
func (p *preview) follow(s *source) {
	switch {
	case p.source == s || p.source == nil:
	case s.continues(p.source):
		p.source, p.reader, p.reading = s, nil, false
	default:
		*p = preview{env: p.env, options: p.options, read: p.read}
		if p.read != nil { // it is shown until another one is read, and is of no row here
			old := *p.read
			old.row = -1
			p.read = &old
		}
	}
}

// rest drops what was read of a short record, and what is drawn.
func (p *preview) rest() {
	p.reader, p.drawn = nil, drawnPreview{}
	if p.read != nil && p.read.row >= 0 && !p.source.isLong(p.read.row) {
		p.read.groups = nil
	}
}

// reads makes what reads the record of a row. Of a long one it is called off the UI's goroutine.
func (p *preview) reads(s *source, row int) func() *previewed {
	one, own := p.options.One, p.options.Preview
	if own != nil {
		return func() *previewed {
			return &previewed{row, s.name(row, one), fields.MaxLabel, own(s.table.Record(row))}
		}
	}
	reader := p.readerOf(s, row)
	return func() *previewed {
		return &previewed{row, s.name(row, one), reader.LabelCells(), reader.Groups(row)}
	}
}

// readerOf is what reads a record of a source. Only that of short records is kept: another goroutine
// may read a long one.
func (p *preview) readerOf(s *source, row int) *record.Reader {
	if p.reader != nil && p.source == s && !s.isLong(row) {
		return p.reader
	}
	reader := record.NewReader(s.table, p.env.Theme.Glyphs, p.env.Now)
	if !s.isLong(row) {
		p.reader = reader
	}
	return reader
}

// readNow reads the record of a row that is not long.
func (p *preview) readNow(s *source, row int) {
	if p.source != s {
		p.source, p.reader = s, nil
	}
	p.read = p.reads(s, row)()
}

// readAside makes what reads the record of a long row off the UI's goroutine; what it has read is for
// [preview.take].
func (p *preview) readAside(s *source, row int) func() *previewed {
	p.source, p.reader, p.reading = s, nil, true
	return p.reads(s, row)
}

// take takes a record that was read aside, unless the source has changed since.
func (p *preview) take(s *source, read *previewed) {
	if p.source == s && p.reading {
		p.read, p.reading = read, false
	}
}

// settle reads the record of a row if it is short and the key that led there came after a pause, and
// draws what was read in a size.
func (p *preview) settle(s *source, row int, width, height int) {
	if p.read != nil && p.read.groups == nil && p.read.row >= 0 { // it was dropped
		p.readNow(s, p.read.row)
	}
	if p.lacks(s, row) && (row != p.step || p.steppedAt.IsZero()) {
		since := p.env.Now().Sub(p.steppedAt)
		p.step, p.steppedAt = row, p.env.Now()
		if since >= pause && !s.isLong(row) {
			p.readNow(s, row)
		}
	}
	if p.read != nil && !p.drawn.is(p.read, width, height, p.env.Theme) {
		p.drawn = p.draw(width, height)
	}
}

// is reports whether a record is drawn in a size.
func (d *drawnPreview) is(of *previewed, width, height int, theme *styles.Theme) bool {
	return d.of == of && d.width == width && d.height == height && d.theme == theme.Options
}

func (p *preview) draw(width, height int) drawnPreview {
	groups := fields.Groups{Theme: p.env.Theme, Groups: p.read.groups, Label: p.read.label}
	return drawnPreview{p.read, width, height, p.env.Theme.Options, groups.Draw(width, height).Lines}
}

// previewPart is the record that was read last.
type previewPart struct{ *preview }

// Draw implements [screen.Part]. In the size that it was settled in last it is drawn already.
func (p previewPart) Draw(width, height int) screen.Drawing {
	drawn := p.drawn
	if !drawn.is(p.read, width, height, p.env.Theme) {
		drawn = p.draw(width, height)
	}
	return screen.Drawing{Lines: drawn.lines}
}

// Say implements [screen.Part].
func (p previewPart) Say() iter.Seq[string] { return fields.Say(p.read.groups, nil) }
