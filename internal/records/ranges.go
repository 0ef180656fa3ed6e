package records

import (
	"context"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// mostRanges is how many ranges are shown at the most.
const mostRanges = 24

// numberDistribution counts numbers by their first digit and its power of ten, and puts
// those together as far as they have to be: to powers of ten, or of a thousand.
func (t *Table) numberDistribution(ctx context.Context, rows []int32, column ColumnInfo) (Distribution, error) {
	all, err := t.count(ctx, rows, column, func(c Cell, _ *[]byte) (countKey, countClass) {
		if m, ok := magnitudeOf(c); ok {
			return intKey(int(m)), ofValue
		}
		return countKey{}, ofStrange
	})
	if err != nil {
		return Distribution{}, err
	}
	powers, values := 0, all.values
	for _, coarser := range []int{1, 3} {
		if len(values) > mostRanges {
			powers = coarser
			values = together(values, func(key countKey) countKey { return intKey(int(magnitude(key.int()).roundedTo(powers))) })
		}
	}
	name := t.termName(column.Index)
	return all.ranges(values, func(key int) Bucket { return magnitude(key).bucket(name, powers, column.Kind == BytesColumn) }), nil
}

// ranges makes buckets of what was counted.
func (n *counts) ranges(values []counted, bucket func(key int) Bucket) Distribution {
	d := Distribution{Ranges: true, Nulls: n.rows[ofNull], Missing: n.rows[ofMissing], OtherRows: n.rows[ofStrange]}
	for _, c := range values {
		b := bucket(c.key.int())
		b.Rows = c.rows
		d.Buckets = append(d.Buckets, b)
	}
	return d
}

// magnitude is the first digit of a number and the power of ten of that, in the
// order of the numbers; 0 is the number 0.
type magnitude int

const (
	leastPower, mostPower = -300, 300
	digitsPerPower        = 9
)

func newMagnitude(negative bool, power, digit int) magnitude {
	m := magnitude(digitsPerPower*(power-leastPower) + digit)
	if negative {
		return -m
	}
	return m
}

// magnitudeOf returns that of a cell, if it is a number within bounds.
func magnitudeOf(c Cell) (m magnitude, ok bool) {
	if c.Kind() != Number {
		return 0, false
	}
	if c.raw[0] != '0' && isDigits(c.raw) && len(c.raw) <= mostPower {
		return newMagnitude(false, len(c.raw)-1, int(c.raw[0]-'0')), true
	}
	d := newDecimal(c.raw)
	if len(d.digits) == 0 {
		return 0, true
	}
	if d.exponent-1 < leastPower || d.exponent-1 > mostPower {
		return 0, false
	}
	return newMagnitude(d.negative, int(d.exponent)-1, int(d.digits[0]-'0')), true
}

// parts returns what newMagnitude was made of, unless m is 0.
func (m magnitude) parts() (negative bool, power, digit int) {
	n := int(max(m, -m)) - 1
	return m < 0, n/digitsPerPower + leastPower, n%digitsPerPower + 1
}

// roundedTo returns the largest power of ten below, of those that are a multiple of so many.
func (m magnitude) roundedTo(powers int) magnitude {
	if m == 0 {
		return 0
	}
	negative, power, _ := m.parts()
	within := ((power % powers) + powers) % powers
	return newMagnitude(negative, power-within, 1)
}

// bucket returns the range that begins here: of one digit, or of so many powers of ten.
func (m magnitude) bucket(name string, powers int, isSize bool) Bucket {
	if m == 0 {
		label := "0"
		if isSize {
			label = human.Bytes(0)
		}
		return Bucket{Label: label, Term: name + ">=0 " + name + "<=0"}
	}
	negative, power, digit := m.parts()
	from := roundNumber{negative, power, digit, isSize}
	to := roundNumber{negative, power + powers, digit, isSize}
	if powers == 0 {
		to.digit++
	}
	if to.digit > digitsPerPower {
		to.digit, to.power = 1, power+1
	}
	if negative {
		return Bucket{Label: to.label() + " – " + from.label(), Term: name + ">" + to.query() + " " + name + "<=" + from.query()}
	}
	return Bucket{Label: from.label() + " – " + to.label(), Term: name + ">=" + from.query() + " " + name + "<" + to.query()}
}

// roundNumber is a digit times a power of ten.
type roundNumber struct {
	negative     bool
	power, digit int
	isSize       bool
}

// query returns the number as queries have it: "10GB", "-2000", "3e25".
func (b roundNumber) query() string {
	sign := ""
	if b.negative {
		sign = "-"
	}
	digit := strconv.Itoa(b.digit)
	const mostZeros, leastZeros = 15, 4
	switch {
	case b.isSize && b.power >= 3 && b.power <= largestSize:
		unit := min(b.power/3, len(sizeUnits))
		return sign + digit + strings.Repeat("0", b.power-3*unit) + sizeUnits[unit-1:unit] + "B"
	case b.power > mostZeros || b.power < -leastZeros:
		return sign + digit + "e" + strconv.Itoa(b.power)
	case b.power < 0:
		return sign + "0." + strings.Repeat("0", -b.power-1) + digit
	}
	return sign + digit + strings.Repeat("0", b.power)
}

// label returns the number as people read it: "10 GB", "-2,000". What is no size, in a column
// of which the first rows are sizes, is a number.
func (b roundNumber) label() string {
	if !b.isSize || b.negative || b.power < 0 || b.power > largestSize {
		b.isSize = false
		return human.Grouped(b.query())
	}
	number, unit, _ := human.SizeOf(strconv.Itoa(b.digit) + strings.Repeat("0", b.power))
	return strings.TrimSuffix(number, ".0") + " " + unit
}

// largestSize is the power of ten of the largest size that is written with a unit.
const largestSize = 3*len(sizeUnits) + 3

// timeDistribution counts times by days, months, or years and more of a zone.
func (t *Table) timeDistribution(ctx context.Context, rows []int32, column ColumnInfo, zone *time.Location) (Distribution, error) {
	all, err := t.count(ctx, rows, column, func(c Cell, _ *[]byte) (countKey, countClass) {
		at, ok := c.Time(column.Kind)
		switch {
		case !ok:
			return countKey{}, ofStrange
		case at.IsZero():
			return countKey{}, ofUnset
		}
		year, month, day := at.In(zone).Date()
		return intKey(int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)), ofValue
	})
	if err != nil {
		return Distribution{}, err
	}
	name := t.termName(column.Index)
	d := all.times(name, zone)
	if unset := all.rows[ofUnset]; unset > 0 {
		never := Bucket{Label: human.Never, Term: "!" + name + ">0001-01-01 " + name + "!=null " + name + "!=missing", Rows: unset}
		d.Buckets = append([]Bucket{never}, d.Buckets...)
	}
	return d, nil
}

