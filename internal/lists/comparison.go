package lists

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"
)

// comparison returns the bound that an item, such as Disk>10k, puts on a column, or why it cannot
// be compared with that column. The kind of the column tells what is meant by 2020 or 10k; each
// cell is then compared by its own kind.
func (c *compiler) comparison(item queryItem, col int) (*bound, *Notice) {
	b := &bound{
		below:        item.operator[0] == '<',
		included:     len(item.operator) == len("<="),
		ticksAreTime: speaksOfTime(c.table.columns.names[col]),
		text:         appendNatural(nil, appendFolded(nil, []byte(item.value))),
	}
	switch kind := c.table.sample().columns[col].Kind; kind {
	case TimeColumn, TicksColumn:
		return c.timeBound(b, item, kind)
	case NumberColumn, BytesColumn:
		return c.amountBound(b, item, kind)
	}
	if span, ok := parseSpan([]byte(item.value)); ok && span.precision < year {
		return b.setTime(span), nil
	}
	if number, ok := parseNumber(item.value); ok {
		return b.setNumber(number), nil
	}
	return b, nil
}

// timeBound sets the operand of a bound on a column of times.
func (c *compiler) timeBound(b *bound, item queryItem, kind ColumnKind) (*bound, *Notice) {
	if m, ok := parseMoment(item.value, c.by.Now); ok {
		if !m.other.first.IsZero() {
			return nil, c.unclearDay(item, m)
		}
		b.below = b.below != m.old
		return b.setTime(m.timeSpan), nil
	}
	if number, ok := parseNumber(item.value); ok && kind == TicksColumn {
		return b.setNumber(number), nil
	}
	return nil, c.wrongValue(item, kind)
}

// amountBound sets the operand of a bound on a column of numbers or sizes.
func (c *compiler) amountBound(b *bound, item queryItem, kind ColumnKind) (*bound, *Notice) {
	a, ok := parseAmount(item.value)
	if !ok {
		return nil, c.wrongValue(item, kind)
	}
	if _, known := unitOf(a.unit); !known {
		return nil, c.unknownUnit(item, a)
	}
	number, unclear := a.number(kind)
	if unclear {
		return nil, c.unclearNumber(item, a)
	}
	return b.setNumber(number), nil
}

var numberPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`)
})

// parseNumber reads a number as JSON writes it. Unlike JSON, it takes zeros at the beginning, and a
// point without digits on one of its sides.
func parseNumber(text string) (decimal, bool) {
	if !numberPattern().MatchString(text) {
		return decimal{}, false
	}
	return newDecimal([]byte(text)), true
}

// bound is the condition that a value is on one side of an operand. If the operand is a time, only
// times can be. If it is a number, numbers are compared with it, and lists by their length.
// Anything else is compared as text.
type bound struct {
	below        bool // values below the operand are in bounds, or else those above it
	included     bool // so is the operand
	ticksAreTime bool // numbers are compared with a time as ticks

	// The operand as keys whose bytes sort as values do. time and number are nil if it is none.
	time, number, text []byte
}

// setTime makes a span of time the operand. The bound is at the end of the span at which all of it
// is on the same side.
func (b *bound) setTime(span timeSpan) *bound {
	end := span.last
	if b.below != b.included {
		end = span.first
	}
	b.time = appendInstant(nil, end)
	return b
}

// setNumber makes a number the operand.
func (b *bound) setNumber(number decimal) *bound {
	b.number = number.appendOrdered(nil)
	return b
}

// holds reports whether a cell is in bounds.
func (b *bound) holds(c Cell) bool {
	var memory [shortText]byte
	switch kind := c.Kind(); {
	case kind <= Null:
		return false
	case b.time != nil:
		column := TimeColumn
		if b.ticksAreTime && kind == Number {
			column = TicksColumn
		}
		at, ok := c.Time(column)
		isSet := ok && !at.IsZero()
		return isSet && b.admits(bytes.Compare(appendInstant(memory[:0], at), b.time))
	case b.number != nil && kind == Number:
		return b.admits(bytes.Compare(newDecimal(c.raw).appendOrdered(memory[:0]), b.number))
	case b.number != nil && kind == Array:
		return b.admits(b.compareLength(c, memory[:0]))
	default:
		return b.admits(bytes.Compare(c.appendNatural(memory[:0]), b.text))
	}
}

// compareLength compares the length of a list with the number. It uses the memory of dst.
func (b *bound) compareLength(list Cell, dst []byte) int {
	length := newDecimal(strconv.AppendInt(nil, int64(countElements(list.raw)), 10))
	return bytes.Compare(length.appendOrdered(dst), b.number)
}

// isLength reports whether a cell is a list that is as long as the number says.
func (b *bound) isLength(c Cell) bool {
	var memory [shortText]byte
	return c.Kind() == Array && b.compareLength(c, memory[:0]) == 0
}

// admits reports whether a value is in bounds of which the order with the operand is known: below 0
// if it is below the operand, 0 if it is equal.
func (b *bound) admits(order int) bool {
	if order == 0 {
		return b.included
	}
	return order < 0 == b.below
}
