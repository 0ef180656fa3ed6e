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
	count, isTooWide := 0, false
	for line := range strings.SplitSeq(text, "\n") {
		count++
		isTooWide = isTooWide || Cut(line, width) != line
	}
	if isTooWide || count > height {
		lines := strings.Split(text, "\n")[:min(count, max(height, 0))]
		for i, line := range lines {
			lines[i] = Cut(line, width)
		}
		text, count = strings.Join(lines, "\n"), max(len(lines), 1)
	}
	return text + strings.Repeat("\n", max(height-count, 0))
}

// Cut truncates a drawn line to a width in cells, with an ellipsis.
func Cut(line string, width int) string { return safetext.Cut(line, width, "…") }

// Cells is the width of a drawn text in cells.
func Cells(text string) int { return safetext.Width(text) }

// Wrap breaks drawn text into lines of at most width cells, between words if possible.
func Wrap(text string, width int) string { return safetext.Wrap(text, width, "") }

// Wrapped wraps a text to a width in cells, and draws its lines in a style.
func Wrapped(style styles.Style, text string, width int) []string {
	lines := strings.Split(Wrap(text, width), "\n")
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// AtMost returns the first maxLines of drawn lines. If there are more, the last one ends in "…"
// within width cells.
func AtMost(lines []string, maxLines, width int) []string {
	if len(lines) <= maxLines {
		return lines
	}
	if maxLines < 1 {
		return nil
	}
	last := maxLines - 1
	return append(lines[:last:last], Cut(lines[last]+"…", width))
}

// WrapAddress breaks a URL or e-mail address into lines of at most width cells, after a punctuation
// mark if possible.
func WrapAddress(address string, width int) string {
	return safetext.Wrap(address, max(width, 1), "/.:?&=_@")
}

// Indented puts spaces before drawn lines, in place.
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

// maxLink is the maximum length of the URL of a hyperlink in bytes. Terminals ignore longer ones.
const maxLink = 2000

// Link draws a text as a hyperlink of the terminal (OSC 8) to a web page or an e-mail address. The
// painter removes the link if the terminal has no hyperlinks, so the text should say where it
// leads. The text has no link if target is another kind of URL, or none.
func Link(theme *styles.Theme, text, target string) string {
	drawn := theme.Link.SGR.Render(text)
	if safe := linkTarget(target); safe != "" {
		return ansi.SetHyperlink(safe) + drawn + ansi.ResetHyperlink()
	}
	return drawn
}

// linkTarget is a URL in printable ASCII; "" if it may not be a link.
func linkTarget(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.User != nil {
		return ""
	}
	isWeb := (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if !isWeb && u.Scheme != "mailto" {
		return ""
	}
	safe := u.String()
	isUnprintable := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(safe) > maxLink || strings.ContainsFunc(safe, isUnprintable) {
		return ""
	}
	return safe
}

// Bar draws a bar of a chart in a number of cells: fraction of them, from 0 to 1, in half cells if
// the glyphs allow it, and then spaces. A fraction above 0 can always be seen.
func Bar(theme *styles.Theme, style styles.Style, fraction float64, cells int) string {
	filled, width := blocks(theme.Glyphs, fraction, cells)
	return style.Render(filled) + strings.Repeat(" ", max(cells-width, 0))
}

// Gauge is a bar that shows how much of a whole is used: like [Bar], with the rest of the
// cells drawn faint.
func Gauge(theme *styles.Theme, style styles.Style, fraction float64, cells int) string {
	filled, width := blocks(theme.Glyphs, fraction, cells)
	empty := strings.Repeat(theme.Glyphs.BarEmpty, max(cells-width, 0))
	return style.Render(filled) + theme.Faint.Render(empty)
}

// blocks draws the filled cells of a bar, and returns how many they are.
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

// bounded limits a fraction to the range from 0 to 1; NaN becomes 0.
func bounded(fraction float64) float64 {
	if math.IsNaN(fraction) {
		return 0
	}
	return max(0, min(fraction, 1))
}

// The fractions of a life up to which it is drawn as bad, or as a warning.
const (
	badLife  = 0.03
	warnLife = 0.1
)

// Life draws a line of cells that shows how much of something is left: fraction of them, in a
// colour that says how urgent it is, and the rest faint.
func Life(theme *styles.Theme, fraction float64, cells int) string {
	fraction = bounded(fraction)
	left := int(math.Ceil(fraction * float64(cells)))
	style := theme.Good
	switch {
	case fraction <= badLife:
		style = theme.Bad
	case fraction <= warnLife:
		style = theme.Warn
	}
	return style.Render(strings.Repeat(theme.Glyphs.Life, left)) +
		theme.Faint.Render(strings.Repeat(theme.Glyphs.LifeSpent, max(cells-left, 0)))
}

// wordmark is the name of the program in large letters. Its lines have the same length.
var wordmark = []string{
	"█▀▀ ▄▀█ ▀█▀ █▀▀ █ █ █▀█ █ █ █▀▀ █▀▀",
	"█▄█ █▀█  █  ██▄ █▀█ █▄█ █▄█ ▄▄█ ██▄",
}

// Wordmark draws the name of the program in large letters, and below it what the program is for.
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

// Pen draws styled texts on a line, one after the other, as far as there is room.
type Pen struct {
	Line []byte
	Room int  // cells that are left
	Cut  bool // something did not fit
}

// Begin begins a new line with room for a number of cells.
func (p *Pen) Begin(cells int) { p.Line, p.Room, p.Cut = p.Line[:0], cells, false }

// Fit returns as much of a safe text as there is room for, and takes that room.
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