const secondsPerDay = 24 * 60 * 60

// mostTimes is how many months, years and so on there are from the first to the last at the most.
const mostTimes = 36

// times makes buckets of days where these are few, or of one or more months.
func (n *counts) times(name string, zone *time.Location) Distribution {
	by := func(months int) []counted {
		return together(n.values, func(key countKey) countKey {
			year, month, _ := time.Unix(int64(key.int())*secondsPerDay, 0).UTC().Date()
			return intKey((year*12 + int(month) - 1) / months * months)
		})
	}
	months, layout, values := 1, "2006-01", by(1)
	if len(values) <= 2 && len(n.values) <= mostRanges {
		return n.ranges(n.values, func(key int) Bucket {
			date := time.Unix(int64(key)*secondsPerDay, 0).UTC()
			return timeRange{date, date.AddDate(0, 0, 1), time.DateOnly}.bucket(name, zone)
		})
	}
	for _, more := range []int{12, 10 * 12, 100 * 12, 1000 * 12} {
		if len(values) > 0 && (values[len(values)-1].key.int()-values[0].key.int())/months >= mostTimes {
			months, layout, values = more, "2006", by(more)
		}
	}
	return n.ranges(values, func(key int) Bucket {
		first := time.Date(0, time.Month(key+1), 1, 0, 0, 0, 0, time.UTC)
		return timeRange{first, first.AddDate(0, months, 0), layout}.bucket(name, zone)
	})
}

// timeRange is the days from one date up to another, which are midnights in UTC. The layout
// has the parts of a date that tell ranges apart.
type timeRange struct {
	first, end time.Time
	layout     string
}

// bucket is the range in a zone. Queries take times as UTC, so that those of another zone
// have it written behind them.
func (r timeRange) bucket(name string, zone *time.Location) Bucket {
	from, to := r.first.Format(r.layout), r.end.AddDate(0, 0, -1).Format(r.layout)
	label := from
	if to != from {
		label += " – " + to
	}
	first, end := inZone(r.first, zone), inZone(r.end, zone)
	if first.Equal(r.first) && end.Equal(r.end) || r.first.Year() < 1 || r.end.Year() > lastYear {
		return Bucket{Label: label, Term: name + ">=" + from + " " + name + "<=" + to}
	}
	return Bucket{Label: label, Term: name + ">=" + zoned(first) + " " + name + "<" + zoned(end)}
}

// lastYear is the last one that queries can name.
const lastYear = 9999

// inZone is the beginning of a date in a zone.
func inZone(date time.Time, zone *time.Location) time.Time {
	return time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, zone)
}

// zoned is a time as queries have it, with its zone: 2019-12-01T00:00+01:00.
func zoned(at time.Time) string {
	if _, offset := at.Zone(); offset%60 != 0 {
		at = at.UTC() // such an offset cannot be written
	}
	if at.Second() != 0 {
		return at.Format("2006-01-02T15:04:05Z07:00")
	}
	return at.Format("2006-01-02T15:04Z07:00")
}
