package paint

import (
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

const (
	// minErase is from how many spaces on the sequences that replace them are shorter.
	minErase = 12
	// maxGap is how many unchanged cells are written again because moving past them takes
	// as many bytes.
	maxGap = 4
	// maxWidth is the greatest width of a rune in cells.
	maxWidth = 2
	// minTail is from how many cells on the rest of a line is erased and not written.
	minTail = 3
)

// comparison holds the buffers for comparing two frames.
type comparison struct {
	old   []cell // of the line that is there
	next  []cell // of the next lines, as far as parts need them
	parts []part
	pens  pens // of the cells
	// The terminal has this pen, and the cursor is here unless y is negative. ascii is set if all
	// that was written since it was placed is, whose width is beyond doubt everywhere.
	pen   penID
	x, y  int
	ascii bool
}

// comparisons are shared by all screens: a server has thousands, and few draw at a time.
var comparisons = sync.Pool{New: func() any { return &comparison{pens: pens{make([]pen, 1), make([]penID, 1), map[pen]penID{}}} }}

func (s *Screen) endComparison() {
	clear(s.old) // another screen has no use for this one's text
	clear(s.next)
	clear(s.parts)
	s.next, s.parts = s.next[:0], s.parts[:0]
	s.pens.clear()
	s.pen = 0 // also after a panic: the next screen begins without a style
	comparisons.Put(s.comparison)
	s.comparison = nil
}

// line notes the parts in which line y differs from what the terminal shows. What the text may not
// cover, as its width is doubtful, is erased before.
func (s *Screen) line(y int, text string, f Frame) {
	if cap(s.next)-len(s.next) < f.Width {
		s.next = make([]cell, 0, f.Width*f.Height)
	}
	var before, now doubt
	s.old, before = s.cells(s.old[:0], s.lines[y], f)
	row, now := s.cells(s.next[len(s.next):], text, f)
	s.next = s.next[:len(s.next)+len(row)]
	if max(before, now) != sure {
		s.eraseWords(y, row)
	}
	s.addParts(y, row)
}

// eraseWords erases the words that differ and have a doubtful width, with what a new one may cover.
func (s *Screen) eraseWords(y int, row []cell) {
	for from, to := 0, 0; from < len(row); from = to + 1 {
		to = s.wordEnd(row, from)
		old, next := s.old[from:to], row[from:to]
		if max(maxDoubt(old), maxDoubt(next)) == sure || slices.Equal(old, next) {
			continue
		}
		covered := s.old[from:s.wordEnd(row, min(to+overflow(next), len(row)))]
		if contentEnd(covered) > 0 {
			s.place(from, y)
			s.control('X', len(covered))
		}
		for i := range covered {
			covered[i] = blankCell
		}
	}
}

// wordEnd is the first cell from x on that has no text, neither now nor next.
func (s *Screen) wordEnd(row []cell, x int) int {
	for x < len(row) && (row[x].text != " " || s.old[x].text != " ") {
		x++
	}
	return x
}

// overflow is an upper bound of how many cells more than we expect some may take.
func overflow(row []cell) (n int) {
	for _, c := range row {
		if c.doubt == mayBeWide {
			n += maxWidth * utf8.RuneCountInString(c.text)
		}
	}
	return n
}

// part is a part of a line that is written at once: cells that one pen writes, or empty cells
// that are erased.
type part struct {
	row      []cell // the line
	y        int
	from, to int // to is exclusive
	pen      penID
	erased   bool
	doubt    doubt // the greatest in it
}

// addParts notes the parts in which a line differs from what is there.
func (s *Screen) addParts(y int, row []cell) {
	end, pen := contentEnd(row), penID(0)
	for x := 0; x < len(row); x++ {
		if s.old[x] == row[x] {
			continue
		}
		p := part{row: row, y: y, from: x, to: s.emptied(row, x)}
		if p.erased = p.to-x >= minErase || x >= end && p.to-x >= minTail; !p.erased {
			if !s.shows(pen, row[x]) {
				pen = row[x].pen
			}
			p.to, pen = s.stretch(row, x, pen)
			p.pen = pen
		}
		p.doubt = maxDoubt(row[p.from:p.to])
		s.parts = append(s.parts, p)
		x = p.to - 1
	}
}

// emptied is the end of the empty cells from x on, up to the last that differs.
func (s *Screen) emptied(row []cell, x int) (to int) {
	for to = x; x < len(row) && row[x].isBlank(); x++ {
		if s.old[x] != row[x] {
			to = x + 1
		}
	}
	return to
}

// stretch is the end of the cells from x on that differ and that one pen writes, and that pen, which
// is the given one unless there is text. It ends before cells that are better erased, and after a
// word of doubtful width.
func (s *Screen) stretch(row []cell, x int, pen penID) (int, penID) {
	to, blank := x, true // so far, whose pen may be that of what follows
	for ; to < len(row) && row[to] != s.old[to]; to++ {
		c := row[to]
		switch {
		case s.emptied(row, to)-to >= minErase, c.text == " " && maxDoubt(row[x:to]) != sure:
			return to, pen
		case s.shows(pen, c):
		case blank && s.shows(c.pen, row[x]):
			pen = c.pen
		default:
			return to, pen
		}
		blank = blank && c.text == " "
	}
	return to, pen
}

// shows reports whether a pen writes a cell as it is.
func (s *Screen) shows(p penID, c cell) bool {
	return c.pen == p || c.text == " " && c.pen == s.pens.blanks[p]
}

// writeParts writes the parts, those of a pen together: most moves take fewer bytes than a colour.
// What may be wider comes first: what it covers is erased and written last.
func (s *Screen) writeParts() {
	for _, p := range s.parts {
		if p.doubt != mayBeWide {
			continue
		}
		if s.writePart(p); p.to < len(p.row) {
			s.place(p.to, p.y)
			s.use(0)
			s.control('X', overflow(p.row[p.from:p.to]))
		}
	}
	for pen := range s.pens.list {
		for _, p := range s.parts {
			if p.pen == penID(pen) && p.doubt != mayBeWide {
				s.writePart(p)
			}
		}
	}
}

func (s *Screen) writePart(p part) {
	if !s.isNear(p) {
		s.place(p.from, p.y)
	}
	s.use(p.pen)
	end := p.to
	if p.erased {
		end = p.from
	}
	for _, c := range p.row[s.x:end] {
		s.buf.WriteString(c.text)
		s.ascii = s.ascii && len(c.text) == 1
	}
	if s.x = end; p.doubt != sure {
		s.x = len(p.row) // unknown: the next part is placed
	}
	switch {
	case !p.erased:
	case contentEnd(p.row[end:]) == 0:
		s.control('K')
	default:
		s.control('X', p.to-end)
	}
}

// isNear reports whether the cursor is so close before a part that the cells between are written
// again. The pen of the part must show them as they are.
func (s *Screen) isNear(p part) bool {
	if s.y != p.y || s.x > p.from || p.from-s.x > maxGap {
		return false
	}
	between := p.row[s.x:p.from]
	return maxDoubt(between) == sure && !slices.ContainsFunc(between, func(c cell) bool { return !s.shows(p.pen, c) })
}

// place moves the cursor.
func (s *Screen) place(x, y int) {
	switch {
	case s.y == y && s.ascii && x > s.x && x < s.x+10: // one digit
		s.control('C', x-s.x)
	case s.y == y && x > 0:
		s.control('G', x+1)
	case s.y == y:
		s.buf.WriteByte('\r')
	case x == 0:
		s.control('H', y+1)
	default:
		s.control('H', y+1, x+1)
	}
	s.x, s.y, s.ascii = x, y, true
}

// maxDoubt is the greatest doubt in some cells.
func maxDoubt(row []cell) (greatest doubt) {
	for _, c := range row {
		greatest = max(greatest, c.doubt)
	}
	return greatest
}

// contentEnd is the cell after the last one that is not empty.
func contentEnd(row []cell) int {
	end := len(row)
	for end > 0 && row[end-1].isBlank() {
		end--
	}
	return end
}

// use changes the pen of the terminal.
func (s *Screen) use(p penID) {
	if p != s.pen {
		s.buf.Write(s.pens.list[s.pen].append(s.buf.AvailableBuffer(), s.pens.list[p]))
		s.pen = p
	}
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
