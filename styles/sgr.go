package styles

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// SGR is a style as the two escape sequences around a text (select graphic
// rendition). Rendering each cell of a table with lipgloss costs ten times as much,
// and an underlined style takes grapheme clusters apart: it renders rune by rune.
type SGR struct{ Open, Close string }

// NewSGR makes the sequences of a style.
func NewSGR(style lipgloss.Style) SGR {
	open, close, _ := strings.Cut(style.Render("x"), "x")
	return SGR{open, close}
}

// Render is safe text in the style.
func (s SGR) Render(text string) string { return s.Open + text + s.Close }

// Append appends safe text in the style.
func (s SGR) Append(b []byte, text string) []byte {
	return append(append(append(b, s.Open...), text...), s.Close...)
}

// Inside is the style for a part of a text in another one, which goes on behind it.
func (s SGR) Inside(outer SGR) SGR {
	return SGR{outer.Close + s.Open, s.Close + outer.Open}
}
