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
	if ansi.StringWidth(line) <= width {
		return line
	}
	return ansi.Truncate(line, max(width, 0), "…")
}

// Wrap breaks drawn text into lines of at most width cells, between words if possible.
func Wrap(text string, width int) string { return ansi.Wrap(text, max(width, 1), "") }

// Sides puts one drawn text at the left and one at the right end of a line. If both do
// not fit, the right one is dropped.
func Sides(left, right string, width int) string {
	gap := width - ansi.StringWidth(left) - ansi.StringWidth(right)
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
