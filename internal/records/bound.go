package records

import (
	"bytes"
	"cmp"
	"strconv"
	"time"

	"gatehouse/internal/jsonscan"
)

// side is where a value has to be, seen from an operand: below or above it, or the
// operand itself where that is included.
type side struct{ below, included bool }

func sideOf(operator string) side {
	return side{below: operator[0] == '<', included: len(operator) == 2}
}

// admits tells from the order of a value and the operand.
func (s side) admits(order int) bool {
	if order == 0 {
		return s.included
	}
	return order < 0 == s.below
}

// implies tells from the order of the operands of s and of the other one.
func (s side) implies(other side, order int) bool {
	switch {
	case s.below != other.below:
		return false
	case order == 0:
		return other.included || !s.included
	default:
		return order < 0 == s.below
	}
}

// timeBound bounds times. What is no time, and a time that is not set, is not within it.
type timeBound struct {
	side
	operand time.Time
	ticks   bool // numbers are times too
}

// boundTime bounds by the near end of the span or by the far one, so that the whole
// span is the operand.
func boundTime(side side, span timeSpan, ticks bool) timeBound {
	if side.below != side.included {
		return timeBound{side, span.first, ticks}
	}
	return timeBound{side, span.last, ticks}
}

func (b timeBound) holds(c Cell) bool {
	kind := TimeColumn
	if b.ticks && c.Kind() == Number {
		kind = TicksColumn
	}
	instant, ok := c.Time(kind)
	return ok && !instant.IsZero() && b.admits(instant.Compare(b.operand))
}

func (b timeBound) implies(other condition) bool {
	wide, ok := other.(timeBound)
	return ok && b.ticks == wide.ticks && b.side.implies(wide.side, b.operand.Compare(wide.operand))
}

// textBound bounds the text of cells, in the order in which [Table.Sort] has it.
type textBound struct {
	side
	operand []byte // folded and natural
}

func boundText(side side, text string) textBound {
	return textBound{side, appendNatural(nil, appendFolded(nil, []byte(text)))}
}

func (b textBound) holds(c Cell) bool {
	var folded, natural [shortText]byte
	switch c.Kind() {
	case Missing, Null:
		return false
	case String:
		return b.admits(bytes.Compare(appendNatural(natural[:0], appendFolded(folded[:0], jsonscan.Unquote(c.raw))), b.operand))
	default:
		return b.admits(bytes.Compare(appendNatural(nil, appendFolded(nil, []byte(c.Text()))), b.operand))
	}
}

func (b textBound) implies(other condition) bool {
	wide, ok := other.(textBound)
	return ok && b.impliesText(wide)
}

func (b textBound) impliesText(wide textBound) bool {
	return b.side.implies(wide.side, bytes.Compare(b.operand, wide.operand))
}

// numberBound bounds numbers by value, exactly, lists by their length, and all else as text.
type numberBound struct {
	textBound
	operand decimal
	short   int64 // the operand, if that is a short integer
	isShort bool
}

func boundNumber(side side, text string, operand decimal) numberBound {
	b := numberBound{textBound: boundText(side, text), operand: operand}
	b.short, b.isShort = shortInteger([]byte(text))
	return b
}

// shortInteger reads a number without a fraction or exponent that is sure to fit.
func shortInteger(number []byte) (integer int64, ok bool) {
	if len(number) > maxShortInteger || bytes.ContainsAny(number, ".eE") {
		return 0, false
	}
	integer, err := strconv.ParseInt(string(number), 10, 64)
	return integer, err == nil
}

func (b numberBound) holds(c Cell) bool {
	switch c.Kind() {
	case Number:
		return b.admits(b.compare(c.raw))
	case Array:
		return b.admits(b.compare(strconv.AppendInt(nil, int64(countElements(c.raw)), 10)))
	default:
		return b.textBound.holds(c)
	}
}

// compare returns the order of a number and the operand.
func (b numberBound) compare(number []byte) int {
	if b.isShort {
		if integer, ok := shortInteger(number); ok {
			return cmp.Compare(integer, b.short)
		}
	}
	return newDecimal(number).compare(b.operand)
}

func (b numberBound) implies(other condition) bool {
	wide, ok := other.(numberBound)
	return ok && b.side.implies(wide.side, b.operand.compare(wide.operand)) && b.impliesText(wide.textBound)
}
