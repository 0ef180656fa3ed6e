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
	// Ranges reports that the buckets are ranges of sizes, numbers or times. Days, months
	// and years are those of the zone of the format.
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
// values, at most top of them, or by ranges where sizes, numbers or times are many: powers of ten
// or of a thousand, days, months or years, such that there are no more than a screen has.
//
// Two cells have the same value if they mean the same: strings are compared decoded and with
// their case, numbers by the text that was sent (1 and 1.0 are two), arrays and objects by
// their tokens in their order, each compared in that way. When the context ends, its error is
// returned.
func (t *Table) Distribution(ctx context.Context, rows []int32, column ColumnInfo, f Format, top int) (Distribution, error) {
	if !t.sample().varieties[column.Index].few() {
		switch column.Role {
		case RoleTime:
			return t.timeDistribution(ctx, rows, column, f.zone())
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
		key := func(b Bucket) []byte {
			text, _ := b.Cell.appendOrdered(nil)
			return text
		}
		slices.SortStableFunc(sorted, func(a, b Bucket) int { return bytes.Compare(key(a), key(b)) })
	}
	return sorted
}

// valueDistribution counts single values.
func (t *Table) valueDistribution(ctx context.Context, rows []int32, column ColumnInfo, f Format, top int) (Distribution, error) {
	seeds := [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	all, err := t.count(ctx, rows, column, func(c Cell, memory *[]byte) (key countKey, class countClass) {
		// Two hashes with seeds that nobody knows are different for different values.
		identity := c.identity(memory)
		return countKey{maphash.Bytes(seeds[0], identity) + uint64(c.Kind()), maphash.Bytes(seeds[1], identity)}, ofValue
	})
	if err != nil {
		return Distribution{}, err
	}
	d := Distribution{Values: len(all.values), Nulls: all.rows[ofNull], Missing: all.rows[ofMissing], OtherRows: all.rows[ofValue]}
	if d.Values > top { // then those of one row are too many to be listed, and none is more than the others
		all.values = slices.DeleteFunc(all.values, func(c counted) bool { return c.rows == 1 })
	}
	slices.SortFunc(all.values, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.position, b.position))
	})
	name, rows := t.termName(column.Index), t.rowsOr(rows)
	for _, c := range all.values[:min(len(all.values), top)] {
		cell := t.Cell(int(rows[c.position]), column.Index)
		bucket := Bucket{Label: f.Value(column, cell).String(), Term: name + "==" + termValue(cell), Rows: c.rows, Cell: cell}
		d.Buckets = append(d.Buckets, bucket)
		d.OtherRows -= c.rows
	}
	tellApart(d.Buckets)
	d.OtherValues = d.Values - len(d.Buckets)
	return d, nil
}

// tellApart adds to labels that are alike what exactly is there: sizes and times are
// rounded, of a list there is the length.
func tellApart(buckets []Bucket) {
	seen := map[string]int{}
	for _, bucket := range buckets {
		seen[bucket.Label]++
	}
	for i := range buckets {
		if b := &buckets[i]; seen[b.Label] > 1 {
			b.Label += "  " + string(b.Cell.raw)
		}
	}
}

// countKey is the same for rows that are counted together. Keys of ranges sort as the ranges do.
type countKey [2]uint64

// intKey is the key of an integer.
func intKey(i int) countKey { return countKey{uint64(i) ^ signBit} }

func (k countKey) int() int { return int(k[0] ^ signBit) }

// countClass says what there is to count in a row.
type countClass uint8

const (
	ofValue countClass = iota
	ofNull
	ofMissing
	ofUnset   // a time that is not set
	ofStrange // what fits no range
	countClasses
)

// counted is a value or a range, and how many rows have it.
type counted struct {
	key      countKey
	position int32 // of the first of them
	class    countClass
	rows     int
}

// counts is what the rows have, in the order of keys, and how many rows are of each class.
type counts struct {
	values []counted
	rows   [countClasses]int
}

// count counts the rows by the key of their values.
func (t *Table) count(ctx context.Context, rows []int32, column ColumnInfo, keyOf func(c Cell, memory *[]byte) (countKey, countClass)) (counts, error) {
	rows = t.rowsOr(rows)
	all := make([]counted, len(rows))
	err := t.inChunks(ctx, len(rows), func(first, end int) {
		var memory []byte
		for i := first; i < end; i++ {
			c := counted{position: int32(i), class: ofMissing, rows: 1}
			switch cell := t.Cell(int(rows[i]), column.Index); cell.Kind() {
			case Missing:
			case Null:
				c.class = ofNull
			default:
				c.key, c.class = keyOf(cell, &memory)
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
	slices.SortFunc(n.values, func(a, b counted) int {
		if order := cmp.Compare(a.key[0], b.key[0]); order != 0 {
			return order
		}
		return cmp.Compare(a.key[1], b.key[1])
	})
	n.values = together(n.values, func(key countKey) countKey { return key })
	return n, nil
}

// together merges those whose keys are the same after by, which must keep their order. The
// result is new memory.
func together(values []counted, by func(countKey) countKey) (sums []counted) {
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
