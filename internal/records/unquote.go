package records

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes a JSON string. Invalid UTF-8 and lone surrogates become U+FFFD,
// as in encoding/json. The answer is part of quoted where nothing had to be decoded.
func unquote(quoted []byte) []byte {
	var memory []byte
	return unquoteInto(&memory, quoted)
}

// unquoteInto is unquote, but what has to be decoded is written over what is in memory.
func unquoteInto(memory *[]byte, quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	*memory = appendUnquoted(slices.Grow((*memory)[:0], len(inner)), quoted)
	return *memory
}

// appendUnquoted appends what unquote returns.
func appendUnquoted(dst, quoted []byte) []byte {
	for text := quoted[1 : len(quoted)-1]; len(text) > 0; {
		var r rune
		size := 1
		switch c := text[0]; {
		case c == '\\':
			r, size = decodeEscape(text)
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

// decodeEscape decodes the escape, or the pair of surrogates, that begins the text.
func decodeEscape(text []byte) (r rune, size int) {
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
		if isDigit(c) {
			r |= rune(c - '0')
		} else {
			r |= rune(lower(c)-'a') + 10
		}
	}
	return r
}
