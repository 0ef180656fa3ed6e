package lists

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/text/human"
)

// Distribution says how the rows spread over the values of a column.
type Distribution struct {
	// Ranges reports that the buckets are ranges of sizes, numbers or times.
	Ranges bool
	// Buckets are in the order of values, see [Table.SortBy]. If there are many values, only the
	// most frequent ones have a bucket, and none that only a single row has.
	Buckets []Bucket
	// OtherRows counts the rows that have a value and are in no bucket.
	OtherRows int
	// OtherValues counts the different values of these rows. It is 0 if that is not known.
	OtherValues    int
	Nulls, Missing Bucket // the rows without a value; only Rows and Size are set
	// Sizes is the first column of sizes, which is added up for each bucket. It is nil if there is
	// none.
	Sizes *ColumnInfo
}

// Bucket is one value, or a range of them.
type Bucket struct {
	Label string // for people, "1 GB – 10 GB" or "2019-12"; not safe on a terminal
	Term  string // the condition of a query that finds these rows
	Rows  int
	Size  *big.Int // the sum of the first column of sizes in these rows; nil without one
	Cell  Cell     // the value in the first row that has it; a missing one for a range

	// HasTwoEnds reports that the term is two conditions, from one value and up to another, so that
	// "!" before it does not find all other rows.
	HasTwoEnds bool
}

// Distribution counts the rows by what they have in a column: by single values, of which it returns
// at most top, or by ranges if there are many sizes, numbers or times. nil stands for all rows. The
// format writes the labels. Days, months and years are in UTC, as in queries.
//
// Two cells have the same value if their [Cell.Text] is equal without case. When the context ends,
// its error is returned.
func (t *Table) Distribution(
	ctx context.Context, rows []int32, column ColumnInfo, f Format, top int,
) (Distribution, error) {
	rows = t.rowsOr(rows)
	if !t.sample().few[column.Index] {
		switch column.Role {
		case RoleTime:
			return t.timeDistribution(ctx, rows, column)
		case RoleSize, RoleNumber:
			return t.numberDistribution(ctx, rows, column)
		}
	}
	return t.valueDistribution(ctx, rows, column, f, top)
}

// Countable reports whether counting the values of a column is useful, as far as the first rows show:
// either it has sizes, numbers or times that differ, which are counted by ranges, or it has some
// values more than once.
func (t *Table) Countable(column ColumnInfo) bool {
	switch {
	case column.Same:
		return false
	case column.Role == RoleTime || column.Role == RoleSize || column.Role == RoleNumber:
		return true
	}
	seen := map[string]bool{}
	for row := range t.sampled() {
		var memory [shortText]byte
		value := t.Cell(row, column.Index).appendFolded(memory[:0])
		if seen[string(value)] {
			return true
		}
		seen[string(value)] = true
	}
	return false
}

// addRanges adds buckets for ranges. all is what was counted, in order. bucketOf returns the label
// and the term of a key; keys of one range have the same label.
func (d *Distribution) addRanges(all []counted, bucketOf func(key uint64) Bucket) {
	var last counted
	for _, c := range all {
		bucket := bucketOf(c.key)
		if at := len(d.Buckets) - 1; at >= 0 && d.Buckets[at].Label == bucket.Label {
			last.rows += c.rows
			last.size.merge(&c.size)
			d.Buckets[at].Rows, d.Buckets[at].Size = last.rows, d.sizeOf(&last)
			continue
		}
		last = c
		bucket.Rows, bucket.Size = c.rows, d.sizeOf(&c)
		d.Buckets = append(d.Buckets, bucket)
	}
}

// sizeOf returns the sum of the sizes of what was counted, or nil if there is no column of sizes.
func (d *Distribution) sizeOf(c *counted) *big.Int {
	if d.Sizes == nil {
		return nil
	}
	return c.size.total()
}

// valueDistribution counts single values.
func (t *Table) valueDistribution(
	ctx context.Context, rows []int32, column ColumnInfo, f Format, top int,
) (Distribution, error) {
	seed := maphash.MakeSeed() // so that nobody can make values with the same hash
	d, values, err := t.count(ctx, rows, column, func(c Cell) (uint64, bool) {
		var memory [shortText]byte
		return maphash.Bytes(seed, c.appendFolded(memory[:0])), true
	})
	if err != nil {
		return d, err
	}
	count := len(values)
	d.OtherRows = len(rows) - d.Nulls.Rows - d.Missing.Rows
	if count > top { // no value of a single row deserves a place more than another one
		values = slices.DeleteFunc(values, func(c counted) bool { return c.rows == 1 })
	}
	slices.SortFunc(values, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.first, b.first))
	})
	name := t.termName(column.Index)
	for _, c := range values[:min(len(values), top)] {
		cell := t.Cell(int(c.first), column.Index)
		d.Buckets = append(d.Buckets, Bucket{
			Label: f.Value(column, cell).String(),
			Term:  name + "=" + t.termValue(column.Index, cell),
			Rows:  c.rows,
			Size:  d.sizeOf(&c),
			Cell:  cell,
		})
		d.OtherRows -= c.rows
	}
	tellApart(d.Buckets)
	d.OtherValues = count - len(d.Buckets)
	slices.SortStableFunc(d.Buckets, func(a, b Bucket) int {
		return bytes.Compare(a.Cell.appendOrdered(nil), b.Cell.appendOrdered(nil))
	})
	return d, nil
}

