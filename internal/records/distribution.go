package records

import (
	"cmp"
	"context"
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
	// Values is how many different ones there are, or [MaxGroups] if Capped. It is not
	// known of ranges.
	Values int
	Capped bool
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
	Cell  Cell // the value; of a range it is a missing one
	place int  // among the ranges
}

// Distribution counts the rows (nil: all) by what they have in a column: by single
// values, at most top of them, or by ranges where sizes, numbers or times are many: powers of ten
// or of a thousand, days, months or years, such that there are no more than a screen has. It
// is one pass. When the context ends, its error is returned.
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
	if d.Ranges {
		slices.SortFunc(sorted, func(a, b Bucket) int { return cmp.Compare(a.place, b.place) })
		return sorted
	}
	slices.SortStableFunc(sorted, func(a, b Bucket) int { return compareCells(a.Cell, b.Cell) })
	return sorted
}

// compareCells orders two values as a sort does.
func compareCells(a, b Cell) int {
	aIsNumber, bIsNumber := a.Kind() == Number, b.Kind() == Number
	switch {
	case aIsNumber && bIsNumber:
		return newDecimal(a.raw).compare(newDecimal(b.raw))
	case aIsNumber:
		return -1
	case bIsNumber:
		return 1
	}
	natural := func(c Cell) string { return string(appendNatural(nil, c.appendFolded(nil))) }
	return cmp.Compare(natural(a), natural(b))
}

// valueDistribution counts single values.
func (t *Table) valueDistribution(ctx context.Context, rows []int32, column ColumnInfo, f Format, top int) (Distribution, error) {
	groups, err := t.Group(ctx, rows, column.Index, top)
	if err != nil {
		return Distribution{}, err
	}
	d := Distribution{Values: groups.Values, Capped: groups.Capped, Nulls: groups.Nulls, Missing: groups.Missing}
	counted, name := 0, t.termName(column.Index)
	for _, group := range groups.Top {
		if group.Rows == 1 && groups.Values > len(groups.Top) {
			break // of these are too many to be listed, and none is more than the others
		}
		counted += group.Rows
		value := f.Value(column, group.Cell)
		bucket := Bucket{Label: value.String(), Term: name + "==" + termValue(group.Cell), Rows: group.Rows, Cell: group.Cell}
		d.Buckets = append(d.Buckets, bucket)
	}
	tellApart(d.Buckets)
	d.OtherValues = d.Values - len(d.Buckets)
	d.OtherRows = t.selection(rows).size - counted - d.Nulls - d.Missing
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

// tallied is how many rows have what is told by a number; the others are in none.
type tallied struct {
	rows                    map[int]int
	nulls, missing, strange int
	days                    map[int]int // of times; see daysTold
	unset                   int         // of times
}

// add counts a cell without a value, and reports whether it has none.
func (c *tallied) absent(cell Cell) bool {
	switch cell.Kind() {
	case Missing:
		c.missing++
	case Null:
		c.nulls++
	default:
		return false
	}
	return true
}

// merge adds up what goroutines have counted.
func merged(parts []*tallied) *tallied {
	all := &tallied{rows: map[int]int{}, days: map[int]int{}}
	for _, part := range parts {
		all.nulls += part.nulls
		all.missing += part.missing
		all.strange += part.strange
		all.unset += part.unset
		for key, rows := range part.rows {
			all.rows[key] += rows
		}
		for key, rows := range part.days {
			all.days[key] += rows
		}
	}
	return all
}

// distribution makes buckets of what was counted, in order.
func (c *tallied) distribution(rows map[int]int, bucket func(key int) Bucket) Distribution {
	d := Distribution{Ranges: true, Nulls: c.nulls, Missing: c.missing, OtherRows: c.strange}
	for key, count := range rows {
		made := bucket(key)
		made.Rows, made.place = count, key
		d.Buckets = append(d.Buckets, made)
	}
	d.Buckets = d.ByValue()
	return d
}

// mostRanges is how many ranges are shown at the most.
const mostRanges = 24

// coarser puts keys together until there are few enough: by each of the functions in turn.
func coarser(rows map[int]int, enough func(rows map[int]int, level int) bool, by ...func(key int) int) (fewer map[int]int, level int) {
	for level, of := range by {
		fewer = map[int]int{}
		for key, count := range rows {
			fewer[of(key)] += count
		}
		if level == len(by)-1 || enough(fewer, level) {
			return fewer, level
		}
	}
	return rows, 0
}
