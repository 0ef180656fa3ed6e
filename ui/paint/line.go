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

// comparison is the buffers for comparing two lines: the cells that are there and the next.
type comparison struct {
	old, next []cell
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

// line replaces one line by another: it writes the cells that differ or, if the width of
// one is doubtful, all from the first word that differs. It begins and ends without a style.
func (s *Screen) line(y int, text string, f Frame) {
	var before, now bool
	s.old, before = s.cells(s.old[:0], s.lines[y], f)
	s.next, now = s.cells(s.next[:0], text, f)
	w := lineWriter{Screen: s, y: y, end: contentEnd(s.next), doubtful: before || now}
	if w.doubtful {
		from := 0
		for from < len(s.next) && s.old[from] == s.next[from] {
			from++
		}
		for from > 0 && from < len(s.next) && s.next[from-1].text != " " {
			from--
		}
		if from < len(s.next) {
			w.write(from, len(s.next))
			w.use(0)
		}
		return
	}
	for from := 0; from < len(s.next); from++ {
		if s.old[from] == s.next[from] {
			continue
		}
		to := from + 1
		for at := to; at < len(s.next) && at-to <= maxGap; at++ {
			if s.old[at] != s.next[at] {
				to = at + 1
			}
		}
		w.write(from, to)
		from = to
	}
	w.use(0)
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
	// doubtful is set if the width of a character is.
	doubtful bool
}

// use changes the pen of the terminal.
func (w *lineWriter) use(p penID) {
	if p != w.pen {
		w.buf.Write(w.pens.list[w.pen].append(w.buf.AvailableBuffer(), w.pens.list[p]))
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
	if w.doubtful { // the new text may not cover the old one
		w.erase('K')
	}
	w.cells(from, to)
	if !tail {
		return
	}
	if w.doubtful { // and may have covered more
		w.control('G', to+1)
	}
	w.erase('K')
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
// positioned again, or the rest of the line would be shifted.
func (w *lineWriter) cells(from, to int) {
	shifted := false
	for x := from; x < to; {
		c := w.next[x]
		if shifted && c.text == " " {
			w.control('G', x+1)
			shifted = false
		}
		if n := w.blanks(x, to); n >= minErase {
			w.erase('X', n)
			w.control('C', n)
			x += n
			continue
		}
		if c.text != " " || w.pens.list[c.pen] != w.pens.list[w.pen].blank() {
			w.use(c.pen)
		}
		w.buf.WriteString(c.text)
		shifted = shifted || c.doubtful
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
