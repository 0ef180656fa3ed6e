package paint

import (
	"image/color"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/colorprofile"
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
	list []numberedPen
	ids  map[pen]penID
}

// numberedPen is a pen, and what of it shows on a space.
type numberedPen struct {
	pen
	blank penID
}

func newPens() pens { return pens{make([]numberedPen, 1), map[pen]penID{{}: 0}} }

// id is the number of a pen.
func (n *pens) id(p pen) penID {
	if id, ok := n.ids[p]; ok {
		return id
	}
	id := penID(len(n.list))
	n.ids[p] = id
	n.list = append(n.list, numberedPen{pen: p})
	blank := n.id(p.blank())
	n.list[id].blank = blank
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

const (
	faintOrBold = attrs(1<<1 | 1<<2)
	// seenOnBlanks are those that a space shows.
	seenOnBlanks = attrs(1<<4 | 1<<5 | 1<<7 | 1<<9)
)

// blank is what of a pen shows on a space.
func (p pen) blank() pen {
	p.attrs &= seenOnBlanks
	if p.attrs == 0 {
		p.fg = ""
	}
	return p
}

// apply changes the pen as the parameters of a style sequence say.
func (p *pen) apply(params string) {
	for more := true; more; {
		var param string
		at := params
		param, params, more = strings.Cut(params, ";")
		name, _, _ := strings.Cut(param, ":")
		n := number(name)
		switch {
		case n == 0:
			*p = pen{link: p.link}
		case n < 10:
			p.attrs |= 1 << n
		case n == 22:
			p.attrs &^= faintOrBold
		case n > 22 && n < 30:
			p.attrs &^= 1 << (n - 20)
		case n == 38, n == 48, n == 58:
			if name == param {
				param = longColour(at)
				params, more = strings.CutPrefix(at[len(param):], ";")
			}
			p.setColour(n, param)
		case n == 39:
			p.fg = ""
		case n == 49:
			p.bg = ""
		case n >= 30 && n < 38, n >= 90 && n < 98:
			p.fg = param
		case n >= 40 && n < 48, n >= 100 && n < 108:
			p.bg = param
		}
	}
}

// number is a parameter as a number, 0 if it is left out or none.
func number(param string) int {
	if param == "" { // an error of the library takes memory, and most sequences end a style
		return 0
	}
	n, err := strconv.Atoi(param)
	if err != nil {
		return 0
	}
	return n
}

func (p *pen) setColour(n int, params string) {
	switch n {
	case 38:
		p.fg = params
	case 48:
		p.bg = params
	}
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
		b = append(append(append(b, "\x1b]8;"...), next.linkOr()...), '\a')
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

// linkOr are the parameters of the sequence for the link, which without one ends it.
func (p pen) linkOr() string {
	if p.link == "" {
		return ";"
	}
	return p.link
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

// palette remembers colours as a terminal has them. It is shared by all screens: themes have
// about twenty.
type palette struct {
	mu    sync.RWMutex
	known map[string]string
}

// palettes are those of the profiles that have fewer colours.
var palettes = [...]palette{colorprofile.ANSI: {}, colorprofile.ANSI256: {}}

// maxColours is how many colours are remembered, in case that lines bring their own.
const maxColours = 1000

// convert is a pen with the colours that a terminal has.
func convert(p pen, profile colorprofile.Profile) pen {
	switch {
	case profile == colorprofile.TrueColor:
		return p
	case profile <= colorprofile.NoTTY:
		return pen{}
	case profile <= colorprofile.ASCII:
		p.fg, p.bg = "", ""
		return p
	}
	p.fg, p.bg = palettes[profile].colour(p.fg, profile), palettes[profile].colour(p.bg, profile)
	return p
}

func (c *palette) colour(params string, profile colorprofile.Profile) string {
	if params == "" {
		return ""
	}
	c.mu.RLock()
	converted, ok := c.known[params]
	c.mu.RUnlock()
	if ok {
		return converted
	}
	params = strings.Clone(params) // it is part of a frame, which need not stay
	converted = convertColour(params, profile)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) > maxColours {
		c.known = map[string]string{}
	}
	c.known[params] = converted
	return converted
}

// convertColour is a colour in a profile; those of the 16 are left as they are.
func convertColour(params string, profile colorprofile.Profile) string {
	parts := strings.Split(params, ";")
	if len(parts) < 3 {
		return params
	}
	numbers := make([]uint8, 0, 3)
	for _, part := range parts[2:] {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return ""
		}
		numbers = append(numbers, uint8(n))
	}
	var from color.Color
	switch len(numbers) {
	case 1:
		from = ansi.IndexedColor(numbers[0])
	case 3:
		from = color.RGBA{numbers[0], numbers[1], numbers[2], 255}
	default:
		return ""
	}
	base := 30
	if parts[0] == "48" {
		base = 40
	}
	switch to := profile.Convert(from).(type) {
	case ansi.BasicColor:
		if to < 8 {
			return strconv.Itoa(base + int(to))
		}
		return strconv.Itoa(base + 60 + int(to) - 8)
	case ansi.IndexedColor:
		return parts[0] + ";5;" + strconv.Itoa(int(to))
	}
	return params
}
