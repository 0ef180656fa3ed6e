// Package human writes numbers, sizes and times as people read them, for the UI, line mode and the
// tables of the command line. There is one format for each:
//
//	[Number]   100,000
//	[Bytes]    39.2 MB
//	[Date]     2026-12-23
//	[Time]     2026-11-24 15:34
//	[Moment]   2026-11-24 15:34:01 UTC, or +01:00: a time to compare with a log
//	[Clock]    15:34:01: a time of today
//	[Age]      7 y ago, in 3 h, now
//	[Span]     29d 23h, 23h 59m, 4m 10s: how much time is left or has passed
//	[Took]     38 ms, 1.2 s: how long something took
//
// JSON and CSV have exact values instead.
package human

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Number writes a number with thousands separators: 100,000.
func Number(n int) string { return Grouped(strconv.Itoa(n)) }

// Count says how many there are: "1 share", "1,200 shares".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// List writes names in a sentence: "a, b and c".
func List(names []string) string {
	var b strings.Builder
	for i, name := range names {
		b.WriteString(name + Joint(i, len(names)))
	}
	return b.String()
}

// Joint returns what follows the name at an index in a [List] of count names: a comma, "and", or
// nothing after the last one.
func Joint(at, count int) string {
	switch count - 1 - at {
	case 0:
		return ""
	case 1:
		return " and "
	}
	return ", "
}

// Either writes a choice in a sentence: "a, b or c".
func Either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Grouped writes an integer of any length, in digits with or without a minus, with commas between
// its thousands: "142,838,469". It returns any other text as it is.
func Grouped(integer string) string {
	digits := strings.TrimPrefix(integer, "-")
	if !isDigits(digits) {
		return integer
	}
	const group = 3
	grouped := make([]byte, 0, len(integer)+len(digits)/group)
	grouped = append(grouped, integer[:len(integer)-len(digits)]...)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%group == 0 {
			grouped = append(grouped, ',')
		}
		grouped = append(grouped, digits[i])
	}
	return string(grouped)
}

// isDigits reports whether a text is one or more decimal digits.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Amount is a number and its unit, such as "39.2" and "MB". Columns align the two and screens draw
// them in different styles. A number without a unit has the unit "".
type Amount struct{ Number, Unit string }

// String returns the number and the unit in one text: "39.2 MB".
func (a Amount) String() string {
	if a.Unit == "" {
		return a.Number
	}
	return a.Number + " " + a.Unit
}

// Spoken is String for people who hear it. They would not understand the single letter of bytes, so
// it returns "479 bytes".
func (a Amount) Spoken() string {
	if a.Unit != unitBytes {
		return a.String()
	}
	if a.Number == "1" {
		return "1 byte"
	}
	return a.Number + " bytes"
}

// Bytes writes a size in powers of 1,000: 39.2 MB. The largest unit is the exabyte.
func Bytes(n int64) string { return Size(n).String() }

// Size is [Bytes] in two parts.
func Size(n int64) Amount { return sizeOf(float64(n)) }

const unitBytes = "B"

// sizeOf is [Size] of a number that may be too large for an int64.
func sizeOf(size float64) Amount {
	if size < 1000 {
		return Amount{strconv.FormatFloat(size, 'f', 0, 64), unitBytes}
	}
	const roundsUp = 999.95 // would be written as 1000.0
	unit := 0
	for size /= 1000; size >= roundsUp && unit < len(SizePrefixes)-1; unit++ {
		size /= 1000
	}
	number := strconv.FormatFloat(size, 'f', 1, 64)
	if size >= 1000 { // exabytes
		const fraction = len(".0")
		whole := len(number) - fraction
		number = Grouped(number[:whole]) + number[whole:]
	}
	return Amount{number, SizePrefixes[unit:unit+1] + unitBytes}
}

// SizePrefixes are the letters before the B of units of sizes, each for a thousand times the one
// before.
const SizePrefixes = "kMGTPE"

// SizeOf is [Size] of an integer of any length in digits, such as a sum. ok is false for a negative
// one and for any other text.
func SizeOf(integer string) (size Amount, ok bool) {
	number, err := strconv.ParseFloat(integer, 64)
	if err != nil || !isDigits(integer) {
		return Amount{}, false
	}
	return sizeOf(number), true
}

// Never is written for a time that was not set.
const Never = "never"

// Time writes a time to the minute: 2019-12-19 17:25. The zero Time is [Never].
func Time(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return Never
	}
	return t.In(zone).Format("2006-01-02 15:04")
}

// Date writes the day of a time in its own location: 2026-12-23.
func Date(t time.Time) string { return t.Format(time.DateOnly) }

