package redact

import (
	"encoding/base64"
	"encoding/hex"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secrets are the secrets of one exchange. The zero value is empty and ready to use.
// Searching a text takes linear time, however many there are. Letter case is ignored.
type Secrets struct {
	pieces   index           // of secrets of window bytes or more, found anywhere in a text
	squeezed index           // of those with other characters than letters and digits, without these
	words    map[string]bool // shorter secrets, found as whole words
	phrases  []string        // shorter secrets that are not one word, found anywhere
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
// ignored. Other spellings are those of the text that is searched; see [canonical].
func (s *Secrets) Add(sent ...string) {
	for _, value := range sent {
		value = strings.TrimSpace(value)
		s.add(strings.ToLower(value))
		if plain := strings.TrimSpace(canonical(value)); len(plain) >= minNamed {
			s.add(plain)
			if short := squeeze(plain); short != plain {
				s.addSqueezed(short)
			}
		}
		digits := hex.EncodeToString([]byte(value))
		s.add(digits)
		s.addSqueezed(digits) // which may have a dash between each two
		s.add(fold(base64.RawStdEncoding.EncodeToString([]byte(value))))
		s.add(fold(base64.RawURLEncoding.EncodeToString([]byte(value))))
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

// addNamed adds a value with a secret name. It is searched for as a whole, as it may
// begin like harmless text, such as a URL.
func (s *Secrets) addNamed(value string) {
	if value = strings.TrimSpace(value); len(value) >= minNamed && value != mask {
		s.addPiece(strings.ToLower(value))
		s.addPiece(canonical(value))
	}
}

// add adds one spelling in lower case; of a long one, its two ends.
func (s *Secrets) add(text string) {
	if text != "" && len(text) < window && !isOneWord(text) && !slices.Contains(s.phrases, text) {
		s.phrases = append(s.phrases, text)
	}
	addEnds(text, s.addPiece)
}

// addEnds adds a text; of a long one, its two ends.
func addEnds(text string, add func(string)) {
	if len(text) < 2*pieceLength {
		add(text)
		return
	}
	add(text[:pieceLength])
	add(text[len(text)-pieceLength:])
}

// addSqueezed adds a spelling without punctuation. A short one would be found by chance.
func (s *Secrets) addSqueezed(text string) {
	if len(text) >= window {
		addEnds(text, s.squeezed.add)
	}
}

func (s *Secrets) addPiece(text string) {
	switch {
	case text == "":
	case len(text) >= window:
		s.pieces.add(text)
	default:
		if s.words == nil {
			s.words = map[string]bool{}
		}
		s.words[text] = true
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

func (s *Secrets) isEmpty() bool { return len(s.pieces) == 0 && len(s.words) == 0 }

// In reports whether a text repeats a secret: as it stands, in one of the spellings that
// [canonical] reads, with other punctuation, or inside Base64.
func (s *Secrets) In(text string) bool {
	if s.isEmpty() {
		return false
	}
	if s.in(strings.ToLower(text)) {
		return true
	}
	text = unescape(text)
	plain := fold(text)
	return s.in(plain) || s.inSqueezed(plain) || s.inBase64(text)
}

// in searches a text in lower case, as it stands.
func (s *Secrets) in(text string) bool {
	return s.pieces.in(text) || s.hasWord(text) ||
		slices.ContainsFunc(s.phrases, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// inSqueezed searches a folded text without its punctuation.
func (s *Secrets) inSqueezed(text string) bool {
	return s.squeezed != nil && s.squeezed.in(squeeze(text))
}

// inBase64 searches in the Base64 of an unescaped text. A short secret may stand by chance
// in what is not meant as Base64.
func (s *Secrets) inBase64(text string) bool {
	for decoded := range decodings(text) {
		plain := fold(decoded)
		if s.pieces.in(plain) || s.inSqueezed(plain) || isPrintable(plain) && s.in(plain) {
			return true
		}
	}
	return false
}

func isPrintable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
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
