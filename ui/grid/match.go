package grid

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// appendMatches appends text with the words in it marked. Grapheme clusters
// are marked whole: a sequence inside one would take it apart.
func appendMatches(b []byte, text string, words []string, mark pen) []byte {
	ascii := isASCII(text)
	marked, until := false, 0
	for i := 0; i < len(text); {
		size := 1
		if !ascii {
			cluster, _ := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
			size = len(cluster)
		}
		until = max(until, matchEnd(text, i, i+size, words))
		if on := until > i; on != marked {
			marked = on
			b = appendToggle(b, on, mark)
		}
		b = append(b, text[i:i+size]...)
		i += size
	}
	if marked {
		b = append(b, mark.close...)
	}
	return b
}

func appendToggle(b []byte, on bool, mark pen) []byte {
	if on {
		return append(b, mark.open...)
	}
	return append(b, mark.close...)
}

// matchEnd returns the end of the longest word that begins in text[from:to],
// 0 if none does.
func matchEnd(text string, from, to int, words []string) int {
	end := 0
	for i := range text[from:to] {
		for _, word := range words {
			if n := foldedPrefix(text[from+i:], word); n > 0 {
				end = max(end, from+i+n)
			}
		}
	}
	return end
}

// foldedPrefix returns how many bytes of text are the word, without case; 0 if
// text does not begin with it.
func foldedPrefix(text, word string) int {
	at := 0
	for _, r := range word {
		if at == len(text) {
			return 0
		}
		c, size := utf8.DecodeRuneInString(text[at:])
		if c != r && !strings.EqualFold(text[at:at+size], string(r)) {
			return 0
		}
		at += size
	}
	return at
}

// isASCII reports whether each byte of s is a grapheme cluster of its own.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
