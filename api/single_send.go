package api

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"gatehouse/internal/text/hostname"
)

// singleSend sends one request that must not be sent twice, because it uses up a password or a
// refresh token, or creates a device. It sits between the observer and net/http, and opens a
// connection for this request alone: on such a connection net/http never repeats a request. On a
// pooled connection it would, if an idle connection has gone, or an HTTP/2 server refuses the
// stream, resets it with PROTOCOL_ERROR or says GOAWAY.
type singleSend struct {
	base     http.RoundTripper
	deadline time.Time // the request must have left by then, see isLate; zero: no deadline
	// leaving is set once anything of the request's credential may have left. A token request has
	// its credential in the body, which net/http reads when it writes to an open connection; a
	// device login has it in the URL, which leaves with the first byte.
	leaving atomic.Bool
}

// sendOnce sends a request, unless the deadline has passed, and reports whether anything of its
// credential may have left. It follows no redirect.
func sendOnce(
	next *Transport, r *http.Request, deadline time.Time,
) (resp *http.Response, mayHaveLeft bool, err error) {
	next, send := onOwnConnection(next)
	send.deadline = deadline
	resp, err = next.RoundTrip(r)
	if err == nil && isRedirect(resp) {
		_ = resp.Body.Close()
		_, err = redirectTarget(r.URL, resp, false)
		resp = nil
	}
	return resp, send.leaving.Load(), err
}

// onOwnConnection returns a transport like the one given, but which sends on a connection of its
// own, and the part of it that does.
func onOwnConnection(next *Transport) (*Transport, *singleSend) {
	options := next.o
	send := &singleSend{base: options.Base}
	options.Base = send
	return &Transport{options}, send
}

func (s *singleSend) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.WithContext(r.Context())
	if r.Body != nil {
		r.Body = &timelyBody{ReadCloser: r.Body, ctx: r.Context(), send: s}
	}
	pool, ok := s.base.(*http.Transport)
	if !ok {
		s.noteLeaving(r)
		return s.base.RoundTrip(r)
	}
	base := ofOneRequest(pool, r)
	conn, err := base.NewClientConn(r.Context(), r.URL.Scheme, address(r.URL))
	if err != nil {
		closeBody(r)
		return nil, err
	}
	if s.isLate() {
		closeBody(r)
		_ = conn.Close()
		return nil, errLate
	}
	s.noteLeaving(r)
	resp, err := conn.RoundTrip(r)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	resp.Body = &lastBody{resp.Body, conn}
	return resp, nil
}

// ofOneRequest returns a transport for one request, which shares only its settings with the pool. It
// sends no pings over HTTP/2, as no other request waits on the connection.
func ofOneRequest(pool *http.Transport, r *http.Request) *http.Transport {
	base := pool.Clone()
	base.HTTP2 = nil
	if choose := pool.Proxy; choose != nil { // NewClientConn would ask without the port
		base.Proxy = func(*http.Request) (*url.URL, error) { return choose(r) }
	}
	return base
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// noteLeaving notes that a request without a body is about to leave. For one with a body,
// [timelyBody] does that.
func (s *singleSend) noteLeaving(r *http.Request) {
	if r.Body == nil {
		s.leaving.Store(true)
	}
}

// address returns where to connect for a URL: its host as the DNS has it, and the port.
func address(u *url.URL) string {
	host := u.Hostname()
	if ascii, err := hostname.ToASCII(host); err == nil {
		host = ascii
	}
	return net.JoinHostPort(host, port(u))
}

// lastBody is the body of the only answer on a connection, which it closes.
type lastBody struct {
	io.ReadCloser
	conn io.Closer
}

// Close closes the connection as well.
func (b *lastBody) Close() error {
	return errors.Join(b.ReadCloser.Close(), b.conn.Close())
}

// isLate reports whether the request must not leave any more. It looks at the clock, as the
// [patience] of a process that was stopped may not have run out.
func (s *singleSend) isLate() bool {
	return !s.deadline.IsZero() && !time.Now().Before(s.deadline)
}

// timelyBody is the body of a request that net/http can no longer begin to read after the deadline.
// Once reading has begun it may go on: the service may already have all of the body.
type timelyBody struct {
	io.ReadCloser
	ctx  context.Context
	send *singleSend
}

func (b *timelyBody) Read(p []byte) (int, error) {
	if !b.send.leaving.Load() {
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
		if b.send.isLate() {
			return 0, errLate
		}
		b.send.leaving.Store(true)
	}
	return b.ReadCloser.Read(p)
}
