package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Secrets are the secrets of one exchange. The zero value is empty and ready to use.
// Searching a text takes linear time, however many there are. Letter case is ignored.
type Secrets struct {
	pieces  index           // of secrets of window bytes or more, found anywhere in a text
	bare    index           // their letters and digits, found among those of a text
	words   map[string]bool // shorter secrets, found as whole words
	phrases phrases         // shorter secrets that are not one word, found anywhere
}

// index finds texts of window bytes or more inside other texts, by their first bytes.
type index map[[window]byte][]string

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

// Add adds secrets that were sent, as they are and in hex and Base64. Empty ones are
// ignored.
func (s *Secrets) Add(sent ...string) {
	for _, value := range sent {
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		s.bare.addEnds(bare(words(value)))
		value = withoutMiddle(value)
		s.add(fold(value))
		digits := hex.EncodeToString([]byte(value))
		s.add(digits)
		s.add(fold(base64.RawStdEncoding.EncodeToString([]byte(value))))
		s.bare.addEnds(digits)
		for before := range 3 {
			s.bare.addEnds(bare(inBase64(value, before)))
		}
	}
}

// withoutMiddle shortens a long secret by a multiple of three bytes, which leaves its ends, and those
// of its hex and Base64, as they are.
func withoutMiddle(value string) string {
	const end = 4 * pieceLength
	if len(value) <= 2*end {
		return value
	}
	middle := (len(value) - 2*end) / 3 * 3
	return value[:end] + value[end+middle:]
}

// inBase64 is what a text looks like in the Base64 of a longer one, after so many other
// bytes (modulo 3): its first and last characters depend on these.
func inBase64(text string, before int) string {
	encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + text))
	if (before+len(text))%3 > 0 {
		encoded = encoded[:len(encoded)-1]
	}
	return encoded[min((before*8+5)/6, len(encoded)):]
}

// AddEncoded adds a secret that may be Base64, such as password2 or the pair of a Basic
// header, and what it decodes to.
func (s *Secrets) AddEncoded(sent string) {
	s.Add(sent)
	if decoded, err := base64.StdEncoding.DecodeString(sent); err == nil {
		s.Add(string(decoded))
	}
}

// addNamed adds a value with a secret name. It is searched for as a whole, as it may
// begin like harmless text, such as a URL.
func (s *Secrets) addNamed(value string) {
	if value = fold(strings.TrimSpace(value)); len(value) < minNamed || value == mask {
		return
	}
	if len(value) < window {
		s.add(value)
		return
	}
	s.pieces.add(value)
}

// add adds one spelling, folded; of a long one, its two ends.
func (s *Secrets) add(text string) {
	switch {
	case len(text) >= window:
		s.pieces.addEnds(text)
	case strings.Contains(words(text), " "), strings.Trim(text, ".") != text: // words are looked up without these
		s.phrases.add(text)
	default:
		if s.words == nil {
			s.words = map[string]bool{}
		}
		s.words[text] = true
	}
}

// addEnds adds a text, or its two ends. A short one would be found by chance.
func (x *index) addEnds(text string) {
	switch {
	case len(text) < window:
	case len(text) < 2*pieceLength:
		x.add(text)
	default:
		x.add(text[:pieceLength])
		x.add(text[len(text)-pieceLength:])
	}
}

func (x *index) add(text string) {
	if *x == nil {
		*x = index{}
	}
	text = text[:min(len(text), maxPiece)]
	start := [window]byte([]byte(text))
	switch known := (*x)[start]; {
	case slices.Contains(known, text), len(known) == 1 && len(known[0]) == window:
	case len(known) == maxAlike:
		(*x)[start] = []string{text[:window]}
	default:
		(*x)[start] = append(known, text)
	}
}

func (s *Secrets) isEmpty() bool { return len(s.pieces)+len(s.words)+len(s.phrases.known) == 0 }

// In reports whether a text repeats a secret: as it stands, with escapes or other
// punctuation, or in Base64.
func (s *Secrets) In(text string) bool {
	if s.isEmpty() {
		return false
	}
	if s.in(text) {
		return true
	}
	plain := html.UnescapeString(unescape(text))
	return plain != text && s.in(plain)
}

// unescape undoes the escapes of URLs, and of JSON inside a string.
func unescape(text string) string {
	if strings.Contains(text, "%") { // a text may have other percent signs, too
		text = escapedURL.ReplaceAllStringFunc(text, func(escaped string) string {
			plain, _ := url.PathUnescape(escaped)
			return plain
		})
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	return escapedJSON.ReplaceAllStringFunc(text, func(escaped string) (plain string) {
		_ = json.Unmarshal([]byte(`"`+escaped+`"`), &plain)
		return plain
	})
}

var (
	escapedURL  = regexp.MustCompile(`(?:%[[:xdigit:]]{2})+`)
	escapedJSON = regexp.MustCompile(`(?:\\u[[:xdigit:]]{4})+|\\["\\/]`)
)

// fold ignores letter case, and takes a plus for a space, as a form does.
func fold(text string) string { return strings.ReplaceAll(strings.ToLower(text), "+", " ") }

func (s *Secrets) in(text string) bool {
	folded := fold(text)
	if s.pieces.in(folded) || s.phrases.in(folded) {
		return true
	}
	if len(s.bare) == 0 && len(s.words) == 0 {
		return false
	}
	list := words(text)
	if s.bare.in(bare(list)) {
		return true
	}
	for word := range strings.SplitSeq(list, " ") {
		if s.words[strings.Trim(word, ".")] {
			return true
		}
	}
	return false
}

// Hide reports whether a text must be hidden: it repeats a secret, or looks like one.
func (s *Secrets) Hide(text string) bool { return s.In(text) || looksSecret(text) }

// in reports whether one of the indexed texts stands anywhere in a text in lower case.
func (x index) in(text string) bool {
	for ; len(x) > 0 && len(text) >= window; text = text[1:] {
		for _, piece := range x[[window]byte([]byte(text[:window]))] {
			if strings.HasPrefix(text, piece) {
				return true
			}
		}
	}
	return false
}

// escape matches the escapes of URLs, HTML, C, JSON and SQL, also of what is escaped already.
var escape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%u[[:xdigit:]]{4}|%[[:xdigit:]]{2}|&#?\w{1,8};` +
		`|\\+(?:u[[:xdigit:]]{4}|U[[:xdigit:]]{8}|x[[:xdigit:]]{2}|[ux]\{[[:xdigit:]]{1,8}\}|[0-7]{3}|[nrt])`)
})

// words is a text in lower case with spaces for its escapes and punctuation, but for what
// stands in the names of hosts and people.
func words(text string) string {
	if strings.ContainsAny(text, `%&\`) {
		text = escape().ReplaceAllLiteralString(text, " ")
	}
	spaced := bytes.ToLower([]byte(text)) // which takes a third of the time of strings.ToLower
	for i, c := range spaced {
		if (c < 'a' || c > 'z') && strings.IndexByte("\t\r\n\"'`<>()[]{},;:=&?!/\\|#+-_%", c) >= 0 {
			spaced[i] = ' '
		}
	}
	return string(spaced)
}

// bare is the letters and digits of a text, in lower case. Letters beyond ASCII have
// spellings that nobody can list.
func bare(text string) string {
	isOther := func(c byte) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }
	return string(slices.DeleteFunc(bytes.ToLower([]byte(text)), isOther))
}
