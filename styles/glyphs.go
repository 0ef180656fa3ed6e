package styles

import (
	"slices"
	"strings"
)

// Glyphs are symbols, each one cell wide unless noted.
type Glyphs struct {
	Primary, Bullet, Dot  string
	Cursor                string // the bar before the row under the cursor
	Open, Closed          string // of what can be folded
	Ascending, Descending string
	Above, Below          string // where there is more out of sight
	// The signs before verdicts and states. Info is worth knowing, Warning needs attention,
	// Running has no result yet, and Skipped will have none.
	Good, Info, Warning, Bad, Unknown, Running, Skipped string
	// Logo is the mark of the program in the header, two cells wide.
	Logo                   string
	Separator, Crumb, More string
	Prompt                 string
	// BarFull and BarEmpty are a cell of a bar. They are lower than a line, so that there is space
	// between bars. BarHalf is a cell that is half full; "" if bars have whole cells only. Levels
	// are cells that are filled from below, the lowest level first.
	BarFull, BarHalf, BarEmpty string
	Levels                     []string
	// Life is a cell of the line that shows how much is left of the life of a token, LifeSpent a
	// cell of what has passed.
	Life, LifeSpent string
	Spinner         []string
	// MissingValue is shown for a member that a record lacks, NullValue, which is four cells wide,
	// for one that is null, and UnsetValue for a time or an amount that was never set.
	MissingValue, NullValue, UnsetValue string
	// Horizontal and Vertical are the lines of boxes; the others are their corners.
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomRight, BottomLeft string
}

// glyphs are the glyphs of a terminal with Unicode. All of them are in the fonts that terminals
// commonly use.
func glyphs() Glyphs {
	return Glyphs{
		Primary: "★", Bullet: "•", Dot: "●", Cursor: "▌",
		Open: "▾", Closed: "▸",
		Ascending: "▲", Descending: "▼",
		Above: "↑", Below: "↓",
		Good: "✓", Info: "i", Warning: "!", Bad: "✗", Unknown: "?", Running: "◐", Skipped: "–",
		Logo:      "▟▙",
		Separator: "·", Crumb: "›", More: "…", Prompt: "›",
		BarFull: "━", BarHalf: "╸", BarEmpty: "─",
		Levels: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Life:   "━", LifeSpent: "━",
		Spinner:      []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		MissingValue: "·", NullValue: "null", UnsetValue: "–",
		Horizontal: "─", Vertical: "│",
		TopLeft: "╭", TopRight: "╮", BottomRight: "╯", BottomLeft: "╰",
	}
}

// asciiGlyphs are the glyphs of a terminal without Unicode.
func asciiGlyphs() Glyphs {
	return Glyphs{
		Primary: "*", Bullet: "*", Dot: "o", Cursor: ">",
		Open: "v", Closed: ">",
		Ascending: "^", Descending: "v",
		Above: "^", Below: "v",
		Good: "+", Info: "i", Warning: "!", Bad: "x", Unknown: "?", Running: "~", Skipped: "-",
		Logo:      "/\\",
		Separator: "-", Crumb: ">", More: "~", Prompt: ">",
		BarFull: "#", BarEmpty: ".",
		Levels: []string{"_", ".", "-", "=", "+", "*", "%", "#"},
		Life:   "=", LifeSpent: "-",
		Spinner:      []string{"|", "/", "-", "\\"},
		MissingValue: ".", NullValue: "null", UnsetValue: "-",
		Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomRight: "+", BottomLeft: "+",
	}
}

// spokenGlyphs are words and punctuation in place of glyphs, for a person who hears the UI, and
// blanks for what can only be seen.
func spokenGlyphs() Glyphs {
	return Glyphs{
		Separator: ",", Crumb: ",",
		BarFull: " ", BarEmpty: " ",
		Levels: slices.Repeat([]string{" "}, 8),
		Life:   " ", LifeSpent: " ",
		Spinner:      []string{""},
		MissingValue: "not there", NullValue: "nothing", UnsetValue: "never",
	}
}

// Between stands between two texts in a line: the separator with a blank at each side, or only with
// one behind it if the line is heard.
func (t *Theme) Between() string {
	if t.Options.Spoken {
		return t.Glyphs.Separator + " "
	}
	return " " + t.Glyphs.Separator + " "
}

// asciiSigns replaces the signs that texts have beside glyphs by signs of the same width.
var asciiSigns = strings.NewReplacer(
	"…", "~",
	"•", "*",
	"·", "-",
	"←", "<",
	"→", ">",
	"─", "-",
	"┃", "|",
	"–", "-",
)

// Shown is a drawn text as the terminal can show it: without Unicode, the signs of the program are
// ASCII. Text from outside stays as it is, apart from the same signs.
func (t *Theme) Shown(drawn string) string {
	if !t.Options.ASCII {
		return drawn
	}
	return asciiSigns.Replace(drawn)
}
