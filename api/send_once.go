package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// sendOnce sends one request, and knows whether anything of its body may have left: that is
// where a refresh token is. It stands below what observes requests, right above net/http,
// which reads the body when it writes to a connection that is open.
type sendOnce struct {
	next  http.RoundTripper
	begun atomic.Bool
}

// errSentBefore means that something tried to repeat a request.
var errSentBefore = errors.New("this request is not sent a second time")

// above puts s into a transport.
func (s *sendOnce) above(next http.RoundTripper) http.RoundTripper {
	if shared, ok := next.(*transport); ok {
		o := shared.o
		o.Base = s.above(o.Base)
		return &transport{o}
	}
	s.next = next
	return s
}

// RoundTrip implements [http.RoundTripper].
func (s *sendOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.begun.Load() {
		return nil, notSent(r, errSentBefore)
	}
	once := r.WithContext(r.Context())
	once.GetBody = nil // or net/http could begin again
	if r.Body == nil || r.Body == http.NoBody {
		s.begun.Store(true)
	} else {
		once.Body = &timelyBody{ReadCloser: r.Body, ctx: r.Context(), begun: &s.begun}
	}
	return s.next.RoundTrip(once)
}

// CloseIdleConnections lets [http.Client.CloseIdleConnections] reach the wrapped transport.
func (s *sendOnce) CloseIdleConnections() {
	(&http.Client{Transport: s.next}).CloseIdleConnections()
}

// timelyBody hands out a body only before the deadline of the request. Timers of a process
// that was paused have yet to fire when it goes on, so it looks at the clock by itself.
type timelyBody struct {
	io.ReadCloser
	ctx   context.Context
	begun *atomic.Bool
}

// Read implements [io.Reader].
func (b *timelyBody) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if deadline, ok := b.ctx.Deadline(); ok && time.Until(deadline) <= 0 {
		return 0, context.DeadlineExceeded
	}
	b.begun.Store(true)
	return b.ReadCloser.Read(p)
}
