package redact

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secrets are the secrets of one exchange. The zero value is empty and ready to use.
//
// A text repeats a secret if it has the letters and digits of the secret in their order, in any
// case and with any signs between them. Before they are compared, escapes are undone in both, and
// parts of the text that may be Base64 or numbers are decoded. A short secret, with fewer than
// eight letters, all of ASCII, has to be a whole word or several: "demo" is not repeated by
// "demonstrate", and "harbor" not by a text that is nothing but the address "harbor.example".
// If its signs make it eight bytes or more, the secret as it is spelled counts anywhere: "to-ken-s"
// is repeated by "to-ken-s1".
//
// A text also repeats a secret that was sent if it quotes a part of it, or has its beginning with
// "..." behind it. Searching a text takes linear time, however many secrets there are.
type Secrets struct {
	// What is looked for in the letters of a text. Long and short is what minLong says.
	pieces   index      // the ends of long secrets
	words    wordSet    // short secrets of ASCII
	nonASCII shortTexts // short secrets with characters beyond ASCII
	cuts     cuts       // parts of secrets that were sent

	// What is looked for in a text as it is spelled.
	signs   []string // secrets without letters
	spelled index    // short secrets that are long with their signs, in lower case
	named   index    // long values with secret names, in lower case; in names alone

	// What is looked for in the letters of what was decoded, beside pieces and nonASCII.
	shortSent []string   // the words that were sent, but for the shortest
	bases     shortTexts // the first base letters of each secret with characters beyond ASCII

	wasSent     bool // a secret was sent, so a service may have encoded it
	hasNonASCII bool // one that was sent has characters beyond ASCII
}

const (
	// minNamed is the minimum length of a value with a secret name to be searched for
	// elsewhere: "1" says nothing.
	minNamed = 4
	// maxSigns is how many secrets without letters are known.
	maxSigns = 100
	// maxLayers is how often a text is decoded: Base64 may be a part of what is Base64 itself.
	maxLayers = 2
	// maxSentEnd is how much of either end of a secret that was sent is read, in bytes. All that is
	// searched for stands there, and to read a token of 1 MiB with each request takes long.
	maxSentEnd = 16 << 10
)

// Add adds secrets that were sent. Empty ones are ignored.
func (s *Secrets) Add(sent ...string) {
	for _, value := range sent {
		value = strings.TrimSpace(value)
		if value == "" {
			continue
		}
		s.wasSent = true
		for _, reading := range readings(bothEnds(value)) {
			s.addSent(reading)
		}
	}
}

// bothEnds is a secret without the middle of a very long one.
func bothEnds(value string) string {
	if len(value) <= 2*maxSentEnd {
		return value
	}
	return value[:maxSentEnd] + " " + value[len(value)-maxSentEnd:]
}

// addSent adds one reading of a secret that was sent: a text may say that as it is.
func (s *Secrets) addSent(reading string) {
	l := lettersOf(reading)
	s.addReading(reading, l.text)
	s.cuts.add(l)
	if !isASCII(reading) {
		s.addLossy(reading)
	}
	if len(l.text) < minLong && isASCII(l.text) {
		s.addShort(reading, l.text)
	}
}

// addLossy adds a secret with characters beyond ASCII as services spell it that cannot: without
// marks, or without these characters.
func (s *Secrets) addLossy(value string) {
	s.hasNonASCII = true
	s.addLetters(lettersOf(withoutMarks(value)).text)
	if rest := lettersOf(asciiOnly(value)).text; len(rest) >= minCut {
		s.addLetters(rest)
	}
}

// addShort adds how a short secret of ASCII is found where it is no word: with all its signs, or
// encoded.
func (s *Secrets) addShort(value, text string) {
	if lower := strings.ToLower(value); len(lower) >= minLong {
		s.spelled.add(lower)
	}
	if len(text) >= minCut {
		s.shortSent = append(s.shortSent, text)
		return
	}
	// Whatever is decoded may have so few letters by chance, so they are looked for as encoded.
	for _, encoded := range encodings(value) {
		s.addLetters(lettersOf(encoded).text)
	}
}

// AddEncoded adds a secret that may be Base64, such as password2 or the pair of a Basic
// header, and what it decodes to.
func (s *Secrets) AddEncoded(sent string) {
	s.Add(sent)
	if decoded, err := base64.StdEncoding.DecodeString(sent); err == nil && isText(decoded) {
		s.Add(string(decoded))
	}
}

// isText reports whether bytes can be a text that somebody typed.
func isText(decoded []byte) bool {
	return utf8.Valid(decoded) && !slices.ContainsFunc([]rune(string(decoded)), unicode.IsControl)
}

