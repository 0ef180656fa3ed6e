package redact

import "slices"

const (
	// minCut is how many letters of a secret are found where a text has no more of it.
	minCut = 4
	// maxCuts is how many places of a secret are known at which a part of it may begin.
	maxCuts = 16
	// anyPart stands for all parts that begin alike, where there are more than maxAlike.
	anyPart = ""
)

// cuts finds parts of secrets in texts that quote them, or that were cut behind them: the letters
// of secrets from each of their words on, by the first of these letters.
type cuts map[[minCut]byte][]string

// add adds the parts of a secret.
func (c *cuts) add(l letters) {
	added := 0
	for i := 0; i+minCut <= len(l.text) && added < maxCuts; i++ {
		if l.edges[i] == 0 {
			continue
		}
		c.addPart(l.text[i:min(len(l.text), i+maxPiece)])
		added++
	}
}

// addPart adds a part of minCut letters or more.
func (c *cuts) addPart(part string) {
	if *c == nil {
		*c = cuts{}
	}
	start := [minCut]byte([]byte(part))
	switch known := (*c)[start]; {
	case slices.Contains(known, part):
	case len(known) == maxAlike:
		(*c)[start] = []string{anyPart}
	default:
		(*c)[start] = append(known, part)
	}
}

// in reports whether a text quotes a part of a secret, or has a part behind which it was cut.
func (c cuts) in(l letters) bool {
	if len(c) == 0 {
		return false
	}
	for i := 0; i+minCut <= len(l.text); i++ {
		if l.edges[i] == 0 {
			continue
		}
		for _, part := range c[[minCut]byte([]byte(l.text[i:i+minCut]))] {
			if part == anyPart || l.repeats(i, part) {
				return true
			}
		}
	}
	return false
}

// repeats reports whether a text has, from a letter on, the beginning of a part of a secret: up to
// the end of a quote that begins there, up to the sign of a text that was cut, or maxPiece letters.
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
