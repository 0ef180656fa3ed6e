package shell

import (
	"errors"
	"strings"
)

// The errors of [Split].
var (
	ErrOpenQuote     = errors.New("a quote is not closed")
	ErrOpenBackslash = errors.New("nothing follows the backslash at the end")
)

// Split takes a command line apart by the rules of a POSIX shell for blanks, quotes and backslashes
// (Shell Command Language, 2.2). It expands nothing: variables, patterns, operators and comments
// stay as they are, as the words go to no shell.
func Split(line string) ([]string, error) {
	s := splitter{rest: line}
	for s.rest != "" {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	s.endWord()
	return s.words, nil
}

// splitter is how far [Split] has got. All characters that it looks for are ASCII, so bytes will do.
type splitter struct {
	rest   string
	words  []string
	word   strings.Builder
	inWord bool // an empty pair of quotes begins a word too
}

// next takes the next character, or all that stands in quotes.
func (s *splitter) next() error {
	c := s.take(1)
	switch c {
	case " ", "\t", "\n":
		s.endWord()
		return nil
	case `\`:
		return s.escaped()
	case "'":
		return s.singleQuoted()
	case `"`:
		return s.doubleQuoted()
	default:
		s.add(c)
		return nil
	}
}

// take removes the next n bytes from the rest.
func (s *splitter) take(n int) string {
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

func (s *splitter) add(text string) {
	s.word.WriteString(text)
	s.inWord = true
}

func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

// escaped takes the character that follows a backslash as it is; a line end disappears.
func (s *splitter) escaped() error {
	if s.rest == "" {
		return ErrOpenBackslash
	}
	if c := s.take(1); c != "\n" {
		s.add(c)
	}
	return nil
}

func (s *splitter) singleQuoted() error {
	end := strings.IndexByte(s.rest, '\'')
	if end < 0 {
		return ErrOpenQuote
	}
	s.add(s.take(end))
	s.take(1)
	return nil
}

// doubleQuoted keeps a backslash, unless it stands before a character that is special in double
// quotes.
func (s *splitter) doubleQuoted() error {
	for {
		end := strings.IndexAny(s.rest, `"\`)
		if end < 0 {
			return ErrOpenQuote
		}
		s.add(s.take(end))
		if s.take(1) == `"` {
			return nil
		}
		switch {
		case s.rest == "":
			return ErrOpenQuote
		case s.rest[0] == '\n':
			s.take(1)
		case strings.IndexByte("$`\"\\", s.rest[0]) >= 0:
			s.add(s.take(1))
		default:
			s.add(`\`)
		}
	}
}
