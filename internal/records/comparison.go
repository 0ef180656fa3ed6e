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
	side, ticks := sideOf(item.operator), speaksOfTime(c.table.columns.columns[col].Name)
	switch kind := c.table.SampledKinds()[col]; kind {
	case TimeColumn, TicksColumn:
		if span, ok := c.time(item.value); ok {
			return boundTime(side, span, ticks)
		}
		if number, ok := parseNumber(item.value); ok && kind == TicksColumn {
			return boundNumber(side, item.value, number)
		}
		return nil
	case NumberColumn, BytesColumn:
		if number, ok := parseSize(item.value); ok {
			return boundNumber(side, item.value, number)
		}
		return nil
	}
	if span, ok := parseSpan([]byte(item.value)); ok && span.precision < year {
		return boundTime(side, span, ticks)
	}
	if number, ok := parseNumber(item.value); ok {
		return boundNumber(side, item.value, number)
	}
	return boundText(side, item.value)
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

// textBound bounds the text of cells, in the order in which [Table.Sort] has it.
type textBound struct {
	side
	operand []byte // folded and natural
}

func boundText(side side, text string) textBound {
	return textBound{side, appendNatural(nil, appendFolded(nil, []byte(text)))}
}

func (b textBound) holds(c Cell) bool {
	if c.Kind() <= Null {
		return false
	}
	var folded, natural [shortText]byte
	return b.admits(bytes.Compare(appendNatural(natural[:0], c.appendFolded(folded[:0])), b.operand))
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
