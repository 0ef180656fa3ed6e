package jsonscan

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a string with its quotes. As in encoding/json, invalid UTF-8 and lone surrogates
// become U+FFFD. If nothing has to be decoded, the result is a part of quoted.
func Unquote(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	return AppendUnquoted(make([]byte, 0, len(inner)), quoted)
}

// AppendUnquoted appends what Unquote returns.
func AppendUnquoted(dst, quoted []byte) []byte { return appendUnquoted(dst, quoted, false) }

// UnquoteLossless is Unquote that loses nothing: a lone surrogate stays the escape that was sent,
// and invalid UTF-8 stays as it is.
func UnquoteLossless(quoted string) string {
	if inner := quoted[1 : len(quoted)-1]; strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return string(appendUnquoted(nil, []byte(quoted), true))
}

// appendUnquoted decodes a string as Unquote does, or as UnquoteLossless does.
func appendUnquoted(dst, quoted []byte, lossless bool) []byte {
	for text := quoted[1 : len(quoted)-1]; len(text) > 0; {
		r, size := utf8.RuneError, 1
		switch c := text[0]; {
		case c == '\\':
			r, size = decodeEscape(text)
		case c < utf8.RuneSelf:
			r = rune(c)
		default:
			r, size = utf8.DecodeRune(text)
		}
		sent := text[:size]
		isLoss := r == utf8.RuneError && !bytes.EqualFold(sent, []byte(`\ufffd`))
		if lossless && isLoss {
			dst = append(dst, sent...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		text = text[size:]
	}
	return dst
}

// decodeEscape decodes the escape, or the two escapes of a surrogate pair, that the text begins
// with. size is their length in bytes. A lone surrogate becomes U+FFFD.
func decodeEscape(text []byte) (r rune, size int) {
	if at := strings.IndexByte("bfnrt", text[1]); at >= 0 {
		return rune("\b\f\n\r\t"[at]), 2
	}
	if text[1] != 'u' {
		return rune(text[1]), 2
	}
	const length = len(`\uXXXX`)
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
}

// hexRune returns the rune of four hexadecimal digits.
func hexRune(digits []byte) rune {
	r, _ := strconv.ParseUint(string(digits), 16, 16)
	return rune(r)
}
