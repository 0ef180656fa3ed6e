package paint

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// line writes one line in the place of another. It begins and ends without a
// style.
func (s *Screen) line(y int, text string, f Frame) {
	if p, ok := findPatch(s.lines[y], text); ok {
		s.control('H', y+1, p.column+1)
		s.shorten(p.column, downsample(p.style+p.text, f.Profile), f.Graphemes)
		return
	}
	s.control('H', y+1)
	full := ansi.StringWidth(text) >= f.Width
	if strings.ContainsFunc(text, isDoubtful) {
		s.buf.WriteString(ansi.EraseLineRight)
	}
	s.shorten(0, downsample(text, f.Profile), f.Graphemes)
	if !full {
		s.buf.WriteString(ansi.EraseLineRight)
	}
}

// firstDoubtful is where the characters of two cells begin, emoji, and the marks
// that make a character one: some terminals need fewer cells for them, so that the
// line would not cover what stood there.
const firstDoubtful = 0x2e80

func isDoubtful(r rune) bool { return r >= firstDoubtful }

// downsample converts the colours of a text to those that the terminal has.
func downsample(text string, profile colorprofile.Profile) string {
	if profile == colorprofile.TrueColor || profile > colorprofile.NoTTY && !strings.Contains(text, "\x1b") {
		return text
	}
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: profile}
	_, _ = w.WriteString(text) // into a buffer
	return b.String()
}

// manyBlanks is how many blanks are longer than the sequences that stand for them.
const manyBlanks = 12

// shorten writes a text from a column on, with its long runs of blanks as sequences,
// but for those with a style, which not every terminal can erase to. It leaves no
// style.
func (s *Screen) shorten(column int, text string, graphemes bool) {
	styled := false
	for text != "" {
		at := strings.IndexAny(text, "\x1b ")
		if at < 0 {
			at = len(text)
		}
		column += s.word(column, text[:at], graphemes)
		text = text[at:]
		switch {
		case strings.HasPrefix(text, " "):
			rest := strings.TrimLeft(text, " ")
			s.blanks(len(text)-len(rest), styled)
			column += len(text) - len(rest)
			text = rest
		case text != "":
			sequence := text[:strings.IndexByte(text, 'm')+1]
			if sequence == "" { // none that is known
				sequence = text
			}
			s.buf.WriteString(sequence)
			styled = sequence != ansi.ResetStyle
			text = text[len(sequence):]
		}
	}
	if styled {
		s.buf.WriteString(ansi.ResetStyle)
	}
}

// word writes what stands between blanks and sequences, and returns its width. A
// terminal that adds up the runes of a character, as of a family, needs other room
// for it; it is told where we go on, or the rest of the line would be out of place
// and its end cut off.
func (s *Screen) word(column int, text string, graphemes bool) (width int) {
	s.buf.WriteString(text)
	if isASCII(text) {
		return len(text)
	}
	width = ansi.StringWidth(text)
	if !graphemes && strings.ContainsFunc(text, isJoined) && width != ansi.StringWidthWc(text) {
		s.control('G', column+width+1)
	}
	return width
}

// isJoined reports whether a rune can be one of several that make a character of
// another width than theirs together: a mark or a letter with marks, an emoji, or
// what joins emoji.
func isJoined(r rune) bool {
	const joiner = 0x200d
	return r >= 0x300 && r < 0x1100 || r == joiner || r >= 0xfe00
}

func (s *Screen) blanks(n int, styled bool) {
	if styled || n < manyBlanks {
		for range n {
			s.buf.WriteByte(' ')
		}
		return
	}
	s.control('X', n) // erases them
	s.control('C', n) // goes past them
}

// control writes a control sequence. The functions of the library that make one
// allocate, and a page takes hundreds.
func (s *Screen) control(final byte, numbers ...int) {
	b := append(s.buf.AvailableBuffer(), "\x1b["...)
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ';')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	s.buf.Write(append(b, final))
}

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
