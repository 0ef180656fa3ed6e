package styles

import (
	"slices"
	"strings"
)

// Glyphs are symbols, each one cell wide unless noted.
type Glyphs struct {
	Primary, Bullet, Dot  string
	Cursor                string // the bar before the row under the cursor
	Open, Closed          string
	Ascending, Descending string
	Above, Below          string // where more is, that is not seen
	// What came of something: good, worth knowing, of note, bad, not known, nothing yet,
	// nothing at all.
	Good, Info, Warning, Bad, Unknown, Running, Skipped string
	// Logo is the mark of the program in the header, two cells wide.
	Logo                   string
	Separator, Crumb, More string
	Prompt                 string
	// BarFull and BarEmpty are a cell of a bar, lower than a line so that bars stay apart; BarHalf is
	// one that is filled to the half, none where a bar has whole cells only. Levels are cells filled
	// from below, the lowest first.
	BarFull, BarHalf, BarEmpty string
	Levels                     []string
	// Life is a cell of the line that shows what is left of something, LifeSpent of what
	// is gone.
	Life, LifeSpent string
	Spinner         []string
	// MissingValue stands for a member that a record lacks; NullValue, four cells wide, for
	// one that is null; UnsetValue for a time or an amount that was never set.
	MissingValue, NullValue, UnsetValue string
	// Horizontal and Vertical are the lines of boxes, and the corners follow clockwise.
	// Focused is the line under the active one of several.
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomRight, BottomLeft string
}

// glyphs are those of a terminal with Unicode. All of them are in the fonts that
// terminals commonly use.
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

// asciiGlyphs are those of a terminal without Unicode.
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

// spokenGlyphs stand where nothing is drawn: words, punctuation, and blanks for what only eyes
// need.
func spokenGlyphs() Glyphs {
	return Glyphs{
		Separator: ",", Crumb: ",",
		BarFull: " ", BarEmpty: " ", Levels: slices.Repeat([]string{" "}, 8), Life: " ", LifeSpent: " ",
		Spinner:      []string{""},
		MissingValue: "not there", NullValue: "nothing", UnsetValue: "never",
	}
}

// asciiSigns are the signs that texts have beside glyphs, each for as many cells. Keys are
// written in words there.
var asciiSigns = strings.NewReplacer("…", "~", "•", "*", "·", "-", "←", "<", "→", ">", "─", "-", "┃", "|", "–", "-")

// Shown is a drawn text as the terminal can show it: one without Unicode has plain
// characters for the signs of the program. What comes from outside is left as it is, but
// for the same signs.
func (t *Theme) Shown(drawn string) string {
	if !t.Options.ASCII {
		return drawn
	}
	return asciiSigns.Replace(drawn)
}