// addNamed adds a value with a secret name. It is searched for as a whole, as it may
// begin like harmless text, such as a URL.
func (s *Secrets) addNamed(value string) {
	value = strings.TrimSpace(value)
	if len(value) < minNamed || value == mask {
		return
	}
	if lower := strings.ToLower(value); len(lower) >= minLong {
		s.named.add(lower)
	}
	if text := lettersOf(value).text; len(text) >= minLong {
		s.pieces.add(text)
	} else {
		s.addReading(value, text)
	}
}

// addReading adds a secret by its letters, or as it is if it has none.
func (s *Secrets) addReading(value, text string) {
	switch {
	case text != "":
		s.addLetters(text)
	case value != "" && len(s.signs) < maxSigns:
		s.signs = append(s.signs, value)
	}
}

// addLetters adds a secret by its letters, if it has any; of a long one, by its two ends.
func (s *Secrets) addLetters(text string) {
	if !isASCII(text) {
		bases := basesOf(text)
		s.bases.add(bases[:min(len(bases), minLong-1)])
	}
	switch {
	case text == "":
	case len(text) >= minLong:
		s.pieces.addEnds(text)
	case !isASCII(text): // with letters that are no words, or that nobody can spell
		s.nonASCII.add(text)
	default:
		s.words.add(text)
	}
}

func (s *Secrets) isEmpty() bool {
	return len(s.pieces)+len(s.words)+len(s.nonASCII)+len(s.signs) == 0
}

// Hide reports whether a text must be hidden: it repeats a secret, or looks like one.
func (s *Secrets) Hide(text string) bool { return s.In(text) || looksSecret(text) }

// In reports whether a text repeats a secret: as it stands, with escapes or other signs, or
// encoded.
func (s *Secrets) In(text string) bool { return !s.isEmpty() && s.inText(text, 0) }

// inText reports whether a text repeats a secret in any of the ways in which it can be read. layer
// is how often it was decoded.
func (s *Secrets) inText(text string, layer int) bool {
	all := readings(text)
	if slices.ContainsFunc(all, s.inReading) {
		return true
	}
	if !s.wasSent {
		return false
	}
	plain := all[len(all)-1]
	return s.inEncoded(text, layer) || plain != text && s.inEncoded(plain, layer)
}

// inReading reports whether a text repeats a secret as it stands.
func (s *Secrets) inReading(text string) bool {
	l := lettersOf(text)
	if s.pieces.in(l.text) || s.words.in(l) || s.cuts.in(l) || s.nonASCII.in(l.text) {
		return true
	}
	if containsAny(text, s.signs) || len(s.spelled) > 0 && s.spelled.in(strings.ToLower(text)) {
		return true
	}
	if !s.hasNonASCII || isASCII(text) {
		return false
	}
	rest := lettersOf(asciiOnly(text))
	return s.pieces.in(rest.text) || s.words.in(rest)
}

// inEncoded reports whether a text repeats a secret in a part of it that is encoded.
func (s *Secrets) inEncoded(text string, layer int) bool {
	for decoded := range decodings(text) {
		if s.inDecoded(decoded, layer) {
			return true
		}
	}
	return false
}

// inDecoded reports whether bytes that were decoded repeat a secret. There is no telling
// where the words of them begin.
func (s *Secrets) inDecoded(decoded []byte, layer int) bool {
	if text := bare(decoded); s.pieces.in(text) || containsAny(text, s.shortSent) {
		return true
	}
	if s.hasNonASCII && s.inDecodedNonASCII(decoded) {
		return true
	}
	if layer+1 == maxLayers {
		return false
	}
	for text := range plainParts(decoded) {
		if s.inText(text, layer+1) {
			return true
		}
	}
	return false
}

// inDecodedNonASCII is inDecoded for letters beyond ASCII, which are several bytes in each
// encoding.
func (s *Secrets) inDecodedNonASCII(decoded []byte) bool {
	if s.inLetters(legible(decoded)) {
		return true
	}
	for text := range fromUTF16(decoded) {
		if s.inLetters(text) {
			return true
		}
	}
	return false
}

// inLetters reports whether the letters of a text that was decoded repeat a secret. Most do not,
// which their base letters tell sooner.
func (s *Secrets) inLetters(text string) bool {
	has := func(letters string, nonASCII shortTexts) bool {
		return s.pieces.in(letters) || containsAny(letters, s.shortSent) || nonASCII.in(letters)
	}
	return has(basesOf(text), s.bases) && has(lettersOf(text).text, s.nonASCII)
}
