package tree

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes a JSON string. Half of a surrogate pair stays the escape that
// was sent, and bytes that are not UTF-8 stay what they are.
func unquote(raw string) string {
	rest := raw[1 : len(raw)-1]
	if !strings.Contains(rest, `\`) {
		return rest
	}
	var decoded strings.Builder
	decoded.Grow(len(rest))
	for {
		plain, escaped, found := strings.Cut(rest, `\`)
		decoded.WriteString(plain)
		if !found {
			return decoded.String()
		}
		text, size := unescape(escaped)
		decoded.WriteString(text)
		rest = escaped[size:]
	}
}

// unescape decodes the escape that begins behind a backslash.
func unescape(text string) (decoded string, size int) {
	if text[0] != 'u' {
		if i := strings.IndexByte("bfnrt", text[0]); i >= 0 {
			return "\b\f\n\r\t"[i : i+1], 1
		}
		return text[:1], 1
	}
	const unit, pair = len(`u0000`), len(`u0000\u0000`)
	r := hexRune(text[1:unit])
	if !utf16.IsSurrogate(r) {
		return string(r), unit
	}
	if len(text) >= pair && text[unit:unit+2] == `\u` {
		if r := utf16.DecodeRune(r, hexRune(text[unit+2:pair])); r != utf8.RuneError {
			return string(r), pair
		}
	}
	return `\` + text[:unit], unit
}

func hexRune(digits string) rune {
	code, _ := strconv.ParseUint(digits, 16, 16) // valid JSON has four hex digits here
	return rune(code)
}

// cutQuoted returns the first bytes, about limit, of a longer JSON string as a
// JSON string: not cut inside an escape.
func cutQuoted(raw string, limit int) string {
	end := 1
	for end < limit {
		switch {
		case raw[end] != '\\':
			end++
		case raw[end+1] == 'u':
			end += len(`\u0000`)
		default:
			end += len(`\n`)
		}
	}
	return raw[:end] + `"`
}
