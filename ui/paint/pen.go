package paint

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
)

// pen is the style of a character. Its zero value is text without a style.
type pen struct {
	// fg and bg are the colours as parameters of a sequence; empty is the terminal's own.
	fg, bg string
	// link is the hyperlink that the character is part of, as the parameters and the
	// address of its sequence; empty is none.
	link  string
	attrs attrs
}

// penID is the number of a pen among [pens]; 0 is text without a style.
type penID int32

// pens numbers the pens of a frame: a cell that has a number is small, and quickly compared.
type pens struct {
	list   []pen
	blanks []penID // what of each pen shows on a space
	ids    map[pen]penID
}

// id is the number of a pen.
func (n *pens) id(p pen) penID {
	if p == (pen{}) {
		return 0
	}
	id, ok := n.ids[p]
	if !ok {
		id = penID(len(n.list))
		n.ids[p] = id
		n.list, n.blanks = append(n.list, p), append(n.blanks, id)
		blank := n.id(p.blank())
		n.blanks[id] = blank
	}
	return id
}

// clear forgets all pens but that without a style: their texts are part of a frame.
func (n *pens) clear() {
	clear(n.list)
	clear(n.ids)
	n.list, n.blanks = n.list[:1], n.blanks[:1]
}

// attrs are the attributes of text, a bit for each parameter from 1 (bold) to 9 (struck
// through).
type attrs uint16

// seenOnBlanks are those that a space shows.
const seenOnBlanks = attrs(1<<4 | 1<<5 | 1<<7 | 1<<9)

// blank is what of a pen shows on a space.
func (p pen) blank() pen {
	p.attrs &= seenOnBlanks
	if p.attrs == 0 {
		p.fg = ""
	}
	return p
}

// apply changes the pen as the parameters of a style sequence of the theme say: attributes and
// colours; 0 or nothing ends them.
func (p *pen) apply(params string) {
	for more := true; more; {
		if strings.HasPrefix(params, "38;") || strings.HasPrefix(params, "48;") {
			colour := longColour(params)
			if params[0] == '3' {
				p.fg = colour
			} else {
				p.bg = colour
			}
			params, more = strings.CutPrefix(params[len(colour):], ";")
			continue
		}
		var param string
		param, params, more = strings.Cut(params, ";")
		n, _ := strconv.Atoi(cmp.Or(param, "0")) // Atoi("") allocates its error
		switch {
		case n == 0:
			*p = pen{link: p.link}
		case n < 10:
			p.attrs |= 1 << n
		case n >= 30 && n < 38, n >= 90 && n < 98:
			p.fg = param
		case n >= 40 && n < 48, n >= 100 && n < 108:
			p.bg = param
		}
	}
}

// longColour is the colour of several parameters at the beginning of some: 38;5;n or
// 38;2;r;g;b.
func longColour(params string) string {
	parts := 3
	if strings.HasPrefix(params[2:], ";2;") {
		parts = 5
	}
	for i, sign := range params {
		if sign == ';' {
			parts--
		}
		if parts == 0 {
			return params[:i]
		}
	}
	return params
}

// append appends what turns one pen into another.
func (p pen) append(b []byte, next pen) []byte {
	if p.link != next.link {
		link := cmp.Or(next.link, ";") // ";" ends a link
		b = append(append(append(b, "\x1b]8;"...), link...), '\a')
	}
	p.link, next.link = "", ""
	if p == next {
		return b
	}
	if next == (pen{}) {
		return append(b, ansi.ResetStyle...)
	}
	if p.attrs&^next.attrs != 0 {
		p = pen{}
		b = append(b, "\x1b[0;"...)
	} else {
		b = append(b, "\x1b["...)
	}
	start := len(b)
	for n := range 10 {
		if (next.attrs&^p.attrs)>>n&1 != 0 {
			b = append(b, byte('0'+n), ';')
		}
	}
	b = appendColour(b, p.fg, next.fg, "39")
	b = appendColour(b, p.bg, next.bg, "49")
	if len(b) == start {
		return append(b[:start-1], 'm') // only attributes were taken back
	}
	return append(b[:len(b)-1], 'm')
}

