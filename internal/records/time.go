package records

import (
	"strconv"
	"time"

	"gatehouse/internal/jsonscan"
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
		return timeOfTicks(ticks), ok
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
	for _, c := range text {
		if !jsonscan.IsDigit(c) {
			return false
		}
	}
	return len(text) > 0
}

func isPlausible(ticks int64) bool { return minPlausibleTicks <= ticks && ticks < maxPlausibleTicks }

func timeOfTicks(ticks int64) time.Time {
	return time.Unix(yearOne+ticks/ticksPerSecond, ticks%ticksPerSecond*nanosPerTick).UTC()
}

// parseTime reads ISO 8601 text in the forms that services send: a date, with a
// time behind a T or a blank, with seconds and a fraction of them, with a zone.
// What a fraction has beyond nanoseconds is cut off.
func parseTime(text []byte) (time.Time, bool) {
	parts, ok := readTime(text)
	if !ok {
		return time.Time{}, false
	}
	return parts.first(), true
}

// readTime is parseTime without the work of making an instant of it.
func readTime(text []byte) (timeParts, bool) {
	parts, ok := readTimeOrMonth(text)
	return parts, ok && parts.precision <= day
}

// timeSpan is the instants that a time stands for which does not say all: a date for its whole day.
type timeSpan struct {
	first, last time.Time
	precision   time.Duration
}

// parseSpan reads what parseTime reads, and years and months too.
func parseSpan(text []byte) (timeSpan, bool) {
	parts, ok := readTimeOrMonth(text)
	if !ok {
		return timeSpan{}, false
	}
	first := parts.first()
	return timeSpan{first, endOf(first, parts.precision).Add(-1), parts.precision}, true
}

// timeParts are what is written in a time, or the least that it can be.
type timeParts struct {
	year, month, day           int
	hour, minute, second, nano int
	zone                       time.Duration // east of UTC
	precision                  time.Duration
}

// The precisions of a time that lacks its day or more; only their order counts.
const (
	day   = 24 * time.Hour
	month = 31 * day
	year  = 366 * day
)

func (p timeParts) first() time.Time {
	return time.Date(p.year, time.Month(p.month), p.day, p.hour, p.minute, p.second, p.nano, time.UTC).Add(-p.zone)
}

func readTimeOrMonth(text []byte) (timeParts, bool) {
	r := timeReader{text: text, timeParts: timeParts{month: 1, day: 1, precision: year}}
	r.year = r.digits(4)
	if r.accept("-") {
		r.month, r.precision = r.digits(2), month
		if r.accept("-") {
			r.day, r.precision = r.digits(2), day
			if !r.done() {
				r.timeOfDay()
			}
		}
	}
	return r.timeParts, !r.failed && r.done() && 1 <= r.month && r.month <= 12 && 1 <= r.day && r.day <= daysIn(r.year, r.month)
}

// daysIn counts them up to the day before the first of the next month.
func daysIn(year, month int) int {
	return time.Date(year, time.Month(month+1), 0, 0, 0, 0, 0, time.UTC).Day()
}

// endOf returns the first instant behind a span.
func endOf(first time.Time, precision time.Duration) time.Time {
	switch precision {
	case year:
		return first.AddDate(1, 0, 0)
	case month:
		return first.AddDate(0, 1, 0)
	default:
		return first.Add(precision)
	}
}

// timeReader reads a time from its start to its end; a part that is not there makes it fail.
type timeReader struct {
	timeParts
	text   []byte
	failed bool
}

func (r *timeReader) done() bool { return len(r.text) == 0 }

// accept moves behind one of the characters if it comes next.
func (r *timeReader) accept(any string) bool {
	for i := range len(any) {
		if len(r.text) > 0 && r.text[0] == any[i] {
			r.text = r.text[1:]
			return true
		}
	}
	return false
}

func (r *timeReader) expect(any string) {
	if !r.accept(any) {
		r.failed = true
	}
}

// digits reads a number of exactly so many digits.
func (r *timeReader) digits(count int) (number int) {
	if len(r.text) < count || !isDigits(r.text[:count]) {
		r.failed = true
		return 0
	}
	for _, c := range r.text[:count] {
		number = 10*number + int(c-'0')
	}
	r.text = r.text[count:]
	return number
}

func (r *timeReader) below(limit, number int) int {
	if number >= limit {
		r.failed = true
	}
	return number
}

func (r *timeReader) timeOfDay() {
	r.expect("Tt ")
	r.hour, r.precision = r.below(24, r.digits(2)), time.Minute
	r.expect(":")
	r.minute = r.below(60, r.digits(2))
	if r.accept(":") {
		r.second, r.precision = r.below(60, r.digits(2)), time.Second
		if r.accept(".,") {
			r.fraction()
		}
	}
	r.zone = r.readZone()
}

// fraction reads the digits behind a decimal point, at least one.
func (r *timeReader) fraction() {
	count := 0
	for ; count < len(r.text) && jsonscan.IsDigit(r.text[count]); count++ {
		if r.precision > 1 {
			r.precision /= 10
			r.nano += int(r.text[count]-'0') * int(r.precision)
		}
	}
	r.failed = r.failed || count == 0
	r.text = r.text[count:]
}

// readZone reads Z, +02:00, -0330 or nothing.
func (r *timeReader) readZone() time.Duration {
	if r.done() || r.accept("Zz") {
		return 0
	}
	sign := time.Duration(1)
	if r.accept("-") {
		sign = -1
	} else {
		r.expect("+")
	}
	hours := r.below(24, r.digits(2))
	r.accept(":")
	minutes := r.below(60, r.digits(2))
	return sign * (time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
}
