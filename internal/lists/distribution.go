package lists

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"math/big"
	"slices"
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

// Countable reports whether counting the values of a column is useful, as far as the first rows
// show: either it has sizes, numbers or times that differ, which are counted by ranges, or it has
// some values more than once.
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

// addRanges adds a bucket for each range. bucketOf returns the label and the term of one, by its
// key.
func (d *Distribution) addRanges(ranges []counted, bucketOf func(key uint64) Bucket) {
	for _, c := range ranges {
		bucket := bucketOf(c.key)
		bucket.Rows = c.rows
		bucket.Size = d.sizeOf(&c)
		d.Buckets = append(d.Buckets, bucket)
	}
}

// joined adds up what was counted by keys that are of one range. The keys are in order, and rangeOf
// returns the key of the range of a key.
func joined(all []counted, rangeOf func(key uint64) uint64) (ranges []counted) {
	for _, c := range all {
		c.key = rangeOf(c.key)
		last := len(ranges) - 1
		if last < 0 || ranges[last].key != c.key {
			ranges = append(ranges, c)
			continue
		}
		ranges[last].rows += c.rows
		ranges[last].size.merge(&c.size)
	}
	return ranges
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
