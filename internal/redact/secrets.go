package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Secrets are the secrets of one exchange. The zero value is empty and ready to use.
// Searching a text takes linear time, however many there are. Letter case is ignored.
type Secrets struct {
	// Pieces of secrets of window bytes or more, by their first bytes. They are found
	// anywhere in a text.
	starts map[[window]byte][]string
	firsts *[firstPairs]bool // the first two bytes of those, to skip most text quickly

	words   map[string]bool // shorter secrets, found as whole words
	phrases []string        // shorter secrets that are not one word, found anywhere
}

const (
	// window is the minimum length in bytes of a secret that is found inside a word:
	// somebody whose password is "harbor" still has to be able to read "harbor.example".
	window = 8
	// pieceLength is how much of either end of a long secret is searched for: some
	// services repeat part of a token.
	pieceLength = 16
	// maxPiece is how much of a piece is compared: comparing all of it could take
	// quadratic time.
	maxPiece = 64
	// maxAlike is how many pieces may have the same first bytes. Beyond that, everything
	// that begins like them is hidden.
	maxAlike = 8
	// minNamed is the minimum length of a value with a secret name to be searched for
	// elsewhere: "1" says nothing.
	minNamed = 4
)

// Add adds secrets that were sent, as they are and in other encodings in which a service
// may repeat them. Empty ones are ignored.
func (s *Secrets) Add(sent ...string) {
	for _, value := range sent {
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		if len(value) < window && !isOneWord(value) {
			s.phrases = append(s.phrases, strings.ToLower(value))
		}
		for _, spelling := range spellings(value) {
			s.add(spelling)
		}
	}
}

// AddEncoded adds a secret that may be Base64, such as password2 or the pair of a Basic
// header, and what it decodes to.
func (s *Secrets) AddEncoded(sent string) {
	s.Add(sent)
	if decoded, err := base64.StdEncoding.DecodeString(sent); err == nil {
		s.Add(string(decoded))
	}
}

// spellings are a text as it is, and encoded for a URL, JSON, HTML, hex and Base64.
func spellings(text string) []string {
	quoted, _ := json.Marshal(text) // cannot fail
	inBase64 := base64.StdEncoding.EncodeToString([]byte(text))
	return []string{
		text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1]), html.EscapeString(text), hex.EncodeToString([]byte(text)),
		strings.TrimRight(inBase64, "="), url.QueryEscape(inBase64), base64.RawURLEncoding.EncodeToString([]byte(text)),
	}
}

// addNamed adds a value with a secret name. It is searched for as a whole, as it may
// begin like harmless text, such as a URL.
func (s *Secrets) addNamed(value string) {
	if value = strings.TrimSpace(value); len(value) >= minNamed && value != mask {
		s.addPiece(value)
		if escaped := url.QueryEscape(value); escaped != value {
			s.addPiece(escaped)
		}
	}
}

// add adds one spelling; of a long one, its two ends.
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
	text = text[:min(len(text), maxPiece)]
	if s.starts == nil {
		s.starts, s.firsts = map[[window]byte][]string{}, new([firstPairs]bool)
	}
	start := [window]byte([]byte(text))
	known := s.starts[start]
	switch {
	case slices.Contains(known, text), len(known) == 1 && len(known[0]) == window:
		return
	case len(known) == maxAlike:
		s.starts[start] = []string{text[:window]}
	default:
		s.starts[start] = append(known, text)
	}
	s.firsts[first(text)] = true
}

// firstPairs is how many numbers [first] has: few for what each request takes with it, and
// enough to tell letters and digits apart.
const firstPairs = 1 << 12

// first is a number for the first two bytes of a text, the same for some others.
func first(text string) uint16 { return (uint16(text[0]) ^ uint16(text[1])<<5) % firstPairs }

func (s *Secrets) isEmpty() bool { return len(s.starts) == 0 && len(s.words) == 0 }

// In reports whether a text repeats a secret, also with any of its bytes percent-encoded:
// which ones differs from one library to the next.
func (s *Secrets) In(text string) bool {
	if s.isEmpty() {
		return false
	}
	text = strings.ToLower(text)
	if s.in(text) {
		return true
	}
	if !strings.ContainsAny(text, "%+") {
		return false
	}
	text = strings.ToLower(unescapePercent(text))
	return s.in(text) || strings.Contains(text, "+") && s.in(strings.ReplaceAll(text, "+", " "))
}

// in is In for a text in lower case, as it stands.
func (s *Secrets) in(text string) bool {
	return s.inside(text) || s.hasWord(text) ||
		slices.ContainsFunc(s.phrases, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// unescapePercent decodes what is percent-encoded in a text and keeps everything else.
func unescapePercent(text string) string {
	var b strings.Builder
	for before, after, more := strings.Cut(text, "%"); ; before, after, more = strings.Cut(after, "%") {
		b.WriteString(before)
		if !more {
			return b.String()
		}
		c, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8)
		if err != nil || len(after) < 2 {
			b.WriteByte('%')
			continue
		}
		b.WriteByte(byte(c))
		after = after[2:]
	}
}

// Hide reports whether a text must be hidden: it repeats a secret, or looks like one.
func (s *Secrets) Hide(text string) bool { return s.In(text) || looksSecret(text) }

// inside searches for the long secrets in a text in lower case.
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

// hasWord searches for the short secrets in a text in lower case.
func (s *Secrets) hasWord(text string) bool {
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

// words are the parts of a text in which a secret may stand in a sentence or a URL.
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

// separates has the characters between words.
var separates = func() (table [256]bool) {
	for _, c := range []byte(" \t\r\n\"'`<>()[]{},;:=&?!/\\|#+-_%") {
		table[c] = true
	}
	return table
}()

// isOneWord reports whether a text is exactly one word.
func isOneWord(text string) bool {
	for word := range words(text) {
		return word == text
	}
	return false
}
