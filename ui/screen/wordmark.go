package screen

import (
	"strings"

	"gatehouse/styles"
)

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
