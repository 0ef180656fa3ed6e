package safetext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// maxCellBytes bounds what one cell of safe text is written with: a grapheme
// cluster and a direction mark behind it.
const maxCellBytes = (maxClusterRunes + 1) * utf8.UTFMax

// Width returns the number of terminal cells that safe text takes, counted by
// grapheme cluster: 2 for 日, 2 for a family of emoji, 1 for é in either spelling.
func Width(s string) int {
	if isPrintableASCII(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Truncate returns safe text cut to at most width cells. What does not fit
// is cut at the edge of a grapheme cluster and ends with "…"; with a width of
// zero or less the result is empty. The cost is bounded by the width, however
// long s is.
func Truncate(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width { // no rune takes more cells than bytes
		return s
	}
	// ansi.Truncate reads on to the end of s, and parts an ASCII letter from
	// its combining marks.
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

// Clip is Truncate(Line(s), width) for text from outside, at a cost bounded by
// the width: a cell of a megabyte is no dearer than the part of it that shows.
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

// prefix returns the beginning of s that is more than enough to fill width
// cells with safe text.
func prefix(s string, width int) string {
	if len(s)/maxCellBytes <= width {
		return s
	}
	return cutAtRune(s, (width+1)*maxCellBytes)
}

// cutAtRune returns the beginning of s, at most n bytes, cut between two runes.
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

// Pad returns s with spaces after it, up to width cells. Text that is as wide
// or wider is returned as it is.
func Pad(s string, width int) string { return s + blanks(s, width) }

// PadLeft returns s with spaces before it, up to width cells. Text that is as
// wide or wider is returned as it is.
func PadLeft(s string, width int) string { return blanks(s, width) + s }

// Fit returns s in exactly width cells, truncated or padded with spaces after
// it; a wide rune that does not fit leaves a space. With a width of zero or
// less the result is empty.
func Fit(s string, width int) string { return Pad(Truncate(s, width), width) }

// blanks returns the spaces that s lacks to width cells.
func blanks(s string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(s)))
}
