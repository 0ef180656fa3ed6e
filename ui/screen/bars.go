package screen

import (
	"math"
	"strings"

	"gatehouse/styles"
)

// Bar is the bar of a chart: fraction (from 0 to 1) of cells, in eighths of a cell, and
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
	parts := len(g.Eighths) + 1
	filled := int(math.Round(fraction * float64(cells*parts)))
	if fraction > 0 {
		filled = max(filled, 1)
	}
	text, width := strings.Repeat(g.BarFull, filled/parts), filled/parts
	if part := filled % parts; part > 0 && width < cells {
		return text + g.Eighths[part-1], width + 1
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

// Spark is a chart of one line, a cell for each value, as high as its part of the largest.
// Negative values are drawn as 0.
func Spark(theme *styles.Theme, values []float64) string {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	levels := theme.Glyphs.Levels
	var b strings.Builder
	for _, v := range values {
		level := 0
		if largest > 0 {
			level = int(bounded(v/largest) * float64(len(levels)-1))
		}
		b.WriteString(levels[level])
	}
	return theme.Accent.Render(b.String())
}

// wordmark is the name of the program in large letters.
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
	for _, line := range wordmark {
		cells := []rune(line)
		var b strings.Builder
		for x, style := range t.Gradient(len(cells)) {
			b.WriteString(style.Render(string(cells[x])))
		}
		lines = append(lines, b.String())
	}
	return append(lines, tagline)
}
