package styles

import (
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Style is a style of the theme. It renders a line of text ten times as fast as the style of
// lipgloss that it contains, because it does not measure and split the text. So the text must be
// safe for a terminal.
type Style struct {
	*lipgloss.Style // half a kilobyte, shared by all copies and never changed
	SGR             SGR
	// framed means that the style adds cells around the text.
	framed bool
	// bold makes the style in bold, the first time that it is needed.
	bold func() Style
}

// newStyle makes a style of the theme.
func newStyle(s lipgloss.Style) Style {
	frame := s.GetHorizontalFrameSize() + s.GetVerticalFrameSize()
	return Style{
		Style:  &s,
		SGR:    sgrOf(s),
		framed: frame > 0,
		bold:   sync.OnceValue(func() Style { return newStyle(s.Bold(true)) }),
	}
}

// Render returns texts, joined by spaces, in the style. If there are several lines, all are padded
// to the width of the longest.
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

// Bold is the style in bold; the zero Style has no bold one, and is returned as it is.
func (s Style) Bold() Style {
	if s.bold == nil {
		return s
	}
	return s.bold()
}

// Underline is the style underlined, or not.
func (s Style) Underline(underlined bool) Style { return newStyle(s.Style.Underline(underlined)) }

// SGR is a style as the escape sequences (select graphic rendition) before and after a text. It is
// ten times as fast as rendering each cell of a table with lipgloss, and does not split grapheme
// clusters in underlined text.
type SGR struct{ Open, Close string }

// sgrOf are the sequences that lipgloss writes around a text.
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

// Inside is the style for a part of a text whose other parts have the style outer.
func (s SGR) Inside(outer SGR) SGR {
	return SGR{outer.Close + s.Open, s.Close + outer.Open}
}

// Ground is a background of the theme, with the style of the text on it. The zero Ground is the
// background of the terminal.
type Ground struct {
	SGR
	// uniform means that the terminal has no backgrounds: the ground is shown by reversed text, and
	// other styles are left out.
	uniform bool
}

// Fill draws a line on the ground, from its first to its last cell. Text without a style gets that
// of the ground; other text keeps its own. A line must be padded to the width of the ground before.
func (g Ground) Fill(line string) string {
	switch {
	case g.uniform:
		return g.Render(ansi.Strip(line))
	case g.Open == "":
		return line
	}
	return g.Render(strings.ReplaceAll(line, ansi.ResetStyle, ansi.ResetStyle+g.Open))
}
