package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/rangetable"
)

const ellipsis = "…"

// maxCellBytes is the maximum size of one cell of safe text: a grapheme cluster and a
// direction mark after it.
const maxCellBytes = (maxClusterRunes + 1) * utf8.UTFMax

// Cluster returns the grapheme cluster that a text begins with, and how many cells it takes. All
// other functions that measure ask this one.
//
// Terminals disagree on clusters of several runes: one draws the syllable हि in a cell, another one
// gives a cell to each of its runes. The width is the greater of both, so that on no terminal the
// cluster covers what follows, or is covered by it. Where a terminal needs less, a gap remains.
func Cluster(text string) (cluster string, cells int) {
	if isPlainAlone(text) {
		return text[:Plain(text)], 1
	}
	cluster, cells = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	if _, size := utf8.DecodeRuneInString(cluster); size == len(cluster) && cells > 0 {
		return cluster, cells
	}
	return cluster, max(cells, sumOfRunes(cluster))
}

// isPlainAlone reports whether a text begins with a plain character that is a cluster of its own.
func isPlainAlone(text string) bool {
	if len(text) > 1 && text[0] >= ' ' && text[0] <= '~' && text[1] < utf8.RuneSelf {
		return true // nearly always
	}
	if text == "" {
		return false
	}
	size := Plain(text)
	return size > 0 && (size == len(text) || text[size] < ' ' || Plain(text[size:]) > 0)
}

// sumOfRunes returns how many cells a terminal needs for a cluster if it draws each rune by itself.
func sumOfRunes(cluster string) (cells int) {
	for i, r := range cluster {
		cells += maxRuneCells(r, cluster[i:i+utf8.RuneLen(r)])
	}
	return cells
}

// maxRuneCells returns how many cells a terminal may need at most for a rune of safe text, which is
// given in UTF-8 as well. Some terminals need a cell for spacing marks and for the vowels of
// decomposed Hangul. Others have old tables, and need one for each mark that they do not know.
func maxRuneCells(r rune, encoded string) int {
	switch {
	case unicode.Is(unicode.Variation_Selector, r), isTagLetter(r), r == tagCancel:
		return 0
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) && r <= maxBasic && unicode.Is(inOldTables, r):
		return 0
	}
	return max(ansi.StringWidthWc(encoded), 1)
}

// inOldTables are the characters of Unicode 5.0, of 2006. The oldest tables of terminals that are
// still in use have the widths of those up to maxBasic.
var inOldTables = rangetable.Assigned("5.0.0")

// maxBasic is the last character of the Basic Multilingual Plane.
const maxBasic = 0xffff

// Width returns the number of terminal cells of safe text, counted by [Cluster]: 2 for 日, 1 for
// é in either encoding. The text may have styles and hyperlinks in it, which take none.
func Width(s string) int {
	cells := 0
	for s != "" {
		if size, plain := plainRun(s); size > 0 { // nearly all of most texts
			cells += plain
			s = s[size:]
			continue
		}
		piece, width := piece(s)
		cells += width
		s = s[len(piece):]
	}
	return cells
}

// plainRun returns the length in bytes of the plain characters that a text begins with, each a
// cluster of its own, and how many cells they take.
func plainRun(s string) (size, cells int) {
	last := 0
	for size < len(s) {
		next := 1
		if c := s[size]; c < ' ' || c > '~' {
			next = Plain(s[size:])
		}
		if next == 0 {
			break
		}
		size, cells, last = size+next, cells+1, next
	}
	mayJoinLast := size < len(s) && s[size] >= utf8.RuneSelf // what follows the last one
	if cells > 0 && mayJoinLast {
		return size - last, cells - 1
	}
	return size, cells
}

// Plain returns the length in bytes of the character that a text begins with if it is plain, or
// else 0. Plain characters take one cell and never join one another: ASCII, Western letters, and
// the signs that screens are drawn with. To look for clusters of several runes would take fifty
// times as long.
func Plain(text string) int {
	switch c := text[0]; {
	case c >= ' ' && c <= '~':
		return 1
	case len(text) >= 2 && c >= 0xc2 && c <= 0xc5 && text[1]&0xc0 == 0x80: // U+00A1 to U+017F
		if c == 0xc2 && (text[1] <= 0xa0 || text[1] == 0xad) { // controls, spaces, a soft hyphen
			return 0
		}
		return 2
	case len(text) >= 3 && c == 0xe2 && text[2]&0xc0 == 0x80 && plainSign(text[1], text[2]):
		return 3
	}
	return 0
}

// plainSign reports whether a character of three bytes, of which the first one is 0xe2, is plain.
func plainSign(second, third byte) bool {
	switch second {
	case 0x80: // dashes; quotes, a bullet, an ellipsis; ‹ and ›
		return third >= 0x90 && third <= 0x95 ||
			third >= 0x98 && third <= 0xa7 ||
			third == 0xb9 || third == 0xba
	case 0x86: // arrows
		return third >= 0x90 && third <= 0x93
	case 0x94, 0x95, 0x96: // lines of boxes, blocks, geometric shapes up to U+25BF
		return true
	case 0x97: // and up to U+25CF
		return third <= 0x8f
	case 0x98: // a star
		return third == 0x85
	case 0x9c: // ✓ and ✗
		return third == 0x93 || third == 0x97
	}
	return second >= 0xa0 && second <= 0xa3 // Braille
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
	room := width - 1 // beside the ellipsis
	head := prefix(s, width)
	if isPrintableASCII(head) {
		return head[:room] + ellipsis
	}
	used, edge := 0, 0
	for i := 0; i < len(head); {
		cluster, cells := Cluster(head[i:])
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

// prefix returns the beginning of s, at least as much as fills width cells with safe text.
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
