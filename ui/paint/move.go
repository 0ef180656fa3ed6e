package paint

import (
	"runtime"

	"github.com/charmbracelet/x/ansi"
)

// move is a block of lines that is in another place in the next frame, such as the rows of a list
// that scrolls. What is beside the list moves as well, and is written again.
type move struct {
	from   int // first line in the frame that is shown
	to     int // first line in the next frame
	height int
}

const (
	// placeCost is about how many bytes it takes to place the cursor in a line.
	placeCost = 6
	// minSaved is the number of bytes that a move must save. Its own sequences take 16.
	minSaved = 24
)

// findMove finds the move that saves the most bytes. ok is false if none saves enough, and on
// Windows, where not all consoles scroll correctly.
func findMove(old, next []string) (best move, ok bool) {
	if runtime.GOOS == "windows" {
		return move{}, false
	}
	top, end := 0, len(old) // the lines that differ
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

// bestMove finds the block that moves down by shift lines and saves the most bytes, or moves up if
// shift is negative.
func bestMove(old, next []string, shift int) (best move, maxSaved int) {
	begin, saved := max(shift, 0), 0
	for to := begin; to < min(len(next), len(old)+shift); to++ {
		saved += cost(old[to], next[to]) - cost(old[to-shift], next[to])
		if saved <= 0 {
			begin, saved = to+1, 0
		}
		if saved > maxSaved {
			best = move{from: begin - shift, to: begin, height: to - begin + 1}
			maxSaved = saved
		}
	}
	return best, maxSaved
}

// cost is about how many bytes turn one line into another. If their first thirds are the same, they
// are taken for the same row of a list with something else beside it.
func cost(old, next string) int {
	third := len(next) / 3
	switch {
	case old == next:
		return 0
	case len(old) >= third && old[:third] == next[:third]:
		return placeCost + 2*third
	}
	return placeCost + len(next)
}

// exposed are the lines that are empty after the move: from one up to, but not including, another.
func (m move) exposed() (from, to int) {
	if m.to < m.from {
		return m.to + m.height, m.from + m.height
	}
	return m.from, m.to
}

// added is about how many bytes more it takes to write the lines that the move empties.
func (m move) added(old, next []string) (bytes int) {
	from, to := m.exposed()
	for i := from; i < to; i++ {
		bytes += cost("", next[i]) - cost(old[i], next[i])
	}
	return bytes
}

// scroll moves the block on the terminal: it deletes lines at one side of the block, and inserts as
// many at the other. Scrolling between margins would take more bytes.
func (s *Screen) scroll(m move) {
	deleted := m.to
	if m.to > m.from {
		deleted = m.from + m.height
	}
	from, to := m.exposed()
	s.place(0, deleted)
	s.buf.WriteString(ansi.DeleteLine(to - from))
	s.place(0, from)
	s.buf.WriteString(ansi.InsertLine(to - from))
	copy(s.lines[m.to:m.to+m.height], s.lines[m.from:m.from+m.height])
	clear(s.lines[from:to])
}
