package paint

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Some terminals give two cells to characters of ambiguous width, which are narrow in Latin text
// and wide in Chinese text. Frames are laid out as if they were narrow. This file fits the lines of
// a frame to a terminal on which they are wide, so that columns and borders stay in place: each
// piece of text begins in its cell, takes the blanks behind it, and is cut if there are not enough
// of them.

// cutSign marks where a text was cut. On such a terminal all signs of the program are ASCII.
const cutSign = "~"

// isAmbiguous reports whether a terminal may give two cells to a character that has one in a frame.
func isAmbiguous(character string) bool {
	first, size := utf8.DecodeRuneInString(character)
	return size > 1 && width.LookupRune(first).Kind() == width.EastAsianAmbiguous
}

// fitWide fits a line to a terminal on which ambiguous characters are wide. caret is a cell of the
// line; at is the cell of the terminal in which the caret is then.
func fitWide(row []cell, caret int) (fitted []cell, at int) {
	fitted, at = make([]cell, 0, len(row)), caret
	for from := 0; from < len(row); {
		end, next := piece(row, from)
		text := widened(row[from:end])
		switch {
		case caret >= from && caret < end:
			at = min(from+len(widened(row[from:caret])), next-1)
		case caret >= end && caret < next:
			at = min(max(caret, from+len(text)), next-1)
		}
		fitted = append(fitted, cut(text, roomFor(row, from, end, next))...)
		if len(fitted) < end { // half of a wide character was cut
			fitted = append(fitted, blankCell)
		}
		fitted = append(fitted, shorter(row[end:next], next-len(fitted))...)
		from = next
	}
	return fitted, at
}

// piece returns the end of the text that begins in a cell, and the cell in which the next text
// begins: after two or more fillers, or at a vertical line.
func piece(row []cell, from int) (end, next int) {
	fillers := 0
	for end, next = from, from; next < len(row); next++ {
		if isFiller(row, next) {
			fillers++
			continue
		}
		isAtLine := isVertical(row[next]) || isVertical(row[from])
		if next > from && (fillers > 1 || isAtLine) {
			return end, next
		}
		end, fillers = next+1, 0
	}
	return end, next
}

// isFiller reports whether a cell is blank or part of a horizontal line. Both can be made shorter.
func isFiller(row []cell, at int) bool {
	isDash := func(at int) bool { return at >= 0 && at < len(row) && row[at].text == "-" }
	isLine := isDash(at) && (isDash(at-1) || isDash(at+1))
	return row[at].text == " " || isLine
}

// shorter returns as many fillers as there is room for. The first one is kept, because it may be
// the blank between a title and its line.
func shorter(fillers []cell, room int) []cell {
	excess := len(fillers) - room
	if excess <= 0 || room < 1 {
		return fillers[:room]
	}
	return slices.Concat(fillers[:1], fillers[1+excess:])
}

// isVertical reports whether a cell is part of a vertical line.
func isVertical(c cell) bool { return c.text == "|" }

// roomFor is the number of cells that the text from one cell to its end may take, before the next
// text. A blank is left between the two.
func roomFor(row []cell, from, end, next int) int {
	if end < next && next < len(row) && !isVertical(row[next]) {
		next--
	}
	return next - from
}

// widened is a text in which ambiguous characters have two cells.
func widened(text []cell) []cell {
	wide := make([]cell, 0, maxWidth*len(text))
	for _, c := range text {
		if !isAmbiguous(c.text) {
			wide = append(wide, c)
			continue
		}
		c.doubt = max(c.doubt, mayBeNarrow)
		wide = append(wide, c, cell{pen: c.pen})
	}
	return wide
}

// cut cuts a text between characters, to at most room cells.
func cut(text []cell, room int) []cell {
	if len(text) <= room || room < 1 {
		return text[:min(len(text), max(room, 0))]
	}
	end := room - len(cutSign)
	for end > 0 && text[end].text == "" {
		end--
	}
	return append(slices.Clone(text[:end]), cell{text: cutSign, pen: text[end].pen})
}
