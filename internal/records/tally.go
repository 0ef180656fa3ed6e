package records

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// tally is how often each value occurs. Of a value it keeps where it stands in
// the body, so that long ones take no more memory than short ones.
type tally struct {
	shards         []shard // by hash, so that goroutines rarely wait for one another
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
	index   []int32   // hash table of the numbers of values; 0 is a free slot
	blocks  [][]value // full but for the last one; growing moves no value
	size    int       // values in all blocks
	full    bool      // a value found no place
	scratch []byte
}

// value is one value of a tally.
type value struct {
	raw      []byte // of the cell seen first
	position int32  // of that
	rows     int32
	hash     uint32
}

const valuesPerBlock = 512

// counter counts cells for a tally. It hands them over in batches.
type counter struct {
	batches        [tallyShards][]sighting
	nulls, missing int
	scratch        []byte
}

// sighting is a cell that has a value.
type sighting struct {
	hash     uint64
	raw      []byte
	position int32
}

const sightingsPerBatch = 64

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
	batch := append(c.batches[number], sighting{hash, cell.raw, int32(position)})
	if len(batch) == sightingsPerBatch {
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
func (y *tally) add(number uint64, batch []sighting) {
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

func (s *shard) add(found sighting, limit int) {
	if 4*s.size >= 3*len(s.index) {
		s.grow()
	}
	hash := uint32(found.hash >> 32) // the lower bits have chosen the shard
	slot := s.slot(hash)
	for ; s.index[slot] != 0; slot = s.after(slot) {
		if v := s.at(s.index[slot]); v.hash == hash && s.means(v, found.raw) {
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
	s.append(value{raw: found.raw, position: found.position, rows: 1, hash: hash})
	s.index[slot] = int32(s.size)
}

// slot is where the search for a hash begins in the index; after is where it goes on.
func (s *shard) slot(hash uint32) int { return int(hash) & (len(s.index) - 1) }

func (s *shard) after(slot int) int { return (slot + 1) & (len(s.index) - 1) }

func (s *shard) grow() {
	const smallest = 64 // a power of two, as all sizes
	s.index = make([]int32, max(smallest, 2*len(s.index)))
	for number := 1; number <= s.size; number++ {
		slot := s.slot(s.at(int32(number)).hash)
		for s.index[slot] != 0 {
			slot = s.after(slot)
		}
		s.index[slot] = int32(number)
	}
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
