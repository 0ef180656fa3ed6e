package records

import (
	"unicode"
	"unicode/utf8"
)

// appendFolded appends text without case: by simple folding (so Σ, σ and ς are one,
// and the Kelvin sign is a k), and beyond it İ is an i, as unicode.ToLower has it.
func appendFolded(dst, text []byte) []byte {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			dst = append(dst, lower(c))
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, FoldRune(r))
		text = text[size:]
	}
	return dst
}

// FoldRune returns the one rune that stands for all that differ from r in case only.
// It is how every filter and every search compares.
func FoldRune(r rune) rune {
	if unicode.SimpleFold(r) == r && r != 'İ' {
		return r
	}
	lower := unicode.ToLower(r)
	least := lower
	for next := unicode.SimpleFold(lower); next != lower; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
