package safetext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// maxCellBytes is the maximum size of one cell of safe text: a grapheme cluster and a
// direction mark after it.
const maxCellBytes = (maxClusterRunes + 1) * utf8.UTFMax

// Width returns the number of terminal cells of safe text, counted by grapheme cluster: 2
// for 日, 2 for a family of emoji, 1 for é in either encoding.
func Width(s string) int {
	if isPrintableASCII(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Truncate returns safe text cut to at most width cells, between grapheme clusters, with
// "…" if anything was cut; it is empty for a width of zero or less. Its cost depends on
// the width, not on the length of s.
func Truncate(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width { // no rune takes more cells than bytes
		return s
	}
	// ansi.Truncate reads all of s, and separates an ASCII letter from its combining
	// marks.
	room := width - Width(ellipsis)
	head := prefix(s, width)
	if room >= 0 && isPrintableASCII(head) {
		return head[:room] + ellipsis
	}
	used, edge := 0, 0
	for i := 0; i < len(head); {
		cluster, cells := ansi.FirstGraphemeCluster(head[i:], ansi.GraphemeWidth)
		used += cells
		if used > width {
			break
		}
		i += len(cluster)
		if used <= room {
			edge = i
		}
		if i == len(s) {
			return s
		}
	}
	if room < 0 {
		return ""
	}
	return head[:edge] + ellipsis
}

// Clip is Truncate(Line(s), width) for text from outside. Its cost depends on the width,
// even for a cell of a megabyte.
func Clip(s string, width int) string {
	if width <= 0 {
		return ""
	}
	head := prefix(s, width)
	if len(head) == len(s) {
		return Truncate(Line(s), width)
	}
	return Truncate(Line(head)+ellipsis, width)
}

// prefix returns a prefix of s that is more than enough to fill width cells with safe
// text.
func prefix(s string, width int) string {
	if len(s)/maxCellBytes <= width {
		return s
	}
	return cutAtRune(s, (width+1)*maxCellBytes)
}

// cutAtRune returns a prefix of s of at most n bytes that ends between two runes.
func cutAtRune(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for range utf8.UTFMax - 1 {
		if !utf8.RuneStart(s[n]) {
			n--
		}
	}
	return s[:n]
}

// Pad appends spaces to s up to width cells. Wider text is returned unchanged.
func Pad(s string, width int) string { return s + padding(s, width) }

// PadLeft prepends spaces to s up to width cells. Wider text is returned unchanged.
func PadLeft(s string, width int) string { return padding(s, width) + s }

// Fit returns s in exactly width cells, truncated or padded with spaces; a wide rune that
// does not fit leaves a space. It is empty for a width of zero or less.
func Fit(s string, width int) string { return Pad(Truncate(s, width), width) }

// padding returns the spaces that s needs to be width cells wide.
func padding(s string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(s)))
}
