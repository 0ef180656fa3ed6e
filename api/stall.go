package api

import (
	"context"
	"fmt"
	"io"
	"time"
)

const defaultStall = 30 * time.Second

// stallReader cancels a request when a read waits too long. A reader that takes
// its time between two reads is no stall.
type stallReader struct {
	source io.Reader
	limit  time.Duration
	timer  *time.Timer // nil: no watch
}

func newStallReader(source io.Reader, limit time.Duration, cancel context.CancelCauseFunc) *stallReader {
	r := &stallReader{source: source, limit: limit}
	if limit > 0 {
		r.timer = time.AfterFunc(limit, func() { cancel(&stallError{limit}) })
		r.timer.Stop()
	}
	return r
}

// Read implements [io.Reader].
func (r *stallReader) Read(p []byte) (int, error) {
	if r.timer != nil {
		r.timer.Reset(r.limit)
		defer r.timer.Stop()
	}
	return r.source.Read(p)
}

func (r *stallReader) stop() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

// stallError is the end of an answer of which no byte came for some time.
type stallError struct{ after time.Duration }

// Error completes "the host: ...".
func (e *stallError) Error() string { return fmt.Sprintf("no byte came for %v", e.after) }

// Timeout implements the part of [net.Error] that callers ask for.
func (e *stallError) Timeout() bool { return true }
