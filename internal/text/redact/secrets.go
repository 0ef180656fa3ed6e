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
// A text repeats a secret if the letters and digits of the secret stand in it one after
// another, in any case and with any signs between them. Of both all escapes are undone first,
// and what the text has in Base64 or as numbers counts as well. A secret with fewer than
// eight letters, all of ASCII, has to be a whole word or several: "demo" is not repeated by
// "demonstrate", and "harbor" not by a text that is nothing but the address "harbor.example".
// If its signs make it eight bytes or more, the secret as it is spelled counts anywhere: "to-ken-s"
// is repeated by "to-ken-s1".
//
// A text also repeats a secret that was sent if it quotes a part of it, or has its beginning with
// "..." behind it. Searching a text takes linear time, however many secrets there are.
type Secrets struct {
	pieces   index                     // letters of secrets of window bytes or more, found anywhere
	words    map[string]bool           // letters of shorter ones of ASCII, found as whole words
	beyond   shortTexts                // letters of shorter ones beyond ASCII, found anywhere
	bases    shortTexts                // the first base letters of all secrets beyond ASCII
	short    []string                  // those of words that were sent, found anywhere in what was encoded
	signs    []string                  // secrets that have no letters
	named    index                     // long values with secret names, in lower case
	spelled  index                     // those of words that have window bytes with their signs, in lower case
	cuts     map[[minCut]byte][]string // letters of a secret that was sent, from each of its words on
	wasSent  bool                      // some were sent, and may have been encoded
	hasOther bool                      // one that was sent has characters beyond ASCII
}

// index finds texts of window bytes or more inside other texts, by their first bytes.
type index map[[window]byte][]string

// shortTexts finds texts of less than window bytes inside other texts, by their length.
type shortTexts map[int]map[string]bool

const (
	// window is the minimum length in bytes of a secret that is found inside a word.
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
	// minCut is how many bytes of a secret are found where a text has no more of it.
	minCut = 4
	// anyPart stands for all parts that begin alike, where there are more than maxAlike.
	anyPart = ""
	// maxCuts is how many places of a secret are known at which a part of it may begin.
	maxCuts = 16
	// maxSigns is how many secrets without letters are known.
	maxSigns = 100
	// maxLayers is how often a text is decoded: Base64 may be a part of what is Base64 itself.
	maxLayers = 2
)

// Add adds secrets that were sent. Empty ones are ignored.
func (s *Secrets) Add(sent ...string) {
	for _, value := range sent {
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		s.wasSent = true
		for _, reading := range readings(bothEnds(value)) {
			s.addSent(reading)
		}
	}
}

// maxSentEnd is how much of either end of a secret that was sent is read, in bytes. All that is
// searched for stands there, and to read a token of 1 MiB with each request takes long.
const maxSentEnd = 16 << 10

// bothEnds is a secret without the middle of a very long one.
func bothEnds(value string) string {
	if len(value) <= 2*maxSentEnd {
		return value
	}
	return value[:maxSentEnd] + " " + value[len(value)-maxSentEnd:]
}

