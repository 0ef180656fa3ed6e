package browse

import (
	"iter"
	"time"

	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// preview reads records that are shown beside a list, and keeps the last one as it was drawn. It
// knows no list: it is given a source and a row.
//
// A short record is read when a key has moved the cursor to it, so that both change in the same
// frame. While a key repeats, a record is read only when the cursor rests on it. A long record is
// read then, too, and off the UI's goroutine.
type preview struct {
	env     *screen.Env
	options *Options
	source  *source // of the record that was read last; nil for none
	reader  *record.Reader
	reading bool       // a long record is being read
	read    *previewed // the record that was read last; nil for none
	drawn   drawnPreview

	step      int       // the row to which the cursor was moved last
	steppedAt time.Time // when that was
}

// previewed is a record that was read. It does not change.
type previewed struct {
	row        int // of the source; -1 for a record of an earlier source
	title      string
	labelCells int            // the width of the labels
	groups     []fields.Group // nil after they were dropped
}

// drawnPreview is a record as it was drawn.
type drawnPreview struct {
	of            *previewed // nil if nothing was drawn
	width, height int
	theme         styles.Options
	lines         []string
}

const (
	// restDelay is how long the cursor rests on a row before its record is read.
	restDelay = 40 * time.Millisecond
	// repeatPause is the time between two keys from which on the second does not count as a
	// repetition.
	repeatPause = 50 * time.Millisecond
)

// lacks reports whether the record of a row has to be read.
func (p *preview) lacks(s *source, row int) bool {
	return !p.reading && (p.source != s || p.read == nil || p.read.row != row)
}

// follow goes on to another source. Of a body that is not shown any more it keeps only the record
// that is drawn.
func (p *preview) follow(s *source) {
	switch {
	case p.source == s || p.source == nil:
	case s.continues(p.source):
		p.source, p.reader, p.reading = s, nil, false
	default:
		*p = preview{env: p.env, options: p.options, read: p.read}
		if p.read != nil { // it stays until another record is read
			old := *p.read
			old.row = -1
			p.read = &old
		}
	}
}

// rest frees memory while the UI rests: what was drawn, and the fields of a short record, which
// is quickly read again.
func (p *preview) rest() {
	p.reader, p.drawn = nil, drawnPreview{}
	if p.read != nil && p.read.row >= 0 && !p.source.isLong(p.read.row) {
		p.read.groups = nil
	}
}

// readerFunc returns the function that reads the record of a row. For a long record it is called
// off the UI's goroutine.
func (p *preview) readerFunc(s *source, row int) func() *previewed {
	one, own := p.options.One, p.options.Preview
	if own != nil {
		return func() *previewed {
			return &previewed{
				row:        row,
				title:      s.name(row, one),
				labelCells: fields.MaxLabel,
				groups:     own(s.table.Record(row)),
			}
		}
	}
	reader := p.readerOf(s, row)
	return func() *previewed {
		return &previewed{
			row:        row,
			title:      s.name(row, one),
			labelCells: reader.LabelCells(),
			groups:     reader.Groups(row),
		}
	}
}

// readerOf returns a reader for the record of a row. That for short records is kept. A long
// record has one of its own, as it is read on another goroutine.
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

// readNow reads the short record of a row.
func (p *preview) readNow(s *source, row int) {
	if p.source != s {
		p.source, p.reader = s, nil
	}
	p.read = p.readerFunc(s, row)()
}

// readAside returns the function that reads the long record of a row, to be called off the UI's
// goroutine. Its result is for [preview.take].
func (p *preview) readAside(s *source, row int) func() *previewed {
	p.source, p.reader, p.reading = s, nil, true
	return p.readerFunc(s, row)
}

// take shows a record that was read aside, unless the source has changed since.
func (p *preview) take(s *source, read *previewed) {
	if p.source == s && p.reading {
		p.read, p.reading = read, false
	}
}

// settle reads the record of a row if it is short and the key that led there did not repeat. It
// draws the record that was read last in a size, in cells and lines.
func (p *preview) settle(s *source, row int, width, height int) {
	isDropped := p.read != nil && p.read.groups == nil && p.read.row >= 0
	if isDropped {
		p.readNow(s, p.read.row)
	}
	isNewStep := row != p.step || p.steppedAt.IsZero()
	if isNewStep && p.lacks(s, row) {
		since := p.env.Now().Sub(p.steppedAt)
		p.step, p.steppedAt = row, p.env.Now()
		if since >= repeatPause && !s.isLong(row) {
			p.readNow(s, row)
		}
	}
	if p.read != nil && !p.drawn.isFor(p.read, width, height, p.env.Theme) {
		p.drawn = p.draw(width, height)
	}
}

// isFor reports whether this is a record as it would be drawn in a size and theme.
func (d *drawnPreview) isFor(of *previewed, width, height int, theme *styles.Theme) bool {
	return d.of == of && d.width == width && d.height == height && d.theme == theme.Options
}

// draw draws the record that was read last.
func (p *preview) draw(width, height int) drawnPreview {
	groups := fields.Groups{Theme: p.env.Theme, Groups: p.read.groups, Label: p.read.labelCells}
	return drawnPreview{p.read, width, height, p.env.Theme.Options, groups.Draw(width, height).Lines}
}

// previewPart is the record that was read last, as a part of a screen.
type previewPart struct{ *preview }

// Draw implements [screen.Part]. In the size of the last settle the record is drawn already.
func (p previewPart) Draw(width, height int) screen.Drawing {
	drawn := p.drawn
	if !drawn.isFor(p.read, width, height, p.env.Theme) {
		drawn = p.draw(width, height)
	}
	return screen.Drawing{Lines: drawn.lines}
}

// Say implements [screen.Part].
func (p previewPart) Say() iter.Seq[string] { return fields.Say(p.read.groups, nil) }
