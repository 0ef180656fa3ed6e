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

// singleSend sends one request that must not be sent twice, as it uses up a password or a refresh
// token, or creates a device. It stands below what observes requests, right above net/http, and
// opens a connection for the request alone: net/http never repeats a request on such a connection.
// On one of a pool it would, if an idle connection has gone, or an HTTP/2 server refuses the
// stream, resets it with PROTOCOL_ERROR or says GOAWAY.
type singleSend struct {
	base     http.RoundTripper
	deadline time.Time // when the request has to have left, see [singleSend.isLate]; zero: never
	// leaving is set once anything of the request's credential may have left. That of a token
	// request is in its body, which net/http reads when it writes to a connection that is open;
	// that of a device login is in its URL, and goes with the first byte.
	leaving atomic.Bool
}

// sendOnce sends a request, unless it is late, and reports whether anything of its credential may
// have left. It follows no redirect.
func sendOnce(
	next http.RoundTripper, r *http.Request, deadline time.Time,
) (resp *http.Response, left bool, err error) {
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

// onOwnConnection is a round tripper like the one given that sends on a connection of its own.
func onOwnConnection(next http.RoundTripper) (http.RoundTripper, *singleSend) {
	if shared, ok := next.(*transport); ok {
		options := shared.o
		send := &singleSend{base: options.Base}
		options.Base = send
		return &transport{options}, send
	}
	send := &singleSend{base: next}
	return send, send
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

// ofOneRequest is a transport for a request that shares nothing with the pool but its settings. It
// has no limits of HTTP/2, as nobody else waits on the connection.
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

// noteLeaving notes that a request without a body is about to leave; of one with a body,
// [timelyBody] does.
func (s *singleSend) noteLeaving(r *http.Request) {
	if r.Body == nil {
		s.leaving.Store(true)
	}
}

// address is where to connect for a URL: its host as in the DNS, with a port.
func address(u *url.URL) string {
	host := u.Hostname()
	if ascii, err := hostname.ToASCII(host); err == nil {
		host = ascii
	}
	return net.JoinHostPort(host, port(u))
}

// lastBody is the body of the last answer on a connection.
type lastBody struct {
	io.ReadCloser
	conn io.Closer
}

// Close closes the connection as well.
func (b *lastBody) Close() error {
	return errors.Join(b.ReadCloser.Close(), b.conn.Close())
}

// isLate reports whether the request must not leave any more. It looks at the clock: a process
// that was paused has the rest of its patience when it goes on, see [patience].
func (s *singleSend) isLate() bool {
	return !s.deadline.IsZero() && !time.Now().Before(s.deadline)
}

// timelyBody is the body of a request, which nobody can begin to read when it is late. Once
// reading has begun it goes on: the service may have all of it, and have answered, before net/http
// looks for more.
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
