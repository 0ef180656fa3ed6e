package canary

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// spelling is a way to write a secret.
type spelling struct{ form, text string }

// spellings are those of a secret by itself, and those that wrap how it stands in
// a form: the pair of a Basic header is Base64 of that, and password2 is Base64
// inside a query.
func spellings(secret string) []spelling {
	list := plain(secret)
	for _, inner := range [...]spelling{{"", secret}, {" of what a URL has", url.QueryEscape(secret)}} {
		for _, text := range inBase64(inner.text) {
			list = append(list, spelling{"Base64" + inner.form, text}, spelling{"Base64" + inner.form + ", in a URL", url.QueryEscape(text)})
		}
	}
	digits := hex.EncodeToString([]byte(secret))
	return append(list,
		spelling{"hex", digits},
		spelling{"hex", strings.ToUpper(digits)},
		spelling{"bytes as numbers", strings.Trim(fmt.Sprint([]byte(secret)), "[]")},
	)
}

// plain are the spellings that leave letters as they are.
func plain(secret string) []spelling {
	query, path, address := url.QueryEscape(secret), url.PathEscape(secret), (&url.URL{Path: secret}).EscapedPath()
	escaped, _ := json.Marshal(secret) // cannot fail
	ascii := strconv.QuoteToASCII(secret)
	return []spelling{
		{"as it is", secret},
		{"in a URL", query}, {"in a URL", lowerEscapes(query)}, {"in a URL", strings.ReplaceAll(query, "+", "%20")},
		{"in a path", path}, {"in a path", lowerEscapes(path)}, {"in a path", address}, {"in a path", lowerEscapes(address)},
		{"in JSON", inside(string(escaped))}, {"in JSON", withoutHTMLEscapes(secret)},
		{"in JSON", strings.ReplaceAll(inside(ascii), "/", `\/`)}, {"in JSON", strings.ReplaceAll(inside(string(escaped)), "/", `\/`)},
		{"quoted", inside(ascii)}, {"quoted", inside(strconv.Quote(secret))},
		{"in HTML", html.EscapeString(secret)},
	}
}

// inside is a quoted text without its quotes.
func inside(quoted string) string { return quoted[1 : len(quoted)-1] }

func withoutHTMLEscapes(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // cannot fail
	return inside(strings.TrimSuffix(b.String(), "\n"))
}

var percent = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerEscapes(text string) string { return percent.ReplaceAllStringFunc(text, strings.ToLower) }

// inBase64 are the characters that stand for a text alone where 0, 1 or 2 bytes
// come before it in its group, in both alphabets.
func inBase64(text string) []string {
	var list []string
	for before, start := range [...]int{0, 2, 3} {
		padded := append(make([]byte, before), text...)
		end := len(padded) * 8 / 6 // the next character also has bits of what follows
		for _, alphabet := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			list = append(list, alphabet.EncodeToString(padded)[start:end])
		}
	}
	return list
}
