package api

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"unicode"
)

const maxMessage = 500 // characters of a service's own message

// oneLine makes one line of at most limit characters out of text from outside.
func oneLine(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}

// withoutBOM drops the byte order mark and the blanks around a text.
func withoutBOM(body []byte) []byte {
	body = bytes.TrimSpace(body)
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\uFEFF")))
}

// isHTML judges an answer by its first bytes, and by its media type only where
// there are some and not the start of JSON: some servers call everything text/html.
func isHTML(header http.Header, start []byte) bool {
	start = withoutBOM(start)
	if bytes.HasPrefix(start, []byte("<")) {
		return true
	}
	if len(start) == 0 || start[0] == '{' || start[0] == '[' {
		return false
	}
	return mediaType(header.Get("Content-Type")) == "text/html"
}

// mediaType is a Content-Type without its parameters, "" when it is not one.
func mediaType(contentType string) string {
	name, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return oneLine(name, 60)
}

// serviceMessage finds the service's own words in the body of a refusal,
// {"Message":"..."} or {"message":"..."}, unless they repeat a secret.
func serviceMessage(body []byte, secrets []string) string {
	var refusal struct {
		Message json.RawMessage `json:"Message"` // matches any letter case
	}
	var text string
	if json.Unmarshal(withoutBOM(body), &refusal) != nil || json.Unmarshal(refusal.Message, &text) != nil {
		return ""
	}
	if repeats(text, secrets) {
		return ""
	}
	return oneLine(text, maxMessage)
}

// repeats reports whether a careless service has put one of the secrets of the
// request into a text, in any spelling, or another one that shows by its shape.
func repeats(text string, secrets []string) bool {
	s := &sent{}
	for _, secret := range secrets {
		s.addEncoded(secret)
	}
	return s.in(text) || looksSecret(text)
}
