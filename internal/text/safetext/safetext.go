// Package safetext makes text from outside (names, ids, messages, whole answers of a service)
// safe for a terminal. It makes visible whatever could move the cursor, send a command to the
// terminal, reverse the reading order or stay hidden. It keeps what real names are written
// with: every script, emoji, combining marks, joiners.
//
// [Line] and [Block] make text safe. The functions that measure and cut ([Width],
// [Truncate], [Pad], [PadLeft], [Fit]) count terminal cells by grapheme cluster and
// expect safe text; [Clip] does both.
//
// What is replaced, and how:
//
//	control characters              ␀ ... ␛ ... ␡ (control pictures)
//	C1 controls, format characters  ‹U+009B› ‹U+202E› ‹U+FEFF›
//	bytes that are not UTF-8        ‹\x9b›
//	marks without a base            ‹U+0301›
//	too many marks on one base      ‹+40› (40 runes are left out)
package safetext

import (
	"strings"
)

// Line returns s as one line that is safe to print: no control characters (newlines and
// tabs become ␊ and ␉), no escape sequences, nothing that reorders the text around it,
// valid UTF-8. Its first and last rune do not merge with a letter, space or border
// printed beside it. Safe text is returned unchanged, so Line(Line(s)) is Line(s), and
// hardly allocates: a few bytes for each emoji selector and skin tone.
func Line(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	return showClusters(showRunes(s))
}

// Block returns s as lines that are safe to print: [Line] of each, with newlines kept, CR
// LF as a newline, and tabs as four spaces.
func Block(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if i < len(lines)-1 {
			line = strings.TrimSuffix(line, "\r")
		}
		pieces := strings.Split(line, "\t")
		for j, piece := range pieces {
			pieces[j] = Line(piece)
		}
		lines[i] = strings.Join(pieces, "    ")
	}
	return strings.Join(lines, "\n")
}

// isPrintableASCII reports whether s has only bytes from space to tilde: most text, and
// safe without further checks.
func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
