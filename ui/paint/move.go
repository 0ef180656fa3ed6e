package paint

import (
	"runtime"

	"github.com/charmbracelet/x/ansi"
)

// move is a block of lines that stands elsewhere in the next frame, as of a list
// that scrolls.
type move struct {
	from, to int // its first line, in this frame and in the next
	height   int
}

// worthwhile is how many lines a move must spare.
const worthwhile = 3

// findMove finds the move that spares the most lines. There is none on Windows,
// whose consoles do not all scroll a part of the screen well.
func findMove(old, next []string) (best move, ok bool) {
	if runtime.GOOS == "windows" || differing(old, next) < worthwhile {
		return move{}, false
	}
	most := worthwhile - 1
	for shift := 1 - len(old); shift < len(old); shift++ {
		if m, spared := longest(old, next, shift); spared > most {
			best, most = m, spared
		}
	}
	return best, best.height > 0 && most-best.spoilt(old, next) >= worthwhile
}

func differing(old, next []string) (lines int) {
	for i := range next {
		if old[i] != next[i] {
			lines++
		}
	}
	return lines
}

// longest finds the block that moves down by shift lines and spares the most.
func longest(old, next []string, shift int) (best move, most int) {
	begin, spared := max(shift, 0), 0
	for to := begin; to < min(len(next), len(old)+shift); to++ {
		if next[to] != old[to-shift] {
			begin, spared = to+1, 0
			continue
		}
		if next[to] != old[to] && next[to] != "" {
			spared++
		}
		if spared > most {
			best, most = move{from: begin - shift, to: begin, height: to - begin + 1}, spared
		}
	}
	return best, most
}

// exposed are the lines that are empty after the move, from and below to.
func (m move) exposed() (from, to int) {
	if m.to < m.from {
		return m.to + m.height, m.from + m.height
	}
	return m.from, m.to
}

// spoilt is how many lines were right without the move.
func (m move) spoilt(old, next []string) (lines int) {
	from, to := m.exposed()
	for i := from; i < to; i++ {
		if old[i] == next[i] {
			lines++
		}
	}
	return lines
}

// sequence removes or inserts lines at the top of the part of the screen that
// holds both places. That scrolls it on every terminal; the sequences made for
// scrolling are not known to a Linux console.
func (m move) sequence() string {
	top, bottom := min(m.from, m.to), max(m.from, m.to)+m.height
	scroll := ansi.DeleteLine(m.from - m.to)
	if m.to > m.from {
		scroll = ansi.InsertLine(m.to - m.from)
	}
	return ansi.SetTopBottomMargins(top+1, bottom) + ansi.CursorPosition(1, top+1) + scroll + ansi.SetTopBottomMargins(0, 0)
}

// apply does to the lines what the sequence does to the screen.
func (m move) apply(lines []string) {
	copy(lines[m.to:m.to+m.height], lines[m.from:m.from+m.height])
	from, to := m.exposed()
	clear(lines[from:to])
}
