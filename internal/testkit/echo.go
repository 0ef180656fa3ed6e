package testkit

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Echo is a secret as a service may repeat it, in a spelling that Way names.
type Echo struct{ Way, Text string }

// EchoedPasswords are passwords that people may have, and that services spell in many ways.
func EchoedPasswords() []string {
	return []string{
		`O'Brien1`, "demo", "pass", "1234", `p@ss"w<rd>1`, `back\slash'd`, `R&D x 7`,
		"pässwörd", "пароль7", "密码本", "🔑 sesame🔒",
		`O'Brien-2026!x`, "correct horse battery staple 2026, and not a word less",
	}
}

// Echoes are sentences with a secret, in the spellings of many programs.
func Echoes(secret string) []Echo {
	inJSON := everyUnit(secret, `\u%04x`)
	inHTML := everySign(secret, "&#%d;")
	inPHP := strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`).Replace(secret)
	inSQL := func(text string) string { return strings.ReplaceAll(text, "'", "''") }
	hexBytes := strings.TrimSpace(fmt.Sprintf("% X", secret))
	base64Of := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	form := "user=ada&password=" + url.QueryEscape(secret)
	return []Echo{
		{"as it is", "for " + secret},
		{"upper case", "for " + strings.ToUpper(secret)},
		{"lower case", "for " + strings.ToLower(secret)},
		{"SQL", "SELECT id FROM users WHERE pw='" + inSQL(secret) + "'"},
		{"PHP addslashes", "WHERE pw='" + inPHP + "'"},
		{"JavaScript", `"` + everySign(secret, `\u{%x}`) + `"`},
		{"C", `"` + everyByte(secret, `\x%02x`) + `"`},
		{"JSON", `{"pw":"` + inJSON + `"}`},
		{"JSON in JSON", strings.ReplaceAll(inJSON, `\`, `\\`)},
		{"HTML, decimal", inHTML},
		{"HTML, hexadecimal", everySign(secret, "&#x%X;")},
		{"HTML, by names", html.EscapeString(secret)},
		{"HTML, twice", html.EscapeString(inHTML)},
		{"URL", "/login?x=1&pw=" + url.QueryEscape(secret)},
		{"URL, twice", "/login?pw=" + url.QueryEscape(url.PathEscape(secret))},
		{"shell", "run '" + strings.ReplaceAll(secret, "'", `'\''`) + "'"},
		{"LDAP", "(&(uid=ada)(pw=" + everyByte(secret, `\%02x`) + "))"},
		{"hex", "0x" + hex.EncodeToString([]byte(secret))},
		{"hex with dashes", strings.ReplaceAll(hexBytes, " ", "-")},
		{"numbers", fmt.Sprint([]byte(secret))},
		{"Base64", "not known: " + base64Of(secret)},
		{"Base64 of UTF-16", "got " + base64Of(string(utf16LE(secret)))},
		{"Base64 in a longer one", base64Of(`{"user":"ada","pw":"` + secret + `"}`)},
		{"Base64 of a form", base64.URLEncoding.EncodeToString([]byte(form))},
		{"Base64 of Base64", base64Of("ada:" + base64Of(secret))},
		{"quoted-printable", everyByte(secret, "=%02X")},
		{"Python bytes", "b'" + everyByte(secret, `\x%02x`) + "'"},
		{"C, octal", everyByte(secret, `\%03o`)},
		{"UTF-8 taken for Latin 1", "pw " + takenForLatin1(secret)},
		{"cut by SQL Server", "Truncated value: '" + inSQL(cut(secret)) + "'."},
		{"cut", "no user with " + cut(secret) + "..."},
	}
}

// everySign writes each character in a format, except for letters and digits of ASCII.
func everySign(text, format string) string {
	var b strings.Builder
	for _, r := range text {
		if isPlain(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, format, r)
		}
	}
	return b.String()
}

// everyUnit writes each unit of UTF-16 in a format, except for letters and digits of ASCII.
func everyUnit(text, format string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if isPlain(rune(unit)) {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, format, unit)
		}
	}
	return b.String()
}

// everyByte writes each byte in a format, except for letters and digits of ASCII.
func everyByte(text, format string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if isPlain(rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, format, c)
		}
	}
	return b.String()
}

// isPlain reports whether a character is a letter or digit of ASCII.
func isPlain(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// utf16LE is a text in UTF-16, with the lower byte of each unit first.
func utf16LE(text string) (list []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		list = append(list, byte(unit), byte(unit>>8))
	}
	return list
}

// takenForLatin1 is a text whose bytes were read as Latin 1.
func takenForLatin1(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// cut is the beginning of a text: at least half of it, with at least minLetters letters and digits.
func cut(text string) string {
	const minLetters = 4
	letters := 0
	for i, r := range text {
		if letters >= minLetters && i >= len(text)/2 {
			return text[:i]
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	return text
}
