// Package canary searches what a run left behind for the secrets of the run, in
// every spelling in which they could stand there.
package canary

import "fmt"

const (
	// width is how many bytes of a spelling lead to it.
	width = 8
	// piece is the length in bytes of the parts of a long spelling. Lines cut it on
	// a screen, and excerpts in a log: whoever finds a part has found it.
	piece = 24
	// shortest is how long a secret must be, not to be found by chance.
	shortest = 10
)

// Searcher knows secrets. The zero value knows none and is ready to use; its
// methods are not safe for several goroutines at once.
type Searcher struct {
	byStart map[[width]byte][]needle
	known   map[string]bool // spellings
}

// needle is a spelling of a secret or a piece of one.
type needle struct{ text, secret, form string }

// Hit is a secret that was found.
type Hit struct {
	Secret string // what it is called
	Form   string // in which spelling
	At     int    // the byte where it, or a piece of it, begins
}

// Add adds a secret by a name for reports, such as "password". Of several secrets
// that have a piece in common, as tokens of one issuer have, it counts for the
// first. A secret of fewer than ten bytes is refused with a panic: it would be
// found by chance.
func (s *Searcher) Add(name, secret string) {
	if len(secret) < shortest {
		panic(fmt.Sprintf("the %s is too short to be searched for", name))
	}
	if s.byStart == nil {
		s.byStart, s.known = map[[width]byte][]needle{}, map[string]bool{}
	}
	for _, spelling := range spellings(secret) {
		for text := range pieces(spelling.text) {
			if s.known[text] {
				continue
			}
			s.known[text] = true
			start := [width]byte([]byte(text))
			s.byStart[start] = append(s.byStart[start], needle{text, name, spelling.form})
		}
	}
}

// pieces cuts a text that is so long that any piece of double length has a whole
// one in it; a shorter one is its own only piece.
func pieces(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if len(text) < 2*piece {
			yield(text)
			return
		}
		for ; len(text) >= piece; text = text[piece:] {
			if !yield(text[:piece]) {
				return
			}
		}
	}
}

// Find returns the secrets in a text, each spelling of each once, where it is
// found first.
func (s *Searcher) Find(text string) []Hit {
	var hits []Hit
	seen := map[Hit]bool{}
	var window [width]byte
	for at := 0; at+width <= len(text); at++ {
		copy(window[:], text[at:])
		for _, n := range s.byStart[window] {
			hit := Hit{Secret: n.secret, Form: n.form}
			if seen[hit] || len(text)-at < len(n.text) || text[at:at+len(n.text)] != n.text {
				continue
			}
			seen[hit] = true
			hit.At = at
			hits = append(hits, hit)
		}
	}
	return hits
}
