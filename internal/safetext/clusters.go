package safetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxClusterRunes bounds a grapheme cluster. The longest emoji in use, a family
// of four with skin tones, has eleven runes, and no syllable of a name comes
// near; without a bound a cell can carry a megabyte, and marks pile up over the
// lines above.
const maxClusterRunes = 12

// variation16 asks for the emoji form of the character before it.
const variation16 = '\ufe0f'

// showClusters makes every grapheme cluster of s one that shows what it
// measures and keeps to itself. s has been through [showRunes].
func showClusters(s string) string {
	var b strings.Builder
	kept := 0 // s[:kept] is in b
	for i := 0; i < len(s); {
		if isASCIIAt(s, i) {
			i++
			continue
		}
		// A part that is too long for any cluster tells enough, and keeps a
		// line of nothing but marks from being read once for each of them.
		cluster := firstCluster(cutAtRune(s[i:], maxCellBytes))
		sound, crowded := soundPrefix(cluster)
		if sound == len(cluster) {
			i += sound
			continue
		}
		b.WriteString(s[kept : i+sound])
		if crowded {
			rest := firstCluster(s[i:])[sound:]
			b.WriteString("‹+" + strconv.Itoa(utf8.RuneCountInString(rest)) + "›")
			i += sound + len(rest)
		} else {
			_, size := utf8.DecodeRuneInString(cluster[sound:])
			b.WriteString(visible(cluster[sound : sound+size]))
			i += sound + size
		}
		kept = i
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// soundPrefix returns the length of what can be shown of a cluster as it is.
// Behind it stands a rune that must be made visible or, if crowded, all that is
// beyond [maxClusterRunes].
func soundPrefix(cluster string) (length int, crowded bool) {
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

// merges reports whether a cluster that begins with r would become one with
// whatever the program prints before or after it: a mark without a base, or one
// of the few characters that enclose their successor.
func merges(r rune) bool {
	if r < 0x300 || standsAlone(r) {
		return false
	}
	behind := "x" + string(r)
	ahead := string(r) + "x"
	return firstCluster(behind) == behind || firstCluster(ahead) == ahead
}

// standsAlone spares [merges] its closer look at most characters. The letters
// and symbols it leaves to it are the only ones that merge.
func standsAlone(r rune) bool {
	switch {
	case r == 0x0d4e, r == 0x0e33, r == 0x0eb3, r == 0xff9e, r == 0xff9f,
		r == 0x111c2, r == 0x111c3, r == 0x1193f, r == 0x11941,
		0x11a84 <= r && r <= 0x11a89, r == 0x11d46, r == 0x11f02,
		0x1f3fb <= r && r <= 0x1f3ff:
		return false
	}
	return isDirectionMark(r) || unicode.In(r, unicode.L, unicode.S, unicode.N, unicode.P, unicode.Z, unicode.Co)
}

// isEmojiMark reports whether r changes the emoji before it: the variation
// selector, or one of the five skin tones.
func isEmojiMark(r rune) bool {
	return r == variation16 || '\U0001f3fb' <= r && r <= '\U0001f3ff'
}

// takesEmojiMark reports whether mark has a meaning after base. Where it has
// none, terminals draw it beside the base or not at all, and no measure fits.
func takesEmojiMark(base, mark rune) bool {
	if mark == variation16 && (base == '#' || base == '*' || '0' <= base && base <= '9') {
		return true // a keycap
	}
	return isPictograph(base)
}

// isPictograph reports whether r is an emoji or could become one. Only those
// can be joined with another one, which is how the tables behind x/ansi tell.
func isPictograph(r rune) bool {
	joined := string(r) + "\u200d❤"
	return firstCluster(joined) == joined
}

// firstCluster returns the grapheme cluster that s begins with; s is not empty.
func firstCluster(s string) string {
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster
}
