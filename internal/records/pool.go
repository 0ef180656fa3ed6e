package records

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
	"weak"
)

// Pool lets bodies that are the same byte for byte be held once in the process, while
// they arrive as well as afterwards: readers of the same body put it together in the
// same memory, and those who read all of it get the same [Table], with what was found
// out about it already. The pool itself holds nothing: with the last table its body is
// free. The zero Pool is ready to use, by any number of goroutines.
//
// With a limit it also bounds what all these bodies take of memory, together with the
// places of their records: a reader for whom nothing is left gets a [*FullError].
//
// A reader is only given bytes that it has received itself, so nobody sees through a
// pool what another one reads. That somebody else holds the same bytes may show in how
// long reading takes; who could tell has the bytes already.
type Pool struct {
	// Limit is how many bytes of memory may be taken, 0 for any number. It is set before
	// the pool is used.
	Limit int64

	held, refused atomic.Int64
	mutex         sync.Mutex
	bodies        map[poolKey]weak.Pointer[pooledBody]
	collecting    sync.Mutex
	collected     time.Time // when the last collection for readers began
}

// poolKey is the digest of the first pooledStart bytes of a body, or of a shorter one.
type poolKey [sha256.Size]byte

const (
	// pooledStart is how much of a body each reader holds for itself until it is known
	// which one it is.
	pooledStart = 64 << 10
	// pooledRead is how much is read at a time to be compared with what is held.
	pooledRead = 64 << 10
)

// body returns the pool's body that begins with that start, which it makes if need be.
func (p *Pool) body(start []byte) *pooledBody {
	key := poolKey(sha256.Sum256(start))
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if held := p.bodies[key].Value(); held != nil {
		return held
	}
	if p.bodies == nil {
		p.bodies = make(map[poolKey]weak.Pointer[pooledBody])
	}
	made := &pooledBody{pool: p}
	runtime.AddCleanup(made, p.forget, key)
	p.bodies[key] = weak.Make(made)
	return made
}

// forget removes a body that nobody holds, unless there is a new one.
func (p *Pool) forget(key poolKey) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.bodies[key].Value() == nil {
		delete(p.bodies, key)
	}
}

// pooledBody is a body as far as any of its readers has come. Bytes that are there
// never change.
type pooledBody struct {
	pool  *Pool
	mutex sync.Mutex
	body  []byte
	table *Table // of the first reader that came to its end
}

// take returns the body up to the end of what came at a place, if all of that is the
// same. What no reader had before is added to the body.
func (b *pooledBody) take(at int, came []byte, expected int64) (body []byte, same bool, err error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	known := min(len(b.body)-at, len(came))
	if !bytes.Equal(b.body[at:at+known], came[:known]) {
		return nil, false, nil
	}
	if err := b.add(came[known:], expected); err != nil {
		return nil, false, err
	}
	end := at + len(came)
	return b.body[:end:end], true, nil
}

func (b *pooledBody) add(came []byte, expected int64) error {
	if length := len(b.body) + len(came); length > cap(b.body) {
		in := bodyReader{expected: expected}
		grown, err := b.pool.grow(b.body, max(in.nextSize(length), length))
		if err != nil {
			return err
		}
		b.body = grown
	}
	b.body = append(b.body, came...)
	return nil
}

// whole is take for all of a body, which takes no more memory than it needs.
func (b *pooledBody) whole(body []byte) (pooled []byte, same bool, err error) {
	b.mutex.Lock()
	if b.body == nil {
		b.body, err = b.pool.grow(nil, len(body))
		b.body = append(b.body, body...)
	}
	b.mutex.Unlock()
	if err != nil {
		return nil, false, err
	}
	return b.take(0, body, int64(len(body)))
}

// share returns the table that a reader of the same body has made before, or this one.
func (b *pooledBody) share(made *Table) *Table {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.table != nil && len(b.table.body) == len(made.body) {
		return b.table
	}
	made.pooled = b
	if b.table == nil {
		b.table = made
	}
	return made
}

// FullError says that a body, or the places of its records, found no memory in a [Pool].
type FullError struct{ Limit int64 }

// Error implements error.
func (e *FullError) Error() string {
	return fmt.Sprintf("all lists together take the %d bytes of memory that there are for them", e.Limit)
}

// Held is how many bytes of memory are taken, what nobody uses any more included until
// it is collected.
func (p *Pool) Held() int64 { return p.held.Load() }

// Refused is how many readers got a [*FullError].
func (p *Pool) Refused() int64 { return p.refused.Load() }

// allocate returns memory that counts as taken until it is collected. The pool may be nil.
func allocate[T any](p *Pool, size int) ([]T, error) {
	if p == nil || size == 0 {
		return make([]T, 0, size), nil
	}
	var one T
	n := int64(size) * int64(unsafe.Sizeof(one))
	if !p.take(n) && !p.collectFor(n) {
		p.refused.Add(1)
		return nil, &FullError{Limit: p.Limit}
	}
	memory := make([]T, size)
	runtime.AddCleanup(&memory[0], p.release, n)
	return memory[:0], nil
}

// take counts memory as taken, if there is so much left.
func (p *Pool) take(n int64) bool {
	if held := p.held.Add(n); p.Limit == 0 || held <= p.Limit {
		return true
	}
	p.release(n)
	return false
}

func (p *Pool) release(n int64) { p.held.Add(-n) }

const (
	// collectAgain is the time between two collections for readers who find no memory.
	collectAgain = 250 * time.Millisecond
	// countTime is how long the runtime has to count what was collected.
	countTime = 100 * time.Millisecond
)

// collectFor is take when nothing is left: first the memory is collected that nobody uses
// any more, once for all readers who come at the same time.
func (p *Pool) collectFor(n int64) bool {
	came := time.Now()
	p.collecting.Lock()
	defer p.collecting.Unlock()
	if !p.collected.After(came) {
		pause := time.NewTimer(time.Until(p.collected.Add(collectAgain)))
		<-pause.C
		p.collected = time.Now()
		runtime.GC()
	}
	counting := time.NewTicker(time.Millisecond)
	defer counting.Stop()
	for time.Since(p.collected) < countTime {
		if p.take(n) {
			return true
		}
		<-counting.C
	}
	return p.take(n)
}
