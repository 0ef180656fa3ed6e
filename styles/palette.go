package styles

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// colour is "#rrggbb", the number of one of the terminal's 16 colours, or empty for the
// colour of ordinary text.
type colour string

func (c colour) lipgloss() color.Color {
	if c == "" {
		return lipgloss.NoColor{}
	}
	return lipgloss.Color(string(c))
}

// palette has the colours of a theme, see [Choose]. Ordinary text keeps the terminal's
// own colour, so that it is readable on any background.
type palette struct {
	muted, faint, accent, good, warn, bad colour
	bar, barText, barWarn                 colour
	selected, selectedText                colour
}

var (
	noPalette = palette{}

	basicPalette = palette{accent: "6", good: "2", warn: "3", bad: "1"}

	// The backgrounds exist in the 256-colour palette: rounding others to it would make
	// bar and selection the same.
	darkPalette = palette{
		muted: "#a9b4c2", faint: "#8c97a6", accent: "#7cc4ff",
		good: "#7fd88f", warn: "#f2c14e", bad: "#ff8f87",
		bar: "#303030", barText: "#e4e4e4", barWarn: "#ffd787",
		selected: "#005f87", selectedText: "#ffffff",
	}

	lightPalette = palette{
		muted: "#4b5563", faint: "#5f6773", accent: "#0550ae",
		good: "#116329", warn: "#7a4d00", bad: "#a8201a",
		bar: "#e4e4e4", barText: "#262626", barWarn: "#87005f",
		selected: "#afd7ff", selectedText: "#121212",
	}

	// All text has a contrast of at least 7.
	darkContrastPalette = palette{
		muted: "#e4e4e4", faint: "#d0d0d0", accent: "#87d7ff",
		good: "#87ff87", warn: "#ffd75f", bad: "#ffafaf",
		bar: "#444444", barText: "#ffffff", barWarn: "#ffff87",
		selected: "#ffff00", selectedText: "#000000",
	}

	lightContrastPalette = palette{
		muted: "#303030", faint: "#3a3a3a", accent: "#00005f",
		good: "#003f00", warn: "#4a2f00", bad: "#6f0000",
		bar: "#dadada", barText: "#000000", barWarn: "#5f0000",
		selected: "#00005f", selectedText: "#ffffff",
	}
)
