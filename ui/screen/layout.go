package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/problem"
	"gatehouse/styles"
)

// Box cuts and pads drawn text to exactly height lines, none wider than width.
func Box(text string, width, height int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > height {
		lines = lines[:max(height, 0)]
	}
	for i, line := range lines {
		lines[i] = Cut(line, width)
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

// Cut truncates a drawn line to a width, with an ellipsis.
func Cut(line string, width int) string {
	if cellsOf(line) <= width {
		return line
	}
	return ansi.Truncate(line, max(width, 0), "…")
}

// cellsOf is how many cells a drawn text takes. Nearly all texts are letters of ASCII, the
// lines of boxes, and styles, whose cells can be counted without looking for characters of
// several runes: a fifth of what a server computes for a visitor who comes back.
func cellsOf(text string) int {
	cells := 0
	for at := 0; at < len(text); {
		switch size := plainSize(text[at:]); {
		case size > 0:
			at, cells = at+size, cells+1
		default:
			style := styleSize(text[at:])
			if style == 0 {
				return ansi.StringWidth(text)
			}
			at += style
		}
	}
	return cells
}

// plainSize is of how many bytes the character is that text begins with, if it takes one
// cell beside others of its kind; otherwise 0.
func plainSize(text string) int {
	switch {
	case text[0] >= ' ' && text[0] < 0x7f:
		return 1
	case len(text) < 3 || text[0] != 0xe2 || text[2]&0xc0 != 0x80: // which continues it
		return 0
	case text[1] == 0x94 || text[1] == 0x95: // U+2500 to U+257F, lines of boxes
		return 3
	case text[1] == 0x80 && text[2] == 0xa6: // an ellipsis
		return 3
	}
	return 0
}

// styleSize is of how many bytes the sequence of a style is that text begins with, or 0.
func styleSize(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	for i := 2; i < len(text); i++ {
		switch c := text[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';' && c != ':':
			return 0
		}
	}
	return 0
}

// Wrap breaks drawn text into lines of at most width cells, between words if possible.
func Wrap(text string, width int) string { return ansi.Wrap(text, max(width, 1), "") }

// Sides puts one drawn text at the left and one at the right end of a line. If both do
// not fit, the right one is dropped.
func Sides(left, right string, width int) string {
	gap := width - cellsOf(left) - cellsOf(right)
	if gap < 1 {
		return Cut(left, width)
	}
	return left + strings.Repeat(" ", gap) + right
}

// Trouble draws a problem: the sentence and, below it, the hint.
func Trouble(theme *styles.Theme, p problem.Problem, width int) string {
	sentence := theme.Bad.Render(Wrap(theme.Glyphs.Bad+" "+p.Sentence, width))
	return sentence + "\n\n" + Wrap(p.Hint, width)
}
