// Package jsonscan reads JSON in place, without decoding or copying it.
//
// A [Scanner] checks a text, at once or while it arrives, and says where its parts are. The
// functions of the package go over text that a scanner has checked. They take no memory for a value
// until somebody asks for its text.
//
// A text is valid if encoding/json accepts it: RFC 8259, but strings may have invalid UTF-8 and
// lone surrogates. Deep nesting does not exhaust the stack.
package jsonscan

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"gatehouse/internal/text/problem"
)

// DefaultMaxDepth is how many arrays and objects may be inside one another if a scanner has no
// limit of its own. It is the limit of encoding/json.
const DefaultMaxDepth = 10_000

// Scanner checks JSON from the beginning of a text. [Scanner.Value] checks a whole value. To see
// the parts of an array or object, a caller uses [Scanner.Open] and [Scanner.Item], and Value for
// each part.
//
// A text may have several values. A caller that allows only one checks with [Scanner.AtEnd] that
// there are no more. All errors are of the type [*SyntaxError]. After an error, At is at the byte
// that is wrong, and the scanner must not be used any more.
type Scanner struct {
	Text []byte // what has arrived of the text
	At   int    // the offset in Text of the byte that comes next
	// Read, unless it is nil, waits for more of a text that is still arriving. It makes Text
	// longer, perhaps in other memory, without changing what was in it. It reports false at the end
	// of the text.
	Read func() bool
	// MaxDepth is how many arrays and objects may be inside one another; 0: [DefaultMaxDepth].
	MaxDepth int
	// Name is the last member name that was passed, with its quotes.
	Name Span

	open    []byte // the closing brackets of the arrays and objects that the scanner is in
	atFirst bool   // nothing was read yet in the innermost of them
}

// Span is a part of a text: text[Start:End].
type Span struct{ Start, End int }

// Of returns the part of the text. To append to it copies it.
func (s Span) Of(text []byte) []byte { return text[s.Start:s.End:s.End] }

// Value moves past the value that begins here or after white space.
func (s *Scanner) Value() error {
	outside := len(s.open)
	for {
		s.Space()
		var err error
		if c := s.Peek(); c == '{' || c == '[' {
			err = s.Open()
		} else {
			err = s.scalar(c)
		}
		for more := false; err == nil && !more; {
			if len(s.open) == outside {
				return nil
			}
			more, err = s.Item()
		}
		if err != nil {
			return err
		}
	}
}

// Open moves past the bracket that begins an object or array here.
func (s *Scanner) Open() error {
	limit := s.MaxDepth
	if limit == 0 {
		limit = DefaultMaxDepth
	}
	if len(s.open) >= limit {
		return s.Fail(fmt.Sprintf("more than %d levels of nesting", limit))
	}
	s.open = append(s.open, s.Text[s.At]+toClosing)
	s.At++
	s.atFirst = true
	return nil
}

// toClosing is how far after an opening bracket its closing one is in ASCII: the same for { and [.
const toClosing = '}' - '{'

// Item moves from the opening bracket, or from after a value, to the next value in the innermost
// array or object: past the comma and, in an object, past the name and the colon. If there is no
// next value, it moves past the closing bracket, and more is false.
func (s *Scanner) Item() (more bool, err error) {
	isFirst := s.atFirst
	s.atFirst = false
	s.Space()
	closing := s.open[len(s.open)-1]
	switch c := s.Peek(); {
	case c == closing:
		s.At++
		s.open = s.open[:len(s.open)-1]
		return false, nil
	case c == ',' && !isFirst:
		s.At++
		s.Space()
	case !isFirst:
		return false, s.unexpected(fmt.Sprintf("where a comma or %q was expected", closing))
	}
	if closing == '}' {
		err = s.key()
	}
	return err == nil, err
}

// SkipItem is a faster Item for a caller that knows how the next member is usually spelled: a comma
// unless it is the first, its name, and a colon. If anything else is there, SkipItem stays where it
// is and reports false.
func (s *Scanner) SkipItem(expected []byte) bool {
	if !bytes.HasPrefix(s.Text[s.At:], expected) {
		return false
	}
	s.At += len(expected)
	s.atFirst = false
	return true
}

// key moves past the member name that begins here and its colon, and sets Name.
func (s *Scanner) key() error {
	if s.Peek() != '"' {
		return s.unexpected("where a member name was expected")
	}
	start := s.At
	if err := s.string(); err != nil {
		return err
	}
	s.Name = Span{start, s.At}
	s.Space()
	if s.Peek() != ':' {
		return s.unexpected("where a colon was expected")
	}
	s.At++
	return nil
}

// Depth returns how many arrays and objects the scanner is in.
func (s *Scanner) Depth() int { return len(s.open) }

// AtEnd moves past white space and reports whether that is the end of the text.
func (s *Scanner) AtEnd() bool {
	s.Space()
	return s.At == len(s.Text)
}

// Space moves past white space.
func (s *Scanner) Space() {
	if s.At >= len(s.Text) || s.Text[s.At] <= ' ' {
		s.skip(SkipSpace)
	}
}

// Peek returns the byte that comes next, or 0 at the end. In valid JSON no byte is 0.
func (s *Scanner) Peek() byte {
	if s.At < len(s.Text) {
		return s.Text[s.At]
	}
	return s.peekMore()
}

// peekMore is a function of its own so that the compiler inlines Peek.
//
//go:noinline
func (s *Scanner) peekMore() byte {
	if s.More() {
		return s.Text[s.At]
	}
	return 0
}

// More waits for more of the text, and reports false at its end.
func (s *Scanner) More() bool { return s.Read != nil && s.Read() }

// skip moves past what a function skips in a text, also in what arrives later. It reports whether
// anything follows.
func (s *Scanner) skip(over func(text []byte, at int) int) bool {
	s.At = over(s.Text, s.At)
	for s.At == len(s.Text) && s.More() {
		s.At = over(s.Text, s.At)
	}
	return s.At < len(s.Text)
}

// unexpected returns the error for the character here, with where it is in words.
func (s *Scanner) unexpected(where string) error {
	for !utf8.FullRune(s.Text[s.At:]) && s.More() {
		continue // until the rest of the character is there
	}
	if s.At == len(s.Text) {
		return s.Fail("the body ends " + where)
	}
	r, _ := utf8.DecodeRune(s.Text[s.At:])
	return s.Fail(fmt.Sprintf("%q %s", r, where))
}

// Fail returns a [*SyntaxError] for the place that the scanner is at.
func (s *Scanner) Fail(reason string) error {
	before := s.Text[:s.At]
	return &SyntaxError{
		Reason: reason,
		Line:   1 + bytes.Count(before, []byte{'\n'}),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
	}
}

// SyntaxError says where and why a text is not JSON.
type SyntaxError struct {
	Reason string // in words, lower-case
	Line   int    // from 1; 0 if the text is empty
	Column int    // in bytes, from 1
}

// Error implements error in one line. It quotes at most one character of the text, as the text may
// be secret.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return "not valid JSON: " + e.Reason
	}
	return fmt.Sprintf("not valid JSON: %s at line %d, column %d", e.Reason, e.Line, e.Column)
}

// Explain says what may have been read instead of the service's answer.
func (e *SyntaxError) Explain() problem.Explanation {
	return problem.Explanation{
		Text: "the answer cannot be read: " + e.Error(),
		Hint: "Check the URLs of the profile." +
			" A proxy or the sign-in page of a network may be answering instead of the service.",
	}
}

// ByteOrderMark may precede a text. It is not part of the JSON.
const ByteOrderMark = "\uFEFF"
