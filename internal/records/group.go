package records

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"sync/atomic"
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

// tally is how often each value occurs. Of a value it keeps where it stands in
// the body, so that long ones take no more memory than short ones.
type tally struct {
	shards         []shard // by hash, so that goroutines seldom wait for one another
	limit          int     // of each shard
	size           atomic.Int64
	nulls, missing int
}

// tallyShards is the number of shards for many goroutines.
const tallyShards = 64

func newTally(shards int) *tally {
	return &tally{shards: make([]shard, shards), limit: math.MaxInt32}
}

// shard is a part of the values.
type shard struct {
	access  sync.Mutex
	index   map[uint32]int32 // the number of the value that was added last, by hash
	blocks  [][]value        // full but for the last one; growing moves no value
	size    int              // values in all blocks
	full    bool             // a value found no place
	scratch []byte
}

// value is one value of a tally.
type value struct {
	raw      []byte // of the cell seen first
	position int32  // of that
	rows     int32
	next     int32 // the number of the value of the same hash that was added before; 0: none
}

const valuesPerBlock = 512

// counter counts cells for a tally. It hands them over in batches.
type counter struct {
	batches        [tallyShards][]occurrence
	nulls, missing int
	scratch        []byte
}

// occurrence is a cell that has a value.
type occurrence struct {
	hash     uint64
	raw      []byte
	position int32
}

const occurrencesPerBatch = 64

func (c *counter) count(y *tally, seed maphash.Seed, cell Cell, position int) {
	switch cell.Kind() {
	case Missing:
		c.missing++
		return
	case Null:
		c.nulls++
		return
	}
	hash := maphash.Bytes(seed, cell.identity(&c.scratch))
	number := hash % uint64(len(y.shards))
	batch := append(c.batches[number], occurrence{hash, cell.raw, int32(position)})
	if len(batch) == occurrencesPerBatch {
		y.add(number, batch)
		batch = batch[:0]
	}
	c.batches[number] = batch
}

// finish hands over what is left. Only one goroutine may do so at a time.
func (c *counter) finish(y *tally) {
	y.nulls += c.nulls
	y.missing += c.missing
	for number, batch := range c.batches {
		y.add(uint64(number), batch)
	}
}

// add adds cells to a shard.
func (y *tally) add(number uint64, batch []occurrence) {
	if len(batch) == 0 {
		return
	}
	s := &y.shards[number]
	s.access.Lock()
	defer s.access.Unlock()
	before := s.size
	for _, found := range batch {
		s.add(found, y.limit)
	}
	y.size.Add(int64(s.size - before))
}

func (s *shard) add(found occurrence, limit int) {
	if s.index == nil {
		s.index = make(map[uint32]int32)
	}
	hash := uint32(found.hash >> 32) // the lower bits have chosen the shard
	for number := s.index[hash]; number != 0; number = s.at(number).next {
		if v := s.at(number); s.means(v, found.raw) {
			if found.position < v.position {
				v.position, v.raw = found.position, found.raw
			}
			v.rows++
			return
		}
	}
	if s.size >= limit {
		s.full = true
		return
	}
	s.append(value{raw: found.raw, position: found.position, rows: 1, next: s.index[hash]})
	s.index[hash] = int32(s.size)
}

func (s *shard) append(v value) {
	if s.size%valuesPerBlock == 0 {
		s.blocks = append(s.blocks, make([]value, 0, valuesPerBlock))
	}
	last := len(s.blocks) - 1
	s.blocks[last] = append(s.blocks[last], v)
	s.size++
}

// at returns a value by its number, which counts from 1.
func (s *shard) at(number int32) *value {
	number--
	return &s.blocks[number/valuesPerBlock][number%valuesPerBlock]
}

// means reports whether a cell has a value that is there.
func (s *shard) means(v *value, raw []byte) bool {
	if bytes.Equal(v.raw, raw) {
		return true
	}
	if v.raw[0] != raw[0] { // "5" and 5 are different things
		return false
	}
	var other []byte
	return bytes.Equal(Cell{v.raw}.identity(&other), Cell{raw}.identity(&s.scratch))
}

// groups returns what was counted, with the most frequent values, at most n.
func (y *tally) groups(n int) Groups {
	all := Groups{Values: int(y.size.Load()), Nulls: y.nulls, Missing: y.missing}
	best := newBest(min(n, all.Values))
	for i := range y.shards {
		s := &y.shards[i]
		all.Capped = all.Capped || s.full
		for _, block := range s.blocks {
			for i := range block {
				best.offer(&block[i])
			}
		}
	}
	for _, v := range best.finish() {
		all.Top = append(all.Top, Group{Cell: Cell{v.raw}, Rows: int(v.rows)})
	}
	return all
}

// best finds the n best values of many. It collects twice as many and drops the
// lesser half, again and again.
type best struct {
	n    int
	kept []*value
	bar  *value // what a value must come before, once there are n
}

func newBest(n int) *best { return &best{n: max(0, n)} }

func (b *best) offer(v *value) {
	if b.n == 0 || b.bar != nil && v.compare(b.bar) > 0 {
		return
	}
	if b.kept = append(b.kept, v); len(b.kept) == 2*b.n {
		b.kept = b.finish()
		b.bar = b.kept[b.n-1]
	}
}

// finish returns the best values in their order.
func (b *best) finish() []*value {
	slices.SortFunc(b.kept, (*value).compare)
	return b.kept[:min(b.n, len(b.kept))]
}

// compare orders values by their rows, most first, and then as they were seen.
func (v *value) compare(other *value) int {
	return cmp.Or(cmp.Compare(other.rows, v.rows), cmp.Compare(v.position, other.position))
}
