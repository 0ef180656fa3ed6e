package tree

import (
	"context"
	"errors"
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"

	"gatehouse/ui/screen"
)

// maxDepth is how deep a document may nest; what is deeper is shown as text.
// It bounds the recursion over documents and trees.
const maxDepth = 50_000

// document is a text and what is known of it before anybody unfolds something.
type document struct {
	text     string
	outlines map[int]outline
	// isText says that it is shown as text, and flaw why: "" if it is no JSON.
	isText bool
	flaw   string
}

// read looks through a document. It fails only when the context ends.
func read(ctx context.Context, raw []byte) (*document, error) {
	whole := textOf(raw)
	text := strings.Trim(whole, " \t\r\n")
	if depth := nesting(text); depth > maxDepth {
		return &document{text: whole, isText: true, flaw: screen.Number(depth) + " levels of nesting, shown as text: "}, ctx.Err()
	}
	if ctx.Err() != nil || !gjson.Valid(text) {
		return &document{text: whole, isText: true}, ctx.Err()
	}
	found, err := outlines(ctx, text)
	if errors.Is(err, errIntricate) {
		return &document{text: whole, isText: true, flaw: "Nested too intricately, shown as text: "}, nil
	}
	return &document{text: text, outlines: found}, err
}

// textOf returns a document as a text: a short one as a copy, which does not keep
// the bytes around it in memory, a long one without.
func textOf(raw []byte) string {
	if len(raw) <= openedAtOnce {
		return string(raw)
	}
	return unsafe.String(unsafe.SliceData(raw), len(raw))
}

// nesting returns how deep brackets nest outside of strings.
func nesting(text string) int {
	depth, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}
