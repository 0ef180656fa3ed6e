package records

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gatehouse/internal/jsonscan"
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

// Kind returns what the cell holds. A missing member, a null and an empty
// string are three different things.
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

// Raw returns the JSON value exactly as it was sent, nil for a missing one.
// The caller must not change it.
func (c Cell) Raw() []byte { return c.raw }

// Text returns what a person reads: a string decoded, a number with exactly the
// digits that were sent, an array as its number of elements ("[3]"), an object as
// JSON without white space, "true", "false" or "null", and "" for a missing cell.
// Text from outside is not safe on a terminal as it is.
func (c Cell) Text() string {
	switch c.Kind() {
	case String:
		return string(jsonscan.Unquote(c.raw))
	case Array:
		return fmt.Sprintf("[%d]", countElements(c.raw))
	case Object:
		var compact bytes.Buffer
		if err := json.Compact(&compact, c.raw); err != nil {
			return string(c.raw)
		}
		return compact.String()
	default:
		return string(c.raw)
	}
}

func countElements(array []byte) (count int) {
	for range jsonscan.Items(array, 0) {
		count++
	}
	return count
}
