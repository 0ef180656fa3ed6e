package xlsx

import (
	"fmt"
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

// appendLink appends a cell that leads to an address, or only shows it if Excel has no such link.
func (w *Writer) appendLink(dst []byte, column int, address string) []byte {
	target, ok := linkTarget(address)
	if !ok || len(w.links) == maxLinks {
		return w.appendText(dst, column, textStyleOf(address), address)
	}
	w.links = append(w.links, link{w.letters[column] + strconv.Itoa(w.rows), target})
	return w.appendText(dst, column, linkStyle, address)
}

// linkTarget returns an address in the form of a link. ok is false for anything but a web page: to
// open a file, a network share or another scheme could run something.
func linkTarget(address string) (target string, ok bool) {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" || page.Scheme != "https" && page.Scheme != "http" {
		return "", false
	}
	target = page.String()
	return target, len(target) <= maxLink
}

// textStyleOf returns the style of a text. Excel would take some texts for something else as soon
// as somebody edits them, so these are marked as text.
func textStyleOf(text string) style {
	if text != "" && strings.IndexByte("=+-@0123456789", text[0]) >= 0 {
		return textStyle
	}
	return plainStyle
}

// Fits reports whether a text is short enough for a cell.
func Fits(text string) bool { return len(Fit(text)) == len(text) }

// Fit cuts a text that is too long for a cell, with an ellipsis at the end.
func Fit(text string) string {
	if len(text) <= MaxCharacters { // no character has more units than bytes
		return text
	}
	units, cut := 0, 0
	for at, r := range text {
		if hasRoom := units < MaxCharacters; hasRoom { // for the ellipsis
			cut = at
		}
		units += utf16.RuneLen(r)
		if units > MaxCharacters {
			return text[:cut] + "…"
		}
	}
	return text
}

// appendEscaped appends a text for XML. Characters that XML cannot have become an escape of
// ECMA-376, such as _x001B_, and so does an underscore that would begin such an escape.
func appendEscaped(dst []byte, text string) []byte {
	copied := 0 // how much of the text is in dst
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if replacement := replacementOf(r, size, text[at:]); replacement != "" {
			dst = append(dst, text[copied:at]...)
			dst = append(dst, replacement...)
			copied = at + size
		}
		at += size
	}
	return append(dst, text[copied:]...)
}

// replacementOf returns what is written instead of the rune that a text begins with, or "" if it is
// written as it is.
func replacementOf(r rune, size int, text string) string {
	isControl := r < ' ' && r != '\t' && r != '\n'
	isNoCharacter := r == 0xFFFE || r == 0xFFFF
	switch {
	case r == '&':
		return "&amp;"
	case r == '<':
		return "&lt;"
	case r == '>':
		return "&gt;"
	case r == '"':
		return "&quot;"
	case r == '_' && looksEscaped(text):
		return "_x005F_"
	case isControl, isNoCharacter:
		return fmt.Sprintf("_x%04X_", r)
	case r == utf8.RuneError && size == 1:
		return string(utf8.RuneError)
	}
	return ""
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
	// dayZero is the day from which Excel counts, in days of Unix time. It is 1899-12-30, as Excel
	// has a 29th of February in 1900: its days are only right from the first of March on.
	dayZero      = -25_569
	firstOfMarch = 61        // of 1900, in days of Excel
	lastDay      = 2_958_465 // 9999-12-31
)

// appendSerial appends a time as Excel counts it, in days with a fraction. It reports false for a
// day that Excel does not have.
func appendSerial(dst []byte, at time.Time) ([]byte, bool) {
	_, offset := at.Zone()
	seconds := at.Unix() + int64(offset)
	day := seconds / secondsPerDay
	second := seconds % secondsPerDay
	if second < 0 {
		day, second = day-1, second+secondsPerDay
	}
	serial := day - dayZero
	if serial < firstOfMarch || serial > lastDay {
		return dst, false
	}
	dst = strconv.AppendInt(dst, serial, 10)
	const (
		digits             = 10             // of the fraction
		partsPerDay        = 10_000_000_000 // 10^digits: a part is less than 0.01 ms
		nanosecondsPerPart = secondsPerDay * 1_000_000_000 / partsPerDay
	)
	nanoseconds := second*1_000_000_000 + int64(at.Nanosecond())
	parts := (nanoseconds + nanosecondsPerPart/2) / nanosecondsPerPart
	if parts == 0 || parts == partsPerDay {
		return dst, true // nobody sees the little that is missing to the next day
	}
	text := strconv.AppendInt(nil, partsPerDay+parts, 10) // a 1, and all digits with their zeros
	dst = append(dst, '.')
	return append(dst, text[len(text)-digits:]...), true
}

// lettersOf returns the name of a column by its index: A to Z, then AA.
func lettersOf(column int) string {
	letters := ""
	for column++; column > 0; column = (column - 1) / 26 {
		letters = string(rune('A'+(column-1)%26)) + letters
	}
	return letters
}
