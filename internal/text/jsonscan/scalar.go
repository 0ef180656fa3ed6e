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

func (s *Scanner) string() error {
	for s.At = skipPlain(s.Text, s.At+1); s.At < len(s.Text) || s.skip(skipPlain); s.At = skipPlain(s.Text, s.At+1) {
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
	}
	return s.Fail("the body ends inside a string")
}

// escape moves from the backslash to the last character of its escape.
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

func (s *Scanner) literal(word string) error {
	for i := range len(word) {
		if s.Peek() != word[i] {
			return s.unexpected("in " + word)
		}
		s.At++
	}
	return s.scalarEnd()
}

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

// digits moves past one digit or more.
func (s *Scanner) digits() error {
	if !IsDigit(s.Peek()) {
		return s.unexpected("where a digit was expected")
	}
	if s.At = skipDigits(s.Text, s.At); s.At == len(s.Text) {
		s.skip(skipDigits)
	}
	return nil
}

// scalarEnd keeps 01 and truefalse from counting as two values in a row.
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

// EndsScalar reports whether c stands after a number or literal, not in it.
func EndsScalar(c byte) bool {
	return IsSpace(c) || c == ',' || c == ']' || c == '}' || c == '"' || c == '[' || c == '{' || c == ':'
}
