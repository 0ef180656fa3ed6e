package safetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxClusterRunes limits a grapheme cluster. The longest emoji in use, a family of four with skin
// tones, has eleven runes, and no syllable of a name comes near that. Without a limit a cell could
// hold a megabyte, and marks could cover the lines above.
const maxClusterRunes = 12

// variation16 selects the emoji form of the character before it.
const variation16 = '\ufe0f'

// showClusters makes sure that every grapheme cluster of s is as wide as it is measured, and does
// not merge with its neighbours. s has been through [showRunes].
func showClusters(s string) string {
	var b strings.Builder
	kept := 0 // s[:kept] is in b
	for i := 0; i < len(s); {
		isAlone := s[i] < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf)
		if isAlone { // it is a cluster of its own
			i++
			continue
		}
		// Looking at no more than the longest cluster keeps this linear for a line
		// that consists of marks.
		cluster := firstCluster(cutAtRune(s[i:], maxCellBytes))
		safe, crowded := safePrefix(cluster)
		if safe == len(cluster) {
			i += safe
			continue
		}
		b.WriteString(s[kept : i+safe])
		if crowded {
			rest := firstCluster(s[i:])[safe:]
			b.WriteString("‹+" + strconv.Itoa(utf8.RuneCountInString(rest)) + "›")
			i += safe + len(rest)
		} else {
			_, size := utf8.DecodeRuneInString(cluster[safe:])
			b.WriteString(visible(cluster[safe : safe+size]))
			i += safe + size
		}
		kept = i
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// safePrefix returns the length of the part of a cluster that can be shown as it is. What
// follows is a rune that must be made visible or, if crowded, everything beyond
// [maxClusterRunes].
func safePrefix(cluster string) (length int, crowded bool) {
	base, _ := utf8.DecodeRuneInString(cluster)
	if merges(base) {
		return 0, false
	}
	runes := 0
	for i, r := range cluster {
		if runes == maxClusterRunes {
			return i, true
		}
		if isEmojiMark(r) && !takesEmojiMark(base, r) {
			return i, false
		}
		runes++
	}
	return len(cluster), false
}

// merges reports whether a cluster that begins with r would merge with whatever the
// program prints before or after it: a mark without a base, or one of the few characters
// that enclose their successor.
func merges(r rune) bool {
	if r < 0x300 || standsAlone(r) {
		return false
	}
	behind := "x" + string(r)
	ahead := string(r) + "x"
	return firstCluster(behind) == behind || firstCluster(ahead) == ahead
}

// standsAlone spares most characters the slow test in [merges]. All letters and symbols
// that do merge are listed here.
func standsAlone(r rune) bool {
	switch {
	case r == 0x0d4e, r == 0x0e33, r == 0x0eb3, r == 0xff9e, r == 0xff9f,
		r == 0x111c2, r == 0x111c3, r == 0x1193f, r == 0x11941,
		0x11a84 <= r && r <= 0x11a89, r == 0x11d46, r == 0x11f02,
		0x1f3fb <= r && r <= 0x1f3ff:
		return false
	case r == 0x102b, r == 0x102c, r == 0x1038: // Burmese marks that are characters of their own
		return true
	}
	return isDirectionMark(r) || unicode.In(r, unicode.L, unicode.S, unicode.N, unicode.P, unicode.Z, unicode.Co)
}

// isEmojiMark reports whether r modifies the emoji before it: the variation selector, or
// one of the five skin tones.
func isEmojiMark(r rune) bool {
	return r == variation16 || '\U0001f3fb' <= r && r <= '\U0001f3ff'
}

// takesEmojiMark reports whether mark has a meaning after base. If it has none, some terminals draw
// it beside the base and others do not draw it, so no width is right.
func takesEmojiMark(base, mark rune) bool {
	if mark == variation16 && (base == '#' || base == '*' || '0' <= base && base <= '9') {
		return true // a keycap
	}
	// The tables of x/ansi join another emoji to whatever is one or may become one.
	joined := string(base) + "\u200d❤"
	return firstCluster(joined) == joined
}

// firstCluster returns the first grapheme cluster of s, which is not empty.
func firstCluster(s string) string {
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster
}
