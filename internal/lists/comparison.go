package lists

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"
)

// comparison returns the bound that an item puts on a column, or why what it compares with makes no
// sense there. The kind of the column tells what may be meant by 2020 or 10k; each cell is then
// compared as what it is.
func (c *compiler) comparison(item queryItem, col int) (*bound, *Notice) {
	b := &bound{below: item.operator[0] == '<', included: len(item.operator) == 2}
	b.ticks = speaksOfTime(c.table.columns.names[col])
	b.text = appendNatural(nil, appendFolded(nil, []byte(item.value)))
	switch kind := c.table.sample().columns[col].Kind; kind {
	case TimeColumn, TicksColumn:
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

var numberPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`) })

// parseNumber reads a number as JSON has it, but that zeros may lead it and that its
// point may stand at either end.
func parseNumber(text string) (decimal, bool) {
	if !numberPattern().MatchString(text) {
		return decimal{}, false
	}
	return newDecimal([]byte(text)), true
}

// bound holds for values on one side of an operand. An operand that is a time bounds times
// alone. One that is a number bounds numbers, and lists by their length. Anything else is
// compared as text.
type bound struct {
	below, included bool
	isTime          bool
	ticks           bool // numbers are times too
	// The operand as a key whose bytes sort as values do; number is nil where it is no number.
	time, number, text []byte
}

// setTime bounds by the near end of the span or by the far one, so that the whole
// span is the operand.
func (b *bound) setTime(span timeSpan) *bound {
	end := span.last
	if b.below != b.included {
		end = span.first
	}
	b.isTime, b.time = true, appendInstant(nil, end)
	return b
}

func (b *bound) setNumber(number decimal) *bound {
	b.number = number.appendOrdered(nil)
	return b
}

func (b *bound) holds(c Cell) bool {
	var memory [shortText]byte
	switch kind := c.Kind(); {
	case kind <= Null:
		return false
	case b.isTime:
		column := TimeColumn
		if b.ticks && kind == Number {
			column = TicksColumn
		}
		at, ok := c.Time(column)
		return ok && !at.IsZero() && b.admits(bytes.Compare(appendInstant(memory[:0], at), b.time))
	case b.number != nil && kind == Number:
		return b.admits(bytes.Compare(newDecimal(c.raw).appendOrdered(memory[:0]), b.number))
	case b.number != nil && kind == Array:
		return b.admits(b.orderOfLength(c, memory[:0]))
	default:
		return b.admits(bytes.Compare(c.appendNatural(memory[:0]), b.text))
	}
}

// orderOfLength compares the length of a list with the number, in the memory of dst.
func (b *bound) orderOfLength(c Cell, dst []byte) int {
	length := newDecimal(strconv.AppendInt(nil, int64(countElements(c.raw)), 10))
	return bytes.Compare(length.appendOrdered(dst), b.number)
}

// isLength reports whether a cell is a list of the length.
func (b *bound) isLength(c Cell) bool {
	var memory [shortText]byte
	return c.Kind() == Array && b.orderOfLength(c, memory[:0]) == 0
}

// admits tells from the order of a value and the operand.
func (b *bound) admits(order int) bool {
	if order == 0 {
		return b.included
	}
	return order < 0 == b.below
}
