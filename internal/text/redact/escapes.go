package redact

import (
	"html"
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
	noDigits        dialect = iota // it stands before the digits
	hexadecimal                    // a backslash and two digits, in LDAP
	octal                          // a backslash and three digits, in C
	quotedPrintable                // an equals sign and two digits, in e-mail
)

// readings are a text, and what it says when its escapes are undone, again and again. The
// last one has no escapes, unless there are more rounds of them.
func readings(text string) []string {
	list := []string{text}
	if strings.ContainsAny(text, `\=`) {
		for _, other := range []dialect{hexadecimal, octal, quotedPrintable} {
			if undo(text, other) != undo(text, noDigits) {
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
		return byteAt(text, 1, 2, 16)
	case text[0] != '=' || d != quotedPrintable:
		return "", 0
	case strings.HasPrefix(text, "=\n"): // the line goes on
		return "", 2
	case strings.HasPrefix(text, "=\r\n"):
		return "", 3
	}
	return byteAt(text, 1, 2, 16)
}

// backslashAt undoes the escapes of C, JSON, JavaScript, Python and LDAP.
func backslashAt(text string, d dialect) (said string, size int) {
	switch text[1] {
	case 'u':
		said, size = utf16At(text)
	case 'U':
		said, size = runeAt(text, 2, 8)
	case 'x':
		said, size = byteAt(text, 2, 2, 16)
	case 'n', 'r', 't', 'v':
		said, size = " ", 2
	}
	if size == 0 && strings.HasPrefix(text[2:], "{") {
		said, size = bracedAt(text)
	}
	if size == 0 && d == octal {
		said, size = byteAt(text, 1, 3, 8)
	}
	if size == 0 && d == hexadecimal {
		said, size = byteAt(text, 1, 2, 16)
	}
	if isLetter := bare([]byte(text[1:2])) != ""; size == 0 && !isLetter {
		said, size = text[1:2], 2
	}
	return said, size
}

// byteAt is a byte that is written as digits after a prefix.
func byteAt(text string, prefix, digits int, base rune) (said string, size int) {
	value, ok := numberAt(text, prefix, digits, base)
	if !ok || value > 0xff {
		return "", 0
	}
	return string([]byte{byte(value)}), prefix + digits
}

// runeAt is a character that is written as hexadecimal digits after a prefix.
func runeAt(text string, prefix, digits int) (said string, size int) {
	value, ok := numberAt(text, prefix, digits, 16)
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
		digit := rune(hexDigits[c])
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
	return said, size + min(size, 1) // and the brace
}

// utf16At undoes \u00e4 and %u00e4, and as many as follow: some letters take two.
func utf16At(text string) (said string, size int) {
	const length = len(`\u00e4`)
	var units []uint16
	mark := text[:2]
	for len(text) >= size+length && text[size:size+2] == mark {
		value, ok := numberAt(text[size:], 2, 4, 16)
		if !ok {
			break
		}
		units = append(units, uint16(value))
		size += length
	}
	return string(utf16.Decode(units)), size
}

// beyondLatin1 are the characters of Windows 1252 that are not in Latin 1, from 0x80 on.
var beyondLatin1 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

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
	if c < 0xa0 {
		return beyondLatin1[c-0x80]
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
	if 0x80 <= r && r <= 0xff {
		return byte(r), true
	}
	i := slices.Index(beyondLatin1, r)
	return byte(0x80 + i), i >= 0
}
