package paint

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
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
	list []pen
	ids  map[pen]penID
}

// id is the number of a pen.
func (n *pens) id(p pen) penID {
	id, ok := n.ids[p]
	if !ok {
		id = penID(len(n.list))
		n.ids[p] = id
		n.list = append(n.list, p)
	}
	return id
}

// clear forgets all pens but that without a style: their texts are part of a frame.
func (n *pens) clear() {
	clear(n.list)
	clear(n.ids)
	n.list, n.ids[pen{}] = n.list[:1], 0
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
		switch n := number(param); {
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

// number is a parameter as a number, 0 if it is left out: an error of the library takes memory,
// and most sequences end a style.
func number(param string) int {
	if param == "" {
		return 0
	}
	n, _ := strconv.Atoi(param)
	return n
}

// longColour is the colour of several parameters at the beginning of some: 38;5;n or
// 38;2;r;g;b.
func longColour(params string) string {
	parts := 3
	if strings.HasPrefix(params[2:], ";2;") {
		parts = 5
	}
	for i := range len(params) {
		if params[i] != ';' {
			continue
		}
		if parts--; parts == 0 {
			return params[:i]
		}
	}
	return params
}

// append appends what turns one pen into another.
func (p pen) append(b []byte, next pen) []byte {
	if p.link != next.link {
		link := cmp.Or(next.link, ";") // which ends one
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
