package records

import (
	"context"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// maxRanges is how many ranges there are before they become coarser, and maxTimes how many
// months or years there are from the first to the last.
const maxRanges, maxTimes = 24, 36

// numberDistribution counts numbers by their first digit and its power of ten, or by the power alone.
func (t *Table) numberDistribution(ctx context.Context, rows []int32, column ColumnInfo) (Distribution, error) {
	all, err := t.count(ctx, rows, column, func(c Cell) (uint64, class) {
		m, ok := magnitudeOf(c)
		if !ok {
			return 0, ofOther
		}
		return uint64(m), ofValue
	})
	if err != nil {
		return Distribution{}, err
	}
	values, isCoarse := all.values, len(all.values) > maxRanges
	if isCoarse {
		values = merged(values, func(key uint64) uint64 { return uint64(magnitude(key).power()) })
	}
	name := t.termName(column.Index)
	return all.ranges(values, func(key uint64) Bucket { return magnitude(key).bucket(name, isCoarse, column.Kind == BytesColumn) }), nil
}

// magnitude is one of the kinds of numbers below, or the first digit of a number and its power
// of ten, in the order of the numbers.
type magnitude int

const (
	negative magnitude = iota
	zero
	belowOne // and above 0
	one

	maxPower       = 30
	digitsPerPower = 9
)

// magnitudeOf returns that of a cell, if it is a number within bounds.
func magnitudeOf(c Cell) (m magnitude, ok bool) {
	if c.Kind() != Number {
		return 0, false
	}
	switch d := newDecimal(c.raw); {
	case len(d.digits) == 0:
		return zero, true
	case d.negative:
		return negative, true
	case d.exponent < 1:
		return belowOne, true
	default:
		return one + magnitude(digitsPerPower*(d.exponent-1)) + magnitude(d.digits[0]-'1'), d.exponent <= maxPower
	}
}

// power is the power of ten that a magnitude is above.
func (m magnitude) power() magnitude {
	if m < one {
		return m
	}
	return m - (m-one)%digitsPerPower
}

// bucket returns the range that begins here, up to the next digit or, if it is coarse, the next power.
func (m magnitude) bucket(name string, isCoarse, isSize bool) Bucket {
	switch m {
	case negative:
		return Bucket{Label: "below 0", Term: name + "<0"}
	case zero:
		label := "0"
		if isSize {
			label = human.Bytes(0)
		}
		return Bucket{Label: label, Term: name + ">=0 " + name + "<=0"}
	case belowOne:
		return Bucket{Label: "0 – 1", Term: name + ">0 " + name + "<1"}
	}
	next := m + 1
	if isCoarse {
		next = m + digitsPerPower
	}
	from, first := m.text(isSize)
	to, end := next.text(isSize)
	return Bucket{Label: from + " – " + to, Term: name + ">=" + first + " " + name + "<" + end}
}

// text is the first number of a range, as people read it and as queries have it: "10 GB", "10GB".
func (m magnitude) text(isSize bool) (label, query string) {
	power, digit := int(m-one)/digitsPerPower, strconv.Itoa(int(m-one)%digitsPerPower+1)
	zeros := strings.Repeat("0", power)
	const maxZeros = 15
	switch unit := min(power/3, len(sizeUnits)); {
	case isSize && unit > 0:
		query = digit + zeros[:power-3*unit] + sizeUnits[unit-1:unit] + "B"
	case !isSize && power > maxZeros:
		query = digit + "e" + strconv.Itoa(power)
	default:
		query = digit + zeros
	}
	if number, unit, ok := human.SizeOf(digit + zeros); ok && isSize {
		return strings.TrimSuffix(number, ".0") + " " + unit, query
	}
	return human.Grouped(query), query
}

// timeDistribution counts times by days, months, years or more.
func (t *Table) timeDistribution(ctx context.Context, rows []int32, column ColumnInfo) (Distribution, error) {
	all, err := t.count(ctx, rows, column, func(c Cell) (uint64, class) {
		at, ok := c.Time(column.Kind)
		switch {
		case !ok:
			return 0, ofOther
		case at.IsZero():
			return 0, ofUnset
		}
		return uint64((at.Unix() - yearOne) / secondsPerDay), ofValue
	})
	if err != nil {
		return Distribution{}, err
	}
	name := t.termName(column.Index)
	d := all.times(name)
	if unset := all.rows[ofUnset]; unset > 0 {
		never := Bucket{Label: human.Never, Term: "!" + name + ">0001-01-01 " + name + "!=null " + name + "!=missing", Rows: unset}
		d.Buckets = append([]Bucket{never}, d.Buckets...)
	}
	return d, nil
}

const secondsPerDay = 24 * 60 * 60

func dateOf(day uint64) time.Time { return time.Unix(yearOne+int64(day)*secondsPerDay, 0).UTC() }

// times makes buckets of days where these are few, or of one or more months.
func (n *counts) times(name string) Distribution {
	by := func(months int) []counted {
		return merged(n.values, func(day uint64) uint64 {
			year, month, _ := dateOf(day).Date()
			return uint64((year*12 + int(month) - 1) / months * months)
		})
	}
	months, layout, values := 1, "2006-01", by(1)
	if len(values) <= 2 && len(n.values) <= maxRanges {
		return n.ranges(n.values, func(day uint64) Bucket {
			label := dateOf(day).Format(time.DateOnly)
			return Bucket{Label: label, Term: name + ">=" + label + " " + name + "<=" + label}
		})
	}
	for _, more := range []int{12, 10 * 12, 100 * 12, 1000 * 12} {
		if len(values) > 0 && int(values[len(values)-1].key-values[0].key)/months >= maxTimes {
			months, layout, values = more, "2006", by(more)
		}
	}
	return n.ranges(values, func(key uint64) Bucket {
		first := time.Date(0, time.Month(key+1), 1, 0, 0, 0, 0, time.UTC)
		from, to := first.Format(layout), first.AddDate(0, months, -1).Format(layout)
		label := from
		if to != from {
			label += " – " + to
		}
		return Bucket{Label: label, Term: name + ">=" + from + " " + name + "<=" + to}
	})
}
