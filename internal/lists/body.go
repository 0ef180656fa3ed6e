package lists

import (
	"bytes"
	"io"
)

const (
	// maxRead is how much is read at a time, so that records are soon seen.
	maxRead = 256 << 10
	// smallSize is where a body of unknown length begins.
	smallSize = 16 << 10
	// largeSize is how much memory is taken for a body because of its announced length alone, and
	// where one of unknown length begins to grow by an eighth, not twofold, so that it never takes
	// much more than twice its size.
	largeSize = 4 << 20
	// spare is memory for the read that finds the end of the body.
	spare = 512
	// window is where it begins for a body that is passed on, and maxRecord how long
	// a record of that can be, and whatever stands beside the records.
	window, maxRecord = 256 << 10, 4 << 20
	// maxEmptyReads is how many reads in a row may bring nothing.
	maxEmptyReads = 100
)

// bodyReader reads a body into memory that grows with it. What was read and not dropped never
// changes.
type bodyReader struct {
	reader   io.Reader
	expected int64
	holdOnce int64  // see [Stream]
	share    *Share // that the memory is taken of
	passesOn bool   // what was read is dropped again, so that only the longest record has to fit
	memory   []byte // which has the body at its end
	body     []byte // what came and was not dropped
	dropped  int64
	lines    int   // that ended in what was dropped
	column   int   // how much of the next one was dropped
	err      error // why no more comes
}

// came is how many bytes of the body came.
func (in *bodyReader) came() int64 { return in.dropped + int64(len(in.body)) }

// drop forgets the first bytes of what came.
func (in *bodyReader) drop(n int) {
	dropped := in.body[:n]
	if lines := bytes.Count(dropped, []byte{'\n'}); lines > 0 {
		in.lines, in.column, dropped = in.lines+lines, 0, dropped[bytes.LastIndexByte(dropped, '\n')+1:]
	}
	in.column += len(dropped)
	in.body, in.dropped = in.body[n:], in.dropped+int64(n)
}

// read makes the body longer. It reports false when that has come to its end.
func (in *bodyReader) read() bool {
	if in.err == nil && len(in.body) == cap(in.body) {
		in.err = in.grow()
	}
	for empty := 0; in.err == nil; empty++ {
		if empty == maxEmptyReads {
			in.err = io.ErrNoProgress
			break
		}
		length := len(in.body)
		var n int
		n, in.err = in.reader.Read(in.body[length:min(cap(in.body), length+maxRead)])
		if in.body = in.body[:length+n]; n > 0 {
			return true
		}
	}
	return false
}

// grow makes room after the body, which fills what it has.
func (in *bodyReader) grow() error {
	if in.passesOn && len(in.body) > maxRecord {
		return errTooLong
	}
	if reusable := in.passesOn && len(in.memory) >= max(window, 2*len(in.body)); !reusable {
		size := in.nextSize()
		if err := in.share.take(int64(size - len(in.memory))); err != nil {
			return err
		}
		in.memory = make([]byte, size)
	}
	in.body = in.memory[:copy(in.memory, in.body)]
	return nil
}

// fit gives back what a small body leaves of its memory: a server keeps many of them.
func (in *bodyReader) fit() {
	if room := len(in.memory) - len(in.body); !in.passesOn && room > max(spare, len(in.body)/8) && len(in.body) < largeSize {
		in.memory = bytes.Clone(in.body)
		in.body = in.memory
		_ = in.share.take(int64(-room)) // giving back is never refused
	}
}

// nextSize is how much memory to take for the body.
func (in *bodyReader) nextSize() int {
	switch length := len(in.body); {
	case in.passesOn:
		return max(window, 2*length)
	case length < largeSize && int64(length) < in.expected:
		return int(min(in.expected, largeSize)) + spare
	case length < largeSize:
		return max(smallSize, 2*length)
	case int64(length) < in.expected:
		return int(in.expected) + spare
	case int64(length) < in.holdOnce:
		return int(in.holdOnce) + spare
	default:
		return length + length/8
	}
}

// failure returns why the body ended where it should not have; nil if it did not.
func (in *bodyReader) failure() error {
	switch {
	case in.err != io.EOF:
		return in.err
	case in.came() < in.expected:
		return io.ErrUnexpectedEOF
	default:
		return nil
	}
}
