package records

import (
	"io"
	"runtime"
)

const (
	// maxRead is how much is read at a time, so that records are soon seen.
	maxRead = 256 << 10
	// firstSize is how much memory is taken for a body because of its announced length
	// alone, and trust how many times more than what came is taken later.
	firstSize, trust = 4 << 20, 128
	// largeSize is where a body of unknown length begins to grow by a quarter, not twofold.
	largeSize = 32 << 20
	// smallSize is where it begins.
	smallSize = 4 << 10
	// spare is memory for the read that finds the end of the body.
	spare = 512
	// maxEmptyReads is how many reads in a row may bring nothing.
	maxEmptyReads = 100
)

// intake reads a body into memory that grows with it. What was read never changes.
type intake struct {
	reader   io.Reader
	expected int64
	body     []byte
	err      error // why no more comes
}

// read makes the body longer. It reports false when that has come to its end.
func (in *intake) read() bool {
	if in.err == nil {
		in.makeRoom()
	}
	for empty := 0; in.err == nil; empty++ {
		if empty == maxEmptyReads {
			in.err = io.ErrNoProgress
			break
		}
		length := len(in.body)
		n, err := in.reader.Read(in.body[length:min(cap(in.body), length+maxRead)])
		in.body, in.err = in.body[:length+n], err
		if n > 0 {
			return true
		}
	}
	return false
}

func (in *intake) makeRoom() {
	if len(in.body) < cap(in.body) {
		return
	}
	if len(in.body) >= largeSize {
		// What the body grew out of the last time is nearly as large as the body. The
		// collector might leave it, and those before it, to lie about.
		runtime.GC()
	}
	in.body = append(make([]byte, 0, in.nextSize()), in.body...)
}

// nextSize returns how much memory to take for the body, when what there is is full.
func (in *intake) nextSize() int {
	length := len(in.body)
	switch {
	case int64(length) < in.expected:
		return int(min(in.expected, max(firstSize, int64(length)*trust))) + spare
	case length < largeSize:
		return max(smallSize, 2*length)
	default:
		return length + length/4
	}
}

// failure returns why the body ended where it should not have; nil if it did not.
func (in *intake) failure() error {
	switch {
	case in.err != io.EOF:
		return in.err
	case int64(len(in.body)) < in.expected:
		return io.ErrUnexpectedEOF
	default:
		return nil
	}
}
