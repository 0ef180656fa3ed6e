package hostile

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
)

// goWords are the words in which Go, its libraries and the operating system speak
// of errors. They are not for people.
var goWords = regexp.MustCompile(`%!|0x[0-9a-f]{4}|goroutine|panic|runtime error|nil pointer|` +
	`\bEOF\b|i/o timeout|dial tcp|(?:read|write) tcp|connection reset by peer|broken pipe|context (?:canceled|deadline)|` +
	`net/http|http2?: |url\.Error|(?:Get|Post) "|malformed|oauth2|json: |unexpected end|invalid character|cannot unmarshal|` +
	`strconv|gzip: |flate: |x509: |tls: |\*api\.|\*session\.|<nil>|map\[|\bErr[A-Z]`)

// GoWords finds in a text for people what only a programmer understands, "" when
// there is nothing.
func GoWords(text string) string { return goWords.FindString(text) }

// Leaked finds in a text one of the secrets, in any of the forms that a program
// writes them in by mistake; "" when there is none. Text that is drawn in cells is
// looked through without its line breaks and frames, too.
func Leaked(text string, secrets []string) string {
	whole := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n│┃║|", r) {
			return -1
		}
		return r
	}, text)
	for _, secret := range secrets {
		for _, form := range forms(secret) {
			if strings.Contains(text, form) || strings.Contains(whole, strings.ReplaceAll(form, " ", "")) {
				return form
			}
		}
	}
	return ""
}

// forms are a secret as it is, and encoded.
func forms(secret string) []string {
	quoted, _ := json.Marshal(secret) // a string always can be
	list := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret),
		strings.Trim(string(quoted), `"`), hex.EncodeToString([]byte(secret)),
	}
	for before := range 3 { // bytes that share its first group of Base64
		padded := append(make([]byte, before), secret...)
		from, to := (before*8+5)/6, len(padded)*8/6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			list = append(list, encoding.EncodeToString(padded)[from:to])
		}
	}
	return list
}
