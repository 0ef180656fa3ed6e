package safetext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	blackFlag          = '\U0001f3f4' // begins the flags of England, Scotland, ...
	tagCancel          = '\U000e007f' // ends them
)

// showRunes replaces each rune and byte that must not reach a terminal by a visible form.
func showRunes(s string) string {
	var b strings.Builder
	kept := 0 // s[:kept] is in b
	direction := false
	for i := 0; i < len(s); {
		if ' ' <= s[i] && s[i] <= '~' {
			direction = false
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		repeated := direction && isDirectionMark(r)
		direction = isDirectionMark(r)
		switch {
		case r == blackFlag && !strings.HasSuffix(s[:i], string(zeroWidthJoiner)):
			i += size + flagTags(s[i+size:])
			continue
		case !repeated && !isHarmful(r) && !isBadByte(r, size):
			i += size
			continue
		}
		b.WriteString(s[kept:i])
		b.WriteString(visible(s[i : i+size]))
		i += size
		kept = i
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// isBadByte reports whether a decoded rune stands for a byte that is not UTF-8, as
// opposed to an actual U+FFFD.
func isBadByte(r rune, size int) bool { return r == utf8.RuneError && size == 1 }

// isHarmful reports whether r is a control or format character, a line or paragraph
// separator, an invisible filler, or a noncharacter.
//
// Joiners and direction marks are format characters, but allowed. Persian and the Indic
// scripts need the joiners for spelling. LRM, RLM and ALM occur in Arabic and Hebrew
// names beside Latin letters and digits, and can do nothing that a letter of those
// scripts cannot: unlike embeddings, overrides and isolates, they start no region.
//
// Private use characters are allowed, too: each takes one cell like any letter, and
// Japanese names use them for rare characters.
func isHarmful(r rune) bool {
	switch {
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner, isDirectionMark(r):
		return false
	case r < 0xa0:
		return unicode.IsControl(r)
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}

// isDirectionMark reports whether r is LRM, RLM or ALM. A repeated one has no effect, but
// many of them would be invisible text.
func isDirectionMark(r rune) bool {
	return r == '\u200e' || r == '\u200f' || r == '\u061c'
}

// flagTags returns the length of the tag characters, including the cancel tag, that make
// the black flag before s an emoji flag; 0 if there are none. Anywhere else, also after
// a flag that is joined to another emoji, tag characters can hide text.
func flagTags(s string) int {
	for i, r := range s {
		switch {
		case r == tagCancel && i > 0:
			return i + utf8.RuneLen(tagCancel)
		case !isTagLetter(r) || i == 6*utf8.UTFMax: // region and subdivision: at most six
			return 0
		}
	}
	return 0
}

// isTagLetter reports whether r is the tag character of a digit or a lower-case letter.
func isTagLetter(r rune) bool {
	return 0xe0030 <= r && r <= 0xe0039 || 0xe0061 <= r && r <= 0xe007a
}

// visible returns the visible form of one rune, or of one byte that is not UTF-8.
func visible(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case isBadByte(r, size):
		return fmt.Sprintf(`‹\x%02x›`, s[0])
	case r < ' ':
		return string('␀' + r)
	case r == '\x7f':
		return "␡"
	}
	return fmt.Sprintf("‹%U›", r)
}
