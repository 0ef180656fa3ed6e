package records

import (
	"bytes"
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
	end := first.Add(precision)
	switch precision {
	case year:
		end = first.AddDate(1, 0, 0)
	case month:
		end = first.AddDate(0, 1, 0)
	}
	return timeSpan{first, end.Add(-1), precision}, true
}

// The precisions of a time that lacks its day or more; only their order counts.
const (
	day   = 24 * time.Hour
	month = 31 * day
	year  = 366 * day
)

// readTime returns the first instant, in UTC, that a text stands for. Text that is in no form
// of a time is refused before package time makes an error of it, which is slow.
func readTime(text []byte) (first time.Time, precision time.Duration, ok bool) {
	layout, precision := timeLayout(text)
	if layout == "" {
		return first, 0, false
	}
	if layout == time.RFC3339 && first.UnmarshalText(text) == nil { // faster, and the usual form
		return first.UTC(), precision, true
	}
	if len(text) > len(time.DateOnly) {
		text = bytes.Replace(text, []byte("z"), []byte("Z"), 1)
		text[len(time.DateOnly)] = 'T'
	}
	first, err := time.Parse(layout, string(text))
	return first.UTC(), precision, err == nil
}

// timeLayout returns the layout of a text that may be a time, "" if it can be none.
func timeLayout(text []byte) (layout string, precision time.Duration) {
	const minutes, seconds = "2006-01-02T15:04", "2006-01-02T15:04:05"
	switch length := len(text); {
	case length == 0 || !jsonscan.IsDigit(text[0]):
		return "", 0
	case length == len("2006"):
		return "2006", year
	case length == len("2006-01"):
		return "2006-01", month
	case length == len(time.DateOnly):
		return time.DateOnly, day
	case length < len(minutes) || text[4] != '-' || text[7] != '-' || text[13] != ':' || bytes.IndexByte([]byte("Tt "), text[10]) < 0:
		return "", 0
	}
	layouts, zone := [...]string{minutes, minutes + "Z07:00", minutes + "Z0700"}, text[len(minutes):]
	if precision = time.Minute; len(text) >= len(seconds) && zone[0] == ':' {
		layouts = [...]string{seconds, time.RFC3339, seconds + "Z0700"}
		precision, zone = fraction(text[len(seconds):])
	}
	switch sign := bytes.IndexAny(zone, "+-"); {
	case len(zone) == 0:
		return layouts[0], precision
	case string(zone) == "Z" || string(zone) == "z":
		return layouts[1], precision
	case sign != 0 || len(zone) < len("+0700") || string(zone[1:3]) >= "24" || string(zone[len(zone)-2:]) >= "60":
		return "", 0 // package time takes offsets of 24 hours and of 60 minutes
	case len(zone) == len("+07:00"):
		return layouts[1], precision
	default:
		return layouts[2], precision
	}
}

// fraction returns the precision of what is behind the seconds of a time, and its zone.
func fraction(text []byte) (precision time.Duration, zone []byte) {
	precision = time.Second
	if len(text) == 0 || text[0] != '.' && text[0] != ',' {
		return precision, text
	}
	for text = text[1:]; len(text) > 0 && jsonscan.IsDigit(text[0]); text = text[1:] {
		precision = max(1, precision/10)
	}
	return precision, text
}
