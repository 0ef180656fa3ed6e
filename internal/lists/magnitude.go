package lists

import (
	"context"
	"strconv"
	"strings"

	"gatehouse/internal/text/human"
)

// numberDistribution counts numbers by their powers of ten.
func (t *Table) numberDistribution(
	ctx context.Context, rows []int32, column ColumnInfo,
) (Distribution, error) {
	d, magnitudes, err := t.count(ctx, rows, column, func(c Cell) (uint64, bool) {
		m, ok := magnitudeOf(c)
		return uint64(m), ok
	})
	d.Ranges = true
	name := t.termName(column.Index)
	d.addRanges(magnitudes, func(key uint64) Bucket {
		return magnitude(key).bucket(name, column.Kind == BytesColumn)
	})
	return d, err
}

// magnitude is a range of numbers. Magnitudes are ordered like the numbers: one+n is the range from
// 10^n up to 10^(n+1).
type magnitude int

const (
	negative magnitude = iota
	zero
	belowOne // and above 0
	one

	maxPower = 30
)

// magnitudeOf returns the magnitude of a cell. ok is false if it is no number, or a huge one.
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

// bucketBetween returns the bucket for the values of a column between two conditions, such as
// ">=10" and "<100".
func bucketBetween(label, column, from, to string) Bucket {
	return Bucket{Label: label, Term: column + from + " " + column + to, HasTwoEnds: true}
}

// bucket returns the bucket of a magnitude.
func (m magnitude) bucket(column string, isSize bool) Bucket {
	switch m {
	case negative:
		return Bucket{Label: "below 0", Term: column + "<0"}
	case zero:
		return bucketBetween("0", column, ">=0", "<=0")
	case belowOne:
		return bucketBetween("0 – 1", column, ">0", "<1")
	}
	from, first := m.text(isSize)
	to, end := (m + 1).text(isSize)
	return bucketBetween(from+" – "+to, column, ">="+first, "<"+end)
}

// text returns the first number of a range as people read it, "10 GB", and as queries have it,
// "10GB".
func (m magnitude) text(isSize bool) (label, query string) {
	power := int(m - one)
	if isSize {
		return sizeText(power)
	}
	number := powerOfTen(power)
	const maxZeros = 15
	if power > maxZeros {
		number = "1e" + strconv.Itoa(power)
	}
	return human.Grouped(number), number
}

// sizeText is [magnitude.text] of 10^power bytes.
func sizeText(power int) (label, query string) {
	const zerosPerUnit = 3
	units := min(power/zerosPerUnit, len(human.SizePrefixes)) // from bytes up to the largest that fits
	number := powerOfTen(power - units*zerosPerUnit)
	if units == 0 {
		return number + " B", number
	}
	unit := human.SizePrefixes[units-1:units] + "B"
	return human.Grouped(number) + " " + unit, number + unit
}

// powerOfTen returns 10^power in digits.
func powerOfTen(power int) string { return "1" + strings.Repeat("0", power) }
