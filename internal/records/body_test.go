package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// lines is a body of so many bytes and a few more.
func lines(size int) []byte {
	var body []byte
	for i := 0; len(body) < size; i++ {
		body = fmt.Appendf(body, `{"Id":%d,"Name":"share %[1]d","Size":{"Disk":%d}}`+"\n", i, i*i)
	}
	return body
}

// readInto reads a body into a pool, in pieces of those sizes, as one of unknown
// length where their number is odd.
func readInto(t *testing.T, pool *Pool, body, sizes []byte) *Table {
	t.Helper()
	s := NewStream(int64(len(body)))
	if len(sizes)%2 == 1 {
		s = NewStream(-1)
	}
	s.ShareIn(pool)
	if _, err := s.ReadFrom(&piecesReader{body: body, sizes: sizes}); err != nil {
		t.Error(err)
	}
	return s.Table()
}

func TestTheSameBodyIsHeldOnce(t *testing.T) {
	for _, size := range []int{0, 100, pooledStart - 40, pooledStart, pooledStart + 1, 300_000} {
		body := append([]byte(" "), lines(size)...)
		if size == 0 {
			body = []byte("[]")
		}
		pool := new(Pool)
		first := readInto(t, pool, body, nil)
		if _, err := first.Kinds(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, sizes := range [][]byte{nil, {255}, {255, 100}, {7, 255, 90}} {
			if again := readInto(t, pool, slices.Clone(body), sizes); again != first {
				t.Errorf("%d bytes in pieces of %d have a table of their own", len(body), sizes)
			}
		}
		if other := readInto(t, new(Pool), body, nil); other == first {
			t.Errorf("%d bytes are shared by two pools", len(body))
		}
	}
}

func TestBodiesThatBeginTheSameStayApart(t *testing.T) {
	start := lines(3 * pooledStart)
	changed := slices.Clone(start)
	changed[len(changed)-10] ^= 1
	long := lines(4 * pooledStart)
	early := append(slices.Clone(start[:bytes.LastIndexByte(start[:pooledStart], '\n')]), lines(pooledStart)...)
	pool := new(Pool)
	var tables []*Table
	for _, body := range [][]byte{start, changed, long, early, start[:bytes.IndexByte(start, '\n')], start} {
		table := readInto(t, pool, slices.Clone(body), []byte{251})
		want, err := Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rowsOf(table), rowsOf(want)) {
			t.Errorf("a body of %d bytes has %d rows, want %d, or others", len(body), table.Len(), want.Len())
		}
		tables = append(tables, table)
	}
	if tables[0] != tables[len(tables)-1] {
		t.Error("a body is not found again among those that begin the same")
	}
}

func TestAPoolFindsWhatParseFindsWhateverThePieces(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	pool := new(Pool)
	pad := bytes.Repeat([]byte(" "), pooledStart-20)
	for range 100 {
		body := append(slices.Clone(pad), randomBody(random)...)
		want, err := Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if got := readInto(t, pool, body, randomSizes(random)); !slices.Equal(rowsOf(got), rowsOf(want)) {
				t.Fatalf("rows of %q: %q, want %q", body[len(pad):], rowsOf(got), rowsOf(want))
			}
		}
	}
}

func TestACutBodyIsSharedWithNobody(t *testing.T) {
	body := lines(3 * pooledStart)
	for _, end := range []int{100, 2 * pooledStart} {
		pool := new(Pool)
		cut := NewStream(int64(len(body)))
		cut.ShareIn(pool)
		_, err := cut.ReadFrom(bytes.NewReader(body[:end]))
		if failed, ok := errors.AsType[*CutError](err); !ok || failed.Bytes != int64(end) {
			t.Fatalf("a body that was cut off: error %v", err)
		}
		rows := rowsOf(cut.Table())
		if whole := readInto(t, pool, body, nil); whole == cut.Table() || !slices.Equal(rowsOf(whole)[:len(rows)], rows) {
			t.Error("the whole body is not what it is")
		}
		if !slices.Equal(rowsOf(cut.Table()), rows) {
			t.Error("what is kept of a body that was cut off has changed")
		}
	}
}

func TestManyReadersAtOnceTakeTheMemoryOfOne(t *testing.T) {
	const readers = 20
	body := lines(4 << 20)
	var before, after runtime.MemStats
	pool, tables := new(Pool), make([]*Table, readers)
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for i := range tables {
		all.Go(func() {
			s := NewStream(int64(len(body)))
			s.ShareIn(pool)
			if _, err := s.ReadFrom(io.LimitReader(bytes.NewReader(body), int64(len(body)))); err != nil {
				t.Error(err)
			}
			tables[i] = s.Table()
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	for _, table := range tables {
		if table != tables[0] {
			t.Error("a reader has a table of its own")
		}
	}
	// Each reader notes on its way where the records begin, 8 bytes for 45.
	taken := int(after.TotalAlloc - before.TotalAlloc)
	if most := 3*len(body) + readers*len(body)*3/4; taken > most {
		t.Errorf("%d readers of %d bytes took %d bytes in all, want at most %d", readers, len(body), taken, most)
	}
}

func TestASharedTableIsReadByAllAtOnce(t *testing.T) {
	pool, body := new(Pool), lines(200_000)
	ctx := context.Background()
	var visitors sync.WaitGroup
	for range 6 {
		visitors.Go(func() {
			table := readInto(t, pool, body, nil)
			_ = table.SampledKinds()
			rows, errFilter := table.Filter(ctx, "share 1", nil)
			_, errKinds := table.Kinds(ctx)
			sum, errSum := table.Sum(ctx, rows, 0)
			errSort := table.Sort(ctx, rows, 1, true)
			_, errGroup := table.Group(ctx, nil, 1, 10)
			if err := errors.Join(errFilter, errKinds, errSum, errSort, errGroup); err != nil || sum.Numbers != len(rows) {
				t.Errorf("%d numbers of %d rows, error %v", sum.Numbers, len(rows), err)
			}
		})
	}
	visitors.Wait()
}

func TestTheLastHolderOfABodyFreesIt(t *testing.T) {
	pool := new(Pool)
	for _, size := range []int{100, 2 * pooledStart} {
		body := lines(size)
		first, second := readInto(t, pool, body, nil), readInto(t, pool, body, nil)
		runtime.KeepAlive(first)
		runtime.GC()
		if held := pool.known(); held != 1 {
			t.Errorf("%d bodies held, want the one that is in use", held)
		}
		runtime.KeepAlive(second)
		for tries := 0; pool.known() > 0; tries++ {
			if tries == 1000 {
				t.Fatal("a body that nobody uses is held")
			}
			runtime.GC()
		}
	}
}

// known is how many bodies the pool knows.
func (p *Pool) known() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.bodies)
}
