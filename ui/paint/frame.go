// Package paint brings frames to a terminal in as few bytes as it can, and leaves
// the terminal as it found it.
package paint

import (
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Frame is all that a terminal shows at a time.
type Frame struct {
	// Width and Height are the size of the terminal in cells. Where one is not
	// positive, nothing is drawn.
	Width, Height int
	// Content is at most Height lines joined by newlines, each of at most Width
	// cells and free of all sequences but those that style text.
	Content string
	// Title stands above the window; empty leaves the one that was there.
	Title string
	// Mouse is whether clicks and the wheel are reported to the program.
	Mouse bool
	// Profile is how many colours the terminal has; those of the content are
	// converted.
	Profile colorprofile.Profile
	// Synchronized and Graphemes are whether the terminal has said that it can show
	// a frame at once (mode 2026) and measure by grapheme (mode 2027).
	Synchronized, Graphemes bool
	// Redraw is a number that is raised to have everything drawn anew, for the
	// terminal may have lost what it showed.
	Redraw int
}

// drawnLike reports whether what stands on the terminal after a frame can be
// built on to show another one.
func (f Frame) drawnLike(other Frame) bool {
	return f.Width == other.Width && f.Height == other.Height && f.Profile == other.Profile && f.Redraw == other.Redraw
}

// appendLines appends one line for each of the terminal.
func (f Frame) appendLines(lines []string) []string {
	if f.Width <= 0 || f.Height <= 0 {
		return lines
	}
	for line := range strings.SplitSeq(f.Content, "\n") {
		if len(lines) == f.Height {
			break
		}
		lines = append(lines, line)
	}
	for len(lines) < f.Height {
		lines = append(lines, "")
	}
	return lines
}
