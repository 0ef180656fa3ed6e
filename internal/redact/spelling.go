package redact

import (
	"encoding/base64"
	"html"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxRounds is how often what is escaped may be escaped again, such as HTML in JSON in a
// URL.
const maxRounds = 4

// canonical is a text in the form in which texts and secrets are compared: without
// escapes, and folded.
func canonical(text string) string { return fold(unescape(text)) }

// fold ignores letter case, and takes a plus for a space, as a form does.
func fold(text string) string { return strings.ReplaceAll(strings.ToLower(text), "+", " ") }

// unescape undoes the escapes that other programs put into what they repeat: percent, HTML
// and XML, backslashes and doubled quotes. It keeps what it does not understand.
func unescape(text string) string {
	for range maxRounds {
		plain := unescapeQuotes(html.UnescapeString(unescapePercent(text)))
		if plain == text {
			break
		}
		text = plain
	}
	return fromLatin1(text)
}

// fromLatin1 takes the bytes that are not UTF-8 for Latin 1.
func fromLatin1(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			r = rune(text[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unescapePercent decodes %41 and %u0041.
func unescapePercent(text string) string {
	before, after, more := strings.Cut(text, "%")
	if !more {
		return text
	}
	var b strings.Builder
	for ; more; before, after, more = strings.Cut(after, "%") {
		b.WriteString(before)
		if r, ok := number(after, 2, 16); ok {
			b.WriteByte(byte(r))
			after = after[2:]
		} else if r, ok := number(strings.TrimPrefix(after, "u"), 4, 16); ok {
			b.WriteRune(r)
			after = after[5:]
		} else {
			b.WriteByte('%')
		}
	}
	b.WriteString(before)
	return b.String()
}

// unescapeQuotes decodes escapes with a backslash, as C, JSON, SQL and LDAP have them, and
// makes one of several equal quotes.
func unescapeQuotes(text string) string {
	if !strings.ContainsAny(text, "\\'\"`") {
		return text
	}
	var b strings.Builder
	var last byte
	for text != "" {
		c := text[0]
		switch {
		case c == '\\' && len(text) > 1:
			text = text[unescapeBackslash(&b, text):]
		case c == last && strings.IndexByte("'\"`", c) >= 0:
			text = text[1:]
		default:
			b.WriteByte(c)
			text = text[1:]
		}
		last = c
	}
	return b.String()
}

// unescapeBackslash writes what stands for the escape at the beginning of a text, and
// returns the length of the escape.
func unescapeBackslash(b *strings.Builder, text string) (length int) {
	code, _, braces := strings.Cut(text[2:min(12, len(text))], "}")
	switch kind := text[1]; {
	case braces && strings.HasPrefix(code, "{"):
		if r, ok := number(code[1:], len(code)-1, 16); ok && (kind == 'x' || kind == 'u') {
			b.WriteRune(r)
			return len(code) + 3
		}
	case kind == 'u':
		if r, ok := number(text[2:], 4, 16); ok {
			return 2 + 4 + unescapeUTF16(b, r, text[6:])
		}
	case kind == 'U':
		if r, ok := number(text[2:], 8, 16); ok {
			b.WriteRune(r)
			return 10
		}
	case kind == 'x':
		if r, ok := number(text[2:], 2, 16); ok {
			b.WriteByte(byte(r))
			return 4
		}
	case strings.IndexByte("abnrtfv", kind) >= 0:
		b.WriteByte(' ')
		return 2
	default:
		if r, ok := number(text[1:], 3, 8); ok {
			b.WriteByte(byte(r))
			return 4
		}
		if r, ok := number(text[1:], 2, 16); ok {
			b.WriteByte(byte(r))
			return 3
		}
	}
	b.WriteByte(text[1])
	return 2
}

// unescapeUTF16 writes a code unit of UTF-16, with the second half of a pair that follows
// it, and returns the length of that.
func unescapeUTF16(b *strings.Builder, r rune, after string) (length int) {
	if second, ok := number(strings.TrimPrefix(after, `\u`), 4, 16); ok && utf16.IsSurrogate(r) && after[0] == '\\' {
		b.WriteRune(utf16.DecodeRune(r, second))
		return 6
	}
	b.WriteRune(r)
	return 0
}

// number is the number that a text begins with.
func number(text string, count, base int) (rune, bool) {
	if len(text) < count {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:count], base, 31)
	return rune(n), err == nil
}

// squeeze is a text in lower case without what is no letter or digit of ASCII: other
// characters have spellings that nobody can list.
func squeeze(text string) string {
	short := make([]byte, 0, len(text))
	for _, c := range []byte(text) {
		if isLetterOrDigit(c) {
			short = append(short, c)
		}
	}
	return string(short)
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// minBase64 is the minimum length of Base64 that is decoded: most words are shorter.
const minBase64 = 8

// decodings are what the Base64 in a text decodes to, in either alphabet. Where it begins
// is unknown, as a path may stand before it.
func decodings(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			end := 0
			for end < len(text) && isBase64[text[end]] {
				end++
			}
			if end >= minBase64 && !decode(text[:end], yield) {
				return
			}
			text = text[min(end+1, len(text)):]
		}
	}
}

// decode yields what Base64 decodes to in each of its four alignments, without the zeros of
// UTF-16.
func decode(word string, yield func(string) bool) bool {
	word = toStandard.Replace(word)
	for start := range 4 {
		aligned := word[start:]
		if len(aligned)%4 == 1 {
			aligned = aligned[:len(aligned)-1]
		}
		decoded, err := base64.RawStdEncoding.DecodeString(aligned)
		if err == nil && !yield(unescape(strings.ReplaceAll(string(decoded), "\x00", ""))) {
			return false
		}
	}
	return true
}

var (
	toStandard = strings.NewReplacer("-", "+", "_", "/")

	isBase64 = func() (table [256]bool) {
		for c := range table {
			table[c] = isLetterOrDigit(byte(c)) || strings.IndexByte("+/-_", byte(c)) >= 0
		}
		return table
	}()
)
