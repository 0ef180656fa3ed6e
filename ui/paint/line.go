package paint

import (
	"slices"
	"strconv"
	"sync"
)

const (
	// minErase is from how many spaces on the sequences that replace them are shorter.
	minErase = 12
	// maxGap is how many unchanged cells are written again because moving past them takes
	// as many bytes.
	maxGap = 4
	// minTail is from how many cells on the rest of a line is erased and not written.
	minTail = 3
)

// comparison is the buffers for comparing two frames.
type comparison struct {
	old   []cell // of the line that is there
	next  []cell // of the next lines, as far as parts need them
	parts []part
	pens  pens // of the cells
	// The terminal has this pen, and the cursor is here unless y is negative.
	pen  penID
	x, y int
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

// line replaces one line by another. It notes the parts that differ or, where a width is doubtful,
// writes the words from the first to the last that differ.
func (s *Screen) line(y int, text string, f Frame) {
	if cap(s.next)-len(s.next) < f.Width {
		s.next = make([]cell, 0, f.Width*f.Height)
	}
	var before, now doubt
	s.old, before = s.cells(s.old[:0], s.lines[y], f)
	row, now := s.cells(s.next[len(s.next):], text, f)
	s.next = s.next[:len(s.next)+len(row)]
	w := lineWriter{Screen: s, y: y, next: row, doubt: max(before, now)}
	from, to := 0, f.Width
	if w.doubt != sure {
		from, to = w.differing()
	}
	if w.doubt != sure && from < to {
		w.erase(from, to)
	}
	if w.doubt == mayBeWide {
		w.write(from, to)
		return
	}
	s.addParts(y, row, from, to)
}

// part is a part of a line that is written at once: cells that one pen writes, or empty cells
// that are erased.
type part struct {
	row      []cell // the line
	y        int
	from, to int // to is exclusive
	pen      penID
	erased   bool
}

// addParts notes the parts in which a line differs from what is there, from and to (exclusive) a
// cell.
func (s *Screen) addParts(y int, row []cell, from, to int) {
	end := contentEnd(row)
	for x := from; x < to; x++ {
		if s.old[x] == row[x] {
			continue
		}
		p := part{row: row, y: y, from: x, to: s.emptied(row[:to], x)}
		if p.erased = p.to-x >= minErase || x >= end && p.to-x >= minTail; !p.erased {
			p.to, p.pen = s.stretch(row[:to], x)
		}
		s.parts = append(s.parts, p)
		x = p.to - 1
	}
}

// emptied is how far the cells are empty that differ.
func (s *Screen) emptied(row []cell, x int) (to int) {
	for to = x; x < len(row) && row[x].isBlank(); x++ {
		if s.old[x] != row[x] {
			to = x + 1
		}
	}
	return to
}

// stretch is how far one pen writes the cells that differ, and that pen. What is better erased is
// not part of it, nor what follows a word of doubtful width.
func (s *Screen) stretch(row []cell, x int) (to int, pen penID) {
	pen = row[x].pen
	for to = x; to < len(row) && row[to] != s.old[to]; to++ {
		switch {
		case s.emptied(row, to)-to >= minErase, row[to].text == " " && isDoubtful(row[x:to]):
			return to, pen
		case s.shows(pen, row[to]):
		case contentEnd(row[x:to]) == 0 && s.shows(row[to].pen, row[x]):
			pen = row[to].pen
		default:
			return to, pen
		}
	}
	return to, pen
}

// shows reports whether a pen writes a cell as it is.
func (s *Screen) shows(p penID, c cell) bool {
	return c.pen == p || c.text == " " && c.pen == s.pens.blanks[p]
}

// writeParts writes the parts, those of a pen together: most moves take fewer bytes than a colour.
func (s *Screen) writeParts() {
	for pen := range s.pens.list {
		for _, p := range s.parts {
			if p.pen == penID(pen) {
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
	}
	if s.x = end; isDoubtful(p.row[p.from:end]) {
		s.x = len(p.row) // to be placed again
	}
	switch {
	case !p.erased:
	case contentEnd(p.row[end:]) == 0:
		s.control('K')
	default:
		s.control('X', p.to-end)
	}
}

// isNear reports whether the cursor is so little before a part that the cells between are written
// again, which the pen of the part must show as they are.
func (s *Screen) isNear(p part) bool {
	if s.y != p.y || s.x > p.from || p.from-s.x > maxGap {
		return false
	}
	between := p.row[s.x:p.from]
	return !isDoubtful(between) && !slices.ContainsFunc(between, func(c cell) bool { return !s.shows(p.pen, c) })
}

// place moves the cursor.
func (s *Screen) place(x, y int) {
	switch {
	case s.y == y:
		s.control('G', x+1)
	case x == 0:
		s.control('H', y+1)
	default:
		s.control('H', y+1, x+1)
	}
	s.x, s.y = x, y
}

// differing is the part of the line with the words that differ. A character that may be wider
// may cover what follows it, so that all of it is part.
func (w *lineWriter) differing() (from, to int) {
	old, next := w.old, w.next
	for from < len(next) && old[from] == next[from] {
		from++
	}
	word := from
	for word > 0 && from < len(next) && next[word-1].text != " " {
		word--
	}
	if isDoubtful(next[word:from]) {
		from = word
	}
	if to = len(next); w.doubt == mayBeWide {
		return from, to
	}
	for to > from && old[to-1] == next[to-1] {
		to--
	}
	for to > from && to < len(next) && (next[to-1].text != " " || old[to-1].text != " ") && next[to].text != " " {
		to++
	}
	w.doubt = sure
	for x := from; x < to; x++ {
		w.doubt = max(w.doubt, old[x].doubt, next[x].doubt)
	}
	return from, to
}

// contentEnd is the cell after the last one that is not empty.
func contentEnd(row []cell) int {
	end := len(row)
	for end > 0 && row[end-1].isBlank() {
		end--
	}
	return end
}

// isDoubtful reports whether the width of some cells is.
func isDoubtful(row []cell) bool {
	return slices.ContainsFunc(row, func(c cell) bool { return c.doubt != sure })
}

// lineWriter writes a part of a line in which a width is doubtful.
type lineWriter struct {
	*Screen
	y     int
	next  []cell
	doubt doubt // the greatest in the part
}

// use changes the pen of the terminal.
func (s *Screen) use(p penID) {
	if p != s.pen {
		s.buf.Write(s.pens.list[s.pen].append(s.buf.AvailableBuffer(), s.pens.list[p]))
		s.pen = p
	}
}

// erase empties cells, as text of doubtful width may not cover what is there.
func (w *lineWriter) erase(from, to int) {
	w.place(from, w.y)
	w.use(0) // or they would have a background
	if w.isTail(from, to) {
		w.control('K')
	} else {
		w.control('X', to-from)
	}
	for x := from; x < to; x++ {
		w.old[x] = blankCell
	}
}

// isTail reports whether cells end in so many empty ones that the rest of the line is erased.
func (w *lineWriter) isTail(from, to int) bool { return to-max(from, contentEnd(w.next)) >= minTail }

// write writes cells of which some may be wider, where the cursor is. Behind a word of doubtful
// width the cursor is positioned again, or the rest of the line would be shifted.
func (w *lineWriter) write(from, to int) {
	end, shifted := to, false
	if w.isTail(from, to) {
		end = max(from, contentEnd(w.next))
	}
	for x := from; x < end; x++ {
		c := w.next[x]
		shows := w.shows(w.pen, c)
		if shifted && (c.text == " " || !shows) {
			w.control('G', x+1)
			shifted = false
		}
		if !shows {
			w.use(c.pen)
		}
		w.buf.WriteString(c.text)
		shifted = shifted || c.doubt != sure
	}
	if end < to { // the new text may have covered more
		w.control('G', end+1)
		w.use(0)
		w.control('K')
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
