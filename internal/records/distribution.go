package records

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"slices"
)

// Distribution says how the rows spread over what a column holds.
type Distribution struct {
	// Ranges reports that the buckets are ranges of sizes, numbers or times.
	Ranges bool
	// Buckets are in the order of values if they are ranges; or else the values
	// of most rows come first, and of many values those of a single row are left out.
	Buckets []Bucket
	// Values is how many different ones there are. It is not known of ranges.
	Values int
	// OtherRows are in no bucket, though they have a value; OtherValues are how many
	// those have, 0 if that is not known.
	OtherValues, OtherRows int
	Nulls, Missing         int // rows
}

// Bucket is one value, or a range of them.
type Bucket struct {
	Label string // as people read it, "1 GB – 10 GB" or "2019-12"; it is not safe on a terminal
	Term  string // what finds these rows in a query
	Rows  int
	Cell  Cell // the value, of the first row that has it; of a range it is a missing one
}

// Distribution counts the rows (nil: all) by what they have in a column: by single
// values, at most top of them, or by ranges where sizes, numbers or times are many. Days, months
// and years are those of UTC, as in queries.
//
// Two cells have the same value if their [Cell.Text] is the same without case. When the context
// ends, its error is returned.
func (t *Table) Distribution(ctx context.Context, rows []int32, column ColumnInfo, f Format, top int) (Distribution, error) {
	if !t.sample().varieties[column.Index].few() {
		switch column.Role {
		case RoleTime:
			return t.timeDistribution(ctx, rows, column)
		case RoleSize, RoleNumber:
			return t.numberDistribution(ctx, rows, column)
		}
	}
	return t.valueDistribution(ctx, rows, column, f, top)
}

// ByValue returns the buckets in the order of their values, as [Table.Sort] has it.
func (d *Distribution) ByValue() []Bucket {
	sorted := slices.Clone(d.Buckets)
	if !d.Ranges {
		slices.SortStableFunc(sorted, func(a, b Bucket) int { return bytes.Compare(a.Cell.appendOrdered(nil), b.Cell.appendOrdered(nil)) })
	}
	return sorted
}

// valueDistribution counts single values.
func (t *Table) valueDistribution(ctx context.Context, rows []int32, column ColumnInfo, f Format, top int) (Distribution, error) {
	seed := maphash.MakeSeed() // so that nobody can make values with the same hash
	all, err := t.count(ctx, rows, column, func(c Cell) (uint64, class) {
		var memory [shortText]byte
		return maphash.Bytes(seed, c.appendFolded(memory[:0])), ofValue
	})
	if err != nil {
		return Distribution{}, err
	}
	d := all.distribution()
	d.Values, d.OtherRows = len(all.values), all.rows[ofValue]
	if d.Values > top { // then those of one row are too many to be listed, and none is more than the others
		all.values = slices.DeleteFunc(all.values, func(c counted) bool { return c.rows == 1 })
	}
	slices.SortFunc(all.values, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.position, b.position))
	})
	name, rows := t.termName(column.Index), t.rowsOr(rows)
	for _, c := range all.values[:min(len(all.values), top)] {
		cell := t.Cell(int(rows[c.position]), column.Index)
		d.Buckets = append(d.Buckets, Bucket{Label: f.Value(column, cell).String(), Term: name + "=" + termValue(cell), Rows: c.rows, Cell: cell})
		d.OtherRows -= c.rows
	}
	tellApart(d.Buckets)
	d.OtherValues = d.Values - len(d.Buckets)
	return d, nil
}

// tellApart adds what exactly is there to labels that are alike: sizes and times are rounded.
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

// class says what there is to count in a row.
type class uint8

const (
	ofValue class = iota
	ofNull
	ofMissing
	ofUnset // a time that is not set
	ofOther // what fits no range
	classes
)

// counted is a value or a range, and how many rows have it.
type counted struct {
	key      uint64 // the same for what is counted together; those of ranges sort as the ranges do
	position int32  // of the first of the rows
	class    class
	rows     int
}

// counts is what the rows have, in the order of keys, and how many rows are of each class.
type counts struct {
	values []counted
	rows   [classes]int
}

// count counts the rows by the key of their values.
func (t *Table) count(ctx context.Context, rows []int32, column ColumnInfo, keyOf func(c Cell) (uint64, class)) (counts, error) {
	rows = t.rowsOr(rows)
	all := make([]counted, len(rows))
	err := t.inChunks(ctx, len(rows), func(first, end int) {
		for i := first; i < end; i++ {
			c := counted{position: int32(i), class: ofMissing, rows: 1}
			switch cell := t.Cell(int(rows[i]), column.Index); cell.Kind() {
			case Missing:
			case Null:
				c.class = ofNull
			default:
				c.key, c.class = keyOf(cell)
			}
			all[i] = c
		}
	})
	if err != nil {
		return counts{}, err
	}
	var n counts
	for _, c := range all {
		n.rows[c.class]++
	}
	n.values = slices.DeleteFunc(all, func(c counted) bool { return c.class != ofValue })
	slices.SortFunc(n.values, func(a, b counted) int { return cmp.Compare(a.key, b.key) })
	n.values = merged(n.values, func(key uint64) uint64 { return key })
	return n, nil
}

// merged puts those together whose keys are the same after by, which keeps their order. The
// result is new memory.
func merged(values []counted, by func(key uint64) uint64) (sums []counted) {
	for _, v := range values {
		v.key = by(v.key)
		if last := len(sums) - 1; last >= 0 && sums[last].key == v.key {
			sums[last].rows += v.rows
			sums[last].position = min(sums[last].position, v.position)
			continue
		}
		sums = append(sums, v)
	}
	return sums
}

func (n *counts) distribution() Distribution {
	return Distribution{Nulls: n.rows[ofNull], Missing: n.rows[ofMissing], OtherRows: n.rows[ofOther]}
}

// ranges makes buckets of the values.
func (n *counts) ranges(bucket func(key uint64) Bucket) Distribution {
	d := n.distribution()
	d.Ranges = true
	for _, c := range n.values {
		b := bucket(c.key)
		b.Rows = c.rows
		d.Buckets = append(d.Buckets, b)
	}
	return d
}
