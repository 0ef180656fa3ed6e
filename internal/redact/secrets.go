package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"iter"
	"net/url"
	"slices"
	"strings"
)

// Secrets are the secrets of one exchange. The zero value has none and is ready to use.
// What looks for them takes time with the length of the text alone, however many there
// are. Letter case does not count.
type Secrets struct {
	// Pieces of secrets of window bytes or more, which are found inside of anything, by
	// their first bytes.
	starts map[[window]byte][]string
	firsts *[1 << 16]bool // the first two bytes of those, to pass over most text at once

	words map[string]bool // shorter ones, found as whole words
	odd   []string        // shorter ones that are not one word, found inside of anything
}

const (
	// window is how many bytes of a secret tell it from chance inside of a word: a
	// person whose password is "harbor" wants to read "harbor.example" all the same.
	window = 8
	// pieceLength is how much of either end of a long secret is looked for: some
	// services repeat a token in part.
	pieceLength = 16
	// longestPiece is how much of a piece is compared: all of it could be as long as the
	// text, and nearly stand everywhere in it.
	longestPiece = 64
	// mostAlike is how many pieces may begin with the same bytes. Beyond that, whatever
	// begins so is hidden.
	mostAlike = 8
	// leastFound is how long a value under a secret name has to be to be looked for
	// elsewhere: "1" says nothing.
	leastFound = 4
)

// Add adds secrets that were sent, as they stand there and as a careless service writes
// them into a text. Empty ones are left out.
func (s *Secrets) Add(sent ...string) {
	for _, value := range sent {
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		if len(value) < window && !isOneWord(value) {
			s.odd = append(s.odd, strings.ToLower(value))
		}
		for _, spelling := range spellings(value) {
			s.add(spelling)
		}
	}
}

// AddEncoded adds a secret that may be Base64, as password2 is and the pair of a Basic
// header, and what it encodes.
func (s *Secrets) AddEncoded(sent string) {
	s.Add(sent)
	if decoded, err := base64.StdEncoding.DecodeString(sent); err == nil {
		s.Add(string(decoded))
	}
}

// spellings are a text as it is, in an address, in JSON, in a page, in hex and in Base64.
func spellings(text string) []string {
	quoted, _ := json.Marshal(text) // cannot fail
	inBase64 := base64.StdEncoding.EncodeToString([]byte(text))
	return []string{
		text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1]), html.EscapeString(text), hex.EncodeToString([]byte(text)),
		strings.TrimRight(inBase64, "="), url.QueryEscape(inBase64), base64.RawURLEncoding.EncodeToString([]byte(text)),
	}
}

// found adds the value of something with a secret name. It is looked for as a whole,
// for it may begin as much else does: as an address, say.
func (s *Secrets) found(value string) {
	if value = strings.TrimSpace(value); len(value) >= leastFound && value != mask {
		s.addPiece(value)
		if escaped := url.QueryEscape(value); escaped != value {
			s.addPiece(escaped)
		}
	}
}

// add adds one spelling, of a long one its two ends.
func (s *Secrets) add(text string) {
	if len(text) < 2*pieceLength {
		s.addPiece(text)
		return
	}
	s.addPiece(text[:pieceLength])
	s.addPiece(text[len(text)-pieceLength:])
}

func (s *Secrets) addPiece(text string) {
	text = strings.ToLower(text)
	if len(text) < window {
		if s.words == nil {
			s.words = map[string]bool{}
		}
		s.words[text] = true
		return
	}
	text = text[:min(len(text), longestPiece)]
	if s.starts == nil {
		s.starts, s.firsts = map[[window]byte][]string{}, new([1 << 16]bool)
	}
	start := [window]byte([]byte(text))
	known := s.starts[start]
	switch {
	case slices.Contains(known, text), len(known) == 1 && len(known[0]) == window:
		return
	case len(known) == mostAlike:
		s.starts[start] = []string{text[:window]}
	default:
		s.starts[start] = append(known, text)
	}
	s.firsts[first(text)] = true
}

func first(text string) uint16 { return uint16(text[0]) | uint16(text[1])<<8 }

func (s *Secrets) isEmpty() bool { return len(s.starts) == 0 && len(s.words) == 0 }

// In reports whether a text repeats a secret.
func (s *Secrets) In(text string) bool {
	if s.isEmpty() {
		return false
	}
	text = strings.ToLower(text)
	return s.inside(text) || s.isWordOf(text) || slices.ContainsFunc(s.odd, func(odd string) bool { return strings.Contains(text, odd) })
}

// Hide reports whether a text is to be hidden wherever it stands: it repeats a secret,
// or looks like one.
func (s *Secrets) Hide(text string) bool { return s.In(text) || looksSecret(text) }

// inside looks for the long secrets in a text in lower case.
func (s *Secrets) inside(text string) bool {
	if s.firsts == nil {
		return false
	}
	for ; len(text) >= window; text = text[1:] {
		if !s.firsts[first(text)] {
			continue
		}
		for _, piece := range s.starts[[window]byte([]byte(text[:window]))] {
			if strings.HasPrefix(text, piece) {
				return true
			}
		}
	}
	return false
}

// isWordOf looks for the short secrets in a text in lower case.
func (s *Secrets) isWordOf(text string) bool {
	if len(s.words) == 0 {
		return false
	}
	for word := range words(text) {
		if s.words[word] {
			return true
		}
	}
	return s.words[text]
}

// words are the parts of a text in which a secret may stand in a sentence or an address.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			end := 0
			for end < len(text) && !separates[text[end]] {
				end++
			}
			if word := strings.Trim(text[:end], "."); word != "" && !yield(word) {
				return
			}
			text = text[min(end+1, len(text)):]
		}
	}
}

// separates are the characters between words.
var separates = func() (table [256]bool) {
	for _, c := range []byte(" \t\r\n\"'`<>()[]{},;:=&?!") {
		table[c] = true
	}
	return table
}()

// isOneWord reports whether a text is a word and nothing else.
func isOneWord(text string) bool {
	for word := range words(text) {
		return word == text
	}
	return false
}
