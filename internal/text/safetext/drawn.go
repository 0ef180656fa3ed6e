package safetext

import (
	"iter"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The functions of this file are for drawn text: safe text with styles and hyperlinks in it.

// pieces yields the clusters of a drawn text with their widths in cells, and its sequences and line
// ends, which take none.
func pieces(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for text != "" {
			piece, cells := piece(text)
			if !yield(piece, cells) {
				return
			}
			text = text[len(piece):]
		}
	}
}

// piece returns the first of the pieces of a text, and its width.
func piece(text string) (piece string, cells int) {
	switch {
	case text[0] == ansi.ESC:
		if size := styleSize(text); size > 0 {
			return text[:size], 0
		}
		sequence, _, size, _ := ansi.DecodeSequence(text, ansi.NormalState, nil)
		if size == 0 { // never for drawn text
			return text[:1], 0
		}
		return sequence, 0
	case text[0] < ' ', text[0] == 0x7f:
		return text[:1], 0
	}
	return Cluster(text)
}

// styleSize returns the length in bytes of the style that a text begins with, or 0 if there is
// none.
func styleSize(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	end := len("\x1b[")
	isParameter := func(c byte) bool { return '0' <= c && c <= ';' } // digits, colons and semicolons
	for end < len(text) && isParameter(text[end]) {
		end++
	}
	if end == len(text) || text[end] != 'm' {
		return 0
	}
	return end + 1
}

// isSequence reports whether a piece is a style or a hyperlink.
func isSequence(piece string) bool { return piece[0] == ansi.ESC }

// Cut truncates a drawn line to a width, with a tail if anything was cut. The sequences after the
// cut remain.
func Cut(line string, width int, tail string) string {
	if len(line) <= width || Width(line) <= width { // no character takes more cells than bytes
		return line
	}
	room := width - Width(tail)
	if room < 0 {
		return ""
	}
	var b strings.Builder
	used, cut := 0, false
	for piece, cells := range pieces(line) {
		switch {
		case isSequence(piece):
			b.WriteString(piece)
		case cut:
		case used+cells > room:
			b.WriteString(tail)
			cut = true
		default:
			b.WriteString(piece)
			used += cells
		}
	}
	return b.String()
}

// CutLeft cuts a number of cells off the beginning of a drawn line, or one more if that would split
// a character. Escape sequences before the cut remain.
func CutLeft(line string, width int) string {
	var b strings.Builder
	used := 0
	for piece, cells := range pieces(line) {
		if isSequence(piece) || used >= width {
			b.WriteString(piece)
		}
		used += cells
	}
	return b.String()
}

// Hardwrap breaks drawn text into lines of at most width cells, wherever a line is full. A
// character that is wider has a line of its own.
func Hardwrap(text string, width int) string {
	var b strings.Builder
	used := 0
	for piece, cells := range pieces(text) {
		switch {
		case piece == "\n":
			used = 0
		case used > 0 && used+cells > width:
			b.WriteByte('\n')
			used = 0
		}
		b.WriteString(piece)
		used += cells
	}
	return b.String()
}

// Characters of private use that take the place of others while [Wrap] breaks lines. Their
// encodings have no byte that ends a sequence.
const (
	keptHyphen = "\uE0AD" // a hyphen after which no line may end
	keptSpace  = "\uE0AE" // a space at which no line may end
)

// units are the units that stay on the line of their number.
var units = []string{
	"s", "ms", "min", "h", "d", "y",
	"B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB",
	"%",
}

// Wrap breaks drawn text into lines of at most width cells: between words, and inside a word only
// if it is wider than a line. No line ends after a hyphen, as in a date, a host or "sign-in", nor
// between a number and its unit.
//
// With signs, as for an address, a line may also end after each of them and after a hyphen. A long
// run of spaces before a hyphen may then be wider than a line.
func Wrap(text string, width int, signs string) string {
	if signs != "" || strings.ContainsAny(text, keptHyphen+keptSpace) {
		return wrap(text, width, signs)
	}
	var kept strings.Builder
	words := strings.Split(text, " ")
	for i, word := range words {
		if i > 0 {
			kept.WriteString(spaceBetween(words[i-1], word, width))
		}
		if Width(word) <= width {
			word = strings.ReplaceAll(word, "-", keptHyphen)
		}
		kept.WriteString(word)
	}
	return unkept.Replace(wrap(kept.String(), width, ""))
}

// spaceBetween returns the space between two words, of the kind that keeps them on one line if they
// are a number and its unit and fit.
func spaceBetween(before, after string, width int) string {
	if !isMeasure(before, after) {
		return " "
	}
	if fits := Width(before)+1+Width(after) <= width; fits {
		return keptSpace
	}
	return " "
}

// unkept puts back the hyphens and spaces that were kept.
var unkept = strings.NewReplacer(keptHyphen, "-", keptSpace, " ")

// isMeasure reports whether two words are a number and its unit: "30" and "s.".
func isMeasure(number, unit string) bool {
	if number == "" || number[len(number)-1] < '0' || number[len(number)-1] > '9' {
		return false
	}
	return slices.Contains(units, strings.TrimRight(unit, ".,;:!?)"))
}

// wrap is Wrap without regard to hyphens and units.
func wrap(text string, width int, signs string) string {
	tooWide := func(line string) bool { return Width(line) > width }
	// The library measures some characters as narrower than [Width], so it may need less room.
	for room := width; room > width/2; room-- {
		wrapped := ansi.Wrap(text, room, signs)
		if !slices.ContainsFunc(strings.Split(wrapped, "\n"), tooWide) {
			return wrapped
		}
	}
	return ansi.Wrap(text, max(width, 1), signs)
}
