package screen

import (
	"gatehouse/internal/safetext"
	"gatehouse/styles"
)

// Pen draws lines of styled texts, one after the other, as far as there is room.
type Pen struct {
	Line []byte
	Room int  // cells that are left
	Cut  bool // something did not fit

	sgr map[*styles.Style]styles.SGR
}

// Begin begins a line of so many cells.
func (p *Pen) Begin(cells int) { p.Line, p.Room, p.Cut = p.Line[:0], cells, false }

// Style is a style as it is written.
func (p *Pen) Style(s *styles.Style) styles.SGR {
	found, known := p.sgr[s]
	if !known {
		if p.sgr == nil {
			p.sgr = map[*styles.Style]styles.SGR{}
		}
		found = styles.NewSGR(*s)
		p.sgr[s] = found
	}
	return found
}

// Fit is as much of a safe text as there is room for, which it takes.
func (p *Pen) Fit(text string) string {
	shown := safetext.Truncate(text, p.Room)
	p.Cut = p.Cut || shown != text
	p.Room -= safetext.Width(shown)
	return shown
}

// Write draws a safe text.
func (p *Pen) Write(style *styles.Style, text string) {
	if shown := p.Fit(text); shown != "" {
		p.Line = p.Style(style).Append(p.Line, shown)
	}
}
