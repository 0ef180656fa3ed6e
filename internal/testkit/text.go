package testkit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneBlank is a text with one blank for each run of blanks. Tests compare rows of tables in
// this form: only golden files know how wide a column is.
func OneBlank(text string) string { return blanks.ReplaceAllString(text, " ") }

var (
	blanks = regexp.MustCompile(` {2,}`)
	// drawn are the sequences of a frame: styles, and links to a web or mail address.
	drawn = regexp.MustCompile(`\x1b\[[0-9;:]*m|\x1b\]8;;((https?://|mailto:)[!-~]+?)?(\x07|\x1b\\)`)
	// regionFlags have tag characters, which are harmful elsewhere.
	regionFlags = regexp.MustCompile("\U0001f3f4[\U000e0030-\U000e007a]{1,7}\U000e007f?")
)

// CheckFrame is [CheckText] for drawn lines, which have styles and links.
func CheckFrame(frame string) error { return CheckText(drawn.ReplaceAllString(frame, "")) }

// CheckText reports the first thing in lines of text that no terminal may get: a control
// character, a byte that is not UTF-8, or a character that hides or reorders text.
func CheckText(text string) error {
	text = regionFlags.ReplaceAllString(text, "")
	if !utf8.ValidString(text) {
		return fmt.Errorf("not UTF-8: %q", text)
	}
	if at := strings.IndexFunc(text, isHarmful); at >= 0 {
		return fmt.Errorf("byte %d of %q", at, text)
	}
	return nil
}

// isHarmful states once more, from the Unicode categories, what safetext removes. Joiners and marks
// of direction belong to letters.
func isHarmful(r rune) bool {
	switch r {
	case '\n', '\u200c', '\u200d', '\u200e', '\u200f', '\u061c':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}
