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
	// indexWidth is the number of bytes by which spellings are indexed.
	indexWidth = 8
	// pieceLength is the length of the pieces of a long spelling in bytes. A screen or a log may
	// cut a secret, so a piece of it is searched as well.
	pieceLength = 24
)

// SecretSearcher searches texts for secrets in all their spellings. The zero value has no secrets,
// and is ready to use. Its methods are not safe for several goroutines at once.
type SecretSearcher struct {
	needles map[string][]needle // by their first indexWidth bytes
}

// needle is a spelling of a secret, or a piece of one.
type needle struct{ text, secret string }

// SecretHit is a secret that was found.
type SecretHit struct {
	Secret string // the name of the secret
	At     int    // the offset of a spelling, or of a piece of one
}

// Add adds a secret with a name for reports, such as "password". A piece that several secrets have,
// as tokens of one issuer do, is found as that of the first. A short secret may be found by chance.
func (s *SecretSearcher) Add(name, secret string) {
	if s.needles == nil {
		s.needles = map[string][]needle{}
	}
	for _, spelling := range spellings(secret) {
		for _, piece := range pieces(spelling) {
			start := piece[:indexWidth]
			isSame := func(n needle) bool { return n.text == piece }
			if !slices.ContainsFunc(s.needles[start], isSame) {
				s.needles[start] = append(s.needles[start], needle{piece, name})
			}
		}
	}
}

// pieces cuts a text into pieces of pieceLength bytes, so that any part of it with twice that
// length contains one of them. A text that is shorter than that is its only piece.
func pieces(text string) (list []string) {
	if len(text) < 2*pieceLength {
		return []string{text}
	}
	for ; len(text) >= pieceLength; text = text[pieceLength:] {
		list = append(list, text[:pieceLength])
	}
	return list
}

// Find returns the secrets in a text, each of them once, where it is found first.
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

// percent finds the characters of a URL that are escaped.
var percent = regexp.MustCompile(`%[0-9A-F]{2}`)

// spellings are the spellings of a secret: in URLs, JSON, HTML, hex and Base64, and in Base64 of
// its spelling in a form, which a Basic header has.
func spellings(secret string) []string {
	query := url.QueryEscape(secret)
	inURL := []string{
		query,
		strings.ReplaceAll(query, "+", "%20"),
		url.PathEscape(secret),
		(&url.URL{Path: secret}).EscapedPath(),
	}
	for _, text := range inURL {
		inURL = append(inURL, percent.ReplaceAllStringFunc(text, strings.ToLower))
	}
	marshalled, _ := json.Marshal(secret) // it cannot fail for a text
	withoutHTML := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")
	inJSON := []string{
		string(marshalled),
		strconv.QuoteToASCII(secret),
		strconv.Quote(secret),
		withoutHTML.Replace(string(marshalled)),
	}
	for i, quoted := range inJSON {
		inJSON[i] = quoted[1 : len(quoted)-1]
		inJSON = append(inJSON, strings.ReplaceAll(inJSON[i], "/", `\/`))
	}
	digits := hex.EncodeToString([]byte(secret))
	list := []string{
		secret,
		html.EscapeString(secret),
		digits,
		strings.ToUpper(digits),
		strings.Trim(fmt.Sprint([]byte(secret)), "[]"),
	}
	for _, text := range slices.Concat(inBase64(secret), inBase64(query)) {
		list = append(list, text, url.QueryEscape(text))
	}
	return slices.Concat(list, inURL, inJSON)
}

// inBase64 are the characters of Base64 that depend on a text alone, with 0, 1 or 2 bytes before it
// in its group, in both alphabets.
func inBase64(text string) []string {
	var list []string
	for before, start := range [...]int{0, 2, 3} {
		padded := append(make([]byte, before), text...)
		end := len(padded) * 8 / 6 // the next character also depends on what follows
		alphabets := [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding}
		for _, alphabet := range alphabets {
			list = append(list, alphabet.EncodeToString(padded)[start:end])
		}
	}
	return list
}
