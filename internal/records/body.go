package records

import (
	"bytes"
	"crypto/sha256"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"weak"
)

const (
	// maxRead is how much is read at a time, so that records are soon seen.
	maxRead = 256 << 10
	// firstSize is how much memory is taken for a body because of its announced length
	// alone, and trust how many times more than what came is taken later.
	firstSize, trust = 4 << 20, 128
	// largeSize is where a body of unknown length begins to grow by an eighth, not
	// twofold, so that it never takes much more than twice its size.
	largeSize = 4 << 20
	// collectedSize is from where on what it grew out of is given back at once.
	collectedSize = 8 << 20
	// smallSize is where it begins.
	smallSize = 4 << 10
	// spare is memory for the read that finds the end of the body.
	spare = 512
	// maxEmptyReads is how many reads in a row may bring nothing.
	maxEmptyReads = 100
)

// bodyReader reads a body into memory that grows with it. What was read never changes.
type bodyReader struct {
	reader   io.Reader
	expected int64
	body     []byte
	err      error // why no more comes

	pool    *Pool       // nil: the body is not to be shared, or turned out to be another one
	pooled  *pooledBody // which holds the body from then on when it is known
	scratch []byte      // for what is to be compared with that
}

// read makes the body longer. It reports false when that has come to its end.
func (in *bodyReader) read() bool {
	var room []byte
	if in.err == nil {
		room = in.room()
	}
	for empty := 0; in.err == nil; empty++ {
		if empty == maxEmptyReads {
			in.err = io.ErrNoProgress
			break
		}
		n, err := in.reader.Read(room)
		in.err = err
		in.take(room[:n])
		if n > 0 {
			return true
		}
	}
	return false
}

// room returns where to read to.
func (in *bodyReader) room() []byte {
	if in.pooled != nil {
		return in.scratch
	}
	if len(in.body) == cap(in.body) {
		in.body = grow(in.body, in.nextSize())
	}
	return in.body[len(in.body):min(cap(in.body), len(in.body)+maxRead)]
}

// take adds what was read to the body.
func (in *bodyReader) take(came []byte) {
	if in.pooled == nil {
		in.body = in.body[:len(in.body)+len(came)] // where it was read to
		in.share()
		return
	}
	body, same := in.pooled.take(len(in.body), came, in.expected)
	if !same {
		in.keepApart(came)
		return
	}
	in.body = body
}

// share leaves the body to the pool as soon as it is known which one it is.
func (in *bodyReader) share() {
	ended := in.err == io.EOF && in.failure() == nil
	if in.pool == nil || !ended && len(in.body) < pooledStart {
		return
	}
	in.pooled = in.pool.body(in.body[:min(len(in.body), pooledStart)])
	take := in.pooled.whole
	if !ended {
		in.scratch = make([]byte, pooledRead)
		take = func(body []byte) ([]byte, bool) { return in.pooled.take(0, body, in.expected) }
	}
	body, same := take(in.body)
	if !same {
		in.pool, in.pooled, in.scratch = nil, nil, nil
		return
	}
	in.body = body
}

// keepApart takes memory of its own for a body that goes on differently.
func (in *bodyReader) keepApart(came []byte) {
	in.pool, in.pooled, in.scratch = nil, nil, nil
	in.body = append(grow(in.body, max(in.nextSize(), len(in.body)+len(came))), came...)
}

// grow returns the body in memory of that size.
func grow(body []byte, size int) []byte {
	if len(body) >= collectedSize {
		// What the body grew out of the last time is nearly as large as the body. The
		// collector might leave it, and those before it, to lie about, and its pages
		// would still count as memory of the program.
		debug.FreeOSMemory()
	}
	return append(make([]byte, 0, size), body...)
}

// nextSize returns how much memory to take for the body, when what there is is full.
func (in *bodyReader) nextSize() int {
	length := len(in.body)
	switch {
	case in.pool != nil && in.pooled == nil && length < pooledStart:
		return min(max(smallSize, 2*length), pooledStart)
	case int64(length) < in.expected:
		return int(min(in.expected, max(firstSize, int64(length)*trust))) + spare
	case length < largeSize:
		return max(smallSize, 2*length)
	default:
		return length + length/8
	}
}

// failure returns why the body ended where it should not have; nil if it did not.
func (in *bodyReader) failure() error {
	switch {
	case in.err != io.EOF:
		return in.err
	case int64(len(in.body)) < in.expected:
		return io.ErrUnexpectedEOF
	default:
		return nil
	}
}

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
		in := bodyReader{body: b.body, expected: expected}
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
