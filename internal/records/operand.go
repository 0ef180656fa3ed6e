package records

import (
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

// parseSize reads a number, with or without a decimal unit: 10k, 200MB, 1.5 GB.
func parseSize(text string) (decimal, bool) {
	text = strings.TrimSuffix(strings.ToLower(text), "b")
	number := text
	exponent := int64(0)
	if unit := strings.IndexByte("kmgtp", lastByte(text)); unit >= 0 {
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
