package records

import (
	"context"
	"errors"
	"hash/maphash"
)

// MaxGroups is how many different values [Table.Group] tells apart. While it runs
// they take some 60 bytes each.
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
	seed := maphash.MakeSeed()
	all, err := t.tallyInParallel(ctx, s, col, seed, limit)
	if errors.Is(err, errTooMany) { // which values come first is known only to one that sees all rows
		all, err = t.tallyInOrder(ctx, s, col, seed, limit)
	}
	if err != nil {
		return Groups{}, err
	}
	return all.groups(top), nil
}

// errTooMany tells that the values of a column are more than the limit.
var errTooMany = errors.New("too many values")

// tallyInParallel counts the cells of a column on all processors.
func (t *Table) tallyInParallel(ctx context.Context, s selection, col int, seed maphash.Seed, limit int) (*tally, error) {
	all := newTally(tallyShards)
	counters, err := gather(ctx, inParallel, s, func(c *counter, position int) {
		if all.size.Load() <= int64(limit) {
			c.count(all, seed, t.Cell(s.row(position), col), position)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, c := range counters {
		c.finish(all)
	}
	if all.size.Load() > int64(limit) {
		return nil, errTooMany
	}
	return all, nil
}

// tallyInOrder counts the cells of a column, but no more values than the limit.
func (t *Table) tallyInOrder(ctx context.Context, s selection, col int, seed maphash.Seed, limit int) (*tally, error) {
	all := newTally(1)
	all.limit = limit
	var c counter
	rowsPerCheck := t.rowsPerCheck()
	for position := range s.size {
		if position%rowsPerCheck == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.count(all, seed, t.Cell(s.row(position), col), position)
	}
	c.finish(all)
	return all, nil
}
