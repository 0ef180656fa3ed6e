package records

import (
	"bytes"
	"encoding/json"
)

// identical is that the cell has the same value as this one, as [Table.Group] tells
// values apart.
type identical struct {
	cell     Cell
	identity []byte // of the cell
}

func newIdentical(raw []byte) identical {
	w := identical{cell: Cell{raw}}
	w.identity = w.cell.identity(new([]byte))
	return w
}

// identical returns the condition of an item with ==: without quotes, JSON is the
// value it says, and all else is the text of a string.
func (c *compiler) identical(item queryItem) condition {
	if item.quoted || !isLiteral(item.value) {
		return newIdentical([]byte(quoteQuery(item.value)))
	}
	switch item.value {
	case missingWord:
		return inState(Missing)
	case nullWord:
		return inState(Null)
	}
	return newIdentical([]byte(item.value))
}

// isLiteral reports whether a text is more than text where == has it without quotes.
func isLiteral(text string) bool { return text == missingWord || json.Valid([]byte(text)) }

func (w identical) holds(c Cell) bool {
	return c.Kind() == w.cell.Kind() &&
		(bytes.Equal(c.raw, w.cell.raw) || bytes.Equal(c.identity(new([]byte)), w.identity))
}

// inScalar reports whether the value is no list or object, and not the empty text, so
// that a search for it in the whole record finds it.
func (w identical) inScalar() bool { return w.cell.Kind() < Array && len(w.identity) > 0 }

// implies asks the other condition about the one value that there is. Only of an object
// is the text, which others read, not the same wherever the value is.
func (w identical) implies(other condition) bool {
	_, exact := other.(identical)
	return (exact || w.cell.Kind() != Object) && other.holds(w.cell)
}
