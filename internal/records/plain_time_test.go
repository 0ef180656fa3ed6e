package records

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	plainAge    = regexp.MustCompile(`^\d{1,7}[mhdwMHDW]$`)
	plainDecade = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d)?)?$`)
	plainMoment = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?([Zz]|[+-]\d\d:?\d\d)?$`)
)

// plainSpan reads a time by the layouts of the time package: the first instant of what it stands
// for, and the first one behind that.
func plainSpan(text string, now time.Time) (first, end time.Time, ok bool) {
	switch {
	case plainDecade.MatchString(text):
		layout := "2006-01-02"[:len(text)]
		first, err := time.Parse(layout, text)
		years, months, days := 0, 0, 0
		switch len(text) {
		case len("2006"):
			years = 1
		case len("2006-01"):
			months = 1
		default:
			days = 1
		}
		return first, first.AddDate(years, months, days), err == nil
	case plainMoment.MatchString(text):
		return plainInstant(plainMoment.FindStringSubmatch(text))
	case plainAge.MatchString(text) && !now.IsZero():
		count, _ := strconv.ParseInt(text[:len(text)-1], 10, 64)
		minutes := map[string]int64{"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}[strings.ToLower(text[len(text)-1:])]
		first = time.Unix(now.Unix()-count*minutes*60, int64(now.Nanosecond()))
		return first, first.Add(1), true
	}
	return first, end, false
}

func plainInstant(parts []string) (first, end time.Time, ok bool) {
	date, clock, seconds, fraction, zone := parts[1], parts[2], parts[3], parts[4], strings.ToUpper(parts[5])
	if seconds == "" && fraction != "" || strings.Contains(zone, "24") && strings.Index(zone, "24") == 1 || strings.HasSuffix(zone, "60") {
		return first, end, false // the time package is more generous
	}
	precision := time.Minute
	if seconds != "" {
		precision = time.Second
	} else {
		seconds = ":00"
	}
	for range min(len(fraction), 9) {
		precision /= 10
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	if zone == "" {
		zone = "Z"
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700"} {
		if first, err := time.Parse(layout, date+"T"+clock+seconds+fraction+zone); err == nil {
			return first, first.Add(precision), true
		}
	}
	return first, end, false
}
