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

// pens are the styles of a grid.
type pens struct {
	head, headCurrent, selected, match, absent pen
}

func newPens(t *styles.Theme) pens {
	return pens{
		head:        newPen(t.ColumnHead),
		headCurrent: newPen(t.Accent.Inherit(t.ColumnHead)),
		selected:    newPen(t.Selected),
		match:       newPen(t.Match),
		absent:      newPen(t.Absent),
	}
}

func (p *pens) appendAbsent(b []byte, text string) []byte {
	b = append(b, p.absent.open...)
	b = append(b, text...)
	return append(b, p.absent.close...)
}