// addSent adds a secret as a text may say it when nothing in that is escaped.
func (s *Secrets) addSent(value string) {
	l := lettersOf(value)
	s.addLetters(value, l.text)
	s.addCuts(l)
	if !isASCII(value) { // others may have lost what is beyond ASCII, or spelled it in their way
		s.hasOther = true
		s.addLetters("", lettersOf(withoutMarks(value)).text)
		if rest := lettersOf(asciiOnly(value)).text; len(rest) >= minCut {
			s.addLetters("", rest)
		}
	}
	if !isASCII(l.text) {
		return
	}
	if lower := strings.ToLower(value); len(l.text) < window && len(lower) >= window {
		s.spelled.add(lower)
	}
	switch {
	case len(l.text) >= window:
	case len(l.text) >= minCut:
		s.short = append(s.short, l.text)
	default: // anything that is decoded may have it by chance
		for _, spelled := range encoded(value) {
			s.addLetters("", lettersOf(spelled).text)
		}
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
	if value = strings.TrimSpace(value); len(value) < minNamed || value == mask {
		return
	}
	if lower := strings.ToLower(value); len(lower) >= window {
		s.named.add(lower)
	}
	if text := lettersOf(value).text; len(text) >= window {
		s.pieces.add(text)
	} else {
		s.addLetters(value, text)
	}
}

// addLetters adds a secret by its letters; of a long one, by its two ends.
func (s *Secrets) addLetters(value, text string) {
	if !isASCII(text) {
		bases := basesOf(text)
		s.bases.add(bases[:min(len(bases), window-1)])
	}
	switch {
	case len(text) >= window:
		s.pieces.addEnds(text)
	case text == "" && value != "" && len(s.signs) < maxSigns:
		s.signs = append(s.signs, value)
	case text == "":
	case !isASCII(text): // with letters that are no words, or that nobody can spell
		s.beyond.add(text)
	default:
		if s.words == nil {
			s.words = map[string]bool{}
		}
		s.words[text] = true
	}
}

// addCuts adds the places at which a quoted part of a secret may begin.
func (s *Secrets) addCuts(l letters) {
	n := 0
	for i := 0; i+minCut <= len(l.text) && n < maxCuts; i++ {
		if l.edges[i] == 0 {
			continue
		}
		if s.cuts == nil {
			s.cuts = map[[minCut]byte][]string{}
		}
		start := [minCut]byte([]byte(l.text[i:]))
		part := l.text[i:min(len(l.text), i+maxPiece)]
		switch known := s.cuts[start]; {
		case slices.Contains(known, part):
		case len(known) == maxAlike:
			s.cuts[start] = []string{anyPart}
		default:
			s.cuts[start] = append(known, part)
		}
		n++
	}
}

// addEnds adds a text, or its two ends.
func (x *index) addEnds(text string) {
	if len(text) < 2*pieceLength {
		x.add(text)
		return
	}
	x.add(text[:pieceLength])
	x.add(text[len(text)-pieceLength:])
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

func (t *shortTexts) add(text string) {
	if *t == nil {
		*t = shortTexts{}
	}
	known := (*t)[len(text)]
	if known == nil {
		known = map[string]bool{}
		(*t)[len(text)] = known
	}
	known[text] = true
}

func (s *Secrets) isEmpty() bool {
	return len(s.pieces)+len(s.words)+len(s.beyond)+len(s.signs) == 0
}

// Hide reports whether a text must be hidden: it repeats a secret, or looks like one.
func (s *Secrets) Hide(text string) bool { return s.In(text) || looksSecret(text) }

// In reports whether a text repeats a secret: as it stands, with escapes or other signs, or
// encoded.
func (s *Secrets) In(text string) bool {
	return !s.isEmpty() && s.read(text, 0)
}

// read reads a text in all the ways in which it can be read. layer is how often it was decoded.
func (s *Secrets) read(text string, layer int) bool {
	list := readings(text)
	if slices.ContainsFunc(list, s.in) {
		return true
	}
	if !s.wasSent {
		return false
	}
	plain := list[len(list)-1]
	return s.inEncoded(text, layer) || plain != text && s.inEncoded(plain, layer)
}

// in reports whether a text repeats a secret, once its escapes are undone.
func (s *Secrets) in(text string) bool {
	l := lettersOf(text)
	if s.pieces.in(l.text) || s.wordsIn(l) || s.cutIn(l) || s.beyond.in(l.text) || containsAny(text, s.signs) {
		return true
	}
	if len(s.spelled) > 0 && s.spelled.in(strings.ToLower(text)) {
		return true
	}
	if !s.hasOther || isASCII(text) {
		return false
	}
	rest := lettersOf(asciiOnly(text))
	return s.pieces.in(rest.text) || s.wordsIn(rest)
}

// inEncoded reports whether a text repeats a secret in a part of it that is encoded.
func (s *Secrets) inEncoded(text string, layer int) bool {
	for decoded := range decodings(text) {
		if s.inBytes(decoded, layer) {
			return true
		}
	}
	return false
}

// inBytes reports whether bytes that were decoded repeat a secret. There is no telling
// where the words of them begin.
func (s *Secrets) inBytes(decoded []byte, layer int) bool {
	if bare := bare(decoded); s.pieces.in(bare) || containsAny(bare, s.short) {
		return true
	}
	if s.hasOther && s.inOther(decoded) {
		return true
	}
	if layer+1 == maxLayers {
		return false
	}
	for text := range plainParts(decoded) {
		if s.read(text, layer+1) {
			return true
		}
	}
	return false
}

// inOther is inBytes for letters beyond ASCII, which are several bytes in each encoding.
func (s *Secrets) inOther(decoded []byte) bool {
	has := func(letters string, beyond shortTexts) bool {
		return s.pieces.in(letters) || containsAny(letters, s.short) || beyond.in(letters)
	}
	isIn := func(text string) bool {
		return has(basesOf(text), s.bases) && has(lettersOf(text).text, s.beyond)
	}
	if isIn(legible(decoded)) {
		return true
	}
	for text := range fromUTF16(decoded) {
		if isIn(text) {
			return true
		}
	}
	return false
}

// wordsIn reports whether a text has one of the words.
func (s *Secrets) wordsIn(l letters) bool {
	if len(s.words) == 0 {
		return false
	}
	for i := range l.text {
		if l.edges[i] == 0 {
			continue
		}
		for end := i + 1; end < i+window && end <= len(l.text); end++ {
			if l.edges[end] != 0 && s.words[l.text[i:end]] {
				return true
			}
		}
	}
	return false
}

// cutIn reports whether a text quotes a part of a secret, or has a part that was cut.
func (s *Secrets) cutIn(l letters) bool {
	if len(s.cuts) == 0 {
		return false
	}
	for i := 0; i+minCut <= len(l.text); i++ {
		if l.edges[i] == 0 {
			continue
		}
		for _, part := range s.cuts[[minCut]byte([]byte(l.text[i:i+minCut]))] {
			if part == anyPart || l.repeats(i, part) {
				return true
			}
		}
	}
	return false
}

// repeats reports whether the beginning of a part of a secret, from a letter on, ends where a quote
// does, or with the sign of a text that was cut, or whether it is maxPiece long.
func (l letters) repeats(start int, part string) bool {
	ends := cutEdge
	if l.edges[start]&quoteEdge != 0 {
		ends |= quoteEdge
	}
	n := 0
	for n < len(part) && start+n < len(l.text) && l.text[start+n] == part[n] {
		n++
		if n >= minCut && l.edges[start+n]&ends != 0 {
			return true
		}
	}
	return n == maxPiece
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

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

// in reports whether one of the texts stands anywhere in another.
func (t shortTexts) in(text string) bool {
	for length, known := range t {
		for i := 0; i+length <= len(text); i++ {
			if known[text[i:i+length]] {
				return true
			}
		}
	}
	return false
}

// bare is the letters and digits of ASCII among bytes, in lower case.
func bare(decoded []byte) string {
	list := make([]byte, 0, len(decoded))
	for _, c := range decoded {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			list = append(list, c)
		case 'A' <= c && c <= 'Z':
			list = append(list, c+'a'-'A')
		}
	}
	return string(list)
}