// tellApart adds the exact value to labels that are equal, because sizes and times are rounded.
func tellApart(buckets []Bucket) {
	seen := map[string]int{}
	for _, b := range buckets {
		seen[b.Label]++
	}
	for i := range buckets {
		if b := &buckets[i]; seen[b.Label] > 1 {
			b.Label += "  " + string(b.Cell.raw)
		}
	}
}

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

// timeDistribution counts times by days, months or years, whichever suits the time between the
// first and the last.
func (t *Table) timeDistribution(
	ctx context.Context, rows []int32, column ColumnInfo,
) (Distribution, error) {
	const (
		unset         = 0 // the key of times that are not set; other keys are days from 1 on
		secondsPerDay = 24 * 60 * 60
	)
	d, days, err := t.count(ctx, rows, column, func(c Cell) (uint64, bool) {
		at, ok := c.Time(column.Kind)
		if at.IsZero() {
			return unset, ok
		}
		return uint64((at.Unix()-yearOne)/secondsPerDay) + 1, ok
	})
	d.Ranges = true
	name := t.termName(column.Index)
	if len(days) > 0 && days[0].key == unset {
		d.addRanges(days[:1], func(uint64) Bucket {
			return Bucket{Label: human.Never, Term: name + "=" + human.Never}
		})
		days = days[1:]
	}
	const (
		daysUpTo   = 2 * 31  // longer times are counted by months
		monthsUpTo = 3 * 366 // longer times, in days, are counted by years
	)
	layout := time.DateOnly
	if last := len(days) - 1; last > 0 {
		switch between := days[last].key - days[0].key; {
		case between > monthsUpTo:
			layout = "2006"
		case between > daysUpTo:
			layout = "2006-01"
		}
	}
	d.addRanges(days, func(key uint64) Bucket {
		label := time.Unix(yearOne+int64(key-1)*secondsPerDay, 0).UTC().Format(layout)
		return bucketBetween(label, name, ">="+label, "<="+label)
	})
	return d, err
}

// counted is a value or a range, and how many rows have it.
type counted struct {
	key   uint64 // equal for values that are counted together; keys of ranges sort as these do
	first int32  // the first row
	rows  int
	size  adder // of the first column of sizes
}

// count counts the rows by the keys of their values, and returns the counts in the order of keys.
// The distribution has the rows without a value, and in OtherRows those whose value has no key.
func (t *Table) count(
	ctx context.Context, rows []int32, column ColumnInfo,
	keyOf func(c Cell) (key uint64, ok bool),
) (d Distribution, values []counted, err error) {
	if sizes, ok := t.SizeColumn(); ok {
		d.Sizes = &sizes
	}
	known, size := map[uint64]int{}, t.rowsAtOnce()
	var nulls, missing counted
	for i, row := range rows {
		if i%size == 0 && ctx.Err() != nil {
			return d, nil, ctx.Err()
		}
		var of *counted
		switch cell := t.Cell(int(row), column.Index); cell.Kind() {
		case Missing:
			of = &missing
		case Null:
			of = &nulls
		default:
			key, ok := keyOf(cell)
			if !ok {
				d.OtherRows++
				continue
			}
			at, counting := known[key]
			if !counting {
				at = len(values)
				known[key], values = at, append(values, counted{key: key, first: row})
			}
			of = &values[at]
		}
		of.rows++
		if d.Sizes != nil {
			of.size.add(t.Cell(int(row), d.Sizes.Index))
		}
	}
	d.Nulls = Bucket{Rows: nulls.rows, Size: d.sizeOf(&nulls)}
	d.Missing = Bucket{Rows: missing.rows, Size: d.sizeOf(&missing)}
	slices.SortFunc(values, func(a, b counted) int { return cmp.Compare(a.key, b.key) })
	return d, values, nil
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

// bucketBetween returns the bucket for the values of a column between two conditions, such as ">=10"
// and "<100".
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
	query = "1" + strings.Repeat("0", power)
	if isSize {
		size, _ := human.SizeOf(query)
		label = strings.TrimSuffix(size.Number, ".0") + " " + size.Unit
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
