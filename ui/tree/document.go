package tree

import (
	"bytes"
	"unsafe"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
)

// What is longer, nests deeper or has more values is shown as text: each key looks at no
// more than this.
const (
	maxBytes  = 1 << 20
	maxDepth  = 100
	maxValues = 100_000 // in about one container
)

// document is what was sent.
type document struct {
	text   string
	raw    []byte // the same memory
	isText bool   // it is shown as text
	flaw   string // why; "" if it is no JSON
}

func read(raw []byte) *document {
	if len(raw) > maxBytes {
		return newText(raw, human.Bytes(int64(len(raw)))+" is too long")
	}
	raw = bytes.Clone(raw) // so as not to keep the bytes around it in memory
	text := bytes.Trim(raw, " \t\r\n")
	switch {
	case !isJSON(text, maxDepth) && isJSON(text, len(text)):
		return newText(raw, "the nesting is too deep")
	case !isJSON(text, maxDepth):
		return newText(raw, "")
	case bytes.Count(text, []byte{','}) > maxValues:
		return newText(raw, "there are too many values")
	}
	return &document{text: stringOf(text), raw: text}
}

func newText(raw []byte, flaw string) *document {
	return &document{text: stringOf(raw), raw: raw, isText: true, flaw: flaw}
}

// stringOf returns bytes that do not change any more as a string of the same memory.
func stringOf(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// isJSON reports whether a text is one JSON value that does not nest too deep.
func isJSON(text []byte, depth int) bool {
	s := jsonscan.Scanner{Text: text, MaxDepth: depth}
	return s.Value() == nil && s.AtEnd()
}
