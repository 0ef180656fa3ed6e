package lists

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/text/jsonscan"
)

// Time returns the instant, in UTC, of a cell of a [TimeColumn] or [TicksColumn],
// and whether it has one. ISO 8601 text without a zone is taken as UTC, a date alone
// as its first moment. Ticks are units of 100 ns since the year 1, so 0 ticks, like the
// text 0001-01-01T00:00:00Z, give the zero Time: both mean that the time is not set.
func (c Cell) Time(kind ColumnKind) (time.Time, bool) {
	switch {
	case kind == TimeColumn && c.Kind() == String:
		return parseTime(jsonscan.Unquote(c.raw))
	case kind == TicksColumn && c.Kind() == Number:
		ticks, ok := parseTicks(c.raw)
		return time.Unix(yearOne+ticks/ticksPerSecond, ticks%ticksPerSecond*nanosPerTick).UTC(), ok
	default:
		return time.Time{}, false
	}
}

const (
	ticksPerSecond = 10_000_000
	ticksPerDay    = 24 * 60 * 60 * ticksPerSecond
	nanosPerTick   = 100
	maxTicks       = 3_155_378_975_999_999_999 // the end of the year 9999
	// A number in this range is a time in the years 1900 to 2200 rather than something else.
	minPlausibleTicks = 693_595 * ticksPerDay
	maxPlausibleTicks = 803_533 * ticksPerDay // exclusive
	// yearOne is when ticks begin, in seconds of Unix time.
	yearOne = -62_135_596_800
)

// parseTicks reads a JSON number as ticks.
func parseTicks(number []byte) (ticks int64, ok bool) {
	if len(number) > len("3155378975999999999") || !isDigits(number) {
		return 0, false
	}
	ticks, err := strconv.ParseInt(string(number), 10, 64)
	return ticks, err == nil && ticks <= maxTicks
}

func isDigits(text []byte) bool {
	return len(text) > 0 && !slices.ContainsFunc(text, func(c byte) bool { return !jsonscan.IsDigit(c) })
}

// parseTime reads ISO 8601 text in the forms that services send: a date, with a
// time after a T or a blank, with seconds and a fraction of them, with a zone.
// What a fraction has beyond nanoseconds is cut off.
func parseTime(text []byte) (time.Time, bool) {
	at, precision, ok := readTime(text)
	return at, ok && precision <= day
}

// timeSpan is the instants that a time stands for which does not say all: a date for its whole day.
type timeSpan struct {
	first, last time.Time
	precision   time.Duration
}

// parseSpan reads what parseTime reads, and years and months too.
func parseSpan(text []byte) (timeSpan, bool) {
	first, precision, ok := readTime(text)
	if !ok {
		return timeSpan{}, false
	}
	return spanFrom(first, precision), true
}

// The precisions of a time that lacks its day or more; only their order counts.
const (
	day   = 24 * time.Hour
	month = 31 * day
	year  = 366 * day
)

// timeLayouts are the forms of times. Behind seconds any fraction of them may follow.
var timeLayouts = []struct {
	layout    string
	precision time.Duration
}{
	{time.RFC3339, time.Second},
	{"2006-01-02T15:04:05Z0700", time.Second},
	{"2006-01-02T15:04:05", time.Second},
	{"2006-01-02T15:04Z07:00", time.Minute},
	{"2006-01-02T15:04Z0700", time.Minute},
	{"2006-01-02T15:04", time.Minute},
	{time.DateOnly, day},
	{"2006-01", month},
	{"2006", year},
}

// mayBeTime reports whether a text begins as a time does, with a year, and is not too long for one.
func mayBeTime(text []byte) bool {
	const maxTime = 64
	if len(text) == 0 || len(text) > maxTime || !jsonscan.IsDigit(text[0]) {
		return false
	}
	return len(text) <= len("2006") || text[len("2006")] == '-'
}

// readTime returns the first instant, in UTC, that a text stands for, and how precise it is.
func readTime(text []byte) (first time.Time, precision time.Duration, ok bool) {
	if !mayBeTime(text) {
		return first, 0, false
	}
	isUsualForm := len(text) > len(time.DateTime) && text[len(text)-1] == 'Z'
	if isUsualForm && first.UnmarshalText(text) == nil { // faster
		return first, precisionOf(text, time.Second), true
	}
	standard := strings.Replace(strings.ToUpper(string(text)), " ", "T", 1)
	for _, form := range timeLayouts {
		if first, err := time.Parse(form.layout, standard); err == nil {
			return first.UTC(), precisionOf(text, form.precision), true
		}
	}
	return time.Time{}, 0, false
}

// precisionOf is the precision of a form, unless a fraction of a second makes it exact.
func precisionOf(text []byte, usual time.Duration) time.Duration {
	if bytes.ContainsAny(text, ".,") {
		return time.Nanosecond
	}
	return usual
}
