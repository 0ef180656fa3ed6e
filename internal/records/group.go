package records

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
)

// MaxGroups is how many different values [Table.Group] tells apart. While it runs
// they take some 80 bytes each.
const MaxGroups = 1 << 20

// Groups says how often each value of a column occurs. Nulls and missing cells
// are no values; they are counted apart.
type Groups struct {
	Values         int     // different ones
	Top            []Group // most rows first; of those with as many, first seen first
	Nulls, Missing int     // rows
	// Capped reports that there are more than MaxGroups values. Values is MaxGroups
	// then: only those seen first are counted, but each of them in all rows.
	Capped bool
}

// Group is one value: the first cell that has it, and how many rows do.
type Group struct {
	Cell Cell
	Rows int
}

// Group counts how often each value of a column occurs in the rows (nil: all
// rows), and returns the most frequent ones, at most top of them. Two cells have
// the same value if they mean the same: strings are compared decoded and with their
// case, numbers by the text that was sent (1 and 1.0 are two), arrays and objects
// by their tokens in their order, each compared in that way. When the context ends, its error is
// returned.
func (t *Table) Group(ctx context.Context, rows []int32, col, top int) (Groups, error) {
	return t.group(ctx, t.selection(rows), col, top, MaxGroups)
}

func (t *Table) group(ctx context.Context, s selection, col, top, limit int) (Groups, error) {
	seeds := [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	count := func(y *tally, position int) { y.count(seeds, t.Cell(s.row(position), col), position, limit) }
	all := new(tally)
	parts, err := gather(ctx, inParallel, s, count)
	for _, part := range parts {
		all.merge(part)
	}
	if err == nil && (all.capped || len(all.values) > limit) {
		// Which values come first is known only to one that sees all rows in order.
		all = new(tally)
		err = inTurn(ctx, s, func(position int) { count(all, position) })
	}
	if err != nil {
		return Groups{}, err
	}
	return all.groups(top), nil
}

// tally is how often each value occurs.
type tally struct {
	numbers        map[valueKey]int32 // of the values
	values         []value
	capped         bool // a value found no place
	nulls, missing int
	scratch        []byte
}

// valueKey tells values apart, so that long ones take no more memory than short ones: two
// hashes of the identity, with seeds that nobody knows, and the kind.
type valueKey struct {
	hashes [2]uint64
	kind   Kind
}

// value is one value of a tally.
type value struct {
	raw      []byte // of the cell seen first
	position int32  // of that
	rows     int32
}

func (y *tally) count(seeds [2]maphash.Seed, cell Cell, position, limit int) {
	kind := cell.Kind()
	switch kind {
	case Missing:
		y.missing++
		return
	case Null:
		y.nulls++
		return
	}
	identity := cell.identity(&y.scratch)
	key := valueKey{[2]uint64{maphash.Bytes(seeds[0], identity), maphash.Bytes(seeds[1], identity)}, kind}
	if len(y.values) >= limit {
		if _, known := y.numbers[key]; !known {
			y.capped = true
			return
		}
	}
	y.add(key, value{raw: cell.raw, position: int32(position), rows: 1})
}

// add adds the rows of a value. The parts of a table are not counted in order.
func (y *tally) add(key valueKey, v value) {
	number, ok := y.numbers[key]
	if !ok {
		if y.numbers == nil {
			y.numbers = make(map[valueKey]int32)
		}
		y.numbers[key] = int32(len(y.values))
		y.values = append(y.values, v)
		return
	}
	known := &y.values[number]
	known.rows += v.rows
	if v.position < known.position {
		known.position, known.raw = v.position, v.raw
	}
}

func (y *tally) merge(part *tally) {
	y.nulls += part.nulls
	y.missing += part.missing
	y.capped = y.capped || part.capped
	if len(part.values) > len(y.values) {
		y.numbers, part.numbers = part.numbers, y.numbers
		y.values, part.values = part.values, y.values
	}
	for key, number := range part.numbers {
		y.add(key, part.values[number])
	}
}

// groups returns what was counted, with the most frequent values, at most n.
func (y *tally) groups(n int) Groups {
	all := Groups{Values: len(y.values), Capped: y.capped, Nulls: y.nulls, Missing: y.missing}
	var best []value
	for _, v := range y.values {
		if n <= 0 || len(best) == n && v.compare(best[n-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, v, value.compare)
		best = slices.Insert(best, at, v)
		best = best[:min(len(best), n)]
	}
	for _, v := range best {
		all.Top = append(all.Top, Group{Cell: Cell{v.raw}, Rows: int(v.rows)})
	}
	return all
}

// compare orders values by their rows, most first, and then as they were seen.
func (v value) compare(other value) int {
	return cmp.Or(cmp.Compare(other.rows, v.rows), cmp.Compare(v.position, other.position))
}
