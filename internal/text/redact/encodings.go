package redact

import (
	"encoding/base64"
	"encoding/hex"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// minEncoded is the minimum length of what is taken for encoded, in bytes.
const minEncoded = 3

// decodings are what the parts of a text say if they are Base64, hexadecimal or a list of numbers.
// Where one begins is not known, so it is read from each place at which it may. A yielded
// slice is overwritten by the next.
func decodings(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_ = fromDigits(text, &base64Digits, 6, yield) &&
			fromDigits(strings.ReplaceAll(text, "0x", ""), &hexDigits, 4, yield) &&
			fromNumbers(text, yield)
	}
}

// digits are those of an encoding: what each byte is worth, or one of the two below.
type digits [256]byte

const (
	skipped   = 0xfe // a sign that may stand between digits
	notADigit = 0xff
)

// newDigits makes digits that are worth 0, 1, 2, ...
func newDigits(inOrder, between string) (d digits) {
	for i := range d {
		d[i] = notADigit
	}
	for i, c := range []byte(inOrder) {
		d[c] = byte(i)
	}
	for _, c := range []byte(between) {
		d[c] = skipped
	}
	return d
}

// base64Digits are those of Base64, also of the one for URLs. A space was a plus in a form.
var base64Digits = func() digits {
	d := newDigits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "\r\n")
	d['-'], d[' '], d['_'] = d['+'], d['+'], d['/']
	return d
}()

var hexDigits = func() digits {
	d := newDigits("0123456789abcdef", "-: ,")
	for c := byte('A'); c <= 'F'; c++ {
		d[c] = d[c+'a'-'A']
	}
	return d
}()

// fromDigits reads each run of digits; a digit has a number of bits.
func fromDigits(text string, d *digits, bits int, yield func([]byte) bool) (goOn bool) {
	run := make([]byte, 0, len(text))
	for i := range len(text) {
		switch value := d[text[i]]; {
		case value < skipped:
			run = append(run, value)
		case value == notADigit:
			if !joined(run, bits, yield) {
				return false
			}
			run = run[:0]
		}
	}
	return joined(run, bits, yield)
}

// joined joins digits to bytes, from each of the first ones on: after four digits of Base64, or two
// hexadecimal ones, a byte begins with a digit again.
func joined(run []byte, bits int, yield func([]byte) bool) (goOn bool) {
	if len(run)*bits < minEncoded*8 {
		return true
	}
	text := make([]byte, 0, len(run))
	for start := range 8 / (8 - bits) {
		text = text[:0]
		value, known := uint(0), 0
		for _, digit := range run[start:] {
			value, known = value<<bits|uint(digit), known+bits
			if known >= 8 {
				known -= 8
				text = append(text, byte(value>>known))
			}
		}
		if len(text) >= minEncoded && !yield(text) {
			return false
		}
	}
	return true
}

// fromNumbers reads each list of bytes in decimal, such as "[100 101]".
func fromNumbers(text string, yield func([]byte) bool) (goOn bool) {
	var list []byte
	isBetween := func(r rune) bool { return strings.ContainsRune(" ,[](){}", r) }
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		if value, ok := decimalByte(word); ok {
			list = append(list, value)
			continue
		}
		if len(list) >= minEncoded && !yield(list) {
			return false
		}
		list = list[:0]
	}
	return len(list) < minEncoded || yield(list)
}

// decimalByte is a byte in decimal: from 0 to 255, or from -128 to 127 as in Java.
func decimalByte(word string) (value byte, ok bool) {
	if len(word) > len("-128") || word[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(word)
	return byte(n), err == nil && -0x80 <= n && n <= 0xff
}

// fromUTF16 reads bytes as UTF-16, of either order and from either byte on.
func fromUTF16(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for variant := range 4 {
			start, high := variant%2, variant/2
			var units []uint16
			for i := start; i+1 < len(text); i += 2 {
				units = append(units, uint16(text[i+high])<<8|uint16(text[i+1-high]))
			}
			if !yield(string(utf16.Decode(units))) {
				return
			}
		}
	}
}

// plainParts are the parts of bytes that may be text, escaped or encoded once more.
func plainParts(text []byte) iter.Seq[string] {
	isOther := func(r rune) bool { return r >= utf8.RuneSelf }
	return func(yield func(string) bool) {
		for run := range strings.FieldsFuncSeq(string(text), isOther) {
			if len(run) > minEncoded && !yield(run) {
				return
			}
		}
	}
}

// encoded are a short text in Base64 and hexadecimal.
func encoded(text string) []string {
	return []string{base64.RawStdEncoding.EncodeToString([]byte(text)), hex.EncodeToString([]byte(text))}
}
