package check

import (
	"slices"
	"strings"
)

// Summary says in a few words, without a full stop, what a check found. Each part stands for itself:
// screens put a sign between the parts, and a voice makes a pause there. In JSON a summary is a
// single text, so the summaries of a report that was read have one part. Its methods return new
// summaries.
type Summary []string

// inOnePart returns the summary that is a text, which has no part if the text is empty.
func inOnePart(text string) Summary {
	if text == "" {
		return nil
	}
	return Summary{text}
}

// String returns all parts as one text: "gateway.harbor.example · TLS 1.3 · clock 2m ahead".
func (s Summary) String() string { return strings.Join(s, " · ") }

// With returns the summary with one more part.
func (s Summary) With(part string) Summary { return append(slices.Clip(s), part) }

// noting returns the summary with a remark on its last part: "busy (429); not asked again".
func (s Summary) noting(remark string) Summary { return s.goingOn("; ", remark) }

// goingOn returns the summary with a text that continues its last part, if there is one.
func (s Summary) goingOn(joint, text string) Summary {
	last := len(s) - 1
	if last < 0 {
		return Summary{text}
	}
	return append(slices.Clip(s[:last]), s[last]+joint+text)
}

// MarshalText implements [encoding.TextMarshaler].
func (s Summary) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Summary) UnmarshalText(text []byte) error {
	*s = inOnePart(string(text))
	return nil
}
