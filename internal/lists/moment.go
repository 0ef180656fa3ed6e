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
)

// moment is a time as a person writes it.
type moment struct {
	timeSpan
	// since means that the text says how long ago the time is, as in 7d. What is equal to it is
	// everything since then.
	since bool
	// old means that the text is an age: "3 years old". What is greater than it is earlier.
	old bool
	// other is the other day that a text such as 03/04/2025 may mean; zero if there is none.
	other timeSpan
}

// parseMoment reads a time, in one of the forms that services send and people write, or counted back
// from now: 2025-03, 14.03.2025, "March 14, 2025", yesterday, "last week", 7d, "3 months ago". Weeks
// begin on Monday. Times are in UTC unless the text has a zone.
func parseMoment(text string, now time.Time) (moment, bool) {
	text = strings.Join(strings.Fields(plainDate(text)), " ")
	if span, ok := parseSpan([]byte(text)); ok {
		return moment{timeSpan: span}, true
	}
	now = now.UTC()
	folded := strings.ToLower(text)
	for _, read := range momentReaders {
		if m, ok := read(folded, now); ok {
			return m, true
		}
	}
	return moment{}, false
}

// momentReaders read a text in lower case, in this order. Each knows one form.
var momentReaders = []func(text string, now time.Time) (moment, bool){
	calendarDay,
	namedMonth,
	namedSpan,
	partOfYear,
	weekdayBefore,
	ageOf,
}

// plainDate returns a date with ASCII digits and hyphens, in place of the hyphens of word processors
// and of the characters after year, month and day in Japan, China and Korea.
func plainDate(text string) string {
	return strings.TrimSuffix(dateCharacters.Replace(width.Narrow.String(text)), "-")
}

var dateCharacters = strings.NewReplacer(
	"\u2010", "-", "\u2011", "-", "\u2012", "-",
	"年", "-", "月", "-", "日", "",
	"년 ", "-", "월 ", "-", "일", "", "년", "-", "월", "-",
)

// midnight returns the beginning of a day in UTC.
func midnight(year int, month time.Month, date int) time.Time {
	return time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
}

// dayOf returns a day of the calendar; ok is false if the month has no such date.
func dayOf(year int, month time.Month, date int) (span timeSpan, ok bool) {
	first := midnight(year, month, date)
	return spanFrom(first, day), first.Day() == date && first.Month() == month
}

// spanFrom returns the span of a precision, such as a day, a month or a year, that begins at first.
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

// calendarDay reads a date in digits: 2025-03-14, 2025-03, 03/2025, 14.03.2025.
func calendarDay(text string, _ time.Time) (m moment, ok bool) {
	if parts := yearFirst().FindStringSubmatch(text); parts != nil {
		parts := slices.DeleteFunc(parts[1:], func(part string) bool { return part == "" })
		year, month := figure(parts[0]), figure(parts[1])
		if hasDate := len(parts) > 2; !hasDate {
			return monthOf(year, month)
		}
		m.timeSpan, ok = dayOf(year, time.Month(month), figure(parts[2]))
		return m, ok
	}
	if parts := monthAndYear().FindStringSubmatch(text); parts != nil {
		return monthOf(figure(parts[2]), figure(parts[1]))
	}
	if parts := yearLast().FindStringSubmatch(text); parts != nil {
		return dayBeforeYear(parts)
	}
	return m, false
}

// dayBeforeYear reads a date that ends with its year, and the time of day after it, from the parts
// that yearLast finds. Between dots the day comes first, as in Berlin and Copenhagen. Between other
// characters either may come first, unless one of the two numbers is no month.
func dayBeforeYear(parts []string) (m moment, ok bool) {
	first, second, year := figure(parts[1]), figure(parts[3]), wholeYear(parts[4])
	hasDots := parts[2] == "."
	dayFirst, isDayFirst := dayOf(year, time.Month(second), first)
	monthFirst, isMonthFirst := dayOf(year, time.Month(first), second)
	isUnclear := isDayFirst && isMonthFirst && first != second
	switch {
	case isUnclear && !hasDots:
		return moment{timeSpan: dayFirst, other: monthFirst}, true
	case isDayFirst:
		m.timeSpan = dayFirst
	case isMonthFirst:
		m.timeSpan = monthFirst
	default:
		return m, false
	}
	hour, minute, seconds, half := parts[5], parts[6], parts[7], parts[8]
	if hour == "" {
		return m, true
	}
	clock := time.Duration(hourOf(hour, half))*time.Hour + time.Duration(figure(minute))*time.Minute
	precision := time.Minute
	if seconds != "" {
		clock += time.Duration(figure(seconds)) * time.Second
		precision = time.Second
	}
	m.timeSpan = spanFrom(m.first.Add(clock), precision)
	return m, clock < day
}

// wholeYear returns the year for its four digits, or for the last two of a year from 1970 to 2069.
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

// hourOf returns the hour of the day. half is a or p for a clock of twelve hours, or "".
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

