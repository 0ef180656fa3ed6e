package records

import (
	"bytes"
	"crypto/sha256"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// Pool lets bodies that are the same byte for byte be held once in the process, while
// they arrive as well as afterwards: readers of the same body put it together in the
// same memory, and those who read all of it get the same [Table], with what was found
// out about it already. The pool itself holds nothing: with the last table its body is
// free. The zero Pool is ready to use, by any number of goroutines.
//
// A reader is only given bytes that it has received itself, so nobody sees through a
// pool what another one reads. That somebody else holds the same bytes may show in how
// long reading takes; who could tell has the bytes already.
type Pool struct {
	mutex  sync.Mutex
	bodies map[poolKey]weak.Pointer[pooledBody]
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
	made := new(pooledBody)
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
	mutex sync.Mutex
	body  []byte
	table *Table // of the first reader that came to its end
}

// take returns the body up to the end of what came at a place, if all of that is the
// same. What no reader had before is added to the body.
func (b *pooledBody) take(at int, came []byte, expected int64) (body []byte, same bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	known := min(len(b.body)-at, len(came))
	if !bytes.Equal(b.body[at:at+known], came[:known]) {
		return nil, false
	}
	b.add(came[known:], expected)
	end := at + len(came)
	return b.body[:end:end], true
}

func (b *pooledBody) add(came []byte, expected int64) {
	if length := len(b.body) + len(came); length > cap(b.body) {
		in := intake{body: b.body, expected: expected}
		b.body = grow(b.body, max(in.nextSize(), length))
	}
	b.body = append(b.body, came...)
}

// whole is take for all of a body, which takes no more memory than it needs.
func (b *pooledBody) whole(body []byte) (pooled []byte, same bool) {
	b.mutex.Lock()
	if b.body == nil {
		b.body = slices.Clone(body)
	}
	b.mutex.Unlock()
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
