package tree

import (
	"bytes"
	"context"
	"errors"
	"unsafe"

	"gatehouse/internal/jsonscan"
	"gatehouse/ui/screen"
)

// maxDepth is how deep a document may nest; what is deeper is shown as text.
// It bounds the recursion over documents and trees.
const maxDepth = 50_000

// document is a text and what is known of it before anybody unfolds something.
type document struct {
	text     string
	raw      []byte // the same memory
	outlines map[int]outline
	// isText says that it is shown as text, and flaw why: "" if it is no JSON.
	isText bool
	flaw   string
}

// read looks through a document. It fails only when the context ends.
func read(ctx context.Context, raw []byte) (*document, error) {
	if len(raw) <= openedAtOnce {
		raw = bytes.Clone(raw) // so as not to keep the bytes around it in memory
	}
	text := bytes.Trim(raw, " \t\r\n")
	if !isJSON(text) {
		flaw := ""
		if depth := nesting(text); depth > maxDepth {
			flaw = screen.Number(depth) + " levels of nesting, shown as text: "
		}
		return newText(raw, flaw), ctx.Err()
	}
	found, err := outlines(ctx, text)
	if errors.Is(err, errIntricate) {
		return newText(raw, "Nested too intricately, shown as text: "), nil
	}
	return &document{text: stringOf(text), raw: text, outlines: found}, err
}

func newText(raw []byte, flaw string) *document {
	return &document{text: stringOf(raw), raw: raw, isText: true, flaw: flaw}
}

// stringOf returns bytes that do not change any more as a string of the same memory.
func stringOf(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// isJSON reports whether a text is one JSON value that does not nest too deep.
func isJSON(text []byte) bool {
	s := jsonscan.Scanner{Text: text, MaxDepth: maxDepth}
	return s.Value() == nil && s.AtEnd()
}

// nesting returns how deep brackets nest outside of strings, in any text.
func nesting(text []byte) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// unquote decodes a JSON string, of which nothing is lost.
func unquote(raw string) string { return jsonscan.UnquoteLossless(raw) }

// cutQuoted returns the first bytes, about limit, of a longer JSON string as a
// JSON string: not cut inside an escape.
func cutQuoted(raw string, limit int) string {
	end := 1
	for end < limit {
		switch {
		case raw[end] != '\\':
			end++
		case raw[end+1] == 'u':
			end += len(`\u0000`)
		default:
			end += len(`\n`)
		}
	}
	return raw[:end] + `"`
}
