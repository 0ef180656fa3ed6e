package lists

import (
	"bytes"
	"io"
)

// Sizes in bytes.
const (
	// maxRead is how much is read at a time, so that records are seen early.
	maxRead = 256 << 10
	// smallSize is the first memory of a body of unknown length.
	smallSize = 16 << 10
	// largeSize is the most memory that an announced length alone makes us take. Beyond it, the
	// memory of a body of unknown length grows by an eighth instead of doubling, so that it never
	// takes much more than twice its size.
	largeSize = 4 << 20
	// spare is memory for the read that finds the end of the body.
	spare = 512
	// window is the first memory of a body that is passed on.
	window = 256 << 10
	// maxRecord limits a record of such a body, and everything beside the records.
	maxRecord = 4 << 20
)

// maxEmptyReads is how many reads in a row may return nothing.
const maxEmptyReads = 100

// bodyReader reads a body into memory that grows with it. What was read and not dropped never
// changes.
type bodyReader struct {
	reader   io.Reader
	expected int64  // the length of the body in bytes, or -1
	holdOnce int64  // see [Stream]
	share    *Share // counts the memory
	passesOn bool   // what was read is dropped again, so only the longest record has to fit
	memory   []byte // all of it; the body is at its end
	body     []byte // what was read and not dropped
	dropped  int64  // bytes
	lines    int    // how many lines ended in what was dropped
	column   int    // how many bytes of the line after these were dropped
	err      error  // why no more comes
}

// came returns how many bytes of the body have been read.
func (in *bodyReader) came() int64 { return in.dropped + int64(len(in.body)) }

// drop forgets the first n bytes of the body.
func (in *bodyReader) drop(n int) {
	dropped := in.body[:n]
	if lines := bytes.Count(dropped, []byte{'\n'}); lines > 0 {
		in.lines += lines
		in.column = 0
		dropped = dropped[bytes.LastIndexByte(dropped, '\n')+1:]
	}
	in.column += len(dropped)
	in.body, in.dropped = in.body[n:], in.dropped+int64(n)
}

// read reads more of the body. It reports false at the end or after an error.
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

// grow makes room after the body, which fills its memory.
func (in *bodyReader) grow() error {
	if in.passesOn && len(in.body) > maxRecord {
		return errTooLong
	}
	isReusable := in.passesOn && len(in.memory) >= max(window, 2*len(in.body))
	if !isReusable {
		size := in.nextSize()
		if err := in.share.take(int64(size - len(in.memory))); err != nil {
			return err
		}
		in.memory = make([]byte, size)
	}
	in.body = in.memory[:copy(in.memory, in.body)]
	return nil
}

// fit gives back the memory that a small body has left over, as a server holds many of them.
func (in *bodyReader) fit() {
	room := len(in.memory) - len(in.body)
	isSmall := len(in.body) < largeSize
	isWorthIt := room > max(spare, len(in.body)/8)
	if in.passesOn || !isSmall || !isWorthIt {
		return
	}
	in.memory = bytes.Clone(in.body)
	in.body = in.memory
	_ = in.share.take(int64(-room)) // giving back never fails
}

// nextSize returns how much memory to take for the body, in bytes.
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

// failure returns why the body ended too early, or nil if it did not.
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
