package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file reads a body in the plain way: byte by byte, one value after another.
// [Parse] must find the same.

func plainParse(body []byte) (records []span, columns schema, message string, err error) {
	values, err := plainScan(body)
	if err != nil {
		return nil, schema{}, "", err
	}
	records, message = plainRecords(body, values)
	columns = newSchema()
	for _, record := range records {
		columns.learn(record.of(body))
	}
	return records, columns, message, nil
}

// plainScan checks that the body is one JSON value or several, by RFC 8259 but
// for invalid UTF-8 inside strings, and returns where they are.
func plainScan(body []byte) ([]span, error) {
	s := plainScanner{body: body}
	if bytes.HasPrefix(body, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	var values []span
	for s.space(); s.at < len(body); s.space() {
		start := s.at
		if err := s.value(); err != nil {
			return nil, err
		}
		values = append(values, span{start, s.at})
	}
	if len(values) == 0 {
		return nil, syntaxError(nil, 0, "the body is empty")
	}
	return values, nil
}

// plainScanner checks JSON. It keeps its own stack, so that no nesting can exhaust
// the goroutine's.
type plainScanner struct {
	body []byte
	at   int
	open []byte // the closing brackets that are due
}

// value moves behind the value that begins here.
func (s *plainScanner) value() error {
	for {
		inside, err := s.enter()
		if err != nil {
			return err
		}
		if inside {
			continue
		}
		more, err := s.leave()
		if err != nil || !more {
			return err
		}
	}
}

// enter moves behind a scalar or an empty object or array; into any other one,
// to its first value, and then says so.
func (s *plainScanner) enter() (inside bool, err error) {
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

func (s *plainScanner) enterNested(closing byte) (inside bool, err error) {
	if len(s.open) == maxNesting {
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

// leave moves from behind a value to the next one, closing what ends in
// between. Without a next one the whole value has ended.
func (s *plainScanner) leave() (more bool, err error) {
	for len(s.open) > 0 {
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
			return false, s.unexpected(fmt.Sprintf("where a comma or %q was expected", closing))
		}
	}
	return false, nil
}

// key moves behind a member's key and colon.
func (s *plainScanner) key() error {
	if s.peek() != '"' {
		return s.unexpected("where a member name was expected")
	}
	if err := s.string(); err != nil {
		return err
	}
	s.space()
	if s.peek() != ':' {
		return s.unexpected("where a colon was expected")
	}
	s.at++
	return nil
}

func (s *plainScanner) string() error {
	for s.at++; s.at < len(s.body); s.at++ {
		switch c := s.body[s.at]; {
		case c == '"':
			s.at++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c < ' ':
			return s.fail("a control character in a string")
		}
	}
	return s.fail("the body ends inside a string")
}

// escape moves from the backslash to the last character of its escape.
func (s *plainScanner) escape() error {
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

func (s *plainScanner) literal(word string) error {
	for i := range len(word) {
		if s.peek() != word[i] {
			return s.unexpected("in " + word)
		}
		s.at++
	}
	return s.scalarEnd()
}

func (s *plainScanner) number() error {
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
func (s *plainScanner) digits() error {
	if !isDigit(s.peek()) {
		return s.unexpected("where a digit was expected")
	}
	for isDigit(s.peek()) {
		s.at++
	}
	return nil
}

// scalarEnd keeps 01 and truefalse from counting as two values in a row.
func (s *plainScanner) scalarEnd() error {
	if s.at < len(s.body) && !endsScalar(s.body[s.at]) {
		return s.unexpected("behind a value")
	}
	return nil
}

func (s *plainScanner) space() { s.at = skipSpace(s.body, s.at) }

// peek returns the next byte; 0, which is not valid outside a string, at the end.
func (s *plainScanner) peek() byte {
	if s.at < len(s.body) {
		return s.body[s.at]
	}
	return 0
}

// unexpected is the error of the character that stands here.
func (s *plainScanner) unexpected(where string) error {
	if s.at >= len(s.body) {
		return s.fail("the body ends " + where)
	}
	r, _ := utf8.DecodeRune(s.body[s.at:])
	return s.fail(fmt.Sprintf("%q %s", r, where))
}

func (s *plainScanner) fail(reason string) error { return syntaxError(s.body, s.at, reason) }

// plainRecords finds the records among the top-level values of the body, and
// the message beside them if they stand in an envelope.
func plainRecords(body []byte, values []span) ([]span, string) {
	if len(values) != 1 {
		return values, ""
	}
	top := values[0]
	switch body[top.start] {
	case 'n':
		return nil, ""
	case '[':
		return plainElements(body, top), ""
	case '{':
		if list, ok := plainList(top.of(body)); ok {
			return plainElements(body, list.shift(top.start)), plainMessage(top.of(body))
		}
	}
	return values, ""
}

// plainList returns where in the object its list of records is.
func plainList(object []byte) (list span, ok bool) {
	var arrays, named int
	var only, preferred span
	for key, value := range members(object) {
		if object[value.start] != '[' {
			continue
		}
		arrays, only = arrays+1, value
		if slices.Contains(listNames[:], strings.ToLower(string(unquote(key)))) {
			named, preferred = named+1, value
		}
	}
	if arrays == 1 {
		return only, true
	}
	return preferred, named == 1
}

func plainMessage(object []byte) string {
	for key, value := range members(object) {
		var message string
		if string(unquote(key)) == "Message" && json.Unmarshal(value.of(object), &message) == nil && message != "" {
			return message
		}
	}
	return ""
}

func plainElements(body []byte, array span) []span {
	var spans []span
	for element := range elements(array.of(body)) {
		spans = append(spans, element.shift(array.start))
	}
	return spans
}

func (s span) shift(by int) span { return span{s.start + by, s.end + by} }

// members yields the members of an object: the quoted key, and where in the
// object the value is.
func members(object []byte) iter.Seq2[[]byte, span] {
	return func(yield func([]byte, span) bool) {
		for at := skipSpace(object, 1); object[at] != '}'; {
			end := skipString(object, at)
			key := object[at:end]
			value := valueAt(object, memberValue(object, end))
			if !yield(key, value) {
				return
			}
			at = nextItem(object, value.end)
		}
	}
}
