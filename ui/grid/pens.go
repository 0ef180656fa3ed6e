package grid

import (
	"strings"

	"charm.land/lipgloss/v2"

	"gatehouse/styles"
)

// pen is a style as the two sequences around the text. Rendering each cell
// with lipgloss costs ten times as much, and an underlined style takes
// grapheme clusters apart: it renders rune by rune.
type pen struct{ open, close string }

func newPen(style lipgloss.Style) pen {
	open, close, _ := strings.Cut(style.Render("x"), "x")
	return pen{open, close}
}

// append appends text in the style.
func (p pen) append(b []byte, text string) []byte {
	return p.around(b, func(b []byte) []byte { return append(b, text...) })
}

// around appends what write appends, in the style.
func (p pen) around(b []byte, write func([]byte) []byte) []byte {
	return append(write(append(b, p.open...)), p.close...)
}

// inside is the pen for a part of a text in another style, which goes on behind it.
func (p pen) inside(outer pen) pen {
	return pen{outer.close + p.open, p.close + outer.open}
}

// pens are the styles of a grid.
type pens struct {
	head, headCurrent, selected, match, absent pen
	tones                                      [tones]pen
}

func newPens(t *styles.Theme) pens {
	return pens{
		head:        newPen(t.ColumnHead),
		headCurrent: newPen(t.Accent.Inherit(t.ColumnHead)),
		selected:    newPen(t.Selected),
		match:       newPen(t.Match),
		absent:      newPen(t.Absent),
		tones: [tones]pen{
			Muted: newPen(t.Muted),
			Good:  newPen(t.Good),
			Warn:  newPen(t.Warn),
			Bad:   newPen(t.Bad),
		},
	}
}
