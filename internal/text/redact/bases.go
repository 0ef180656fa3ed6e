package redact

import (
	"math"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// basesOf is a text as its base letters: in lower case, without marks, and of a Korean syllable its
// first consonant alone. Each letter is read by itself, which takes a small part of the time that
// [lettersOf] takes. A text whose letters repeat those of a secret repeats its base letters too, so
// one that does not can be passed over.
func basesOf(text string) string {
	if isASCII(text) {
		return bare([]byte(text))
	}
	table := basesBMP()
	bases := make([]byte, 0, len(text))
	for _, c := range text {
		switch {
		case isSharpS(c): // as in letters
			bases = append(bases, "ss"...)
		case int(c) < len(table):
			if base := table[c]; base != 0 {
				bases = utf8.AppendRune(bases, base)
			}
		default:
			if base := baseOf(c); base != 0 {
				bases = utf8.AppendRune(bases, base)
			}
		}
	}
	return string(bases)
}

// basesBMP are the base letters of all characters that are one unit of UTF-16.
var basesBMP = sync.OnceValue(func() []rune {
	table := make([]rune, math.MaxUint16+1)
	for c := range table {
		table[c] = baseOf(rune(c))
	}
	return table
})

// baseOf is the base letter of a character, and 0 where that has none.
func baseOf(c rune) rune {
	c, _ = utf8.DecodeRuneInString(norm.NFD.String(string(c)))
	isLetter := unicode.In(c, unicode.L, unicode.N, unicode.So)
	if !isLetter || c == utf8.RuneError || isComposedWithBefore(c) {
		return 0
	}
	return withoutCase(c)
}

// isComposedWithBefore reports whether a letter is a vowel or a final consonant of Korean, which is
// one character with the consonant before it.
func isComposedWithBefore(c rune) bool {
	const firstVowel, lastConsonant = '\u1160', '\u11ff'
	return firstVowel <= c && c <= lastConsonant
}
