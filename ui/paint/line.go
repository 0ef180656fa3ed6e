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

// comparison is the buffers for comparing two lines: the cells that are there and the next.
type comparison struct {
	old, next []cell
	pens      pens  // of both
	pen       penID // of the terminal
}

// comparisons are shared by all screens: a server has thousands, and few draw at a time.
var comparisons = sync.Pool{New: func() any { return &comparison{pens: pens{make([]pen, 1), map[pen]penID{{}: 0}}} }}

func (s *Screen) endComparison() {
	clear(s.old) // another screen has no use for this one's text
	clear(s.next)
	s.pens.clear()
	s.pen = 0 // also after a panic: the next screen begins without a style
	comparisons.Put(s.comparison)
	s.comparison = nil
}

// line replaces one line by another: it writes the cells that differ or, if a width is doubtful,
// the words from the first to the last that differ.
func (s *Screen) line(y int, text string, f Frame) {
	var before, now doubt
	s.old, before = s.cells(s.old[:0], s.lines[y], f)
	s.next, now = s.cells(s.next[:0], text, f)
	w := lineWriter{Screen: s, y: y, end: contentEnd(s.next), doubt: max(before, now)}
	if w.doubt != sure {
		w.write(w.differing())
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
	if slices.ContainsFunc(next[word:from], func(c cell) bool { return c.doubt != sure }) {
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

// lineWriter writes parts of a line.
type lineWriter struct {
	*Screen
	y   int
	end int // of the content
	// placed is set once the cursor is on the line.
	placed bool
	doubt  doubt // the greatest in the part that is written
}

// use changes the pen of the terminal.
func (s *Screen) use(p penID) {
	if p != s.pen {
		s.buf.Write(s.pens.list[s.pen].append(s.buf.AvailableBuffer(), s.pens.list[p]))
		s.pen = p
	}
}

// write writes the cells from (inclusive) to (exclusive).
func (w *lineWriter) write(from, to int) {
	if from == to {
		return
	}
	w.place(from)
	tail := to-max(from, w.end) >= minTail // all that follows is empty
	if tail {
		to = max(from, w.end)
	}
	switch { // the new text may not cover the old one
	case w.doubt != sure && tail:
		w.erase('K')
	case w.doubt != sure:
		w.erase('X', to-from)
	}
	w.cells(from, to)
	switch {
	case tail && w.doubt == sure:
		w.erase('K')
	case tail && w.doubt == mayBeWide: // the new text may have covered more
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
// positioned again, or the rest of the line would be shifted. Blanks need not be written where
// the line has been erased and nothing covers it.
func (w *lineWriter) cells(from, to int) {
	shifted, erased := false, w.doubt == mayBeNarrow
	for x := from; x < to; {
		c, n := w.next[x], w.blanks(x, to)
		if shifted && c.text == " " {
			shifted = false
			if erased && n > 0 {
				w.control('G', x+n+1)
				x += n
				continue
			}
			w.control('G', x+1)
		}
		if n >= minErase {
			if !erased {
				w.erase('X', n)
			}
			w.control('C', n)
			x += n
			continue
		}
		if c.text != " " || w.pens.list[c.pen] != w.pens.list[w.pen].blank() {
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
