package lists

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/text/width"

	"gatehouse/internal/text/jsonscan"
)

// moment is a time as a person writes it.
type moment struct {
	timeSpan
	// since reports that it was told by how long ago it is, as in 7d, so that what is equal to it
	// is everything from then on.
	since bool
	// old reports that it was told as an age, so that more is earlier: "3 years old".
	old bool
	// other is the other day that 03/04/2025 may be; zero if there is none.
	other timeSpan
}

// parseMoment reads a time: as services send it, as people write a date, or counted back from now:
// 2025-03, 14.03.2025, "March 14, 2025", yesterday, "last week", 7d, "3 months ago". Weeks begin on
// Monday, and all is in UTC unless it has a zone.
func parseMoment(text string, now time.Time) (moment, bool) {
	text = strings.Join(strings.Fields(plainDate(text)), " ")
	if span, ok := parseSpan([]byte(text)); ok {
		return moment{timeSpan: span}, true
	}
	now = now.UTC()
	folded := strings.ToLower(text)
	for _, read := range []func(text string, now time.Time) (moment, bool){calendarDay, namedMonth, namedSpan, partOfYear, weekdayBefore, ageOf} {
		if m, ok := read(folded, now); ok {
			return m, true
		}
	}
	return moment{}, false
}

// plainDate writes the signs of a date as figures and hyphens of this language: those that text programs
// put in their place, and the signs behind a year, month and day in Japan, China and Korea.
func plainDate(text string) string {
	return strings.TrimSuffix(dateSigns.Replace(width.Narrow.String(text)), "-")
}

var dateSigns = strings.NewReplacer(
	"\u2010", "-", "\u2011", "-", "\u2012", "-", "年", "-", "月", "-", "日", "", "년 ", "-", "월 ", "-", "일", "", "년", "-", "월", "-",
)

func dayOf(year int, month time.Month, date int) (timeSpan, bool) {
	first := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	return spanFrom(first, day), first.Day() == date && first.Month() == month
}

// spanFrom is the day, month or year that begins with an instant, or anything shorter.
func spanFrom(first time.Time, precision time.Duration) timeSpan {
	end := first.Add(precision)
	switch precision {
	case year:
		end = first.AddDate(1, 0, 0)
	case month:
		end = first.AddDate(0, 1, 0)
	}
	return timeSpan{first, end.Add(-1), precision}
}

