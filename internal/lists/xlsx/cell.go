package xlsx

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// appendCell appends a cell of the last row.
func (w *Writer) appendCell(dst []byte, cell Cell) []byte {
	switch cell.Kind {
	case Text:
		return w.appendText(dst, cell.Column, textStyleOf(cell.Text), cell.Text)
	case Number:
		return w.appendNumber(dst, cell.Column, plainStyle, cell.Text)
	case Size:
		return w.appendNumber(dst, cell.Column, sizeStyleOf(cell.Unit), cell.Text)
	case Time:
		if serial, ok := appendSerial(nil, cell.Time); ok {
			return w.appendNumber(dst, cell.Column, timeStyle, string(serial))
		}
		return w.appendText(dst, cell.Column, plainStyle, cell.Text)
	case Link:
		return w.appendLink(dst, cell.Column, cell.Text)
	}
	return dst
}

// appendNumber appends a cell that holds a number.
func (w *Writer) appendNumber(dst []byte, column int, s style, digits string) []byte {
	dst = w.appendStart(dst, column, s)
	dst = append(dst, "><v>"...)
	dst = append(dst, digits...)
	return append(dst, "</v></c>"...)
}

// appendText appends a cell that holds a text.
func (w *Writer) appendText(dst []byte, column int, s style, text string) []byte {
	if text == "" {
		return dst
	}
	dst = w.appendStart(dst, column, s)
	dst = append(dst, ` t="inlineStr"><is><t xml:space="preserve">`...)
	dst = appendEscaped(dst, Fit(text))
	return append(dst, "</t></is></c>"...)
}

// appendStart appends the beginning of a cell, up to its other attributes.
func (w *Writer) appendStart(dst []byte, column int, s style) []byte {
	dst = append(dst, `<c r="`...)
	dst = append(dst, w.letters[column]...)
	dst = strconv.AppendInt(dst, int64(w.rows), 10)
	dst = append(dst, '"')
	if s == plainStyle {
		return dst
	}
	dst = append(dst, ` s="`...)
	dst = strconv.AppendInt(dst, int64(s), 10)
	return append(dst, '"')
}

// appendLink appends a cell with the address of a page, which it leads to if Excel takes it.
func (w *Writer) appendLink(dst []byte, column int, address string) []byte {
	target, ok := linkTarget(address)
	if !ok || len(w.links) == maxLinks {
		return w.appendText(dst, column, textStyleOf(address), address)
	}
	w.links = append(w.links, link{w.letters[column] + strconv.Itoa(w.rows), target})
	return w.appendText(dst, column, linkStyle, address)
}

// linkTarget is an address as a link has it. A file, a share of the network or a program is none:
// opening it would run something.
func linkTarget(address string) (target string, ok bool) {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" || page.Scheme != "https" && page.Scheme != "http" {
		return "", false
	}
	target = page.String()
	return target, len(target) <= maxLink
}

// textStyleOf is the style of a text. One that Excel would take for something else as soon as
// somebody edits it is marked as text.
func textStyleOf(text string) style {
	if text != "" && strings.IndexByte("=+-@0123456789", text[0]) >= 0 {
		return textStyle
	}
	return plainStyle
}

// Fits reports whether a text is short enough for a cell.
func Fits(text string) bool { return len(Fit(text)) == len(text) }

// Fit cuts what a cell cannot hold off a text, and puts an ellipsis in its place.
func Fit(text string) string {
	if len(text) <= MaxCharacters { // each character has at least as many bytes as units
		return text
	}
	units, cut := 0, 0
	for at, r := range text {
		if units < MaxCharacters { // with room for the ellipsis
			cut = at
		}
		if units += utf16.RuneLen(r); units > MaxCharacters {
			return text[:cut] + "…"
		}
	}
	return text
}

// appendEscaped appends text as XML has it. Characters that XML cannot have are written in the way
// of ECMA-376, _x001B_, and so is an underscore that would begin such an escape.
func appendEscaped(dst []byte, text string) []byte {
	done := 0
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		replacement := ""
		switch {
		case r == '&':
			replacement = "&amp;"
		case r == '<':
			replacement = "&lt;"
		case r == '>':
			replacement = "&gt;"
		case r == '"':
			replacement = "&quot;"
		case r == '_' && looksEscaped(text[at:]):
			replacement = "_x005F_"
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			replacement = escape(r)
		case r == utf8.RuneError && size == 1:
			replacement = string(utf8.RuneError)
		}
		if replacement != "" {
			dst = append(dst, text[done:at]...)
			dst = append(dst, replacement...)
			done = at + size
		}
		at += size
	}
	return append(dst, text[done:]...)
}

// escape is a character as _xHHHH_.
func escape(r rune) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{'_', 'x', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15], '_'})
}

// looksEscaped reports whether a text begins like an escape.
func looksEscaped(text string) bool {
	if len(text) < len("_xHHHH_") || text[1] != 'x' || text[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(text[2:6], 16, 16)
	return err == nil
}

const (
	secondsPerDay = 24 * 60 * 60
	// dayOne is the day before 1900-01-01, in days of Unix time. Excel believes that 1900 had a
	// 29th of February, so that days are right from March on.
	dayOne       = -25_569
	firstOfMarch = 61
	lastDay      = 2_958_465 // 9999-12-31
)

// appendSerial appends a time as Excel counts it: days, and a fraction of one. It reports false
// for a day that Excel does not have.
func appendSerial(dst []byte, at time.Time) ([]byte, bool) {
	_, offset := at.Zone()
	seconds := at.Unix() + int64(offset)
	day := seconds / secondsPerDay
	second := seconds % secondsPerDay
	if second < 0 {
		day, second = day-1, second+secondsPerDay
	}
	serial := day - dayOne
	if serial < firstOfMarch || serial > lastDay {
		return dst, false
	}
	dst = strconv.AppendInt(dst, serial, 10)
	const parts, digits = 10_000_000_000, 10 // of a day: a part is less than 0.01 ms
	nanoseconds := second*1_000_000_000 + int64(at.Nanosecond())
	const nanosecondsPerPart = secondsPerDay * 1_000_000_000 / parts
	fraction := (nanoseconds + nanosecondsPerPart/2) / nanosecondsPerPart
	if fraction == 0 || fraction == parts {
		return dst, true // what is missing to the next day is too little to be seen
	}
	text := strconv.AppendInt(nil, parts+fraction, 10) // with a digit before the zeros
	return append(append(dst, '.'), text[len(text)-digits:]...), true
}

// lettersOf names a column by its number from 0: A to Z, then AA.
func lettersOf(column int) string {
	letters := ""
	for column++; column > 0; column = (column - 1) / 26 {
		letters = string(rune('A'+(column-1)%26)) + letters
	}
	return letters
}
