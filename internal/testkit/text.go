package testkit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneBlank is a text with one blank in place of several. Tests compare rows of tables in this form,
// so that only golden files depend on the widths of columns.
func OneBlank(text string) string {
	var out strings.Builder
	for { // not a regular expression: tests do this with every frame
		several := strings.Index(text, "  ")
		if several < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:several+1])
		text = strings.TrimLeft(text[several:], " ")
	}
}

var (
	// drawn finds the sequences of a frame: styles, and links to a web or e-mail address.
	drawn = regexp.MustCompile(`\x1b\[[0-9;:]*m|\x1b\]8;;((https?://|mailto:)[!-~]+?)?(\x07|\x1b\\)`)
	// regionFlags finds flags of regions. They have tag characters, which are harmful elsewhere.
	regionFlags = regexp.MustCompile("\U0001f3f4[\U000e0030-\U000e007a]{1,7}\U000e007f?")
)

// CheckFrame is [CheckText] for drawn lines, which may have styles and links.
func CheckFrame(frame string) error { return CheckText(drawn.ReplaceAllString(frame, "")) }

// CheckText returns an error for what must not be sent to a terminal: control characters, bytes
// that are not UTF-8, and characters that hide or reorder text.
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

// isHarmful reports whether safetext must remove a character. It decides by Unicode categories, not
// by the tables of that package. Joiners and marks of direction belong to letters.
func isHarmful(r rune) bool {
	switch r {
	case '\n', '\u200c', '\u200d', '\u200e', '\u200f', '\u061c':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}
