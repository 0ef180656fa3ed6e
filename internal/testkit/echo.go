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

// Echo is a secret as a service may repeat it.
type Echo struct{ Way, Text string }

// EchoedPasswords are passwords that people have and services spell in their own ways.
func EchoedPasswords() []string {
	return []string{
		`O'Brien1`, "demo", "pass", "1234", `p@ss"w<rd>1`, `back\slash'd`, `R&D x 7`, "pässwörd", "пароль7", "密码本", "🔑 sesame🔒",
		`O'Brien-2026!x`, "correct horse battery staple 2026, and not a word less",
	}
}

// Echoes are a secret in the spellings of other programs, as they stand in a sentence.
func Echoes(secret string) []Echo {
	inJSON := everyUnit(secret, `\u%04x`)
	inHTML := everySign(secret, "&#%d;")
	inUTF16 := utf16LE(secret)
	return []Echo{
		{"as it is", "for " + secret},
		{"upper case", "for " + strings.ToUpper(secret)},
		{"lower case", "for " + strings.ToLower(secret)},
		{"SQL", "SELECT id FROM users WHERE pw='" + strings.ReplaceAll(secret, "'", "''") + "'"},
		{"PHP addslashes", "WHERE pw='" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`).Replace(secret) + "'"},
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
		{"hex with dashes", strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf("% X", secret)), " ", "-")},
		{"numbers", fmt.Sprint([]byte(secret))},
		{"Base64", "not known: " + base64.StdEncoding.EncodeToString([]byte(secret))},
		{"Base64 of UTF-16", "got " + base64.StdEncoding.EncodeToString(inUTF16)},
		{"Base64 in a longer one", base64.StdEncoding.EncodeToString([]byte(`{"user":"ada","pw":"` + secret + `"}`))},
		{"Base64 of a form", base64.URLEncoding.EncodeToString([]byte("user=ada&password=" + url.QueryEscape(secret)))},
		{"Base64 of Base64", base64.StdEncoding.EncodeToString([]byte("ada:" + base64.StdEncoding.EncodeToString([]byte(secret))))},
		{"quoted-printable", everyByte(secret, "=%02X")},
		{"Python bytes", "b'" + everyByte(secret, `\x%02x`) + "'"},
		{"C, octal", everyByte(secret, `\%03o`)},
		{"UTF-8 taken for Latin 1", "pw " + takenForLatin1(secret)},
		{"cut by SQL Server", "Truncated value: '" + strings.ReplaceAll(cut(secret), "'", "''") + "'."},
		{"cut", "no user with " + cut(secret) + "..."},
	}
}

// everySign writes each character but letters and digits of ASCII in a format.
func everySign(text, format string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case isPlainLetter(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, format, r)
		}
	}
	return b.String()
}

// everyUnit writes each character but letters and digits of ASCII in a format, as UTF-16.
func everyUnit(text, format string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if isPlainLetter(rune(unit)) {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, format, unit)
		}
	}
	return b.String()
}

// everyByte writes each byte but letters and digits of ASCII in a format.
func everyByte(text, format string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if isPlainLetter(rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, format, c)
		}
	}
	return b.String()
}

func isPlainLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func utf16LE(text string) (list []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		list = append(list, byte(unit), byte(unit>>8))
	}
	return list
}

func takenForLatin1(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// cut is the beginning of a text: half of it, and four of its letters or more.
func cut(text string) string {
	letters := 0
	for i, r := range text {
		if letters >= 4 && i >= len(text)/2 {
			return text[:i]
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	return text
}
