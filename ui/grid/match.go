package grid

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/records"
	"gatehouse/styles"
)

// AppendMarked appends safe text with the words in it, without case, in another
// style. Grapheme clusters are marked whole: a sequence inside one would take it
// apart.
func AppendMarked(b []byte, text string, words []string, mark styles.SGR) []byte {
	ascii := !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	marked, until := false, 0
	for i := 0; i < len(text); {
		size := 1
		if !ascii {
			cluster, _ := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
			size = len(cluster)
		}
		until = max(until, matchEnd(text, i, i+size, words))
		if on := until > i; on != marked {
			toggle := mark.Close
			if marked = on; on {
				toggle = mark.Open
			}
			b = append(b, toggle...)
		}
		b = append(b, text[i:i+size]...)
		i += size
	}
	if marked {
		b = append(b, mark.Close...)
	}
	return b
}

// Contains reports whether AppendMarked would mark a word in a text.
func Contains(text, word string) bool {
	for i := range text {
		if foldedPrefix(text[i:], word) > 0 {
			return true
		}
	}
	return false
}

// ContainsAll reports whether a text has all of the words in it.
func ContainsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !Contains(text, word) })
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
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
		if !sameLetter(c, r) {
			return 0
		}
		at += size
	}
	return at
}

// sameLetter compares as the filter of records does.
func sameLetter(a, b rune) bool {
	switch {
	case a == b:
		return true
	case a < utf8.RuneSelf && b < utf8.RuneSelf:
		return lower(byte(a)) == lower(byte(b))
	}
	return records.FoldRune(a) == records.FoldRune(b)
}
