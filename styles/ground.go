package styles

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Ground is a background of the theme with the style of the text that stands on it. The
// zero value is the terminal's own background.
type Ground struct {
	SGR
	// text is the colour of text on the ground alone.
	text string
	// uniform is set where a terminal has no backgrounds: the ground is then shown by
	// reversed text, and styles on it would only disturb.
	uniform bool
}

func newGround(style Style) Ground {
	text := sgrOf(lipgloss.NewStyle().Foreground(style.GetForeground()))
	return Ground{SGR: NewSGR(style), text: text.Open}
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
	var b strings.Builder
	b.WriteString(g.Open)
	coloured := true // behind a colour of text that colour alone is put back: it is shorter
	for {
		before, rest, found := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String() + g.Close
		}
		end := strings.IndexByte(rest, 'm') + 1
		sequence := "\x1b[" + rest[:end]
		switch {
		case sequence != ansi.ResetStyle:
			b.WriteString(sequence)
			coloured = coloured && strings.HasPrefix(sequence, "\x1b[38;") && !strings.Contains(sequence, ";48;")
		case coloured && g.text != "":
			b.WriteString(g.text)
		default:
			b.WriteString(sequence + g.Open)
			coloured = true
		}
		line = rest[end:]
	}
}
