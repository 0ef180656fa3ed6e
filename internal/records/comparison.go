package records

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"
)

// comparison returns the bound that an item puts on a column, nil if what it
// compares with makes no sense there. The kind of the column tells what may be
// meant by 2020 or 10k; each cell is then compared as what it is.
func (c *compiler) comparison(item queryItem, col int) condition {
	b := &bound{below: item.operator[0] == '<', included: len(item.operator) == 2}
	b.ticks = speaksOfTime(c.table.columns.columns[col].Name)
	b.text = appendNatural(nil, appendFolded(nil, []byte(item.value)))
	switch kind := c.table.SampledKinds()[col]; kind {
	case TimeColumn, TicksColumn:
		if span, ok := c.time(item.value); ok {
			return b.setTime(span)
		}
		if number, ok := parseNumber(item.value); ok && kind == TicksColumn {
			return b.setNumber(number)
		}
		return nil
	case NumberColumn, BytesColumn:
		if number, ok := parseSize(item.value); ok {
			return b.setNumber(number)
		}
		return nil
	}
	if span, ok := parseSpan([]byte(item.value)); ok && span.precision < year {
		return b.setTime(span)
	}
	if number, ok := parseNumber(item.value); ok {
		return b.setNumber(number)
	}
	return b
}

// time reads a time, or how long ago it was.
func (c *compiler) time(text string) (timeSpan, bool) {
	if span, ok := parseSpan([]byte(text)); ok {
		return span, true
	}
	seconds, ok := parseAge(text)
	if !ok {
		return timeSpan{}, false
	}
	instant := time.Unix(c.now.Unix()-seconds, int64(c.now.Nanosecond()))
	return timeSpan{first: instant, last: instant}, true
}

// parseAge reads a whole number of minutes, hours, days or weeks, as in 30m, 24h, 7d and 2w, in seconds.
func parseAge(text string) (seconds int64, ok bool) {
	const longest = len("9999999w")
	if len(text) < 2 || len(text) > longest || !isDigits([]byte(text[:len(text)-1])) {
		return 0, false
	}
	seconds, _ = strconv.ParseInt(text[:len(text)-1], 10, 64) // cannot fail, see longest
	switch lower(text[len(text)-1]) {
	case 'm':
		return seconds * 60, true
	case 'h':
		return seconds * 60 * 60, true
	case 'd':
		return seconds * 24 * 60 * 60, true
	case 'w':
		return seconds * 7 * 24 * 60 * 60, true
	}
	return 0, false
}

// parseNumber reads a number as JSON has it, but that zeros may lead it and that its
// point may stand at either end.
func parseNumber(text string) (decimal, bool) {
	whole, rest := countDigits(strings.TrimPrefix(text, "-"))
	fraction := 0
	if strings.HasPrefix(rest, ".") {
		fraction, rest = countDigits(rest[1:])
	}
	if whole+fraction == 0 {
		return decimal{}, false
	}
	if rest != "" && lower(rest[0]) == 'e' {
		if rest = rest[1:]; rest != "" && (rest[0] == '-' || rest[0] == '+') {
			rest = rest[1:]
		}
		exponent := 0
		if exponent, rest = countDigits(rest); exponent == 0 {
			return decimal{}, false
		}
	}
	return newDecimal([]byte(text)), rest == ""
}

// countDigits returns how many digits begin the text, and what is behind them.
func countDigits(text string) (count int, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	return len(text) - len(rest), rest
}

// sizeUnits are the decimal units of sizes, each a thousand times the one before.
const sizeUnits = "kMGTPE"

// parseSize reads a number, with or without a decimal unit: 10k, 200MB, 1.5 GB.
func parseSize(text string) (decimal, bool) {
	text = strings.TrimSuffix(strings.ToLower(text), "b")
	number := text
	exponent := int64(0)
	if unit := strings.IndexByte(strings.ToLower(sizeUnits), lastByte(text)); unit >= 0 {
		number, exponent = text[:len(text)-1], 3*int64(unit+1)
	}
	size, ok := parseNumber(strings.TrimSpace(number))
	if len(size.digits) > 0 {
		size.exponent += exponent
	}
	return size, ok
}

// lastByte returns the last byte of a text, 0 if there is none.
func lastByte(text string) byte {
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

// bound holds for what is on one side of an operand. Times are compared with one, lists by
// their length and numbers with a number, and all else as text, each where the operand is such.
type bound struct {
	below, included bool
	isTime          bool
	ticks           bool // numbers are times too
	// The operand in an order of bytes, see [Cell.appendOrdered] and [Cell.appendNatural].
	// A number is nil for an operand that is none.
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
		length := newDecimal(strconv.AppendInt(nil, int64(countElements(c.raw)), 10))
		return b.admits(bytes.Compare(length.appendOrdered(memory[:0]), b.number))
	default:
		return b.admits(bytes.Compare(c.appendNatural(memory[:0]), b.text))
	}
}

// admits tells from the order of a value and the operand.
func (b *bound) admits(order int) bool {
	if order == 0 {
		return b.included
	}
	return order < 0 == b.below
}

// within reports whether everything that is within b is also within a wider bound of the same
// column. Text in such a column is not looked at.
func (b *bound) within(wide *bound) bool {
	isAlike := b.isTime == wide.isTime && (b.number == nil) == (wide.number == nil)
	if !isAlike || !b.isTime && b.number == nil || b.below != wide.below {
		return false
	}
	order := cmp.Or(bytes.Compare(b.time, wide.time), bytes.Compare(b.number, wide.number))
	if order == 0 {
		return wide.included || !b.included
	}
	return order < 0 == b.below
}
