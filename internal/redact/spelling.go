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
		plain := text
		if strings.ContainsAny(text, "%\\'\"`") {
			plain = escape().ReplaceAllStringFunc(text, unescapeOne)
		}
		if plain = html.UnescapeString(plain); plain == text {
			break
		}
		text = plain
	}
	return fromLatin1(text)
}

// escape matches an escape with a percent sign, with a backslash as C, JSON, SQL and LDAP
// have them, or several equal quotes.
var escape = onceCompiled(`(?s)%u[[:xdigit:]]{4}|%[[:xdigit:]]{2}|\\u[dD][89abAB][[:xdigit:]]{2}\\u[[:xdigit:]]{4}|\\u[[:xdigit:]]{4}|\\U[[:xdigit:]]{8}` +
	`|\\[ux]\{[[:xdigit:]]{1,8}\}|\\x[[:xdigit:]]{2}|\\[0-7]{3}|\\[[:xdigit:]]{2}|\\.|'{2,}|"{2,}|` + "`{2,}")

// unescapeOne is what an escape stands for.
func unescapeOne(escaped string) string {
	code := strings.Trim(escaped[1:], "uUx{}")
	base := 16
	switch kind := escaped[1]; {
	case escaped[0] != '%' && escaped[0] != '\\': // quotes
		return escaped[:1]
	case len(escaped) == len(`\ud83d\ude00`) && kind == 'u' && escaped[6] == '\\':
		return string(utf16.DecodeRune(number(escaped[2:6], 16), number(escaped[8:], 16)))
	case code == escaped[1:] && len(code) == len("101"):
		base = 8
	case strings.IndexByte("abnrtfv", kind) >= 0 && len(escaped) == len(`\n`):
		return " "
	case len(escaped) == len(`\'`):
		return escaped[1:]
	}
	if len(code) <= len("101") && escaped[2] != '{' {
		return string([]byte{byte(number(code, base))})
	}
	return string(number(code, base))
}

// number is a code in digits.
func number(digits string, base int) rune {
	n, _ := strconv.ParseUint(digits, base, 31) // beyond that it is no character
	return rune(n)
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
