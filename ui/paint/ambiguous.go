package paint

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Some terminals give two cells to characters that are narrow among Latin letters and wide among
// Chinese ones. A frame is laid out as if they were narrow everywhere. For a terminal on which they are
// wide its lines are fitted here: each piece of text begins in the cell that it was laid out for, goes
// on into the blanks behind it, and is cut where those do not suffice. So columns and borders stay.

// cutSign stands where a text was cut. The signs of the program are ASCII on such a terminal.
const cutSign = "~"

// isAmbiguous reports whether a terminal may give two cells to a character that has one in a frame.
func isAmbiguous(character string) bool {
	first, size := utf8.DecodeRuneInString(character)
	return size > 1 && width.LookupRune(first).Kind() == width.EastAsianAmbiguous
}

// fitWide fits a line to a terminal on which ambiguous characters are wide. Caret is a cell of the line,
// at is where that is on the terminal.
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

// piece finds the end of the text that begins in a cell, and where the next one begins: behind two
// fillers or more, or at a line of a box.
func piece(row []cell, from int) (end, next int) {
	fillers := 0
	for end, next = from, from; next < len(row); next++ {
		if isFiller(row, next) {
			fillers++
			continue
		}
		if next > from && (fillers > 1 || isBoxLine(row[next]) || isBoxLine(row[from])) {
			return end, next
		}
		end, fillers = next+1, 0
	}
	return end, next
}

// isFiller reports whether a cell is blank or part of a line across, both of which may become shorter.
func isFiller(row []cell, at int) bool {
	isDash := func(at int) bool { return at >= 0 && at < len(row) && row[at].text == "-" }
	return row[at].text == " " || isDash(at) && (isDash(at-1) || isDash(at+1))
}

// shorter are as many fillers as there is room for. The first one stays, as it may be the blank between
// a title and its line.
func shorter(fillers []cell, room int) []cell {
	gone := len(fillers) - room
	if gone <= 0 || room < 1 {
		return fillers[:room]
	}
	return slices.Concat(fillers[:1], fillers[1+gone:])
}

func isBoxLine(c cell) bool { return c.text == "|" }

// roomFor is how many cells a text may take that ends before the next one. A blank remains between two.
func roomFor(row []cell, from, end, next int) int {
	if end < next && next < len(row) && !isBoxLine(row[next]) {
		next--
	}
	return next - from
}

// widened gives ambiguous characters two cells.
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

// cut cuts a text to at most so many cells, between characters.
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
