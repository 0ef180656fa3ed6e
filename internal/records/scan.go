package records

import (
	"fmt"
	"unicode/utf8"
)

// maxNesting leaves room for the array of WriteJSON below the 10,000 levels at
// which encoding/json, and many another reader, gives up.
const maxNesting = 9_999

// scanner checks that a body is JSON by RFC 8259, but for invalid UTF-8 inside
// strings. It keeps its own stack, so that no nesting can exhaust the goroutine's.
type scanner struct {
	body  []byte
	at    int
	open  []byte // the closing brackets that are due
	above int    // open objects that are not among them, see record
	name  span   // the last key
	route route
	read  func() bool // makes body longer, false at its end; nil if all of it is there
}

// value moves behind the value that begins here.
func (s *scanner) value() error {
	outside := len(s.open)
	for more := true; more; {
		inside, err := s.enter()
		if err != nil {
			return err
		}
		if inside {
			continue
		}
		if more, err = s.leave(outside); err != nil {
			return err
		}
	}
	return nil
}

// enter moves behind a scalar or an empty object or array; into any other one,
// to its first value, and then says so.
func (s *scanner) enter() (inside bool, err error) {
	s.space()
	switch c := s.peek(); c {
	case '{':
		return s.enterNested('}')
	case '[':
		return s.enterNested(']')
	case '"':
		return false, s.string()
	case 't':
		return false, s.literal("true")
	case 'f':
		return false, s.literal("false")
	case 'n':
		return false, s.literal("null")
	default:
		if c == '-' || isDigit(c) {
			return false, s.number()
		}
		return false, s.unexpected("where a value was expected")
	}
}

func (s *scanner) enterNested(closing byte) (inside bool, err error) {
	if len(s.open)+s.above >= maxNesting {
		return false, s.fail(fmt.Sprintf("more than %d levels of nesting", maxNesting))
	}
	s.at++
	s.space()
	if s.peek() == closing {
		s.at++
		return false, nil
	}
	s.open = append(s.open, closing)
	if closing == '}' {
		return true, s.key()
	}
	return true, nil
}

// leave moves from behind a value to the next one, closing what ends in between,
// but for the outside brackets. Without a next one all inside of those has ended.
func (s *scanner) leave(outside int) (more bool, err error) {
	for len(s.open) > outside {
		closing := s.open[len(s.open)-1]
		s.space()
		switch s.peek() {
		case closing:
			s.at++
			s.open = s.open[:len(s.open)-1]
		case ',':
			s.at++
			if closing == '}' {
				s.space()
				return true, s.key()
			}
			return true, nil
		default:
			return false, s.expectedItem(closing)
		}
	}
	return false, nil
}

func (s *scanner) expectedItem(closing byte) error {
	return s.unexpected(fmt.Sprintf("where a comma or %q was expected", closing))
}

// key moves behind a member's key and colon.
func (s *scanner) key() error {
	if s.peek() != '"' {
		return s.unexpected("where a member name was expected")
	}
	start := s.at
	if err := s.string(); err != nil {
		return err
	}
	s.name = span{start, s.at}
	s.space()
	if s.peek() != ':' {
		return s.unexpected("where a colon was expected")
	}
	s.at++
	return nil
}

func (s *scanner) string() error {
	for s.at = skipPlain(s.body, s.at+1); s.at < len(s.body) || s.skipMore(skipPlain); s.at = skipPlain(s.body, s.at+1) {
		switch s.body[s.at] {
		case '"':
			s.at++
			return nil
		case '\\':
			if err := s.escape(); err != nil {
				return err
			}
		default:
			return s.fail("a control character in a string")
		}
	}
	return s.fail("the body ends inside a string")
}

// escape moves from the backslash to the last character of its escape.
func (s *scanner) escape() error {
	s.at++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			s.at++
			if !isHex(s.peek()) {
				return s.unexpected("in an escape")
			}
		}
		return nil
	default:
		return s.unexpected("in an escape")
	}
}

func (s *scanner) literal(word string) error {
	for i := range len(word) {
		if s.peek() != word[i] {
			return s.unexpected("in " + word)
		}
		s.at++
	}
	return s.scalarEnd()
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.peek() == '.' {
		s.at++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if err := s.digits(); err != nil {
			return err
		}
	}
	return s.scalarEnd()
}

// digits moves behind one digit or more.
func (s *scanner) digits() error {
	if !isDigit(s.peek()) {
		return s.unexpected("where a digit was expected")
	}
	if s.at = skipDigits(s.body, s.at); s.at == len(s.body) {
		s.skipMore(skipDigits)
	}
	return nil
}

// scalarEnd keeps 01 and truefalse from counting as two values in a row.
func (s *scanner) scalarEnd() error {
	if c := s.peek(); s.at < len(s.body) && !endsScalar(c) {
		return s.unexpected("behind a value")
	}
	return nil
}

func (s *scanner) space() {
	if s.at >= len(s.body) || s.body[s.at] <= ' ' {
		s.skipMore(skipSpace)
	}
}

// peek returns the next byte; 0, which is not valid outside a string, at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.body) {
		return s.body[s.at]
	}
	return s.peekMore()
}

//go:noinline
func (s *scanner) peekMore() byte { // by itself, so that peek can be inlined
	if s.more() {
		return s.body[s.at]
	}
	return 0
}

// skipMore skips on, past the end of what is there of the body if need be. It
// reports whether something stands behind what was skipped.
func (s *scanner) skipMore(skip func(text []byte, at int) int) bool {
	s.at = skip(s.body, s.at)
	for s.at == len(s.body) && s.more() {
		s.at = skip(s.body, s.at)
	}
	return s.at < len(s.body)
}

// more gets more of the body. It may move body, but never changes what was in it.
func (s *scanner) more() bool { return s.read != nil && s.read() }

// unexpected is the error of the character that stands here.
func (s *scanner) unexpected(where string) error {
	for !utf8.FullRune(s.body[s.at:]) && s.more() {
		continue // the rest of the character
	}
	if s.at == len(s.body) {
		return s.fail("the body ends " + where)
	}
	r, _ := utf8.DecodeRune(s.body[s.at:])
	return s.fail(fmt.Sprintf("%q %s", r, where))
}

func (s *scanner) fail(reason string) error { return syntaxError(s.body, s.at, reason) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
