package paint

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// patch is a part of a line that can be written alone, as a number that counts up:
// nothing but ASCII stands there and before it, so that every terminal agrees on
// where it is.
type patch struct {
	column      int
	style, text string
}

// findPatch finds what makes a line another one.
func findPatch(old, next string) (p patch, ok bool) {
	if len(old) != len(next) {
		return patch{}, false
	}
	from, to := 0, len(next)
	for from < to && old[from] == next[from] {
		from++
	}
	for to > from && old[to-1] == next[to-1] {
		to--
	}
	p.text = next[from:to]
	if !isASCII(p.text) || !isASCII(old[from:to]) || to < len(next) && next[to] > '~' {
		return patch{}, false
	}
	p.column, p.style, ok = measure(next[:from])
	return p, ok
}

// measure returns the width of ASCII text and the style in force at its end, as
// sequences. It is not ok where there is something else in it, or a part of a
// sequence.
func measure(text string) (width int, style string, ok bool) {
	for {
		before, rest, found := strings.Cut(text, "\x1b")
		if !isASCII(before) {
			return 0, "", false
		}
		width += len(before)
		if !found {
			return width, style, true
		}
		end := strings.IndexByte(rest, 'm') + 1
		if end == 0 {
			return 0, "", false
		}
		style += "\x1b" + rest[:end]
		if strings.HasSuffix(style, ansi.ResetStyle) {
			style = ""
		}
		text = rest[end:]
	}
}

// isASCII reports whether every character is one that needs a cell in ASCII.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
