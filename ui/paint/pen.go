package paint

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
)

// pen is the style of a character. The zero pen has no style.
type pen struct {
	// fg and bg are the colours as parameters of a sequence; "" for that of the terminal.
	fg, bg string
	// link is the hyperlink that the character is part of, as the parameters and the URL of its
	// sequence; "" for none.
	link  string
	attrs attrs
}

// penID is the index of a pen in [pens]; 0 is the pen without a style.
type penID int32

// pens are the pens of a frame. A cell has the index of its pen, so that cells are small and
// quickly compared.
type pens struct {
	list   []pen
	blanks []penID // for each pen, the one that looks the same on a space
	ids    map[pen]penID
}

// newPens makes pens with the one that has no style.
func newPens() pens {
	return pens{list: make([]pen, 1), blanks: make([]penID, 1), ids: map[pen]penID{}}
}

// id is the index of a pen, which is added if it is new.
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

// clear removes all pens but the one without a style. Their texts would keep a frame in memory.
func (n *pens) clear() {
	clear(n.list)
	clear(n.ids)
	n.list, n.blanks = n.list[:1], n.blanks[:1]
}

// attrs are the attributes of text, a bit for each parameter from 1 (bold) to 9 (struck through).
type attrs uint16

// maxAttr is the greatest parameter that is an attribute.
const maxAttr = 9

// seenOnBlanks are the attributes that a space shows: underlined, blinking, reversed and struck
// through.
const seenOnBlanks = attrs(1<<4 | 1<<5 | 1<<7 | 1<<9)

// blank is the pen that looks the same on a space: without what only letters show.
func (p pen) blank() pen {
	p.attrs &= seenOnBlanks
	if p.attrs == 0 {
		p.fg = ""
	}
	return p
}

// apply changes the pen as a style sequence with some parameters does. Sequences of a theme have
// attributes and colours; 0 or no parameter ends all of them.
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
		case n <= maxAttr:
			p.attrs |= 1 << n
		case isForeground(n):
			p.fg = param
		case isBackground(n):
			p.bg = param
		}
	}
}

// isForeground reports whether a parameter is one of the 16 colours of text, of which the last
// eight are bright.
func isForeground(n int) bool { return 30 <= n && n < 38 || 90 <= n && n < 98 }

// isBackground is isForeground for the colours behind text.
func isBackground(n int) bool { return 40 <= n && n < 48 || 100 <= n && n < 108 }

// longColour is the colour at the beginning of some parameters that takes several of them: "38;5;n"
// or "38;2;r;g;b".
func longColour(params string) string {
	const ofPalette, ofRGB = 3, 5 // parameters
	parts := ofPalette
	if isRGB := strings.HasPrefix(params[len("38"):], ";2;"); isRGB {
		parts = ofRGB
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

// append appends the sequences that change the pen of the terminal from p to next.
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
	for n := range maxAttr + 1 {
		if (next.attrs&^p.attrs)>>n&1 != 0 {
			b = append(b, byte('0'+n), ';')
		}
	}
	b = appendColour(b, p.fg, next.fg, "39")
	b = appendColour(b, p.bg, next.bg, "49")
	if len(b) == start {
		return append(b[:start-1], 'm') // attributes were only removed
	}
	return append(b[:len(b)-1], 'm')
}

// appendColour appends the parameter that changes a colour, and a semicolon. none is the parameter
// for the colour of the terminal.
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
	// text is the character, which may have several runes; "" for the second cell of a wide one.
	text  string
	pen   penID
	doubt doubt
}

// firstWide is the rune from which on most wide characters and emoji are.
const firstWide = 0x2e80

// doubt says whether a terminal may use another number of cells for a character than the frame.
type doubt uint8

const (
	sure doubt = iota
	// mayBeNarrow is for wide characters and emoji: some terminals use fewer cells.
	mayBeNarrow
	// mayBeWide is for characters with several runes, such as letters with marks and emoji of
	// families: some terminals add up the widths of the runes.
	mayBeWide
)

// doubtOf is the doubt of a character that has a width in the frame.
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

// isBlank reports whether a cell is empty.
func (c cell) isBlank() bool { return c == blankCell }

// cells appends the cells of a line as the terminal shows them, and returns the greatest doubt of
// them. There are as many as the frame is wide.
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

// layOut appends the cells of a line as it was laid out, and returns the greatest doubt of them.
func (s *Screen) layOut(row []cell, line string, f Frame) (_ []cell, greatest doubt) {
	var written pen
	var onText, onSpace penID // the IDs of written, and of the pen that looks the same on a space
	for line != "" && len(row) < f.Width {
		if line[0] == ansi.ESC {
			sequence, _, size, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
			line = line[size:]
			written.take(sequence, f.Links)
			onText = s.pens.id(written)
			onSpace = s.pens.blanks[onText]
			continue
		}
		p, character, width := onText, line[:1], 1
		if line[0] >= ' ' { // control characters are not part of a cluster
			character, width = safetext.Cluster(line)
		}
		line = line[len(character):]
		if character == " " {
			p = onSpace
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

// The beginnings of the sequences that a frame may have.
const (
	styleBegin = "\x1b["
	linkBegin  = "\x1b]8;"
)

// take changes the pen as a sequence does: that of a style, or of a hyperlink if links is set. The
// sequence that ends a hyperlink has no URL behind its last semicolon.
func (p *pen) take(sequence string, links bool) {
	switch {
	case strings.HasSuffix(sequence, "m") && strings.HasPrefix(sequence, styleBegin):
		p.apply(sequence[len(styleBegin) : len(sequence)-1])
	case strings.HasPrefix(sequence, linkBegin):
		p.link = strings.TrimRight(sequence[len(linkBegin):], "\a\x1b\\")
		if !links || strings.HasSuffix(p.link, ";") {
			p.link = ""
		}
	}
}

// appendCharacter appends the cells of a character, if there is room for all of them. A character
// without a width joins the one before it. Control characters, which a frame must not have, are
// dropped.
func appendCharacter(row []cell, character string, width int, p penID, f *Frame) []cell {
	const del = 0x7f
	switch {
	case character[0] < ' ' || character[0] == del:
		return row
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
