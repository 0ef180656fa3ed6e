package lists

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/text/jsonscan"
)

// spanNames has the spans whose names depend on the time, by how far they are from the one that is
// now.
var spanNames = map[string]struct{ years, months, weeks, days int }{
	"today":     {},
	"yesterday": {days: -1},
	"tomorrow":  {days: 1},

	"heute": {}, "i dag": {}, "idag": {}, "aujourd'hui": {}, "hoy": {}, "oggi": {},

	"gestern": {days: -1}, "i går": {days: -1}, "igår": {days: -1},
	"hier": {days: -1}, "ayer": {days: -1}, "ieri": {days: -1},

	"last year":  {years: -1},
	"last month": {months: -1},
	"last week":  {weeks: -1},

	"this year": {}, "this month": {}, "this week": {},
}

// cutWhich cuts "lastweek" or "last week" after the word that says which one is meant.
func cutWhich(text string) (which, unit string, ok bool) {
	for _, which := range []string{"last", "this"} {
		if unit, ok := strings.CutPrefix(text, which); ok {
			return which, unit, true
		}
	}
	return "", "", false
}

// namedSpan reads a span by its name: now, yesterday, "last week", previous-month.
func namedSpan(text string, now time.Time) (m moment, ok bool) {
	if text == "now" {
		return moment{timeSpan: timeSpan{first: now, last: now}}, true
	}
	text = strings.NewReplacer("previous", "last", "-", " ", "_", " ").Replace(text)
	if which, unit, cut := cutWhich(text); cut {
		text = which + " " + strings.TrimSpace(unit)
	}
	if text == "week" || text == "month" || text == "year" {
		text = "this " + text
	}
	away, ok := spanNames[text]
	if !ok {
		return m, false
	}
	today := now.Truncate(day)
	switch {
	case strings.HasSuffix(text, "year"):
		m.timeSpan = spanFrom(midnight(now.Year()+away.years, time.January, 1), year)
	case strings.HasSuffix(text, "month"):
		wanted := now.Month() + time.Month(away.months)
		m.timeSpan = spanFrom(midnight(now.Year(), wanted, 1), month)
	case strings.HasSuffix(text, "week"):
		monday := today.AddDate(0, 0, 7*away.weeks-sinceMonday(today))
		m.timeSpan = spanFrom(monday, 7*day)
	default:
		m.timeSpan = spanFrom(today.AddDate(0, 0, away.days), day)
	}
	return m, true
}

