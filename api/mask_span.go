package api

import (
	"encoding/json"
	"iter"
	"strings"

	"gatehouse/internal/secret"
)

// span is a part of a JSON text that is valid. Finding one takes a single pass,
// however deep the text is.
type span struct{ at, end int }

// maskSpans puts the mask where the spans stand, which come in order.
func maskSpans(text string, spans []span) []byte {
	var out []byte
	done := 0
	for _, s := range spans {
		out = append(out, text[done:s.at]...)
		out = append(out, `"`+secret.Mask+`"`...)
		done = s.end
	}
	return append(out, text[done:]...)
}

const jsonSpace = " \t\r\n"

// scalars are the names, strings, numbers and literals, in order.
func scalars(text string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for at := 0; at < len(text); {
			if strings.IndexByte("{}[],:"+jsonSpace, text[at]) >= 0 {
				at++
				continue
			}
			s := span{at, scalarEnd(text, at)}
			if !yield(s) {
				return
			}
			at = s.end
		}
	}
}

func scalarEnd(text string, at int) int {
	if text[at] != '"' {
		if length := strings.IndexAny(text[at:], ",]}"+jsonSpace); length >= 0 {
			return at + length
		}
		return len(text)
	}
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// valueOf is where the value of a member begins, if the scalar is its name.
func valueOf(text string, name span) (at int, isName bool) {
	rest := strings.TrimLeft(text[name.end:], jsonSpace)
	if rest == "" || rest[0] != ':' {
		return 0, false
	}
	return len(text) - len(strings.TrimLeft(rest[1:], jsonSpace)), true
}

func valueEnd(text string, at int) int {
	for depth := 0; ; {
		switch text[at] {
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\t', '\r', '\n':
			at++
		default:
			at = scalarEnd(text, at)
		}
		if depth == 0 {
			return at
		}
	}
}

// decoded is the text of a string, and of all else the text as it stands.
func decoded(text string, s span) string {
	raw := text[s.at:s.end]
	if raw[0] != '"' {
		return raw
	}
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var content string
	_ = json.Unmarshal([]byte(raw), &content) // valid, as all of the text
	return content
}
