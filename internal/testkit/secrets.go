package testkit

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

const (
	// indexWidth is how many bytes of a spelling lead to it.
	indexWidth = 8
	// pieceLength is the length in bytes of the parts of a long spelling. Lines cut it on
	// a screen, and excerpts in a log: whoever finds a part has found it.
	pieceLength = 24
	// shortestSecret is how long a secret must be, not to be found by chance.
	shortestSecret = 10
)

// SecretSearcher searches what a run left behind for the secrets of the run, in every
// spelling in which they could stand there. The zero value knows no secret and is ready to use; its
// methods are not safe for several goroutines at once.
type SecretSearcher struct {
	byStart map[[indexWidth]byte][]needle
	known   map[string]bool // spellings
}

// needle is a spelling of a secret or a piece of one.
type needle struct{ text, secret, form string }

// SecretHit is a secret that was found.
type SecretHit struct {
	Secret string // what it is called
	Form   string // in which spelling
	At     int    // the byte where it, or a piece of it, begins
}

// Add adds a secret by a name for reports, such as "password". Of several secrets
// that have a piece in common, as tokens of one issuer have, it counts for the
// first. A secret of fewer than ten bytes is refused with a panic: it would be
// found by chance.
func (s *SecretSearcher) Add(name, secret string) {
	if len(secret) < shortestSecret {
		panic(fmt.Sprintf("the %s is too short to be searched for", name))
	}
	if s.byStart == nil {
		s.byStart, s.known = map[[indexWidth]byte][]needle{}, map[string]bool{}
	}
	for _, spelling := range spellings(secret) {
		for text := range pieces(spelling.text) {
			if s.known[text] {
				continue
			}
			s.known[text] = true
			start := [indexWidth]byte([]byte(text))
			s.byStart[start] = append(s.byStart[start], needle{text, name, spelling.form})
		}
	}
}

// pieces cuts a text that is so long that any piece of double length has a whole
// one in it; a shorter one is its own only piece.
func pieces(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if len(text) < 2*pieceLength {
			yield(text)
			return
		}
		for ; len(text) >= pieceLength; text = text[pieceLength:] {
			if !yield(text[:pieceLength]) {
				return
			}
		}
	}
}

// Find returns the secrets in a text, each spelling of each once, where it is
// found first.
func (s *SecretSearcher) Find(text string) []SecretHit {
	var hits []SecretHit
	seen := map[SecretHit]bool{}
	var window [indexWidth]byte
	for at := 0; at+indexWidth <= len(text); at++ {
		copy(window[:], text[at:])
		for _, n := range s.byStart[window] {
			hit := SecretHit{Secret: n.secret, Form: n.form}
			if seen[hit] || len(text)-at < len(n.text) || text[at:at+len(n.text)] != n.text {
				continue
			}
			seen[hit] = true
			hit.At = at
			hits = append(hits, hit)
		}
	}
	return hits
}

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
