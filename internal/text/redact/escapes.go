package redact

import (
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxRounds is how often escapes are undone: a text may be escaped again at each step of its
// way.
const maxRounds = 5

// dialect is what a service may mean by a backslash or an equals sign before digits. A text does
// not say, so it is read in each of them.
type dialect byte

const (
	noDigits        dialect = iota // the digits are no part of an escape
	hexadecimal                    // a backslash and two digits, in LDAP
	octal                          // a backslash and three digits, in C
	quotedPrintable                // an equals sign and two digits, in e-mail
)

// The bases of numbers in escapes.
const (
	octalBase = 8
	hexBase   = 16
)

// readings are a text, and what it says when its escapes are undone, again and again. The
// last one has no escapes, unless there are more rounds of them.
func readings(text string) []string {
	list := []string{text}
	if strings.ContainsAny(text, `\=`) {
		undone := undo(text, noDigits)
		for _, other := range []dialect{hexadecimal, octal, quotedPrintable} {
			if undo(text, other) != undone {
				list = append(list, plainer(text, other)...)
			}
		}
	}
	return append(list, plainer(text, noDigits)...)
}

// plainer are what a text says when its escapes are undone, one layer after another.
func plainer(text string, d dialect) (list []string) {
	for range maxRounds {
		next := undo(text, d)
		if next == text {
			break
		}
		list, text = append(list, next), next
	}
	return list
}

// undo undoes one layer of escapes, and of UTF-8 that was taken for Latin 1.
func undo(text string, d dialect) string {
	if strings.ContainsAny(text, `%\=`) {
		text = legible(undoSigns(text, d))
	}
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	return unmixed(text)
}

// undoSigns undoes the escapes that begin with a sign. They may say single bytes of a letter.
func undoSigns(text string, d dialect) []byte {
	plain := make([]byte, 0, len(text))
	for len(text) > 0 {
		said, size := escapeAt(text, d)
		if size == 0 {
			said, size = text[:1], 1
		}
		plain = append(plain, said...)
		text = text[size:]
	}
	return plain
}

// escapeAt is what the escape says that a text begins with, and the size of that; 0 if there is
// none.
func escapeAt(text string, d dialect) (said string, size int) {
	switch {
	case text[0] == '\\' && len(text) > 1:
		return backslashAt(text, d)
	case strings.HasPrefix(text, "%u"):
		return utf16At(text)
	case text[0] == '%': // URLs
		return hexByteAt(text, len("%"))
	case text[0] != '=' || d != quotedPrintable:
		return "", 0
	case strings.HasPrefix(text, "=\n"): // the line goes on
		return "", len("=\n")
	case strings.HasPrefix(text, "=\r\n"):
		return "", len("=\r\n")
	}
	return hexByteAt(text, len("="))
}

// backslashAt undoes the escapes of C, JSON, JavaScript, Python and LDAP.
func backslashAt(text string, d dialect) (said string, size int) {
	const prefix, maxDigits = len(`\u`), 8
	switch text[1] {
	case 'u':
		said, size = utf16At(text)
	case 'U':
		said, size = runeAt(text, prefix, maxDigits)
	case 'x':
		said, size = hexByteAt(text, prefix)
	case 'n', 'r', 't', 'v':
		said, size = " ", prefix
	}
	if size == 0 && strings.HasPrefix(text[prefix:], "{") {
		said, size = bracedAt(text)
	}
	if size == 0 && d == octal {
		said, size = byteAt(text, len(`\`), len("377"), octalBase)
	}
	if size == 0 && d == hexadecimal {
		said, size = hexByteAt(text, len(`\`))
	}
	if size == 0 && bare([]byte(text[1:2])) == "" { // neither a letter nor a digit
		said, size = text[1:2], prefix
	}
	return said, size
}

// hexByteAt is a byte that is written as two hexadecimal digits after a prefix.
func hexByteAt(text string, prefix int) (said string, size int) {
	return byteAt(text, prefix, len("ff"), hexBase)
}

// byteAt is a byte that is written as digits after a prefix.
func byteAt(text string, prefix, digits int, base rune) (said string, size int) {
	value, ok := numberAt(text, prefix, digits, base)
	if !ok || value > math.MaxUint8 {
		return "", 0
	}
	return string([]byte{byte(value)}), prefix + digits
}

// runeAt is a character that is written as hexadecimal digits after a prefix.
func runeAt(text string, prefix, digits int) (said string, size int) {
	value, ok := numberAt(text, prefix, digits, hexBase)
	if !ok {
		return "", 0
	}
	return string(value), prefix + digits
}

// numberAt is the number that the digits after a prefix make.
func numberAt(text string, prefix, digits int, base rune) (value rune, ok bool) {
	if len(text) < prefix+digits {
		return 0, false
	}
	for _, c := range []byte(text[prefix : prefix+digits]) {
		digit := rune(hexDigits.values[c])
		if digit >= base {
			return 0, false
		}
		value = value*base + digit
	}
	return value, true
}

// bracedAt undoes \u{1f511} and \x{e4}.
func bracedAt(text string) (said string, size int) {
	const prefix, maxDigits = len(`\u{`), 8
	end := strings.IndexByte(text[:min(len(text), prefix+maxDigits+1)], '}')
	if end <= prefix {
		return "", 0
	}
	said, size = runeAt(text, prefix, end-prefix)
	if size > 0 {
		size += len("}")
	}
	return said, size
}

// utf16At undoes \u00e4 and %u00e4, and as many as follow: some letters take two.
func utf16At(text string) (said string, size int) {
	const prefix, digits = len(`\u`), len("00e4")
	const length = prefix + digits
	var units []uint16
	mark := text[:prefix]
	for len(text) >= size+length && text[size:size+prefix] == mark {
		value, ok := numberAt(text[size:], prefix, digits, hexBase)
		if !ok {
			break
		}
		units = append(units, uint16(value))
		size += length
	}
	return string(utf16.Decode(units)), size
}

// firstHigh is the first byte that is not one of ASCII.
const firstHigh = 0x80

// windows1252 are the characters of the bytes from firstHigh to 0x9f in Windows 1252. In Latin 1
// these are control characters, and the other bytes are the same in both.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f" +
	"\u0090‘’“”•–—˜™š›œ\u009džŸ")

// legible takes bytes that are not UTF-8 for Latin 1.
func legible(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = latin1(text[0])
		}
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String()
}

// latin1 is the character of a byte that is not one of ASCII, in Windows 1252 or Latin 1.
func latin1(c byte) rune {
	if at := int(c) - firstHigh; at < len(windows1252) {
		return windows1252[at]
	}
	return rune(c)
}

// unmixed undoes that UTF-8 was taken for Latin 1: "Ã¤" was "ä".
func unmixed(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		said, size := mixedAt(text)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(text)
			said = text[:size]
		}
		b.WriteString(said)
		text = text[size:]
	}
	return b.String()
}

// mixedAt is the letter whose bytes a text begins with, each taken for a letter.
func mixedAt(text string) (said string, size int) {
	var letter []byte
	for range utf8.UTFMax {
		r, n := utf8.DecodeRuneInString(text[size:])
		c, ok := byteOf(r)
		if !ok {
			break
		}
		letter, size = append(letter, c), size+n
		if utf8.Valid(letter) {
			return string(letter), size
		}
	}
	return "", 0
}

// byteOf is the byte of a character in Latin 1 or Windows 1252 that is not one of ASCII.
func byteOf(r rune) (c byte, ok bool) {
	if firstHigh <= r && r <= math.MaxUint8 {
		return byte(r), true
	}
	at := slices.Index(windows1252, r)
	return byte(firstHigh + at), at >= 0
}
