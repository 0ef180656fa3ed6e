package api

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// repeated finds in an answer what its request has sent and a careless service
// sends back, under whatever name.
type repeated struct {
	sent  sent
	short sent // too short to be looked for inside of words
}

// leastInside is how many bytes of a secret tell it from chance inside of a word:
// who has "harbor" for a password wants to read "harbor.example" all the same.
const leastInside = 8

func newRepeated(secrets []string) *repeated {
	r := &repeated{}
	for _, secret := range secrets {
		if len(secret) < leastInside {
			r.short.add(secret)
		} else {
			r.sent.add(secret)
		}
	}
	return r
}

// mask returns JSON with "•••" for each string, number and name that repeats a
// secret; every other byte stays what it is, and so does all that is not JSON.
func (r *repeated) mask(raw []byte) []byte {
	if !json.Valid(raw) {
		return raw
	}
	var found []span
	text := string(raw)
	for scalar := range scalars(text) {
		if strings.IndexByte("tfn", text[scalar.at]) < 0 && r.in(decoded(text, scalar)) {
			found = append(found, scalar)
		}
	}
	if len(found) == 0 {
		return raw
	}
	return maskSpans(text, found)
}

func (r *repeated) in(text string) bool { return r.sent.in(text) || r.isWordOf(text) }

// isWordOf reports whether a short secret is the text or a word of it.
func (r *repeated) isWordOf(text string) bool {
	if r.short.isEmpty() {
		return false
	}
	isShort := func(word string) bool { return slices.Contains(r.short.spellings, word) }
	text = strings.ToLower(text)
	words := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"'`<>()[]{},;:=&?!", c) })
	return isShort(text) || slices.ContainsFunc(words, func(word string) bool { return isShort(strings.Trim(word, ".")) })
}
