package api

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"

	"gatehouse/internal/hostname"
)

// newOnceChain returns the client of one call that must not be sent twice, as it spends a
// password or a refresh token, or creates a device. It follows no redirect. sent knows
// whether it was sent.
func newOnceChain(client *http.Client) (chain *http.Client, sent *sendOnce) {
	once := *client
	sent = &sendOnce{}
	once.Transport = sent.above(onOwnConnection(baseOf(client)))
	return newChain(&once, refuseAll, nil), sent
}

// onOwnConnection returns a transport like next that opens a connection for each request.
// A transport of another package than net/http is left as it is.
func onOwnConnection(next http.RoundTripper) http.RoundTripper {
	switch next := next.(type) {
	case *transport:
		o := next.o
		o.Base = onOwnConnection(o.Base)
		return &transport{o}
	case *http.Transport:
		return ownConnection{next}
	}
	return next
}

// ownConnection sends each request on a new connection, which ends with the answer.
// net/http never repeats such a request. In a pool it would, if a kept connection has gone,
// or an HTTP/2 server refuses the stream, resets it with PROTOCOL_ERROR or says GOAWAY.
type ownConnection struct{ base *http.Transport }

// RoundTrip implements [http.RoundTripper].
func (o ownConnection) RoundTrip(r *http.Request) (*http.Response, error) {
	base := o.base.Clone()
	// Nobody else waits on the connection: what must not be repeated has all of its own time.
	base.HTTP2 = nil
	if choose := o.base.Proxy; choose != nil { // NewClientConn would ask without the port
		base.Proxy = func(*http.Request) (*url.URL, error) { return choose(r) }
	}
	conn, err := base.NewClientConn(r.Context(), r.URL.Scheme, address(r.URL))
	if err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	resp, err := conn.RoundTrip(r)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	resp.Body = &lastBody{resp.Body, conn}
	return resp, nil
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

// baseOf is the transport of a client, without the guard of [NewHTTPClient].
func baseOf(client *http.Client) http.RoundTripper {
	next := client.Transport
	if guard, ok := next.(redirectGuard); ok {
		next = guard.next
	}
	return cmp.Or(next, http.DefaultTransport)
}
