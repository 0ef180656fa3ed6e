package tree

import "strings"

// The kinds of tokens beside the four brackets, which stand for themselves.
const (
	noToken     = 0
	nameToken   = ':' // the name of a member
	stringToken = '"'
	plainToken  = 'v' // a number, true, false or null
)

// token is a bracket, a name or a value that is no container.
type token struct {
	kind    byte
	at, end int
}

// scanner reads the tokens of a valid JSON text one after the other.
type scanner struct {
	text string
	at   int
}

// next returns the next token, one of kind noToken at the end.
func (s *scanner) next() token {
	at := skipBetween(s.text, s.at)
	if at == len(s.text) {
		s.at = at
		return token{at: at, end: at}
	}
	t := token{kind: s.text[at], at: at, end: at + 1}
	switch t.kind {
	case '{', '}', '[', ']':
	case stringToken:
		t.end = stringEnd(s.text, at)
		if after := skipSpace(s.text, t.end); after < len(s.text) && s.text[after] == ':' {
			t.kind = nameToken
		}
	default:
		t.kind, t.end = plainToken, plainEnd(s.text, at)
	}
	s.at = t.end
	return t
}

func valueEndOf(text string, at int, single bool) int {
	if single {
		return len(strings.TrimRight(text, " \t\r\n"))
	}
	return valueEnd(text, at)
}

// valueEnd returns where the value ends that begins at a place of a text.
func valueEnd(text string, at int) int {
	s := scanner{text, at}
	for depth := 0; ; {
		t := s.next()
		switch t.kind {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 || t.kind == noToken {
			return t.end
		}
	}
}

func skipSpace(text string, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// skipBetween skips what stands between two tokens.
func skipBetween(text string, at int) int {
	for at < len(text) && (isSpace(text[at]) || text[at] == ',' || text[at] == ':') {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func stringEnd(text string, at int) int {
	for i := at + 1; ; i++ {
		quote := strings.IndexByte(text[i:], '"')
		if quote < 0 {
			return len(text)
		}
		i += quote
		backslashes := 0
		for text[i-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i + 1
		}
	}
}

func plainEnd(text string, at int) int {
	for at < len(text) && text[at] != ',' && text[at] != '}' && text[at] != ']' && !isSpace(text[at]) {
		at++
	}
	return at
}

// members calls yield with the values that stand in the text of a container
// without its brackets, or in a part of it: the name as sent, "" for elements,
// and where the value begins. A single value needs no looking for its end.
func members(text string, named, single bool, yield func(name string, at int, value string)) {
	for at := skipBetween(text, 0); at < len(text); at = skipBetween(text, at) {
		name := ""
		if named {
			end := stringEnd(text, at)
			name, at = text[at:end], skipBetween(text, end)
		}
		end := valueEndOf(text, at, single)
		yield(name, at, text[at:end])
		at = end
	}
}
