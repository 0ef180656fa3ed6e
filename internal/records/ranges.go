package records

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// numberDistribution counts numbers by their first digit and its power of ten, and puts
// those together as far as they have to be.
func (t *Table) numberDistribution(ctx context.Context, rows []int32, column ColumnInfo) (Distribution, error) {
	s := t.selection(rows)
	parts, err := gather(ctx, inParallel, s, func(c *tallied, position int) {
		cell := t.Cell(s.row(position), column.Index)
		if c.absent(cell) {
			return
		}
		if key, ok := magnitudeOf(cell); ok {
			c.count(int(key))
		} else {
			c.strange++
		}
	})
	if err != nil {
		return Distribution{}, err
	}
	all := merged(parts)
	counted, level := coarser(all.rows, func(rows map[int]int, _ int) bool { return len(rows) <= mostRanges },
		func(key int) int { return key },
		func(key int) int { return int(magnitude(key).roundedTo(1)) },
		func(key int) int { return int(magnitude(key).roundedTo(3)) },
	)
	powers := []int{0, 1, 3}[level]
	name := t.termName(column.Index)
	return all.distribution(counted, func(key int) Bucket { return magnitude(key).bucket(name, powers, column.Kind == BytesColumn) }), nil
}

// count counts one more row with a key.
func (c *tallied) count(key int) {
	if c.rows == nil {
		c.rows = map[int]int{}
	}
	c.rows[key]++
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
	from := bound{negative, power, digit, isSize}
	to := bound{negative, power + powers, digit, isSize}
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

// bound is a digit times a power of ten.
type bound struct {
	negative     bool
	power, digit int
	isSize       bool
}

// query returns the number as queries have it: "10GB", "-2000", "3e25".
func (b bound) query() string {
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
func (b bound) label() string {
	if !b.isSize || b.negative || b.power < 0 || b.power > largestSize {
		b.isSize = false
		return human.Grouped(b.query())
	}
	number, unit, _ := human.SizeOf(strconv.Itoa(b.digit) + strings.Repeat("0", b.power))
	return strings.TrimSuffix(number, ".0") + " " + unit
}

// largestSize is the power of ten of the largest size that is written with a unit.
const largestSize = 3*len(sizeUnits) + 3

// daysTold is how many days are told apart; times of more are told by their months.
const daysTold = 366

// timeDistribution counts times by days, months, or years and more of a zone.
func (t *Table) timeDistribution(ctx context.Context, rows []int32, column ColumnInfo, zone *time.Location) (Distribution, error) {
	s := t.selection(rows)
	parts, err := gather(ctx, inParallel, s, func(c *tallied, position int) {
		cell := t.Cell(s.row(position), column.Index)
		if c.absent(cell) {
			return
		}
		at, ok := cell.Time(column.Kind)
		switch {
		case !ok:
			c.strange++
		case at.IsZero():
			c.unset++
		default:
			c.countTime(at.In(zone))
		}
	})
	if err != nil {
		return Distribution{}, err
	}
	all, name := merged(parts), t.termName(column.Index)
	d := all.times(name, zone)
	if all.unset > 0 {
		never := Bucket{Label: human.Never, Term: "!" + name + ">0001-01-01 " + name + "!=null " + name + "!=missing", Rows: all.unset, place: -1}
		d.Buckets = append([]Bucket{never}, d.Buckets...)
	}
	return d, nil
}

// countTime counts a time by its month, and by its day while those are few.
func (c *tallied) countTime(at time.Time) {
	year, month, day := at.Date()
	c.count(year*12 + int(month) - 1)
	if c.days == nil {
		c.days = map[int]int{}
	}
	if len(c.days) <= daysTold {
		c.days[int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()/secondsPerDay)]++
	}
}

const secondsPerDay = 24 * 60 * 60

// times makes buckets of days where these are few, or of one or more months.
func (c *tallied) times(name string, zone *time.Location) Distribution {
	if len(c.rows) <= 2 && len(c.days) <= mostRanges {
		return c.distribution(c.days, func(key int) Bucket {
			date := time.Unix(int64(key)*secondsPerDay, 0).UTC()
			return timeRange{date, date.AddDate(0, 0, 1), time.DateOnly}.bucket(name, zone)
		})
	}
	months := []int{1, 12, 10 * 12, 100 * 12, 1000 * 12}
	var by []func(key int) int
	for _, each := range months {
		by = append(by, func(key int) int { return key / each * each })
	}
	counted, level := coarser(c.rows, func(rows map[int]int, level int) bool { return span(rows)/months[level] < mostTimes }, by...)
	return c.distribution(counted, func(key int) Bucket {
		layout := "2006"
		if months[level] == 1 {
			layout = "2006-01"
		}
		first := time.Date(0, time.Month(key+1), 1, 0, 0, 0, 0, time.UTC)
		return timeRange{first, first.AddDate(0, months[level], 0), layout}.bucket(name, zone)
	})
}

// mostTimes is how many months, years and so on there are from the first to the last at the most.
const mostTimes = 36

// span returns how far apart the first and the last key are.
func span(rows map[int]int) int {
	if len(rows) == 0 {
		return 0
	}
	least, most := math.MaxInt, math.MinInt
	for key := range rows {
		least, most = min(least, key), max(most, key)
	}
	return most - least
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
