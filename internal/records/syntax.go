package records

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// SyntaxError says where and why a body is not JSON.
type SyntaxError struct {
	Reason string // in words, lower case
	Line   int    // from 1
	Column int    // from 1, in characters (a byte that is not UTF-8 counts as one)
	Offset int64  // in bytes from the start of the body, byte order mark included
	Near   string // a few characters up to and with the wrong one, as they were sent; not safe on a terminal
}

// Error implements error in one line, with everything from the body quoted.
func (e *SyntaxError) Error() string {
	if e.Near == "" {
		return "not valid JSON: " + e.Reason
	}
	return fmt.Sprintf("not valid JSON: %s at line %d, column %d, near %q", e.Reason, e.Line, e.Column, e.Near)
}

// nearRunes is how many characters of the body an error shows.
const nearRunes = 24

var byteOrderMark = []byte("\uFEFF")

// syntaxError builds the error of the place offset in the body.
func syntaxError(body []byte, offset int, reason string) *SyntaxError {
	text := bytes.TrimPrefix(body, byteOrderMark)
	at := max(0, offset-(len(body)-len(text)))
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return &SyntaxError{
		Reason: reason,
		Line:   bytes.Count(text[:at], []byte("\n")) + 1,
		Column: utf8.RuneCount(line) + 1,
		Offset: int64(offset),
		Near:   near(text, at),
	}
}

func near(text []byte, at int) string {
	end := at
	if at < len(text) {
		_, size := utf8.DecodeRune(text[at:])
		end += size
	}
	start := end
	for range nearRunes {
		_, size := utf8.DecodeLastRune(text[:start])
		start -= size
	}
	return string(text[start:end])
}
