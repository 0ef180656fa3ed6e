package redact

import (
	"encoding/base64"
	"encoding/hex"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// minEncoded is the minimum length of what is taken for encoded, in bytes.
const minEncoded = 3

const byteBits = 8

// encodings are a short text in Base64 and hexadecimal.
func encodings(text string) []string {
	plain := []byte(text)
	return []string{base64.RawStdEncoding.EncodeToString(plain), hex.EncodeToString(plain)}
}

// decodings are what the parts of a text say if they are Base64, hexadecimal or a list of numbers.
// Where one begins is not known, so it is read from each place at which it may. A yielded
// slice is overwritten by the next.
func decodings(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_ = fromDigits(text, &base64Digits, yield) &&
			fromDigits(strings.ReplaceAll(text, "0x", ""), &hexDigits, yield) &&
			fromNumbers(text, yield)
	}
}

// digits are those of an encoding.
type digits struct {
	values [256]byte // what each byte is worth, or skipped, or notADigit
	bits   int       // how many bits a digit has
}

const (
	skipped   = 0xfe // a sign that may stand between digits
	notADigit = 0xff
)

// newDigits makes digits that are worth 0, 1, 2, ...
func newDigits(bits int, inOrder, between string) digits {
	d := digits{bits: bits}
	for i := range d.values {
		d.values[i] = notADigit
	}
	for value, c := range []byte(inOrder) {
		d.values[c] = byte(value)
	}
	for _, c := range []byte(between) {
		d.values[c] = skipped
	}
	return d
}

// base64Digits are those of Base64, also of the one for URLs. A space was a plus in a form.
var base64Digits = func() digits {
	const (
		bits    = 6
		inOrder = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	)
	d := newDigits(bits, inOrder, "\r\n")
	d.values['-'], d.values[' '], d.values['_'] = d.values['+'], d.values['+'], d.values['/']
	return d
}()

// hexDigits are those of hexadecimal and, up to 7, of octal numbers.
var hexDigits = func() digits {
	const bits = 4
	d := newDigits(bits, "0123456789abcdef", "-: ,")
	for c := byte('A'); c <= 'F'; c++ {
		d.values[c] = d.values[c+'a'-'A']
	}
	return d
}()

// fromDigits reads each run of digits.
func fromDigits(text string, d *digits, yield func([]byte) bool) (goOn bool) {
	run := make([]byte, 0, len(text))
	for i := range len(text) {
		switch value := d.values[text[i]]; {
		case value < skipped:
			run = append(run, value)
		case value == notADigit:
			if !joined(run, d.bits, yield) {
				return false
			}
			run = run[:0]
		}
	}
	return joined(run, d.bits, yield)
}

// joined joins digits of some bits to bytes, from each of the first ones on: after four digits of
// Base64, or two hexadecimal ones, a byte begins with a digit again.
func joined(run []byte, bits int, yield func([]byte) bool) (goOn bool) {
	if len(run)*bits < minEncoded*byteBits {
		return true
	}
	starts := byteBits / (byteBits - bits)
	text := make([]byte, 0, len(run))
	for start := range starts {
		text = text[:0]
		value, known := uint(0), 0
		for _, digit := range run[start:] {
			value, known = value<<bits|uint(digit), known+bits
			if known >= byteBits {
				known -= byteBits
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
	return byte(n), err == nil && math.MinInt8 <= n && n <= math.MaxUint8
}

// fromUTF16 reads bytes as UTF-16, of either order and from either byte on.
func fromUTF16(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for high := range 2 { // which byte of a unit is the high one
			for start := range 2 {
				if !yield(utf16From(text[min(start, len(text)):], high)) {
					return
				}
			}
		}
	}
}

// utf16From reads bytes as UTF-16, each unit with its high byte at an index.
func utf16From(text []byte, high int) string {
	var units []uint16
	for i := 0; i+1 < len(text); i += 2 {
		units = append(units, uint16(text[i+high])<<byteBits|uint16(text[i+1-high]))
	}
	return string(utf16.Decode(units))
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
