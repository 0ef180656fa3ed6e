package menu

import (
	"strings"

	"charm.land/bubbles/v2/textinput"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// searchHead is the number of lines of a search above what it finds.
const searchHead = 2

// nothingFound is shown in place of what a search did not find.
const nothingFound = "Nothing matches. Try another word."

// beforeTyped is the number of cells before what is typed: the prompt between two spaces.
const beforeTyped = 3

// drawSearch draws the line in which a person types, with a text at its right end, and a rule below
// it. The placeholder is shown while nothing is typed.
func drawSearch(
	t *styles.Theme, input *textinput.Model, placeholder, right string, width int,
) screen.Drawing {
	room := width - beforeTyped
	if beside := room - safetext.Width(right) - 2; beside >= room/2 {
		room = beside
	}
	typed, caret := screen.DrawTyped(styles.Style{}, input.Value(), input.Position(), room)
	if input.Value() == "" {
		typed += t.Faint.Render(placeholder)
	}
	head := " " + t.Accent.Render(t.Glyphs.Prompt) + " " + typed
	return screen.Drawing{
		Lines: []string{
			screen.Cut(screen.Sides(head, t.Muted.Render(right)+" ", width), width),
			t.Line.Render(strings.Repeat(t.Glyphs.Horizontal, max(width, 0))),
		},
		Spots: []screen.Spot{screen.CaretAt(beforeTyped+caret, 0)},
	}
}
