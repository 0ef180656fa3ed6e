package testkit

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	// indexWidth is how many bytes of a spelling lead to it.
	indexWidth = 8
	// pieceLength is the length in bytes of the parts of a long spelling. Lines cut it on
	// a screen, and excerpts in a log: whoever finds a part has found it.
	pieceLength = 24
)

// SecretSearcher searches what a run left behind for the secrets of the run, in every
// spelling in which they could stand there. The zero value knows no secret and is ready to use; its
// methods are not safe for several goroutines at once.
type SecretSearcher struct {
	needles map[string][]needle // by their first indexWidth bytes
}

// needle is a spelling of a secret or a piece of one.
type needle struct{ text, secret string }

// SecretHit is a secret that was found.
type SecretHit struct {
	Secret string // what it is called
	At     int    // the byte where a spelling of it, or a piece of one, begins
}

// Add adds a secret by a name for reports, such as "password". Of several secrets
// that have a piece in common, as tokens of one issuer have, it counts for the
// first. A short secret is found by chance.
func (s *SecretSearcher) Add(name, secret string) {
	if s.needles == nil {
		s.needles = map[string][]needle{}
	}
	for _, spelling := range spellings(secret) {
		for _, piece := range pieces(spelling) {
			start := piece[:indexWidth]
			if !slices.ContainsFunc(s.needles[start], func(n needle) bool { return n.text == piece }) {
				s.needles[start] = append(s.needles[start], needle{piece, name})
			}
		}
	}
}

// pieces cuts a text that is so long that any piece of double length has a whole
// one in it; a shorter one is its own only piece.
func pieces(text string) (list []string) {
	if len(text) < 2*pieceLength {
		return []string{text}
	}
	for ; len(text) >= pieceLength; text = text[pieceLength:] {
		list = append(list, text[:pieceLength])
	}
	return list
}

// Find returns the secrets in a text, each once, where it is found first.
func (s *SecretSearcher) Find(text string) []SecretHit {
	var hits []SecretHit
	for at := range max(0, len(text)-indexWidth+1) {
		for _, n := range s.needles[text[at:at+indexWidth]] {
			found := func(hit SecretHit) bool { return hit.Secret == n.secret }
			if strings.HasPrefix(text[at:], n.text) && !slices.ContainsFunc(hits, found) {
				hits = append(hits, SecretHit{n.secret, at})
			}
		}
	}
	return hits
}

var percent = regexp.MustCompile(`%[0-9A-F]{2}`)

// spellings are those of a secret by itself, and those that wrap how it stands in
// a form: the pair of a Basic header is Base64 of that, and password2 is Base64
// inside a query.
func spellings(secret string) []string {
	query := url.QueryEscape(secret)
	inURL := []string{query, strings.ReplaceAll(query, "+", "%20"), url.PathEscape(secret), (&url.URL{Path: secret}).EscapedPath()}
	for _, text := range inURL {
		inURL = append(inURL, percent.ReplaceAllStringFunc(text, strings.ToLower))
	}
	marshalled, _ := json.Marshal(secret) // cannot fail
	inJSON := []string{string(marshalled), strconv.QuoteToASCII(secret), strconv.Quote(secret),
		strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(marshalled))}
	for i, quoted := range inJSON {
		inJSON[i] = quoted[1 : len(quoted)-1]
		inJSON = append(inJSON, strings.ReplaceAll(inJSON[i], "/", `\/`))
	}
	digits := hex.EncodeToString([]byte(secret))
	list := []string{secret, html.EscapeString(secret), digits, strings.ToUpper(digits), strings.Trim(fmt.Sprint([]byte(secret)), "[]")}
	for _, text := range slices.Concat(inBase64(secret), inBase64(query)) {
		list = append(list, text, url.QueryEscape(text))
	}
	return slices.Concat(list, inURL, inJSON)
}

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
