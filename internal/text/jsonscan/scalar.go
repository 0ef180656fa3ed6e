package jsonscan

// scalar moves past a string, number or literal, which begins with c.
func (s *Scanner) scalar(c byte) error {
	switch c {
	case '"':
		return s.string()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number()
	}
	return s.unexpected("where a value was expected")
}

// string moves past the string that begins here.
func (s *Scanner) string() error {
	s.At = skipPlain(s.Text, s.At+1)
	for s.At < len(s.Text) || s.skip(skipPlain) {
		switch s.Text[s.At] {
		case '"':
			s.At++
			return nil
		case '\\':
			if err := s.escape(); err != nil {
				return err
			}
		default:
			return s.Fail("a control character in a string")
		}
		s.At = skipPlain(s.Text, s.At+1)
	}
	return s.Fail("the body ends inside a string")
}

// escape moves from a backslash to the last character of its escape.
func (s *Scanner) escape() error {
	s.At++
	switch s.Peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			s.At++
			if !IsHex(s.Peek()) {
				return s.unexpected("in an escape")
			}
		}
		return nil
	default:
		return s.unexpected("in an escape")
	}
}

// literal moves past true, false or null.
func (s *Scanner) literal(word string) error {
	for i := range len(word) {
		if s.Peek() != word[i] {
			return s.unexpected("in " + word)
		}
		s.At++
	}
	return s.scalarEnd()
}

// number moves past the number that begins here.
func (s *Scanner) number() error {
	if s.Peek() == '-' {
		s.At++
	}
	if s.Peek() == '0' {
		s.At++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.Peek() == '.' {
		s.At++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c := s.Peek(); c == 'e' || c == 'E' {
		s.At++
		if c := s.Peek(); c == '+' || c == '-' {
			s.At++
		}
		if err := s.digits(); err != nil {
			return err
		}
	}
	return s.scalarEnd()
}

// digits moves past one or more digits.
func (s *Scanner) digits() error {
	if !IsDigit(s.Peek()) {
		return s.unexpected("where a digit was expected")
	}
	if s.At = skipDigits(s.Text, s.At); s.At == len(s.Text) {
		s.skip(skipDigits)
	}
	return nil
}

// scalarEnd checks that a number or literal ends here: 01 and truefalse are not two values.
func (s *Scanner) scalarEnd() error {
	if c := s.Peek(); s.At < len(s.Text) && !EndsScalar(c) {
		return s.unexpected("after a value")
	}
	return nil
}

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool {
	return IsDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// IsSpace reports whether c is white space in JSON.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// EndsScalar reports whether c ends a number or literal and is not part of it.
func EndsScalar(c byte) bool {
	return IsSpace(c) || c == ',' || c == ']' || c == '}' || c == '"' || c == '[' || c == '{' || c == ':'
}