func appendColour(b []byte, old, next, none string) []byte {
	switch {
	case old == next:
		return b
	case next == "":
		next = none
	}
	return append(append(b, next...), ';')
}

// cell is a cell of a line. Cells can be compared with ==.
type cell struct {
	// text is the character, which may be several runes; empty for the cells after the
	// first of a wide one.
	text  string
	pen   penID
	doubt doubt
}

// firstWide is where most wide characters and emoji begin.
const firstWide = 0x2e80

// doubt says how sure it is that a terminal uses as many cells for a character as we do.
type doubt uint8

const (
	sure doubt = iota
	// mayBeNarrow are wide characters and emoji, for which some terminals use fewer cells.
	mayBeNarrow
	// mayBeWide are characters of several runes, such as letters with marks or families, for
	// which some terminals add up the widths of the runes.
	mayBeWide
)

func doubtOf(character string, width int) doubt {
	first, size := utf8.DecodeRuneInString(character)
	switch {
	case size < len(character):
		return mayBeWide
	case first >= firstWide, width > 1:
		return mayBeNarrow
	}
	return sure
}

// blankCell is an empty cell.
var blankCell = cell{text: " "}

func (c cell) isBlank() bool { return c == blankCell }

// cells appends the cells of a line to row as the terminal shows them, as many as the frame is wide, and
// returns the greatest doubt in them.
func (s *Screen) cells(row []cell, line string, f Frame) (_ []cell, greatest doubt) {
	from := len(row)
	row, greatest = s.layOut(row, line, f)
	if f.Wide {
		fitted, _ := fitWide(row[from:], 0)
		copy(row[from:], fitted)
		greatest = max(greatest, maxDoubt(fitted))
	}
	return row, greatest
}

// layOut appends the cells of a line as it was laid out.
func (s *Screen) layOut(row []cell, line string, f Frame) (_ []cell, greatest doubt) {
	var written pen
	var on, off penID // the pen, and what of it shows on a space
	for line != "" && len(row) < f.Width {
		if line[0] == ansi.ESC {
			sequence, _, size, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
			line = line[size:]
			switch {
			case strings.HasSuffix(sequence, "m") && strings.HasPrefix(sequence, "\x1b["):
				written.apply(sequence[2 : len(sequence)-1])
			case strings.HasPrefix(sequence, "\x1b]8;"):
				written.link = strings.TrimRight(sequence[len("\x1b]8;"):], "\a\x1b\\")
				if !f.Links || strings.HasSuffix(written.link, ";") { // no address: the end of a link
					written.link = ""
				}
			}
			on = s.pens.id(written)
			off = s.pens.blanks[on]
			continue
		}
		p, character, width := on, line[:1], 1
		if line[0] >= ' ' { // a control character belongs to nothing else
			character, width = safetext.Cluster(line)
		}
		line = line[len(character):]
		if character == " " {
			p = off
		}
		if width == 1 && character[0] >= ' ' && doubtOf(character, width) == sure {
			row = append(row, cell{text: character, pen: p})
			continue
		}
		row = appendCharacter(row, character, width, p, &f)
		if greatest = max(greatest, doubtOf(character, width)); width == 0 {
			greatest = mayBeWide
		}
	}
	for len(row) < f.Width {
		row = append(row, blankCell)
	}
	return row, greatest
}

func appendCharacter(row []cell, character string, width int, p penID, f *Frame) []cell {
	switch {
	case character[0] < ' ' || character[0] == 0x7f:
		return row // a frame has none
	case width == 0 && len(row) > 0:
		last := len(row) - 1
		for last > 0 && row[last].text == "" {
			last--
		}
		row[last].text += character
		row[last].doubt = mayBeWide
		return row
	case width == 0 || len(row)+width > f.Width:
		return row
	}
	row = append(row, cell{character, p, doubtOf(character, width)})
	for range width - 1 {
		row = append(row, cell{pen: p})
	}
	return row
}
