package paint

import (
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

const (
	// minErase is the number of spaces from which on the sequence that erases them is shorter.
	minErase = 12
	// maxGap is the number of unchanged cells up to which they are written again, because moving
	// past them takes as many bytes.
	maxGap = 4
	// maxWidth is the maximum width of a rune in cells.
	maxWidth = 2
	// minTail is the number of cells from which on the empty end of a line is erased, not written.
	minTail = 3
	// maxDigit is the greatest number with one digit.
	maxDigit = 9
)

// The final bytes of the control sequences that [Screen.control] writes.
const (
	cursorForward   = 'C'
	cursorColumn    = 'G' // from 1
	cursorPosition  = 'H' // line and column, from 1
	eraseLineRight  = 'K'
	eraseCharacters = 'X'
)

// comparison has what is needed to compare two frames and to write what differs.
type comparison struct {
	old   []cell // the line that the terminal shows
	next  []cell // the lines of the next frame to which parts belong
	parts []part
	pens  pens // of the cells
	// pen is the pen of the terminal. x and y are the cell of its cursor; y is unknown if that is
	// not known. ascii means that all text since the cursor was placed is ASCII, which has the same
	// width on every terminal.
	pen   penID
	x, y  int
	ascii bool
}

// unknown is the line of a cursor of which nothing is known.
const unknown = -1

// comparisons are shared by all screens: a server has thousands of them, and few draw at a time.
var comparisons = sync.Pool{New: func() any { return &comparison{pens: newPens()} }}

// endComparison returns the comparison to the pool, without the text of this screen, and without a
// pen if there was a panic.
func (s *Screen) endComparison() {
	clear(s.old)
	clear(s.next)
	clear(s.parts)
	s.next, s.parts = s.next[:0], s.parts[:0]
	s.pens.clear()
	s.pen = 0
	comparisons.Put(s.comparison)
	s.comparison = nil
}

// compareLine adds the parts in which a line of a frame differs from what the terminal shows. If
// the width of a text is doubtful, it may not cover what is there, which is erased first.
func (s *Screen) compareLine(y int, text string, f Frame) {
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

// eraseWords erases the words that differ and whose width is doubtful, and all that the new ones
// may cover.
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
			s.control(eraseCharacters, len(covered))
		}
		for i := range covered {
			covered[i] = blankCell
		}
	}
}

// wordEnd is the first cell from x on that has no text, neither on the terminal nor in the next
// frame.
func (s *Screen) wordEnd(row []cell, x int) int {
	for x < len(row) && (row[x].text != " " || s.old[x].text != " ") {
		x++
	}
	return x
}

// overflow is the maximum number of cells that a text may take beyond those that it has in the
// frame.
func overflow(row []cell) (n int) {
	for _, c := range row {
		if c.doubt == mayBeWide {
			n += maxWidth * utf8.RuneCountInString(c.text)
		}
	}
	return n
}

// part is a part of a line that is written in one go: cells that one pen writes, or empty cells
// that are erased.
type part struct {
	row    []cell // the line
	y      int
	from   int // first cell
	to     int // cell after the last one
	pen    penID
	erased bool
	doubt  doubt // the greatest of its cells
}

// addParts adds the parts in which a line differs from what the terminal shows.
func (s *Screen) addParts(y int, row []cell) {
	end, pen := contentEnd(row), penID(0)
	for x := 0; x < len(row); x++ {
		if s.old[x] == row[x] {
			continue
		}
		p := part{row: row, y: y, from: x, to: s.emptied(row, x)}
		length := p.to - p.from
		isTail := x >= end && length >= minTail
		p.erased = isTail || length >= minErase
		if !p.erased {
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

// emptied is the end of the empty cells from x on, without those at the end that do not differ.
func (s *Screen) emptied(row []cell, x int) (to int) {
	for to = x; x < len(row) && row[x].isBlank(); x++ {
		if s.old[x] != row[x] {
			to = x + 1
		}
	}
	return to
}

// stretch returns the end of the cells from x on that differ and that one pen writes, and that pen.
// It is the given pen if that writes the first text. The stretch ends before cells that are better
// erased, and after a word of doubtful width.
func (s *Screen) stretch(row []cell, x int, pen penID) (int, penID) {
	to, isBlank := x, true // blanks may be written with the pen of the text behind them
	for ; to < len(row) && row[to] != s.old[to]; to++ {
		c := row[to]
		isErased := s.emptied(row, to)-to >= minErase
		endsWord := c.text == " " && maxDoubt(row[x:to]) != sure
		switch {
		case isErased, endsWord:
			return to, pen
		case s.shows(pen, c):
		case isBlank && s.shows(c.pen, row[x]):
			pen = c.pen
		default:
			return to, pen
		}
		isBlank = isBlank && c.text == " "
	}
	return to, pen
}

// shows reports whether a cell looks as it should when a pen writes it.
func (s *Screen) shows(p penID, c cell) bool {
	return c.pen == p || c.text == " " && c.pen == s.pens.blanks[p]
}

// writeParts writes the parts: those of a pen one after the other, as most moves take fewer bytes
// than a colour. Texts that may be wider than expected come first, because what they cover has to
// be erased and written again.
func (s *Screen) writeParts() {
	for _, p := range s.parts {
		if p.doubt != mayBeWide {
			continue
		}
		if s.writePart(p); p.to < len(p.row) {
			s.place(p.to, p.y)
			s.use(0)
			s.control(eraseCharacters, overflow(p.row[p.from:p.to]))
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

// writePart writes or erases a part.
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
	s.x = end
	if p.doubt != sure {
		s.x = len(p.row) // unknown, so that the next part is placed
	}
	switch {
	case !p.erased:
	case contentEnd(p.row[end:]) == 0:
		s.control(eraseLineRight)
	default:
		s.control(eraseCharacters, p.to-end)
	}
}

// isNear reports whether the cursor is so close before a part that the cells between them are
// written again with the pen of the part.
func (s *Screen) isNear(p part) bool {
	if s.y != p.y || s.x > p.from || p.from-s.x > maxGap {
		return false
	}
	between := p.row[s.x:p.from]
	isOther := func(c cell) bool { return !s.shows(p.pen, c) }
	return maxDoubt(between) == sure && !slices.ContainsFunc(between, isOther)
}

// place moves the cursor to a cell, with the shortest sequence.
func (s *Screen) place(x, y int) {
	isNext := s.ascii && x > s.x && x-s.x <= maxDigit
	switch {
	case s.y == y && isNext:
		s.control(cursorForward, x-s.x)
	case s.y == y && x > 0:
		s.control(cursorColumn, x+1)
	case s.y == y:
		s.buf.WriteByte('\r')
	case x == 0:
		s.control(cursorPosition, y+1)
	default:
		s.control(cursorPosition, y+1, x+1)
	}
	s.x, s.y, s.ascii = x, y, true
}

// maxDoubt is the greatest doubt of some cells.
func maxDoubt(row []cell) (greatest doubt) {
	for _, c := range row {
		greatest = max(greatest, c.doubt)
	}
	return greatest
}

// contentEnd is the cell behind the last one that is not empty.
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

// control writes a control sequence. The functions of the library allocate memory, and a frame
// needs hundreds of sequences.
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
