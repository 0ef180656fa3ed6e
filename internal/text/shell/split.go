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

// Split splits a command line into words by the rules of a POSIX shell for blanks, quotes and
// backslashes (Shell Command Language, 2.2). Variables, patterns, operators and comments stay as
// they are, because no shell will read the words.
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

// splitter is the state of [Split]. It goes byte by byte, as it only looks for ASCII characters.
type splitter struct {
	rest   string          // of the line
	words  []string        // that are complete
	word   strings.Builder // that is being read
	inWord bool            // there is one, even if it is empty: quotes with nothing inside are a word
}

// next reads the next character, or everything in a pair of quotes.
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

// add adds text to the word.
func (s *splitter) add(text string) {
	s.word.WriteString(text)
	s.inWord = true
}

// endWord ends the word, if there is one.
func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

// escaped reads the character after a backslash. A line end there is left out.
func (s *splitter) escaped() error {
	if s.rest == "" {
		return ErrOpenBackslash
	}
	if c := s.take(1); c != "\n" {
		s.add(c)
	}
	return nil
}

// singleQuoted reads the rest of a text in single quotes.
func (s *splitter) singleQuoted() error {
	end := strings.IndexByte(s.rest, '\'')
	if end < 0 {
		return ErrOpenQuote
	}
	s.add(s.take(end))
	s.take(1)
	return nil
}

// doubleQuoted reads the rest of a text in double quotes. A backslash in it is a character like any
// other, unless a character follows that is special in double quotes.
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
