package paint

import (
	"runtime"

	"github.com/charmbracelet/x/ansi"
)

// move is a block of lines that is elsewhere in the next frame, such as the rows of a list that
// scrolls.
type move struct {
	from, to int // first line in this frame and in the next
	height   int
}

// minSaved is the minimum number of lines that a move must save.
const minSaved = 3

// findMove finds the move that saves the most lines. There is none on Windows, as not all
// of its consoles scroll a region correctly.
func findMove(old, next []string) (best move, ok bool) {
	if runtime.GOOS == "windows" {
		return move{}, false
	}
	top, end := 0, len(old) // of the lines that differ
	for top < end && old[top] == next[top] {
		top++
	}
	for top < end && old[end-1] == next[end-1] {
		end--
	}
	maxSaved := minSaved - 1
	for shift := minSaved - (end - top); shift <= (end-top)-minSaved; shift++ {
		if m, saved := longestMove(old[top:end], next[top:end], shift); saved > maxSaved {
			best, maxSaved = move{from: top + m.from, to: top + m.to, height: m.height}, saved
		}
	}
	return best, best.height > 0 && maxSaved-best.repainted(old, next) >= minSaved
}

// longestMove finds the block that moves down by shift lines and saves the most.
func longestMove(old, next []string, shift int) (best move, maxSaved int) {
	begin, saved := max(shift, 0), 0
	for to := begin; to < min(len(next), len(old)+shift); to++ {
		if next[to] != old[to-shift] {
			begin, saved = to+1, 0
			continue
		}
		if next[to] != old[to] && next[to] != "" {
			saved++
		}
		if saved > maxSaved {
			best, maxSaved = move{from: begin - shift, to: begin, height: to - begin + 1}, saved
		}
	}
	return best, maxSaved
}

// exposed are the lines that are empty after the move, from (inclusive) and to
// (exclusive).
func (m move) exposed() (from, to int) {
	if m.to < m.from {
		return m.to + m.height, m.from + m.height
	}
	return m.from, m.to
}

// repainted is the number of lines that have to be painted only because of the move.
func (m move) repainted(old, next []string) (lines int) {
	from, to := m.exposed()
	for i := from; i < to; i++ {
		if old[i] == next[i] {
			lines++
		}
	}
	return lines
}

// sequence deletes or inserts lines at the top of the region that contains both
// positions. That scrolls on every terminal; a Linux console does not support the scroll
// sequences.
func (m move) sequence() string {
	top, bottom := min(m.from, m.to), max(m.from, m.to)+m.height
	scroll := ansi.DeleteLine(m.from - m.to)
	if m.to > m.from {
		scroll = ansi.InsertLine(m.to - m.from)
	}
	return ansi.SetTopBottomMargins(top+1, bottom) + ansi.CursorPosition(1, top+1) + scroll + ansi.SetTopBottomMargins(0, 0)
}

// apply does to lines what the sequence does on the screen.
func (m move) apply(lines []string) {
	copy(lines[m.to:m.to+m.height], lines[m.from:m.from+m.height])
	from, to := m.exposed()
	clear(lines[from:to])
}
