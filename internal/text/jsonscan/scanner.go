// Package jsonscan reads JSON where it stands, without decoding or copying it.
//
// A [Scanner] checks a text, all of it at once or while it arrives, and says where its
// parts are. The functions beside it walk over text that a scanner has checked. Nothing
// here takes memory for a value before somebody asks for its text.
//
// A text is valid if encoding/json accepts it: RFC 8259, with invalid UTF-8 in strings
// and lone surrogates allowed. No nesting, however deep, exhausts the stack.
package jsonscan

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"gatehouse/internal/text/problem"
)

// DefaultMaxDepth is how many arrays and objects may stand in one another where a
// scanner has no limit of its own, as in encoding/json.
const DefaultMaxDepth = 10_000

// Scanner checks JSON from the start of a text. [Scanner.Value] checks a whole value; where one
// begins, [Scanner.Open], [Scanner.Item] and Value go down into it by hand.
//
// Text may hold several values one after another; a caller that allows but one checks with
// [Scanner.AtEnd] that it was the last. After an error, which is always a
// [*SyntaxError], At is the byte that is wrong and the scanner is of no more use.
type Scanner struct {
	Text []byte // what is there of the text
	At   int    // the byte of Text that comes next
	// Read, if it is not nil, gets more of a text that is still arriving. It makes Text
	// longer, in other memory if it likes, but never changes what was in it. It reports
	// false when the text has come to its end.
	Read func() bool
	// MaxDepth is how deep the text may nest; 0 is DefaultMaxDepth.
	MaxDepth int
	// Name is the last member name that was passed, with its quotes.
	Name Span

	open  []byte // the closing brackets that are due
	first bool   // nothing was read yet in the innermost container
}

// Span is a part of a text: text[Start:End].
type Span struct{ Start, End int }

// Of returns the part of the text; what is appended to it never runs into the rest.
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
	s.open = append(s.open, s.Text[s.At]+closing) // a closing bracket is the next but one in ASCII
	s.At++
	s.first = true
	return nil
}

// closing is how far after an opening bracket its closing one is in ASCII.
const closing = '}' - '{'

// Item moves from after the opening bracket, or from after a value, to the next value
// in the innermost container: past the comma and, in an object, past the name and the
// colon. Without a next one it moves past the closing bracket and reports false.
func (s *Scanner) Item() (more bool, err error) {
	first := s.first
	s.first = false
	s.Space()
	due := s.open[len(s.open)-1]
	switch c := s.Peek(); {
	case c == due:
		s.At++
		s.open = s.open[:len(s.open)-1]
		return false, nil
	case c == ',' && !first:
		s.At++
		s.Space()
	case !first:
		return false, s.unexpected(fmt.Sprintf("where a comma or %q was expected", due))
	}
	if due == '}' {
		err = s.key()
	}
	return err == nil, err
}

// SkipItem is Item where the caller expects the comma, if one is due, the name and the
// colon of a member to be just these bytes. If anything else is there, it does nothing
// and reports false.
func (s *Scanner) SkipItem(expected []byte) bool {
	if !bytes.HasPrefix(s.Text[s.At:], expected) {
		return false
	}
	s.At += len(expected)
	s.first = false
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

// Depth returns how many containers the scanner is in.
func (s *Scanner) Depth() int { return len(s.open) }

// AtEnd moves past white space and reports whether nothing else is left.
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

// Peek returns the byte that comes next; 0, which is not valid outside a string, at the end.
func (s *Scanner) Peek() byte {
	if s.At < len(s.Text) {
		return s.Text[s.At]
	}
	return s.peekMore()
}

//go:noinline
func (s *Scanner) peekMore() byte { // by itself, so that Peek can be inlined
	if s.More() {
		return s.Text[s.At]
	}
	return 0
}

// More gets more of the text, and reports false where there is none.
func (s *Scanner) More() bool { return s.Read != nil && s.Read() }

// skip moves on as a function does that skips within a text, past the end of what is
// there if need be. It reports whether something stands after what was skipped.
func (s *Scanner) skip(over func(text []byte, at int) int) bool {
	s.At = over(s.Text, s.At)
	for s.At == len(s.Text) && s.More() {
		s.At = over(s.Text, s.At)
	}
	return s.At < len(s.Text)
}

// unexpected is the error of the character that stands here.
func (s *Scanner) unexpected(where string) error {
	for !utf8.FullRune(s.Text[s.At:]) && s.More() {
		continue // the rest of the character
	}
	if s.At == len(s.Text) {
		return s.Fail("the body ends " + where)
	}
	r, _ := utf8.DecodeRune(s.Text[s.At:])
	return s.Fail(fmt.Sprintf("%q %s", r, where))
}

// Fail is the error of the place that the scanner is at.
func (s *Scanner) Fail(reason string) error {
	before := s.Text[:s.At]
	return &SyntaxError{reason, 1 + bytes.Count(before, []byte{'\n'}), len(before) - bytes.LastIndexByte(before, '\n')}
}

// SyntaxError says where and why a text is not JSON.
type SyntaxError struct {
	Reason string // in words, lower case
	// Line, from 1, and Column, in bytes from 1, are where it stands; 0 of an empty text.
	Line, Column int
}

// Error implements error in one line. Of the text it has one character at most,
// quoted: what stands around that may be secret.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return "not valid JSON: " + e.Reason
	}
	return fmt.Sprintf("not valid JSON: %s at line %d, column %d", e.Reason, e.Line, e.Column)
}

func (e *SyntaxError) Explain() problem.Explanation {
	return problem.Explanation{
		Text: "the answer cannot be read: " + e.Error(),
		Hint: "Check the URLs of the profile. A proxy or the sign-in page of a network may be answering instead of the service.",
	}
}

// ByteOrderMark may stand before a text; it is no part of the JSON.
const ByteOrderMark = "\uFEFF"