// figure returns a number of few digits, or 0 for "".
func figure(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// monthOf returns a month of a year; ok is false if there is no such month.
func monthOf(year, number int) (m moment, ok bool) {
	first := midnight(year, time.Month(number), 1)
	return moment{timeSpan: spanFrom(first, month)}, 1 <= number && number <= 12
}

// monthNames are the different names of each month in English, German, Dutch, Danish, Swedish, French,
// Spanish, Italian, Portuguese, Polish and Russian.
var monthNames = [12][]string{
	{
		"january", "januar", "januari", "janvier", "enero", "gennaio", "janeiro",
		"stycznia", "styczeń", "января", "январь",
	},
	{
		"february", "februar", "februari", "février", "fevrier", "febrero", "febbraio", "fevereiro",
		"lutego", "luty", "февраля", "февраль",
	},
	{
		"march", "märz", "maerz", "marts", "mars", "maart", "marzo", "março",
		"marca", "marzec", "марта",
	},
	{"april", "avril", "abril", "aprile", "kwietnia", "kwiecień", "апреля", "апрель"},
	{"may", "mai", "maj", "mei", "mayo", "maggio", "maio", "maja", "мая", "май"},
	{
		"june", "juni", "juin", "junio", "giugno", "junho",
		"czerwca", "czerwiec", "июня", "июнь",
	},
	{
		"july", "juli", "juillet", "julio", "luglio", "julho",
		"lipca", "lipiec", "июля", "июль",
	},
	{
		"august", "augustus", "augusti", "août", "aout", "agosto",
		"sierpnia", "sierpień", "августа",
	},
	{
		"september", "septembre", "septiembre", "settembre", "setembro",
		"września", "wrzesień", "сентября", "сентябрь",
	},
	{
		"october", "oktober", "octobre", "octubre", "ottobre", "outubro",
		"października", "październik", "октября", "октябрь",
	},
	{
		"november", "novembre", "noviembre", "novembro",
		"listopada", "listopad", "ноября", "ноябрь",
	},
	{
		"december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro",
		"grudnia", "grudzień", "декабря", "декабрь",
	},
}

// minMonth is how many letters of the name of a month are enough.
const minMonth = 3

// monthNamed returns the month whose name a word is, or begins. ok is false if it begins the names of
// several months.
func monthNamed(word string) (found time.Month, ok bool) {
	if utf8.RuneCountInString(word) < minMonth {
		return 0, false
	}
	beginsWithWord := func(name string) bool { return strings.HasPrefix(name, word) }
	for at, names := range monthNames {
		if !slices.ContainsFunc(names, beginsWithWord) {
			continue
		}
		if isSecond := ok; isSecond {
			return 0, false
		}
		found, ok = time.Month(at+1), true
	}
	if word == "sept" {
		return time.September, true
	}
	return found, ok
}

var (
	// dayNumber matches a day of the month as people write it: 1, 1. and 1st.
	dayNumber = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,2})(?:\.|st|nd|rd|th|er)?$`)
	})
	// joinedMonth matches a day, a month and a year without spaces: 22Oct2023.
	joinedMonth = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,2})(\pL{3,})(\d{4})$`)
	})
)

// weekdayNamed returns the day of the week for its name in lower case, or for the first three letters.
func weekdayNamed(word string) (named time.Weekday, ok bool) {
	const short = 3
	for weekday := range time.Weekday(7) {
		whole := strings.ToLower(weekday.String())
		if word == whole || word == whole[:short] {
			return weekday, true
		}
	}
	return 0, false
}

// namedMonth reads a month by its name, with a day, a year or both before or after it. Without a year
// it is the last such month, or day, that has begun. A day of the week before it is left out.
func namedMonth(text string, now time.Time) (moment, bool) {
	text = joinedMonth().ReplaceAllString(text, "$1 $2 $3")
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,-/", r) })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "of" || word == "de" })
	if len(words) > 1 {
		if _, isWeekday := weekdayNamed(words[0]); isWeekday {
			words = words[1:]
		}
	}
	const maxWords = 3
	if len(words) > maxWords {
		return moment{}, false
	}
	year, named, date, ok := dateOfWords(words)
	if !ok {
		return moment{}, false
	}
	if year == 0 {
		year = now.Year()
		if midnight(year, named, max(date, 1)).After(now) {
			year--
		}
	}
	if date == 0 {
		return monthOf(year, int(named))
	}
	span, ok := dayOf(year, named, date)
	return moment{timeSpan: span}, ok
}

// dateOfWords reads the name of a month, a year and a day of the month, in any order. The year and the
// day are 0 if they are missing. ok is false if there is no month, or a word is something else.
func dateOfWords(words []string) (year int, named time.Month, date int, ok bool) {
	const yearDigits = 4
	for _, word := range words {
		found, isMonth := monthNamed(strings.TrimSuffix(word, "."))
		digits := dayNumber().FindStringSubmatch(word)
		switch {
		case isMonth && named == 0:
			named = found
		case digits != nil && date == 0:
			date = figure(digits[1])
		case len(word) == yearDigits && isDigits([]byte(word)) && year == 0:
			year = figure(word)
		default:
			return 0, 0, 0, false
		}
	}
	return year, named, date, named != 0
}

// sinceMonday returns how many days after the Monday of its week a time is.
func sinceMonday(at time.Time) int { return (int(at.Weekday()) + 6) % 7 }

// weekdayBefore reads the name of a day of the week: the last such day, which may be today unless the
// text is "last monday".
func weekdayBefore(text string, now time.Time) (moment, bool) {
	name, isLast := strings.CutPrefix(text, "last ")
	weekday, ok := weekdayNamed(name)
	if !ok {
		return moment{}, false
	}
	back := (int(now.Weekday()) - int(weekday) + 7) % 7
	if back == 0 && isLast {
		back = 7
	}
	return moment{timeSpan: spanFrom(now.Truncate(day).AddDate(0, 0, -back), day)}, true
}

// beginsMoment reports whether a text begins the name of a month or a span, so that the rest may still
// be typed.
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
