package screen

import (
	"strings"

	"gatehouse/styles"
)

// letters are those of the wordmark, in two lines each.
var letters = [][2]string{
	{"█▀▀", "█▄█"}, {"▄▀█", "█▀█"}, {"▀█▀", " █ "}, {"█▀▀", "██▄"}, {"█ █", "█▀█"},
	{"█▀█", "█▄█"}, {"█ █", "█▄█"}, {"█▀▀", "▄▄█"}, {"█▀▀", "██▄"},
}

// Wordmark is the name of the program in large letters, and what it is for.
func Wordmark(t *styles.Theme) []string {
	tagline := t.Muted.Render("who gets in, and why not")
	if t.Options.ASCII {
		return []string{t.Accent.Render("G A T E H O U S E"), tagline}
	}
	lines := make([]string, 0, len(letters[0])+1)
	for i := range letters[0] {
		parts := make([]string, len(letters))
		for j, letter := range letters {
			parts[j] = letter[i]
		}
		cells := []rune(strings.Join(parts, " "))
		var b strings.Builder
		for x, style := range t.Gradient(len(cells)) {
			b.WriteString(style.Render(string(cells[x])))
		}
		lines = append(lines, b.String())
	}
	return append(lines, tagline)
}
