package redact

import (
	"slices"
	"strings"
)

const (
	// minLong is the minimum length in bytes of a long text. Inside a word, only a secret with as
	// many letters is found: a shorter one may stand there by chance.
	minLong = 8
	// pieceLength is how much of either end of a long secret is searched for: some
	// services repeat part of a token.
	pieceLength = 16
	// maxPiece is how much of a piece is compared: comparing all of it could take
	// quadratic time.
	maxPiece = 64
	// maxAlike is how many pieces may have the same first bytes. Beyond that, everything
	// that begins like them is hidden.
	maxAlike = 8
)

// index finds long texts inside other texts, by their first bytes.
type index map[[minLong]byte][]string

// addEnds adds a long text, or its two ends.
func (x *index) addEnds(text string) {
	if len(text) < 2*pieceLength {
		x.add(text)
		return
	}
	x.add(text[:pieceLength])
	x.add(text[len(text)-pieceLength:])
}

// add adds a long text.
func (x *index) add(text string) {
	if *x == nil {
		*x = index{}
	}
	text = text[:min(len(text), maxPiece)]
	start := [minLong]byte([]byte(text))
	switch known := (*x)[start]; {
	case slices.Contains(known, text):
	case len(known) == 1 && len(known[0]) == minLong: // it stands for all that begin alike
	case len(known) == maxAlike:
		(*x)[start] = []string{text[:minLong]}
	default:
		(*x)[start] = append(known, text)
	}
}

// in reports whether one of the indexed texts stands anywhere in another.
func (x index) in(text string) bool {
	for ; len(x) > 0 && len(text) >= minLong; text = text[1:] {
		for _, piece := range x[[minLong]byte([]byte(text[:minLong]))] {
			if strings.HasPrefix(text, piece) {
				return true
			}
		}
	}
	return false
}

// shortTexts finds texts that are not long anywhere inside other texts, by their length.
type shortTexts map[int]map[string]bool

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

// wordSet finds texts that are not long as whole words of others, or as several words.
type wordSet map[string]bool

func (w *wordSet) add(text string) {
	if *w == nil {
		*w = wordSet{}
	}
	(*w)[text] = true
}

// in reports whether one of the texts stands in another, from an edge of a word to one.
func (w wordSet) in(l letters) bool {
	if len(w) == 0 {
		return false
	}
	for start := range l.text {
		if l.edges[start] == 0 {
			continue
		}
		for end := start + 1; end < start+minLong && end <= len(l.text); end++ {
			if l.edges[end] != 0 && w[l.text[start:end]] {
				return true
			}
		}
	}
	return false
}

// containsAny reports whether one of the parts stands anywhere in a text.
func containsAny(text string, parts []string) bool {
	isIn := func(part string) bool { return strings.Contains(text, part) }
	return slices.ContainsFunc(parts, isIn)
}