var (
	yearFirst = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4})[-/.] ?(\d{1,2})(?:[-/.] ?(\d{1,2}))?\.?$|^(\d{4})(\d\d)(\d\d)$`)
	})
	yearLast = sync.OnceValue(func() *regexp.Regexp {
		const clock = `(?:,? (?:at |kl\.? ?|um )?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?: ?(a|p)\.?m\.?)?)?`
		return regexp.MustCompile(`^(\d{1,2})([-/.]) ?(\d{1,2})[-/.] ?'?(\d{4}|\d\d)` + clock + `$`)
	})
	monthAndYear = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,2})[-/.](\d{4})$`) })
)

// calendarDay reads a date in figures. Between points the day comes first, as in Berlin and
// Copenhagen; between other signs that is clear only where one of the two is no month.
func calendarDay(text string, _ time.Time) (m moment, ok bool) {
	if parts := yearFirst().FindStringSubmatch(text); parts != nil {
		parts := slices.DeleteFunc(parts[1:], func(part string) bool { return part == "" })
		if len(parts) == 2 {
			return monthOf(figure(parts[0]), figure(parts[1]))
		}
		m.timeSpan, ok = dayOf(figure(parts[0]), time.Month(figure(parts[1])), figure(parts[2]))
		return m, ok
	}
	if parts := monthAndYear().FindStringSubmatch(text); parts != nil {
		return monthOf(figure(parts[2]), figure(parts[1]))
	}
	parts := yearLast().FindStringSubmatch(text)
	if parts == nil {
		return m, false
	}
	first, second, year := figure(parts[1]), figure(parts[3]), wholeYear(parts[4])
	dayFirst, isDayFirst := dayOf(year, time.Month(second), first)
	monthFirst, isMonthFirst := dayOf(year, time.Month(first), second)
	switch {
	case isDayFirst && isMonthFirst && first != second && parts[2] != ".":
		return moment{timeSpan: dayFirst, other: monthFirst}, true
	case isDayFirst:
		m.timeSpan = dayFirst
	default:
		m.timeSpan = monthFirst
	}
	if parts[5] != "" {
		clock, precision := time.Duration(hourOf(parts[5], parts[8]))*time.Hour+time.Duration(figure(parts[6]))*time.Minute, time.Minute
		if parts[7] != "" {
			clock, precision = clock+time.Duration(figure(parts[7]))*time.Second, time.Second
		}
		if clock >= day {
			return m, false
		}
		m.timeSpan = spanFrom(m.first.Add(clock), precision)
	}
	return m, isDayFirst || isMonthFirst
}

// wholeYear is a year of four figures, or of the last two of one from 1970 on.
func wholeYear(digits string) int {
	const firstYear = 70
	year := figure(digits)
	switch {
	case len(digits) > 2:
		return year
	case year >= firstYear:
		return 1900 + year
	}
	return 2000 + year
}

// hourOf is an hour of the day, of a clock of twelve hours if half is a or p.
func hourOf(digits, half string) int {
	hour := figure(digits)
	if half == "" {
		return hour
	}
	hour %= 12
	if half == "p" {
		hour += 12
	}
	return hour
}

func figure(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func monthOf(year, number int) (m moment, ok bool) {
	first := time.Date(year, time.Month(number), 1, 0, 0, 0, 0, time.UTC)
	return moment{timeSpan: spanFrom(first, month)}, 1 <= number && number <= 12
}

// monthNames are the names of each month, where they differ: in English, German, Dutch, Danish, Swedish,
// French, Spanish, Italian, Portuguese, Polish and Russian.
var monthNames = [12][]string{
	{"january", "januar", "januari", "janvier", "enero", "gennaio", "janeiro", "stycznia", "styczeń", "января", "январь"},
	{"february", "februar", "februari", "février", "fevrier", "febrero", "febbraio", "fevereiro", "lutego", "luty", "февраля", "февраль"},
	{"march", "märz", "maerz", "marts", "mars", "maart", "marzo", "março", "marca", "marzec", "марта"},
	{"april", "avril", "abril", "aprile", "kwietnia", "kwiecień", "апреля", "апрель"},
	{"may", "mai", "maj", "mei", "mayo", "maggio", "maio", "maja", "мая", "май"},
	{"june", "juni", "juin", "junio", "giugno", "junho", "czerwca", "czerwiec", "июня", "июнь"},
	{"july", "juli", "juillet", "julio", "luglio", "julho", "lipca", "lipiec", "июля", "июль"},
	{"august", "augustus", "augusti", "août", "aout", "agosto", "sierpnia", "sierpień", "августа"},
	{"september", "septembre", "septiembre", "settembre", "setembro", "września", "wrzesień", "сентября", "сентябрь"},
	{"october", "oktober", "octobre", "octubre", "ottobre", "outubro", "października", "październik", "октября", "октябрь"},
	{"november", "novembre", "noviembre", "novembro", "listopada", "listopad", "ноября", "ноябрь"},
	{"december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro", "grudnia", "grudzień", "декабря", "декабрь"},
}

// minMonth is how many letters of a month are enough.
const minMonth = 3

// monthNamed returns the month that a word is, or of which alone it is the beginning.
func monthNamed(word string) (found time.Month, ok bool) {
	if utf8.RuneCountInString(word) < minMonth {
		return 0, false
	}
	for at, names := range monthNames {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, word) }) {
			continue
		}
		if ok {
			return 0, false
		}
		found, ok = time.Month(at+1), true
	}
	if word == "sept" {
		return time.September, true
	}
	return found, ok
}

// dayNumber is a day of the month as people write it: 1, 1. and 1st.
var dayNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,2})(?:\.|st|nd|rd|th|er)?$`) })

