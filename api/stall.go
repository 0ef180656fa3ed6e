package api

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	defaultStall = 30 * time.Second
	// leastProgress is how many bytes have to come in that time of waiting: a byte
	// now and then would hold a request for ever.
	leastProgress = 1 << 10
)

// stallReader cancels a request when reads wait too long for leastProgress bytes
// or the end. A reader that takes its time between two reads is no stall.
type stallReader struct {
	source io.Reader
	limit  time.Duration
	timer  *time.Timer   // nil: no watch
	left   time.Duration // of waiting, until leastProgress bytes have to be there
	came   atomic.Int64  // of them
}

func newStallReader(source io.Reader, limit time.Duration, cancel context.CancelCauseFunc) *stallReader {
	r := &stallReader{source: source, limit: limit, left: limit}
	if limit > 0 {
		r.timer = time.AfterFunc(limit, func() { cancel(&stallError{limit, r.came.Load()}) })
		r.timer.Stop()
	}
	return r
}

// Read implements [io.Reader].
func (r *stallReader) Read(p []byte) (int, error) {
	if r.timer == nil {
		return r.source.Read(p)
	}
	start := time.Now()
	r.timer.Reset(r.left)
	n, err := r.source.Read(p)
	r.timer.Stop()
	if r.came.Add(int64(n)) < leastProgress {
		r.left -= time.Since(start)
	} else {
		r.came.Store(0)
		r.left = r.limit
	}
	return n, err
}

func (r *stallReader) stop() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

// stallError is the end of an answer of which next to nothing came for some time.
type stallError struct {
	after time.Duration
	bytes int64
}

// Error completes "the host: ...".
func (e *stallError) Error() string {
	switch e.bytes {
	case 0:
		return fmt.Sprintf("no byte came for %v", e.after)
	case 1:
		return fmt.Sprintf("only 1 byte came in %v", e.after)
	}
	return fmt.Sprintf("only %d bytes came in %v", e.bytes, e.after)
}

// Timeout implements the part of [net.Error] that callers ask for.
func (e *stallError) Timeout() bool { return true }

// answerError is the end of an attempt whose answer did not begin in time.
type answerError struct{ after time.Duration }

// Error completes "the host: ...".
func (e *answerError) Error() string { return fmt.Sprintf("no answer began within %v", e.after) }

// Timeout implements the part of [net.Error] that callers ask for.
func (e *answerError) Timeout() bool { return true }