// Moment writes a time to the second, with its zone: 2026-11-24 15:34:01 UTC.
func Moment(t time.Time) string {
	if _, offset := t.Zone(); offset == 0 {
		return t.Format("2006-01-02 15:04:05 UTC")
	}
	return t.Format("2006-01-02 15:04:05 -07:00")
}

// Clock writes a time of today to the second, in the location of now. A time of another day is
// written as [Time] does.
func Clock(t, now time.Time) string {
	if t = t.In(now.Location()); Date(t) != Date(now) {
		return Time(t, now.Location())
	}
	return t.Format(time.TimeOnly)
}

// Age says how long ago a time is, or how far ahead, in the largest unit: "7 y ago", "in 3 h", "in
// 17 s". For the last minute it is "now", and for the zero Time "".
func Age(t, now time.Time) string {
	return relative(t, now, func(n int, u unit) string { return Number(n) + " " + u.short })
}

// AgeInWords is [Age] for people who hear it: "7 years ago".
func AgeInWords(t, now time.Time) string {
	return relative(t, now, func(n int, u unit) string { return Count(n, u.long, u.long+"s") })
}

// relative is [Age] with a function that writes a number of units.
func relative(t, now time.Time, write func(n int, u unit) string) string {
	if t.IsZero() {
		return ""
	}
	n, u := largestUnit(t, now)
	isMomentAgo := u.size < time.Minute && !t.After(now)
	switch {
	case n == 0, isMomentAgo:
		return "now"
	case t.After(now):
		return "in " + write(n, u)
	}
	return write(n, u) + " ago"
}

// largestUnit returns how many whole units are between two times, of the largest unit of which
// there is one; 0 if there is less than a second.
func largestUnit(a, b time.Time) (n int, u unit) {
	const maxYears = 290 // that a Duration is sure to hold
	years := max(a.Year()-b.Year(), b.Year()-a.Year())
	if years > maxYears {
		return years, units[0]
	}
	between := b.Sub(a).Abs()
	for _, u := range units {
		if between >= u.size {
			return int(between / u.size), u
		}
	}
	return 0, unit{}
}

// unit is a unit of time.
type unit struct {
	short, long string // its name
	size        time.Duration
}

const day = 24 * time.Hour

// units are all units of time, the largest first.
var units = []unit{
	{"y", "year", 365*day + 6*time.Hour},
	{"mo", "month", 30*day + 10*time.Hour},
	{"d", "day", day},
	{"h", "hour", time.Hour},
	{"min", "minute", time.Minute},
	{"s", "second", time.Second},
}

// unitsFromDays are the units of durations in words.
var unitsFromDays = units[2:]

// Span writes a duration in its two largest units: 3d 1h, 24h 0m, 4m 10s, 12s. A negative
// duration is "0s".
func Span(d time.Duration) string {
	switch d = max(d, 0); {
	case d >= 2*day:
		return fmt.Sprintf("%dd %dh", d/day, d%day/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh %dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm %ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

// Minutes is [Span] without the seconds of a duration that is a minute or more.
func Minutes(d time.Duration) string {
	if d < time.Minute || d >= time.Hour {
		return Span(d)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}

// InWords writes a duration in its two largest units, for a sentence or for people who hear it: "1
// day and 2 hours", "30 minutes". A negative duration is "0 seconds".
func InWords(d time.Duration) string {
	if 0 < d && d < time.Second {
		return "less than a second"
	}
	for i, u := range unitsFromDays {
		if d < u.size {
			continue
		}
		text := Count(int(d/u.size), u.long, u.long+"s")
		if isSmallest := i+1 == len(unitsFromDays); isSmallest {
			return text
		}
		if rest := (d % u.size).Truncate(unitsFromDays[i+1].size); rest > 0 {
			text += " and " + InWords(rest)
		}
		return text
	}
	return "0 seconds"
}

// Took writes how long something took, in two or three digits: <1 ms, 38 ms, 1.2 s, 4m 10s.
func Took(d time.Duration) string { return Duration(d).String() }

// Duration is [Took] in two parts. From a minute on it has two units, and all of it is the number.
func Duration(d time.Duration) Amount {
	switch {
	case d < time.Millisecond:
		return Amount{"<1", "ms"}
	case d >= time.Minute:
		return Amount{Number: Span(d)}
	case d >= time.Second:
		return Amount{strconv.FormatFloat(d.Seconds(), 'f', 1, 64), "s"}
	}
	return Amount{strconv.FormatInt(d.Milliseconds(), 10), "ms"}
}
