package lists

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"gatehouse/internal/text/jsonscan"
)

// Kind says what a [Cell] holds.
type Kind uint8

// The kinds of cells. Missing is the zero Kind: the record has no such member.
const (
	Missing Kind = iota
	Null
	String
	Number
	Bool
	Array
	Object
)

// Cell is one value of a record. Nothing of it is decoded before it is asked for.
// The zero Cell is a missing one.
type Cell struct{ raw []byte }

// textCell returns a cell with a string.
func textCell(text string) Cell {
	quoted, _ := json.Marshal(text) // no text fails
	return Cell{quoted}
}

// NullCell returns a cell with a null.
func NullCell() Cell { return Cell{[]byte("null")} }

// Kind returns the kind of the cell. A missing member, a null and an empty string are three
// different kinds.
func (c Cell) Kind() Kind {
	if len(c.raw) == 0 {
		return Missing
	}
	switch c.raw[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	default:
		return Number
	}
}

// Raw returns the JSON value exactly as it was sent, or nil for a missing cell. The caller must not
// change it.
func (c Cell) Raw() []byte { return c.raw }

// Text returns what a person reads: a decoded string, a number with exactly the digits that were
// sent, the length of an array ("[3]"), an object as JSON without white space, "true", "false",
// "null", or "" for a missing cell. It is not safe on a terminal.
func (c Cell) Text() string {
	if c.Kind() == Array {
		return fmt.Sprintf("[%d]", countElements(c.raw))
	}
	return string(c.meaning())
}

// appendFolded appends what Text returns, without case.
func (c Cell) appendFolded(dst []byte) []byte {
	switch kind := c.Kind(); {
	case kind == Array:
		return appendFolded(dst, []byte(c.Text()))
	case kind != String:
		return appendFolded(dst, c.meaning())
	case bytes.IndexByte(c.raw, '\\') >= 0:
		var decoded [shortText]byte
		return appendFolded(dst, jsonscan.AppendUnquoted(decoded[:0], c.raw))
	}
	return appendFolded(dst, c.raw[1:len(c.raw)-1])
}

// elements returns the number of elements of an array, in digits.
func (c Cell) elements() string { return strconv.Itoa(countElements(c.raw)) }

// countElements returns the number of elements of an array.
func countElements(array []byte) (count int) {
	for range jsonscan.Items(array, 0) {
		count++
	}
	return count
}

// meaning returns the value without what does not matter: a string decoded, an array or object
// without white space between its tokens, and anything else as it was sent.
func (c Cell) meaning() []byte {
	switch c.Kind() {
	case String:
		return jsonscan.Unquote(c.raw)
	case Array, Object:
		return appendCompact(nil, c.raw)
	default:
		return c.raw
	}
}

// appendCompact appends a JSON value without the white space between its tokens.
func appendCompact(dst, raw []byte) []byte {
	for at := 0; at < len(raw); at++ {
		switch c := raw[at]; {
		case c == '"':
			end := jsonscan.SkipString(raw, at)
			dst = append(dst, raw[at:end]...)
			at = end - 1
		case !jsonscan.IsSpace(c):
			dst = append(dst, c)
		}
	}
	return dst
}
