package lists

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// comparison returns the bound that an item puts on a column, nil if what it
// compares with makes no sense there. The kind of the column tells what may be
// meant by 2020 or 10k; each cell is then compared as what it is.
func (c *compiler) comparison(item queryItem, col int) *bound {
	b := &bound{below: item.operator[0] == '<', included: len(item.operator) == 2}
	b.ticks = speaksOfTime(c.table.columns.names[col])
	b.text = appendNatural(nil, appendFolded(nil, []byte(item.value)))
	switch kind := c.table.sample().columns[col].Kind; kind {
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

var agePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,7})([mhdwMHDW])$`) })

// parseAge reads a whole number of minutes, hours, days or weeks, as in 30m, 24h, 7d and 2w, in seconds.
func parseAge(text string) (seconds int64, ok bool) {
	parts := agePattern().FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	number, _ := strconv.ParseInt(parts[1], 10, 64) // cannot fail: it has few digits
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	return number * map[byte]int64{'m': minute, 'h': hour, 'd': day, 'w': 7 * day}[lower(parts[2][0])], true
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

// sizeUnits are the decimal units of sizes, each a thousand times the previous one.
const sizeUnits = "kMGTPE"

// parseSize reads a number, with or without a decimal unit: 10k, 200MB, 1.5 GB.
func parseSize(text string) (decimal, bool) {
	text = strings.TrimSuffix(strings.ToLower(text), "b")
	number := strings.TrimRight(text, strings.ToLower(sizeUnits))
	if len(text)-len(number) > 1 {
		return decimal{}, false
	}
	size, ok := parseNumber(strings.TrimSpace(number))
	if unit := text[len(number):]; unit != "" && len(size.digits) > 0 {
		size.exponent += 3 * int64(strings.Index(strings.ToLower(sizeUnits), unit)+1)
	}
	return size, ok
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
