package paint

import (
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

// comparison is the buffers for comparing two lines: the cells that are there and the next,
// and which differ.
type comparison struct {
	old, next []cell
	changed   []bool
	pens      pens // of both
}

// comparisons are shared by all screens: a server has thousands, and few draw at a time.
var comparisons = sync.Pool{New: func() any { return &comparison{pens: newPens()} }}

// beginComparison takes the buffers for the lines of a frame.
func (s *Screen) beginComparison() { s.comparison = comparisons.Get().(*comparison) }

func (s *Screen) endComparison() {
	clear(s.old) // another screen has no use for this one's text
	clear(s.next)
	s.pens.clear()
	comparisons.Put(s.comparison)
	s.comparison = nil
}

// line replaces one line by another: it writes the cells that differ. It begins and ends
// without a style.
func (s *Screen) line(y int, text string, f Frame) {
	s.old = s.cells(s.old[:0], s.lines[y], f)
	s.next = s.cells(s.next[:0], text, f)
	s.compare()
	w := lineWriter{Screen: s, y: y, end: contentEnd(s.next)}
	for from := 0; from < len(s.changed); {
		if !s.changed[from] {
			from++
			continue
		}
		to := from + 1
		for gap := to; gap < len(s.changed) && gap-to <= maxGap && s.next[gap].doubt == sure; gap++ {
			if s.changed[gap] {
				to = gap + 1
			}
		}
		for to < len(s.changed) && s.changed[to] {
			to++
		}
		w.write(from, to)
		from = to
	}
	w.use(0)
}

// compare determines which cells have changed. A character, and a word with characters of
// doubtful width, is written as a whole; what follows a word that may be wider on the
// terminal is written again, as it may have been covered.
func (s *Screen) compare() {
	s.changed = s.changed[:0]
	for x := range s.next {
		s.changed = append(s.changed, s.old[x] != s.next[x])
	}
	for again := true; again; {
		again = false
		mark := func(from, to int) {
			for x := from; x < to; x++ {
				again = again || !s.changed[x]
				s.changed[x] = true
			}
		}
		for x := 1; x < len(s.changed); x++ {
			if s.changed[x] != s.changed[x-1] && (s.old[x].text == "" || s.next[x].text == "") {
				mark(x-1, x+1)
			}
		}
		doubtfulWords(s.old, func(w word, _ doubt) {
			if s.anyChanged(w) {
				mark(w.from, w.to)
			}
		})
		doubtfulWords(s.next, func(w word, d doubt) {
			if !s.anyChanged(w) {
				return
			}
			if d == mayBeWide {
				w.to = len(s.changed)
			}
			mark(w.from, w.to)
		})
	}
}

func (s *Screen) anyChanged(w word) bool {
	for x := w.from; x < w.to; x++ {
		if s.changed[x] {
			return true
		}
	}
	return false
}

// contentEnd is the cell after the last one that is not empty.
func contentEnd(row []cell) int {
	end := len(row)
	for end > 0 && row[end-1].isBlank() {
		end--
	}
	return end
}

// lineWriter writes parts of a line.
type lineWriter struct {
	*Screen
	y   int
	end int   // of the content
	pen penID // of the terminal
	// placed is set once the cursor is on the line.
	placed bool
}

// use changes the pen of the terminal.
func (w *lineWriter) use(p penID) {
	if p != w.pen {
		w.buf.Write(w.pens.list[w.pen].append(w.buf.AvailableBuffer(), w.pens.list[p].pen))
		w.pen = p
	}
}

// write writes the cells from (inclusive) to (exclusive).
func (w *lineWriter) write(from, to int) {
	w.place(from)
	tail := to-max(from, w.end) >= minTail // all that follows is empty
	if tail {
		to = max(from, w.end)
	}
	most := sure
	for _, c := range w.next[from:to] {
		most = max(most, c.doubt)
	}
	if most != sure { // the new text may not cover the old one
		if tail {
			w.erase('K')
		} else {
			w.erase('X', to-from)
		}
	}
	w.cells(from, to, most == mayBeNarrow)
	switch {
	case tail && most == sure:
		w.erase('K')
	case tail && most == mayBeWide: // the new text may have covered more
		w.control('G', to+1)
		w.erase('K')
	}
}

// erase erases without a background.
func (w *lineWriter) erase(final byte, numbers ...int) {
	w.use(0)
	w.control(final, numbers...)
}

// place moves the cursor to a cell of the line.
func (w *lineWriter) place(x int) {
	switch {
	case w.placed:
		w.control('G', x+1)
	case x == 0:
		w.control('H', w.y+1)
	default:
		w.control('H', w.y+1, x+1)
	}
	w.placed = true
}

// cells writes cells where the cursor is. Behind a word of doubtful width the cursor is
// positioned again, or the rest of the line would be shifted. Blanks need not be written
// where the line has been erased.
func (w *lineWriter) cells(from, to int, erased bool) {
	shifted := false
	for x := from; x < to; {
		c := w.next[x]
		n := w.blanks(x, to)
		switch {
		case n > 0 && shifted && erased:
			w.control('G', x+n+1)
			shifted = false
			x += n
			continue
		case shifted && c.text == " ":
			w.control('G', x+1)
			shifted = false
		}
		if n >= minErase {
			if !erased {
				w.erase('X', n)
			}
			w.control('C', n)
			x += n
			continue
		}
		if c.text != " " || c.pen != w.pens.list[w.pen].blank {
			w.use(c.pen)
		}
		w.buf.WriteString(c.text)
		shifted = shifted || c.doubt != sure
		x++
	}
}

// blanks is the number of empty cells from x on.
func (w *lineWriter) blanks(x, to int) (n int) {
	for x+n < to && w.next[x+n].isBlank() {
		n++
	}
	return n
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
