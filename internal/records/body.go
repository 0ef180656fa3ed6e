package records

import (
	"io"
	"runtime/debug"
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
	most     int64 // see [Stream.HoldOnce]
	body     []byte
	err      error // why no more comes

	pool    *Pool       // whose memory the body takes; nil: the program's
	alone   bool        // the body turned out to be another one than the pool's
	pooled  *pooledBody // which holds the body from then on when it is known
	scratch []byte      // for what is to be compared with that
}

// read makes the body longer. It reports false when that has come to its end.
func (in *bodyReader) read() bool {
	var room []byte
	if in.err == nil {
		room, in.err = in.room()
	}
	for empty := 0; in.err == nil; empty++ {
		if empty == maxEmptyReads {
			in.err = io.ErrNoProgress
			break
		}
		n, err := in.reader.Read(room)
		in.err = err
		before := len(in.body)
		if err := in.take(room[:n]); err != nil {
			in.err = err
		}
		if len(in.body) > before {
			return true
		}
	}
	return false
}

// room returns where to read to.
func (in *bodyReader) room() ([]byte, error) {
	if in.pooled != nil {
		return in.scratch, nil
	}
	if len(in.body) == cap(in.body) {
		grown, err := in.pool.grow(in.body, in.nextSize(len(in.body)))
		if err != nil {
			return nil, err
		}
		in.body = grown
	}
	return in.body[len(in.body):min(cap(in.body), len(in.body)+maxRead)], nil
}

// take adds what was read to the body.
func (in *bodyReader) take(came []byte) error {
	if in.pooled == nil {
		in.body = in.body[:len(in.body)+len(came)] // where it was read to
		return in.share()
	}
	body, same, err := in.pooled.take(len(in.body), came, in.expected)
	switch {
	case err != nil:
		return err
	case !same:
		return in.keepApart(came)
	}
	in.body = body
	return nil
}

// share leaves the body to the pool as soon as it is known which one it is.
func (in *bodyReader) share() error {
	ended := in.err == io.EOF && in.failure() == nil
	if in.pool == nil || in.alone || !ended && len(in.body) < pooledStart {
		return nil
	}
	in.pooled = in.pool.body(in.body[:min(len(in.body), pooledStart)])
	take := in.pooled.whole
	if !ended {
		in.scratch = make([]byte, pooledRead)
		take = func(body []byte) ([]byte, bool, error) { return in.pooled.take(0, body, in.expected) }
	}
	body, same, err := take(in.body)
	switch {
	case err != nil:
		return err
	case !same:
		in.leavePool()
	default:
		in.body = body
	}
	return nil
}

// keepApart takes memory of its own for a body that goes on differently.
func (in *bodyReader) keepApart(came []byte) error {
	in.leavePool()
	grown, err := in.pool.grow(in.body, max(in.nextSize(len(in.body)), len(in.body)+len(came)))
	if err == nil {
		in.body = append(grown, came...)
	}
	return err
}

func (in *bodyReader) leavePool() { in.alone, in.pooled, in.scratch = true, nil, nil }

// grow returns the body in memory of that size.
func (p *Pool) grow(body []byte, size int) ([]byte, error) {
	if len(body) >= collectedSize {
		// What the body grew out of the last time is nearly as large as the body. The
		// collector might leave it, and those before it, to lie about, and its pages
		// would still count as memory of the program.
		debug.FreeOSMemory()
	}
	memory, err := allocate[byte](p, size)
	return append(memory, body...), err
}

// nextSize returns how much memory to take for the body, when it has come to a length and
// the memory is full.
func (in *bodyReader) nextSize(length int) int {
	switch {
	case in.pool != nil && !in.alone && in.pooled == nil && length < pooledStart:
		return min(max(smallSize, 2*length), pooledStart)
	case int64(length) < in.expected:
		return int(min(in.expected, max(firstSize, int64(length)*trust))) + spare
	case length < largeSize:
		return max(smallSize, 2*length)
	case int64(length) < in.most:
		return int(in.most) + spare
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
