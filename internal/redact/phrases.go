package redact

// phrases are short texts that are found anywhere in a text, in a time that does not depend on how
// many there are: an answer may have as many as it has room for.
type phrases struct {
	known   map[string]bool
	lengths [window]bool // which of them occur
}

// add adds a text that is shorter than window and not empty.
func (p *phrases) add(text string) {
	if p.known == nil {
		p.known = map[string]bool{}
	}
	p.known[text] = true
	p.lengths[len(text)] = true
}

// in reports whether one of them stands in a text.
func (p *phrases) in(text string) bool {
	for length, occurs := range p.lengths {
		if occurs && p.hasOf(length, text) {
			return true
		}
	}
	return false
}

// hasOf reports whether one of this length stands in a text.
func (p *phrases) hasOf(length int, text string) bool {
	for end := length; end <= len(text); end++ {
		if p.known[text[end-length:end]] {
			return true
		}
	}
	return false
}
