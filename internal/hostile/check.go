package hostile

import (
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

// Leaked finds in a text one of the secrets of the test so far, in any spelling, ""
// when there is none. Text that is drawn in cells is looked through without its line
// breaks and frames, too.
func (w *World) Leaked(text string) string {
	for _, secret := range w.secrets() {
		w.search.Add(secret, secret)
		w.search.Add(secret, inCells(secret))
	}
	for _, searched := range []string{text, inCells(text)} {
		if hits := w.search.Find(searched); len(hits) > 0 {
			return hits[0].Secret
		}
	}
	return ""
}

// inCells is a text as it is found on a screen: without blanks and frames.
func inCells(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n│┃║|", r) {
			return -1
		}
		return r
	}, text)
}
