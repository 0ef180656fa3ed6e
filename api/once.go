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

// once sends one request that must not be sent twice, as it spends a password or a refresh token,
// or creates a device. It stands below what observes requests, right above net/http, and opens a
// connection for the request, which ends with the answer: net/http never repeats a request on such
// a connection. On one of a pool it would, if a kept connection has gone, or an HTTP/2 server
// refuses the stream, resets it with PROTOCOL_ERROR or says GOAWAY.
type once struct {
	base http.RoundTripper
	by   time.Time // when the request has to have left, see [once.isLate]; zero: never
	// begun is whether anything of the request's credential may have left. That of a token
	// request is in its body, which net/http reads when it writes to a connection that is open;
	// that of a device login is in its URL, and goes with the first byte.
	begun atomic.Bool
}

// sendOnce sends a request, unless it is late, and reports whether anything of its credential may
// have left. It follows no redirect.
func sendOnce(next http.RoundTripper, r *http.Request, by time.Time) (resp *http.Response, begun bool, err error) {
	next, o := onOwnConnection(next)
	o.by = by
	resp, err = next.RoundTrip(r)
	if err == nil && isRedirect(resp) {
		_ = resp.Body.Close()
		_, err = redirectTarget(r.URL, resp, false)
		resp = nil
	}
	return resp, o.begun.Load(), err
}

// onOwnConnection puts a once into a transport.
func onOwnConnection(next http.RoundTripper) (http.RoundTripper, *once) {
	if shared, ok := next.(*transport); ok {
		options := shared.o
		o := &once{base: options.Base}
		options.Base = o
		return &transport{options}, o
	}
	o := &once{base: next}
	return o, o
}

func (o *once) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.WithContext(r.Context())
	if r.Body != nil {
		r.Body = &timelyBody{ReadCloser: r.Body, ctx: r.Context(), once: o}
	}
	pool, ok := o.base.(*http.Transport)
	if !ok {
		o.begin(r)
		return o.base.RoundTrip(r)
	}
	base := pool.Clone()
	// Nobody else waits on the connection: what must not be repeated has all of its own time.
	base.HTTP2 = nil
	if choose := pool.Proxy; choose != nil { // NewClientConn would ask without the port
		base.Proxy = func(*http.Request) (*url.URL, error) { return choose(r) }
	}
	conn, err := base.NewClientConn(r.Context(), r.URL.Scheme, address(r.URL))
	if err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	if o.isLate() {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		_ = conn.Close()
		return nil, errLate
	}
	o.begin(r)
	resp, err := conn.RoundTrip(r)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	resp.Body = &lastBody{resp.Body, conn}
	return resp, nil
}

// begin notes that a request without a body is about to leave.
func (o *once) begin(r *http.Request) {
	if r.Body == nil {
		o.begun.Store(true)
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
func (o *once) isLate() bool { return !o.by.IsZero() && !time.Now().Before(o.by) }

// timelyBody hands out the body of a request that is not late. Once it has begun it goes on: the
// service may have all of it, and have answered, before net/http looks for more.
type timelyBody struct {
	io.ReadCloser
	ctx  context.Context
	once *once
}

func (b *timelyBody) Read(p []byte) (int, error) {
	if !b.once.begun.Load() {
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
		if b.once.isLate() {
			return 0, errLate
		}
		b.once.begun.Store(true)
	}
	return b.ReadCloser.Read(p)
}
