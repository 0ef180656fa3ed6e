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
}

// Error implements error in one line. Of the body it has one character at most,
// quoted: what stands around that may be secret.
func (e *SyntaxError) Error() string {
	if e.Offset == 0 {
		return "not valid JSON: " + e.Reason
	}
	return fmt.Sprintf("not valid JSON: %s at line %d, column %d", e.Reason, e.Line, e.Column)
}

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
	}
}
