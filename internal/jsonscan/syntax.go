package jsonscan

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"gatehouse/internal/problem"
)

// SyntaxError says where and why a text is not JSON.
type SyntaxError struct {
	Reason string // in words, lower case
	Line   int    // from 1
	Column int    // from 1, in characters (a byte that is not UTF-8 counts as one)
	Offset int64  // in bytes from the start of the text, byte order mark included
}

// Error implements error in one line. Of the text it has one character at most,
// quoted: what stands around that may be secret.
func (e *SyntaxError) Error() string {
	if e.Offset == 0 {
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

// NewSyntaxError builds the error of a place in the text, in bytes from its start.
func NewSyntaxError(text []byte, offset int, reason string) *SyntaxError {
	body := bytes.TrimPrefix(text, []byte(ByteOrderMark))
	at := max(0, offset-(len(text)-len(body)))
	line := body[bytes.LastIndexByte(body[:at], '\n')+1 : at]
	return &SyntaxError{
		Reason: reason,
		Line:   bytes.Count(body[:at], []byte("\n")) + 1,
		Column: utf8.RuneCount(line) + 1,
		Offset: int64(offset),
	}
}