// joinedMonth is a day, a month and a year without blanks: 22Oct2023.
var joinedMonth = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,2})(\pL{3,})(\d{4})$`) })

// isWeekday reports whether a word is a day of the week, which says nothing beside a date.
func isWeekday(word string) bool {
	for weekday := range time.Weekday(7) {
		whole := strings.ToLower(weekday.String())
		if word == whole || word == whole[:3] {
			return true
		}
	}
	return false
}

// namedMonth reads a month by its name, with a day, a year or both before it or after it. Without a
// year it is the last one that has begun.
func namedMonth(text string, now time.Time) (moment, bool) {
	text = joinedMonth().ReplaceAllString(text, "$1 $2 $3")
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,-/", r) })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "of" || word == "de" })
	if len(words) > 1 && isWeekday(words[0]) {
		words = words[1:]
	}
	const maxWords = 3
	if len(words) > maxWords {
		return moment{}, false
	}
	var named time.Month
	date, year := 0, 0
	for _, word := range words {
		found, isMonth := monthNamed(strings.TrimSuffix(word, "."))
		digits := dayNumber().FindStringSubmatch(word)
		switch {
		case isMonth && named == 0:
			named = found
		case digits != nil && date == 0:
			date = figure(digits[1])
		case len(word) == 4 && isDigits([]byte(word)) && year == 0:
			year = figure(word)
		default:
			return moment{}, false
		}
	}
	if named == 0 {
		return moment{}, false
	}
	if year == 0 {
		year = now.Year()
		if time.Date(year, named, max(date, 1), 0, 0, 0, 0, time.UTC).After(now) {
			year--
		}
	}
	if date == 0 {
		return monthOf(year, int(named))
	}
	span, ok := dayOf(year, named, date)
	return moment{timeSpan: span}, ok
}

// spanNames are the spans that are named by where they are from now: by how many of what they are
// away from the one that is now.
var spanNames = map[string]struct{ years, months, weeks, days int }{
	"today": {days: 0}, "yesterday": {days: -1}, "tomorrow": {days: 1},
	"heute": {}, "i dag": {}, "idag": {}, "aujourd'hui": {}, "hoy": {}, "oggi": {},
	"gestern": {days: -1}, "i går": {days: -1}, "igår": {days: -1}, "hier": {days: -1}, "ayer": {days: -1}, "ieri": {days: -1},
	"last year": {years: -1}, "last month": {months: -1}, "last week": {weeks: -1},
	"this year": {}, "this month": {}, "this week": {},
}

// cutWhich cuts "lastweek" and "last week" behind the word that says which one.
func cutWhich(text string) (which, unit string, ok bool) {
	for _, which := range []string{"last", "this"} {
		if unit, ok := strings.CutPrefix(text, which); ok {
			return which, unit, true
		}
	}
	return "", "", false
}

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
		m.timeSpan = spanFrom(time.Date(now.Year()+away.years, time.January, 1, 0, 0, 0, 0, time.UTC), year)
	case strings.HasSuffix(text, "month"):
		m.timeSpan = spanFrom(time.Date(now.Year(), now.Month()+time.Month(away.months), 1, 0, 0, 0, 0, time.UTC), month)
	case strings.HasSuffix(text, "week"):
		m.timeSpan = spanFrom(today.AddDate(0, 0, 7*away.weeks-sinceMonday(today)), 7*day)
	default:
		m.timeSpan = spanFrom(today.AddDate(0, 0, away.days), day)
	}
	return m, true
}

var (
	quarterOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(\d{4})[-/ ]?([qh])([1-4])|([qh])([1-4])[-/ ]?(\d{4})|([1-4])([qh])[-/ ]?(\d{4}|\d\d))$`)
	})
	weekOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(\d{4})[-/ ]?(?:w|kw|uge|week) ?(\d{1,2})|(?:w|kw|uge|week) ?(\d{1,2})[-/ ]?(\d{4}))$`)
	})
)

// partOfYear reads a quarter, 2025-Q1 or "Q1 2025", a half, 2025-H1, and a week of ISO 8601, 2025-W14
// or "week 14 2025"; also the quarter that is now, and the one before.
func partOfYear(text string, now time.Time) (m moment, ok bool) {
	const quarter, half = 3, 6 // months
	part := func(year, months, number int) (moment, bool) {
		first := time.Date(year, time.Month(months*(number-1)+1), 1, 0, 0, 0, 0, time.UTC)
		return moment{timeSpan: timeSpan{first, first.AddDate(0, months, 0).Add(-1), month}}, months*number <= 12
	}
	thisQuarter := (int(now.Month()) + 2) / quarter
	switch text {
	case "this quarter", "quarter":
		return part(now.Year(), quarter, thisQuarter)
	case "last quarter", "previous quarter":
		return part(now.Year(), quarter, thisQuarter-1)
	}
	if parts := quarterOf().FindStringSubmatch(text); parts != nil {
		months := quarter
		if parts[2]+parts[4]+parts[8] == "h" {
			months = half
		}
		return part(wholeYear(parts[1]+parts[6]+parts[9]), months, figure(parts[3]+parts[5]+parts[7]))
	}
	parts := weekOf().FindStringSubmatch(text)
	if parts == nil {
		return m, false
	}
	wantedYear, wantedWeek := figure(parts[1]+parts[4]), figure(parts[2]+parts[3])
	january4 := time.Date(wantedYear, time.January, 4, 0, 0, 0, 0, time.UTC) // is in the first week
	first := january4.AddDate(0, 0, 7*(wantedWeek-1)-sinceMonday(january4))
	year, week := first.ISOWeek()
	return moment{timeSpan: spanFrom(first, 7*day)}, year == wantedYear && week == wantedWeek
}

// sinceMonday is how many days a time is after the Monday of its week.
func sinceMonday(at time.Time) int { return (int(at.Weekday()) + 6) % 7 }

// weekdayBefore reads the name of a day of the week: the last such day, which may be today unless it
// is "last monday".
func weekdayBefore(text string, now time.Time) (moment, bool) {
	name, isLast := strings.CutPrefix(text, "last ")
	for weekday := range time.Weekday(7) {
		whole := strings.ToLower(weekday.String())
		if name != whole && name != whole[:3] {
			continue
		}
		back := (int(now.Weekday()) - int(weekday) + 7) % 7
		if back == 0 && isLast {
			back = 7
		}
		return moment{timeSpan: spanFrom(now.Truncate(day).AddDate(0, 0, -back), day)}, true
	}
	return moment{}, false
}

var (
	agePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:last|past|within) |(?:now|today)? ?- ?)?((?:\d{1,7} ?\pL+ ?)+?)(?: ago)?$`)
	})
	daysBack = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^today ?- ?\d{1,7}$`) })
	agePart  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d{1,7}) ?(\pL+)`) })
)

