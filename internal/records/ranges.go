package records

import (
	"context"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// numberDistribution counts numbers by the power of ten that they are above.
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
	name := t.termName(column.Index)
	return all.ranges(func(key uint64) Bucket { return magnitude(key).bucket(name, column.Kind == BytesColumn) }), nil
}

// magnitude is one of the kinds of numbers below, or the power of ten behind one, in the order of
// the numbers.
type magnitude int

const (
	negative magnitude = iota
	zero
	belowOne // and above 0
	one

	maxPower = 30
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
		return one + magnitude(d.exponent-1), d.exponent <= maxPower
	}
}

// bucket returns the range that begins here, up to the next power.
func (m magnitude) bucket(name string, isSize bool) Bucket {
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
	from, first := m.text(isSize)
	to, end := (m + 1).text(isSize)
	return Bucket{Label: from + " – " + to, Term: name + ">=" + first + " " + name + "<" + end}
}

// text is the first number of a range, as people read it and as queries have it: "10 GB", "10GB".
func (m magnitude) text(isSize bool) (label, query string) {
	power := int(m - one)
	query = "1" + strings.Repeat("0", power)
	if isSize {
		number, unit, _ := human.SizeOf(query)
		label = strings.TrimSuffix(number, ".0") + " " + unit
		if prefix := min(power/3, len(sizeUnits)); prefix > 0 {
			query = query[:len(query)-3*prefix] + sizeUnits[prefix-1:prefix] + "B"
		}
		return label, query
	}
	const maxZeros = 15
	if power > maxZeros {
		query = "1e" + strconv.Itoa(power)
	}
	return human.Grouped(query), query
}

// timeDistribution counts times by days, months or years.
func (t *Table) timeDistribution(ctx context.Context, rows []int32, column ColumnInfo) (Distribution, error) {
	all, err := t.count(ctx, rows, column, func(c Cell) (uint64, class) {
		at, ok := c.Time(column.Kind)
		switch {
		case !ok:
			return 0, ofOther
		case at.IsZero():
			return 0, ofUnset
		}
		return dayOf(at), ofValue
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

// dayOf counts the days since the year 1.
func dayOf(at time.Time) uint64 { return uint64((at.Unix() - yearOne) / secondsPerDay) }

func dateOf(day uint64) time.Time { return time.Unix(yearOne+int64(day)*secondsPerDay, 0).UTC() }

// times makes buckets of days, months or years, whichever suits the time between the first and the last.
func (n *counts) times(name string) Distribution {
	const days, months = 2 * 31, 3 * 366
	layout := time.DateOnly
	if last := len(n.values) - 1; last > 0 {
		switch between := n.values[last].key - n.values[0].key; {
		case between > months:
			layout = "2006"
		case between > days:
			layout = "2006-01"
		}
	}
	n.values = merged(n.values, func(day uint64) uint64 {
		first, _ := time.Parse(layout, dateOf(day).Format(layout)) // cannot fail
		return dayOf(first)
	})
	return n.ranges(func(day uint64) Bucket {
		label := dateOf(day).Format(layout)
		return Bucket{Label: label, Term: name + ">=" + label + " " + name + "<=" + label}
	})
}
