package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// Limits of one exchange with a host, for a transport made here.
const (
	dialTimeout    = 10 * time.Second
	tlsTimeout     = 10 * time.Second
	answerTimeout  = 30 * time.Second // until an answer begins, connection and all
	maxHeaderBytes = 1 << 20
	idleTimeout    = 90 * time.Second
	idlePerHost    = 4
	bufferSize     = 1 << 10 // for requests, which are short
)

// Dialer connects to an address, as [net.Dialer.DialContext] does.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Options describe the transport that all clients of a program share.
type Options struct {
	UserAgent string            // such as "gatehouse/1.0"; "" leaves the header to net/http
	Base      http.RoundTripper // nil: a new transport with time limits, TLS 1.2 or later and the proxy of the environment
	Dial      Dialer            // of the new transport; nil: the network
	Observe   func(Exchange)    // told about every attempt, from any goroutine; nil: nobody
	Now       func() time.Time  // nil: time.Now
	Linger    time.Duration     // how long the new transport keeps a connection for the next request; 0: 90 s
}

// NewTransport returns the transport that every request goes through last: it
// sets the User-Agent, tells the observer, and takes from errors what they quote
// of the request or the answer.
func NewTransport(o Options) http.RoundTripper {
	if o.Base == nil {
		base := newBase()
		if o.Dial != nil {
			base.DialContext = o.Dial
		}
		base.IdleConnTimeout = cmp.Or(o.Linger, base.IdleConnTimeout)
		o.Base = base
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(Exchange) {}
	}
	return &transport{o}
}

// NewHTTPClient returns a client over rt that refuses redirects to another host
// or port and from https to http, and follows at most five others. A refused one
// ends in a [*RedirectError].
func NewHTTPClient(rt http.RoundTripper) *http.Client {
	return withRedirects(&http.Client{Transport: rt}, refuseForeign)
}

func newBase() *http.Transport {
	return &http.Transport{
		Proxy:                  proxyFromEnvironment(),
		OnProxyConnectResponse: checkProxyAnswer,
		DialContext:            (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    tlsTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		ForceAttemptHTTP2:      true, // a transport with its own dialer has HTTP/2 off
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idleTimeout,
		WriteBufferSize:        bufferSize,
	}
}
