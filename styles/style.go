package styles

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Style is a style of the theme. It is a style of lipgloss that renders a line of text ten
// times as fast, as it does not measure and split it first: the text has to be safe for a
// terminal.
type Style struct {
	*lipgloss.Style // shared by all copies, and never changed; half a kilobyte
	SGR             SGR
	// framed is set if the style adds cells to the text.
	framed bool
}

func newStyle(s lipgloss.Style) Style {
	return Style{Style: &s, SGR: sgrOf(s), framed: s.GetHorizontalFrameSize()+s.GetVerticalFrameSize() > 0}
}

// Render returns texts, joined by spaces, in the style. The lines of a text of several are
// padded to the longest.
func (s Style) Render(texts ...string) string {
	text := texts[0]
	if len(texts) > 1 {
		text = strings.Join(texts, " ")
	}
	if s.Style != nil && (s.framed || strings.ContainsAny(text, "\n\t\r")) {
		return s.Style.Render(text)
	}
	if text == "" || s.SGR.Open == "" {
		return text
	}
	return s.SGR.Render(text)
}

// Bold is the style in bold, or not.
func (s Style) Bold(bold bool) Style { return newStyle(s.Style.Bold(bold)) }

// Underline is the style underlined, or not.
func (s Style) Underline(underlined bool) Style { return newStyle(s.Style.Underline(underlined)) }

// SGR is a style as the escape sequences (select graphic rendition) before and after a
// text. It is ten times as fast as rendering each cell of a table with lipgloss, which
// also splits grapheme clusters in underlined text.
type SGR struct{ Open, Close string }

func sgrOf(style lipgloss.Style) SGR {
	open, close, _ := strings.Cut(style.Render("x"), "x")
	return SGR{open, close}
}

// Render returns text, which must be safe for a terminal, in the style.
func (s SGR) Render(text string) string { return s.Open + text + s.Close }

// Append appends text, which must be safe for a terminal, in the style.
func (s SGR) Append(b []byte, text string) []byte {
	return append(append(append(b, s.Open...), text...), s.Close...)
}

// Inside is the style for part of a text in the style outer, which continues after it.
func (s SGR) Inside(outer SGR) SGR {
	return SGR{outer.Close + s.Open, s.Close + outer.Open}
}

// Ground is a background of the theme with the style of the text that stands on it. The
// zero value is the terminal's own background.
type Ground struct {
	SGR
	// uniform is set where a terminal has no backgrounds: the ground is then shown by
	// reversed text, and styles on it would only disturb.
	uniform bool
}

// Fill puts a drawn line on the ground, from its first to its last cell: text without a
// style gets that of the ground, and styled text keeps its own in front of it. Lines that
// are shorter than the ground should be have to be padded with spaces before.
func (g Ground) Fill(line string) string {
	switch {
	case g.uniform:
		return g.Render(ansi.Strip(line))
	case g.Open == "":
		return line
	}
	return g.Render(strings.ReplaceAll(line, ansi.ResetStyle, ansi.ResetStyle+g.Open))
}