var (
	// quarterOf matches a quarter or half of a year: 2025-Q1, "Q1 2025" and 1Q25.
	quarterOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(\d{4})[-/ ]?([qh])([1-4])` +
			`|([qh])([1-4])[-/ ]?(\d{4})` +
			`|([1-4])([qh])[-/ ]?(\d{4}|\d\d))$`)
	})
	// weekOf matches a week: 2025-W14 and "week 14 2025".
	weekOf = sync.OnceValue(func() *regexp.Regexp {
		const word = `(?:w|kw|uge|week)`
		return regexp.MustCompile(`^(?:(\d{4})[-/ ]?` + word + ` ?(\d{1,2})` +
			`|` + word + ` ?(\d{1,2})[-/ ]?(\d{4}))$`)
	})
)

// The months of parts of a year.
const (
	monthsOfQuarter = 3
	monthsOfHalf    = 6
	monthsOfYear    = 12
)

// partOfYear reads a quarter or half of a year, 2025-Q1, "Q1 2025" or 2025-H1; "this quarter" and "last
// quarter"; and a week of ISO 8601, 2025-W14 or "week 14 2025".
func partOfYear(text string, now time.Time) (m moment, ok bool) {
	thisQuarter := (int(now.Month())-1)/monthsOfQuarter + 1
	switch text {
	case "this quarter", "quarter":
		return nthPart(now.Year(), monthsOfQuarter, thisQuarter)
	case "last quarter", "previous quarter":
		return nthPart(now.Year(), monthsOfQuarter, thisQuarter-1)
	}
	if parts := quarterOf().FindStringSubmatch(text); parts != nil {
		// One of the three forms was found, and the parts of the others are "".
		year := parts[1] + parts[6] + parts[9]
		kind := parts[2] + parts[4] + parts[8]
		number := parts[3] + parts[5] + parts[7]
		months := monthsOfQuarter
		if kind == "h" {
			months = monthsOfHalf
		}
		return nthPart(wholeYear(year), months, figure(number))
	}
	if parts := weekOf().FindStringSubmatch(text); parts != nil {
		year, week := parts[1]+parts[4], parts[2]+parts[3]
		return weekOfYear(figure(year), figure(week))
	}
	return m, false
}

// nthPart returns a part of a year that has so many months; number counts from 1. Part 0 is the last
// one of the year before.
func nthPart(year, months, number int) (m moment, ok bool) {
	first := midnight(year, time.Month(months*(number-1)+1), 1)
	span := timeSpan{first, first.AddDate(0, months, 0).Add(-1), month}
	return moment{timeSpan: span}, months*number <= monthsOfYear
}

// weekOfYear returns a week of ISO 8601; ok is false if the year has no such week.
func weekOfYear(year, week int) (m moment, ok bool) {
	january4 := midnight(year, time.January, 4) // is always in the first week
	first := january4.AddDate(0, 0, 7*(week-1)-sinceMonday(january4))
	actualYear, actualWeek := first.ISOWeek()
	return moment{timeSpan: spanFrom(first, 7*day)}, actualYear == year && actualWeek == week
}

var (
	// agePattern matches the forms of [ageOf]; its group has the parts of the age.
	agePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:last|past|within) |(?:now|today)? ?- ?)?` +
			`((?:\d{1,7} ?\pL+ ?)+?)(?: ago)?$`)
	})
	// agePart matches a part of an age, a number and a unit: 12h in 1d12h.
	agePart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\d{1,7}) ?(\pL+)`)
	})
	// daysBack matches today-7.
	daysBack = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^today ?- ?\d{1,7}$`)
	})
	// countWord matches the words of countWords.
	countWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:` + anyOf(countWords) + `)\b`)
	})
)

// countWords are small numbers in words.
var countWords = map[string]string{
	"a": "1", "an": "1",
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"ten": "10", "twelve": "12",
}

// ageOf reads how long ago a time is: 30m, 24h, 7d, 2w, 1d12h, "3 months ago", "last 30 days", "past
// week", -7d, now-7d, and today-7, in which 7 are days.
func ageOf(text string, now time.Time) (m moment, ok bool) {
	if unit, ok := strings.CutPrefix(text, "past "); ok && unit != "" && !jsonscan.IsDigit(unit[0]) {
		text = "1 " + unit
	}
	text = countWord().ReplaceAllStringFunc(text, func(word string) string { return countWords[word] })
	if daysBack().MatchString(text) {
		text += "d"
	}
	text, m.old = strings.CutSuffix(text, " old")
	parts := agePattern().FindStringSubmatch(text)
	if parts == nil {
		return m, false
	}
	at := now
	for _, part := range agePart().FindAllStringSubmatch(parts[1], -1) {
		if at, ok = unitsAgo(at, figure(part[1]), part[2]); !ok {
			return m, false
		}
	}
	m.timeSpan, m.since = timeSpan{first: at, last: at}, true
	return m, true
}

// unitsAgo returns the time n units before another one. ok is false for an unknown unit.
func unitsAgo(from time.Time, n int, unit string) (at time.Time, ok bool) {
	if len(unit) > len("ms") { // "ms" is not the plural of "m"
		unit = strings.TrimSuffix(unit, "s")
	}
	switch unit {
	case "m", "min", "minute":
		return ago(from, n, time.Minute), true
	case "h", "hr", "hour":
		return ago(from, n, time.Hour), true
	case "d", "day":
		return ago(from, n, day), true
	case "w", "week":
		return ago(from, n, 7*day), true
	case "mo", "month":
		return from.AddDate(0, -n, 0), true
	case "y", "yr", "year":
		return from.AddDate(-n, 0, 0), true
	}
	return from, false
}

// ago returns the time n steps before another one, even if that is longer than any [time.Duration].
func ago(from time.Time, n int, step time.Duration) time.Time {
	return time.Unix(from.Unix()-int64(n)*int64(step/time.Second), int64(from.Nanosecond())).UTC()
}