// countWords are small numbers in words.
var countWords = map[string]string{
	"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "ten": "10", "twelve": "12",
}

var countWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:` + anyOf(countWords) + `)\b`) })

// ageOf reads how long ago a time is: 30m, 24h, 7d, 2w, 1d12h, "3 months ago", "last 30 days", "past
// week", -7d, now-7d, and today-7, which are days.
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
		n := figure(part[1])
		unit := part[2]
		if len(unit) > 2 { // ms are no minutes
			unit = strings.TrimSuffix(unit, "s")
		}
		switch unit {
		case "m", "min", "minute":
			at = ago(at, n, time.Minute)
		case "h", "hr", "hour":
			at = ago(at, n, time.Hour)
		case "d", "day":
			at = ago(at, n, day)
		case "w", "week":
			at = ago(at, n, 7*day)
		case "mo", "month":
			at = at.AddDate(0, -n, 0)
		case "y", "yr", "year":
			at = at.AddDate(-n, 0, 0)
		default:
			return m, false
		}
	}
	m.timeSpan, m.since = timeSpan{first: at, last: at}, true
	return m, true
}

// ago goes back in steps that may be longer than any duration.
func ago(from time.Time, n int, step time.Duration) time.Time {
	return time.Unix(from.Unix()-int64(n)*int64(step/time.Second), int64(from.Nanosecond())).UTC()
}

// beginsMoment reports whether a text is the beginning of a word or two that are a time, so that
// there may be more to come.
func beginsMoment(text string) bool {
	text = strings.ToLower(text)
	for phrase := range spanNames {
		if strings.HasPrefix(phrase, text) {
			return true
		}
	}
	for _, names := range monthNames {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, text) }) {
			return true
		}
	}
	return false
}
