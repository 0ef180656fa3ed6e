package lists

import (
	"context"
	"time"

	"gatehouse/internal/text/human"
)

// timeDistribution counts times by days, months or years, whichever suits the time between the
// first and the last.
func (t *Table) timeDistribution(
	ctx context.Context, rows []int32, column ColumnInfo,
) (Distribution, error) {
	d, days, err := t.count(ctx, rows, column, func(c Cell) (uint64, bool) {
		at, ok := c.Time(column.Kind)
		if at.IsZero() {
			return unsetTime, ok
		}
		return keyOfDay(at), ok
	})
	d.Ranges = true
	name := t.termName(column.Index)
	if len(days) > 0 && days[0].key == unsetTime {
		d.addRanges(days[:1], func(uint64) Bucket {
			return Bucket{Label: human.Never, Term: name + "=" + human.Never}
		})
		days = days[1:]
	}
	period := periodOf(days)
	periods := joined(days, func(day uint64) uint64 { return keyOfDay(period.first(timeOfKey(day))) })
	d.addRanges(periods, func(first uint64) Bucket {
		label := timeOfKey(first).Format(period.layout())
		return bucketBetween(label, name, ">="+label, "<="+label)
	})
	return d, err
}

const (
	unsetTime     = 0 // the key of times that are not set; those of days are 1 and more
	secondsPerDay = 24 * 60 * 60
)

// keyOfDay returns the key of the day of a time, in UTC.
func keyOfDay(at time.Time) uint64 {
	return uint64((at.Unix()-yearOne)/secondsPerDay) + 1
}

// timeOfKey returns the beginning of the day of a key.
func timeOfKey(key uint64) time.Time {
	return time.Unix(yearOne+int64(key-1)*secondsPerDay, 0).UTC()
}

// period is a part of the calendar in which times are counted together.
type period uint8

const (
	byDay period = iota
	byMonth
	byYear
)

// periodOf returns the period that suits days, which are in order: the longer the time between the
// first one and the last one, the longer the period.
func periodOf(days []counted) period {
	const (
		maxDays   = 2 * 31  // between days that are counted one by one
		maxMonths = 3 * 366 // days between those that are counted by months
	)
	if len(days) == 0 {
		return byDay
	}
	switch between := days[len(days)-1].key - days[0].key; {
	case between > maxMonths:
		return byYear
	case between > maxDays:
		return byMonth
	}
	return byDay
}

// first returns the first day of the period that a day is in.
func (p period) first(day time.Time) time.Time {
	switch p {
	case byYear:
		return time.Date(day.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	case byMonth:
		return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	return day
}

// layout returns how a period is written, in a label and in a query.
func (p period) layout() string {
	switch p {
	case byYear:
		return "2006"
	case byMonth:
		return "2006-01"
	}
	return time.DateOnly
}
