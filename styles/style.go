package styles

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Style is a style of the theme. It is a style of lipgloss that renders a line of text ten
// times as fast, as it does not measure and split it first: the text has to be safe for a
// terminal.
type Style struct {
	lipgloss.Style
	sgr SGR
	// framed is set if the style adds cells to the text.
	framed bool
}

func newStyle(s lipgloss.Style) Style {
	return Style{Style: s, sgr: sgrOf(s), framed: s.GetHorizontalFrameSize()+s.GetVerticalFrameSize() > 0}
}

// Render returns texts, joined by spaces, in the style. The lines of a text of several are
// padded to the longest.
func (s Style) Render(texts ...string) string {
	text := texts[0]
	if len(texts) > 1 {
		text = strings.Join(texts, " ")
	}
	if s.framed || strings.ContainsAny(text, "\n\t\r") {
		return s.Style.Render(text)
	}
	if text == "" || s.sgr.Open == "" {
		return text
	}
	return s.sgr.Render(text)
}

// Bold is the style in bold, or not.
func (s Style) Bold(bold bool) Style { return newStyle(s.Style.Bold(bold)) }

// Underline is the style underlined, or not.
func (s Style) Underline(underlined bool) Style { return newStyle(s.Style.Underline(underlined)) }

// Inherit is the style with what it does not set taken from another.
func (s Style) Inherit(from Style) Style { return newStyle(s.Style.Inherit(from.Style)) }
