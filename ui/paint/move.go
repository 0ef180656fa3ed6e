package paint

import (
	"runtime"

	"github.com/charmbracelet/x/ansi"
)

// move is a block of lines that is elsewhere in the next frame, such as the rows of a list that
// scrolls. What is beside the list is moved with it, and written again.
type move struct {
	from, to int // first line in this frame and in the next
	height   int
}

const (
	// placed is how many bytes it takes to begin writing in a line.
	placed = 6
	// minSaved is how many bytes a move must save; its sequences take 16.
	minSaved = 24
)

// findMove finds the move that saves the most bytes in the lines that it moves. There is none on
// Windows, as not all of its consoles scroll correctly.
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
	maxSaved := 0
	for shift := 1 + top - end; shift < end-top; shift++ {
		if m, saved := bestMove(old[top:end], next[top:end], shift); saved > maxSaved {
			best, maxSaved = move{from: top + m.from, to: top + m.to, height: m.height}, saved
		}
	}
	return best, maxSaved-best.added(old, next) >= minSaved
}

// bestMove finds the block that moves down by shift lines and saves the most.
func bestMove(old, next []string, shift int) (best move, maxSaved int) {
	begin, saved := max(shift, 0), 0
	for to := begin; to < min(len(next), len(old)+shift); to++ {
		if saved += cost(old[to], next[to]) - cost(old[to-shift], next[to]); saved <= 0 {
			begin, saved = to+1, 0
		}
		if saved > maxSaved {
			best, maxSaved = move{from: begin - shift, to: begin, height: to - begin + 1}, saved
		}
	}
	return best, maxSaved
}

// cost is about how many bytes turn a line into another. Where the first third is the same, it is a
// row of a list beside which something else stands.
func cost(old, next string) int {
	third := len(next) / 3
	switch {
	case old == next:
		return 0
	case len(old) >= third && old[:third] == next[:third]:
		return placed + 2*third
	}
	return placed + len(next)
}

// exposed are the lines that are empty after the move, from (inclusive) and to
// (exclusive).
func (m move) exposed() (from, to int) {
	if m.to < m.from {
		return m.to + m.height, m.from + m.height
	}
	return m.from, m.to
}

// added is about how many bytes more the lines take that the move empties.
func (m move) added(old, next []string) (bytes int) {
	from, to := m.exposed()
	for i := from; i < to; i++ {
		bytes += cost("", next[i]) - cost(old[i], next[i])
	}
	return bytes
}

// scroll moves the block on the terminal. As many lines are deleted on one side of it as are inserted
// on the other; margins for scrolling would take more bytes.
func (s *Screen) scroll(m move) {
	gone := m.to // the first line that is deleted
	if m.to > m.from {
		gone = m.from + m.height
	}
	from, to := m.exposed()
	s.place(0, gone)
	s.buf.WriteString(ansi.DeleteLine(to - from))
	s.place(0, from)
	s.buf.WriteString(ansi.InsertLine(to - from))
	copy(s.lines[m.to:m.to+m.height], s.lines[m.from:m.from+m.height])
	clear(s.lines[from:to])
}
