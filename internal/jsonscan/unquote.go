package jsonscan

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a string. Invalid UTF-8 and lone surrogates become U+FFFD, as in
// encoding/json. The answer is part of quoted where nothing had to be decoded.
func Unquote(quoted []byte) []byte {
	var memory []byte
	return UnquoteInto(&memory, quoted)
}

// UnquoteInto is Unquote, but what has to be decoded is written over what is in memory.
func UnquoteInto(memory *[]byte, quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	*memory = AppendUnquoted(slices.Grow((*memory)[:0], len(inner)), quoted)
	return *memory
}

// AppendUnquoted appends what Unquote returns.
func AppendUnquoted(dst, quoted []byte) []byte {
	for text := quoted[1 : len(quoted)-1]; len(text) > 0; {
		r, size := utf8.RuneError, 1
		switch c := text[0]; {
		case c == '\\':
			r, size = DecodeEscape(text)
		case c < utf8.RuneSelf:
			r = rune(c)
		default:
			r, size = utf8.DecodeRune(text)
		}
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
	return dst
}

// UnquoteLossless decodes a string as a copy of which nothing is lost: half of a
// surrogate pair stays the escape that was sent, and invalid UTF-8 stays what it is.
func UnquoteLossless(quoted string) string {
	text := quoted[1 : len(quoted)-1]
	escape := strings.IndexByte(text, '\\')
	if escape < 0 {
		return text
	}
	decoded := make([]byte, 0, len(text))
	for ; escape >= 0; escape = strings.IndexByte(text, '\\') {
		decoded, text = append(decoded, text[:escape]...), text[escape:]
		sent := []byte(text[:min(len(text), len(`\u0000\u0000`))])
		r, size := DecodeEscape(sent)
		if isHalf := r == utf8.RuneError && utf16.IsSurrogate(hexRune(sent[2:size])); isHalf {
			decoded = append(decoded, sent[:size]...)
		} else {
			decoded = utf8.AppendRune(decoded, r)
		}
		text = text[size:]
	}
	return string(append(decoded, text...))
}

// DecodeEscape decodes the escape, or the pair of surrogates, that begins the text, and
// returns its size in bytes. Half of a pair is U+FFFD.
func DecodeEscape(text []byte) (r rune, size int) {
	switch c := text[1]; c {
	case 'u':
		const length = len(`\u0000`)
		r = hexRune(text[2:length])
		if !utf16.IsSurrogate(r) {
			return r, length
		}
		if len(text) >= 2*length && text[length] == '\\' && text[length+1] == 'u' {
			if pair := utf16.DecodeRune(r, hexRune(text[length+2:2*length])); pair != utf8.RuneError {
				return pair, 2 * length
			}
		}
		return utf8.RuneError, length
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	default:
		return rune(c), 2
	}
}

func hexRune(digits []byte) (r rune) {
	for _, c := range digits {
		r <<= 4
		if IsDigit(c) {
			r |= rune(c - '0')
		} else {
			r |= rune(c|('a'-'A')) - 'a' + 10
		}
	}
	return r
}
