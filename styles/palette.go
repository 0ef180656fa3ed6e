package styles

import (
	"cmp"
	"image/color"
	"strconv"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// colour is "#rrggbb" or the number of a colour of the terminal; "" is the colour of ordinary text.
type colour string

// lipgloss is the colour as the library has it.
func (c colour) lipgloss() color.Color {
	if c == "" {
		return lipgloss.NoColor{}
	}
	return lipgloss.Color(string(c))
}

// palette has the colours of a theme by their roles, see [Choose]. Text on the background of the
// terminal keeps the colour of the terminal, so that it can be read on any background. Text on a
// background of the theme has a colour of the theme.
type palette struct {
	muted, faint, accent, link, good, warn, bad, number, match colour
	// Backgrounds, and the text on them: of the header, of the row under the cursor, and of a box
	// over a dimmed screen. barWarn is the background of a message about a failure.
	bar, barText, barWarn  colour
	selected, selectedText colour
	box, boxText           colour
}

var (
	basicPalette = palette{accent: "6", link: "4", good: "2", warn: "3", bad: "1", match: "3"}
	// Most terminals show cyan and yellow too pale to be read on a light background.
	basicLightPalette = palette{accent: "4", link: "4", good: "2", warn: "5", bad: "1", match: "5"}

	darkPalette = palette{
		muted: "#8c939e", faint: "#424954", accent: "#5ed3c4", link: "#60a5fa",
		good: "#7ed385", warn: "#f0b858", bad: "#f16e6e", number: "#becdff", match: "#f0b858",
		bar: "#20242b", barText: "#d6dae0", barWarn: "#f0b858",
		selected: "#1a333f", selectedText: "#d6dae0",
		box: "#1c1f25", boxText: "#d6dae0",
	}

	lightPalette = palette{
		muted: "#666d78", faint: "#c4c9d1", accent: "#00695f", link: "#1a56c4",
		good: "#17692a", warn: "#835000", bad: "#b4232a", number: "#31479e", match: "#9a3b00",
		bar: "#e6eaee", barText: "#1f242c", barWarn: "#8a3400",
		selected: "#cdebe7", selectedText: "#14181e",
		box: "#f6f8f9", boxText: "#1f242c",
	}

	// All text has a contrast of at least 7.
	darkContrastPalette = palette{
		muted: "#d3d8df", faint: "#9aa2ad", accent: "#6ff2e2", link: "#b0d1ff",
		good: "#93f59a", warn: "#ffd566", bad: "#ffb8b8", number: "#d9e2ff", match: "#ffd566",
		bar: "#2f343b", barText: "#ffffff", barWarn: "#ffe08a",
		selected: "#003a50", selectedText: "#ffffff",
		box: "#101317", boxText: "#ffffff",
	}

	lightContrastPalette = palette{
		muted: "#383e46", faint: "#78808b", accent: "#004a43", link: "#0a3a8c",
		good: "#00440f", warn: "#533300", bad: "#7d0010", number: "#1d2d73", match: "#662500",
		bar: "#dde1e6", barText: "#000000", barWarn: "#5c1f00",
		selected: "#b5e3dd", selectedText: "#000000",
		box: "#ffffff", boxText: "#000000",
	}
)

// rounded is the palette with the nearest of the 256 colours of a terminal.
func (p palette) rounded() palette {
	for _, c := range p.byName() {
		*c = cmp.Or(indexed[*c], *c)
		if near, ok := colorprofile.ANSI256.Convert(c.lipgloss()).(ansi.IndexedColor); ok {
			*c = colour(strconv.Itoa(int(near)))
		}
	}
	return p
}

// indexed replaces colours for which the nearest of the 256 colours is not good enough: greys would
// become purple, and some text could not be read on the row under the cursor.
var indexed = map[colour]colour{
	darkPalette.muted:            "248",
	darkPalette.bad:              "210",
	lightPalette.muted:           "241",
	lightPalette.bar:             "254",
	darkContrastPalette.faint:    "247",
	darkContrastPalette.selected: "17",
	darkContrastPalette.bar:      "236",
}
