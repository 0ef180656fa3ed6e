package jsonscan

// Kind says what a [Token] is.
type Kind uint8

// The kinds of tokens. Commas, colons and white space are none.
const (
	End Kind = iota // of the text
	ObjectStart
	ObjectEnd
	ArrayStart
	ArrayEnd
	Name // of a member
	String
	Number
	Literal // true, false or null
)

// Token is a part of a text that stands for itself.
type Token struct {
	Kind Kind
	Span // a name or string with its quotes
}

// Next moves behind the next token. At the end of the text, where no container is
// open, that is one of kind End, and stays so.
func (s *Scanner) Next() (Token, error) {
	if len(s.open) > 0 && !s.member {
		if t, err := s.itemToken(); err != nil || t.Kind != End {
			return t, err
		}
	}
	s.member = false
	if s.AtEnd() && len(s.open) == 0 {
		return Token{Span: Span{s.At, s.At}}, nil
	}
	c := s.Peek()
	t := Token{Kind: kinds[c], Span: Span{Start: s.At}}
	var err error
	if c == '{' || c == '[' {
		err = s.Open()
	} else {
		err = s.scalar(c)
	}
	t.End = s.At
	return t, err
}

// itemToken is the token before the next value in a container: a name, the end of the
// container, or none.
func (s *Scanner) itemToken() (t Token, err error) {
	due := s.open[len(s.open)-1]
	more, err := s.comma()
	switch {
	case err != nil:
	case !more:
		t = Token{ArrayEnd, Span{s.At - 1, s.At}}
		if due == '}' {
			t.Kind = ObjectEnd
		}
	case due == '}':
		err = s.key()
		t, s.member = Token{Name, s.Name}, true
	}
	return t, err
}

// kinds are the kinds of the tokens that begin with a byte; a byte that is wrong is
// left to [Scanner.scalar].
var kinds = func() (kinds [256]Kind) {
	for c := range kinds {
		kinds[c] = Literal
		if IsDigit(byte(c)) || c == '-' {
			kinds[c] = Number
		}
	}
	kinds['{'], kinds['['], kinds['"'] = ObjectStart, ArrayStart, String
	return kinds
}()
