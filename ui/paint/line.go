package paint

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// line replaces one line by another. It begins and ends without a style.
func (s *Screen) line(y int, text string, f Frame) {
	if p, ok := findPatch(s.lines[y], text); ok {
		s.control('H', y+1, p.column+1)
		s.writeText(p.column, downsample(p.style+p.text, f.Profile), f.Graphemes)
		return
	}
	s.control('H', y+1)
	full := ansi.StringWidth(text) >= f.Width
	if strings.ContainsFunc(text, isDoubtful) {
		s.buf.WriteString(ansi.EraseLineRight)
	}
	s.writeText(0, downsample(text, f.Profile), f.Graphemes)
	if !full {
		s.buf.WriteString(ansi.EraseLineRight)
	}
}

// firstDoubtful is where wide characters, emoji, and the marks that combine characters
// begin. Some terminals use fewer cells for them, so that the new line would not cover
// the old one.
const firstDoubtful = 0x2e80

func isDoubtful(r rune) bool { return r >= firstDoubtful }

// downsample converts the colours of a text to the terminal's profile.
func downsample(text string, profile colorprofile.Profile) string {
	if profile == colorprofile.TrueColor || profile > colorprofile.NoTTY && !strings.Contains(text, "\x1b") {
		return text
	}
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: profile}
	_, _ = w.WriteString(text) // a buffer does not fail
	return b.String()
}

// minErase is from how many spaces on the sequences that replace them are shorter.
const minErase = 12

// writeText writes text from a column on, and replaces long runs of spaces by sequences,
// except styled ones: not every terminal erases with the current style. It leaves no
// style behind.
func (s *Screen) writeText(column int, text string, graphemes bool) {
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
			if sequence == "" { // not a style
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

// word writes text between spaces and sequences, and returns its width. A terminal that
// adds up the widths of the runes in a cluster, such as a family, uses a different width;
// the cursor is then positioned explicitly, or the rest of the line would be shifted and
// cut off.
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

// isJoined reports whether a rune can combine with others into a cluster whose width
// differs from the sum of theirs: a mark or a letter with marks, an emoji, or a joiner.
func isJoined(r rune) bool {
	const joiner = 0x200d
	return r >= 0x300 && r < 0x1100 || r == joiner || r >= 0xfe00
}

func (s *Screen) blanks(n int, styled bool) {
	if styled || n < minErase {
		for range n {
			s.buf.WriteByte(' ')
		}
		return
	}
	s.control('X', n) // erases n cells
	s.control('C', n) // moves past them
}

// control writes a control sequence. The library's functions allocate, and a page needs
// hundreds.
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

// patch is a part of a line that can be written alone, such as a counter: it and
// everything before it is ASCII, so all terminals agree on its column.
type patch struct {
	column      int
	style, text string
}

// findPatch finds the patch that turns one line into another.
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
// sequences. It is not ok if there is anything else, or an incomplete sequence.
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

// isASCII reports whether every byte is printable ASCII.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
