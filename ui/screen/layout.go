package screen

import (
	"math"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// Box cuts and pads drawn text to exactly height lines, none wider than width.
func Box(text string, width, height int) string {
	count, cut := 0, false
	for line := range strings.SplitSeq(text, "\n") {
		count, cut = count+1, cut || Cut(line, width) != line
	}
	if cut || count > height {
		lines := strings.Split(text, "\n")[:min(count, max(height, 0))]
		for i, line := range lines {
			lines[i] = Cut(line, width)
		}
		text, count = strings.Join(lines, "\n"), max(len(lines), 1)
	}
	return text + strings.Repeat("\n", max(height-count, 0))
}

// Cut truncates a drawn line to a width, with an ellipsis.
func Cut(line string, width int) string { return safetext.Cut(line, width, "…") }

// Cells is how many cells a drawn text takes.
func Cells(text string) int { return safetext.Width(text) }

// Wrap breaks drawn text into lines of at most width cells, between words if possible.
func Wrap(text string, width int) string { return safetext.Wrap(text, width, "") }

// Wrapped are the lines of a text in a style.
func Wrapped(style styles.Style, text string, width int) []string {
	lines := strings.Split(Wrap(text, width), "\n")
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// AtMost are drawn lines up to a number of them; where there are more, the last one ends in "…".
func AtMost(lines []string, most, width int) []string {
	if len(lines) <= most {
		return lines
	}
	if most < 1 {
		return nil
	}
	return append(lines[:most-1:most-1], Cut(lines[most-1]+"…", width))
}

// WrapAddress breaks an address into lines of at most width cells, after its signs if
// possible.
func WrapAddress(address string, width int) string {
	return safetext.Wrap(address, max(width, 1), "/.:?&=_@")
}

// Indented moves drawn lines to the right by some cells, in place.
func Indented(lines []string, cells int) []string {
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", cells) + line
	}
	return lines
}

// Sides puts one drawn text at the left and one at the right end of a line. If both do
// not fit, the right one is dropped.
func Sides(left, right string, width int) string {
	gap := width - Cells(left) - Cells(right)
	if gap < 1 {
		return Cut(left, width)
	}
	return left + strings.Repeat(" ", gap) + right
}

// maxLink is the maximum length of the address of a link in bytes; terminals ignore longer
// ones.
const maxLink = 2000

// Link draws a text that leads to a web or mail address, as a hyperlink of the terminal
// (OSC 8). What draws the frame removes the address where the terminal has no
// hyperlinks, so the text should say where it leads. An address of another kind, or one
// that is no URL, is left out.
func Link(theme *styles.Theme, text, address string) string {
	drawn := theme.Link.SGR.Render(text)
	if safe := linkAddress(address); safe != "" {
		return ansi.SetHyperlink(safe) + drawn + ansi.ResetHyperlink()
	}
	return drawn
}

// linkAddress is an address as printable ASCII, or empty if it may not be a link.
func linkAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return ""
	}
	web := (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if !web && u.Scheme != "mailto" {
		return ""
	}
	safe := u.String()
	if len(safe) > maxLink || strings.ContainsFunc(safe, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return safe
}

// Bar is the bar of a chart: fraction (from 0 to 1) of cells, in halves of a cell, and
// spaces after it. A fraction above 0 is always seen.
func Bar(theme *styles.Theme, style styles.Style, fraction float64, cells int) string {
	filled, width := blocks(theme.Glyphs, fraction, cells)
	return style.Render(filled) + strings.Repeat(" ", max(cells-width, 0))
}

// Gauge is a bar that shows how much of a whole is used: like [Bar], with the rest of the
// cells drawn faint.
func Gauge(theme *styles.Theme, style styles.Style, fraction float64, cells int) string {
	filled, width := blocks(theme.Glyphs, fraction, cells)
	return style.Render(filled) + theme.Faint.Render(strings.Repeat(theme.Glyphs.BarEmpty, max(cells-width, 0)))
}

// blocks are the filled cells of a bar, and how many they are.
func blocks(g styles.Glyphs, fraction float64, cells int) (string, int) {
	fraction = bounded(fraction)
	parts := 2
	if g.BarHalf == "" {
		parts = 1
	}
	filled := int(math.Round(fraction * float64(cells*parts)))
	if fraction > 0 {
		filled = max(filled, 1)
	}
	text, width := strings.Repeat(g.BarFull, filled/parts), filled/parts
	if filled%parts > 0 && width < cells {
		return text + g.BarHalf, width + 1
	}
	return text, width
}

// bounded is a fraction from 0 to 1; 0 if it is not a number.
func bounded(fraction float64) float64 {
	if math.IsNaN(fraction) {
		return 0
	}
	return max(0, min(fraction, 1))
}

// Life is a line that shows how much is left of something: fraction of cells in the
// colour of how urgent that is, and the rest faint.
func Life(theme *styles.Theme, fraction float64, cells int) string {
	fraction = bounded(fraction)
	left := int(math.Ceil(fraction * float64(cells)))
	style := theme.Good
	switch {
	case fraction <= 0.03:
		style = theme.Bad
	case fraction <= 0.1:
		style = theme.Warn
	}
	return style.Render(strings.Repeat(theme.Glyphs.Life, left)) +
		theme.Faint.Render(strings.Repeat(theme.Glyphs.LifeSpent, max(cells-left, 0)))
}

// wordmark is the name of the program in large letters: lines of one length.
var wordmark = []string{
	"█▀▀ ▄▀█ ▀█▀ █▀▀ █ █ █▀█ █ █ █▀▀ █▀▀",
	"█▄█ █▀█  █  ██▄ █▀█ █▄█ █▄█ ▄▄█ ██▄",
}

// Wordmark is the name of the program in large letters, and what it is for.
func Wordmark(t *styles.Theme) []string {
	tagline := t.Muted.Render("who gets in, who doesn't, and why")
	if t.Options.ASCII {
		return []string{t.Accent.Render("G A T E H O U S E"), tagline}
	}
	var lines []string
	gradient := t.Gradient(utf8.RuneCountInString(wordmark[0]))
	for _, line := range wordmark {
		var b strings.Builder
		for x, cell := range []rune(line) {
			b.WriteString(gradient[x].Render(string(cell)))
		}
		lines = append(lines, b.String())
	}
	return append(lines, tagline)
}

// Pen draws lines of styled texts, one after the other, as far as there is room.
type Pen struct {
	Line []byte
	Room int  // cells that are left
	Cut  bool // something did not fit
}

// Begin begins a line of so many cells.
func (p *Pen) Begin(cells int) { p.Line, p.Room, p.Cut = p.Line[:0], cells, false }

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
		p.Line = style.SGR.Append(p.Line, shown)
	}
}
