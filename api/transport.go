package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/net/http/httpproxy"

	"gatehouse/internal/text/hostname"
)

// Limits of one exchange with a host, for a transport made here.
const (
	dialTimeout    = 10 * time.Second
	tlsTimeout     = 10 * time.Second
	answerTimeout  = 30 * time.Second // until an answer begins, including the connection
	maxHeaderBytes = 1 << 20
	idleTimeout    = 90 * time.Second
	pingAfter      = 10 * time.Second // of silence on a connection of HTTP/2
	pingTimeout    = 5 * time.Second  // until a connection without an answer to a ping is closed
	idlePerHost    = 4
	bufferSize     = 2 << 10 // for a request, which has a token and little else
)

// Options configure the transport that all clients of a program share. Dial, Roots, Linger and
// Parallel are for the new transport that is made if Base is nil.
type Options struct {
	UserAgent string // such as "gatehouse/1.0"; "" leaves the header to net/http
	// Base sends the requests. If nil, that is a new transport with time limits, TLS 1.2 or later
	// and the proxy of the environment.
	Base http.RoundTripper
	Dial Dialer // nil: over the network
	// Roots returns the authorities that are trusted, and is called before the first connection.
	// If it is nil, the authorities of the system are trusted.
	Roots    func() *x509.CertPool
	Observe  func(Exchange)   // called for every attempt, from any goroutine; may be nil
	Now      func() time.Time // nil: time.Now
	Linger   time.Duration    // how long idle connections stay open; 0: 90 s
	Parallel int              // how many requests to one host are expected at a time; 0: a few
	Gate     Gate             // asked before each request with a password; nil: all pass
	Discreet bool             // errors must not reveal where the proxy is
}

// Transport sends the requests of all clients. It sets the User-Agent, calls the observer, and
// removes from errors what they quote of the request or the answer. [NewTransport] makes it.
type Transport struct{ o Options }

// NewTransport returns a transport with these options.
func NewTransport(o Options) *Transport {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Base == nil {
		o.Base = NewBase(o)
	}
	if o.Observe == nil {
		o.Observe = func(Exchange) {}
	}
	return &Transport{o}
}

// NewBase returns an [Options].Base through which the transports of several people share
// connections, and the proxy of the environment. No credential belongs to a connection, and a
// request that must not be sent twice has a connection of its own in any case. Of the options, Now
// counts and those for a new transport.
func NewBase(o Options) *http.Transport {
	if o.Dial == nil {
		o.Dial = networkDialer(&net.Dialer{Timeout: dialTimeout})
	}
	// A system has hundreds of authorities, so they are read only before the first connection.
	var roots *x509.CertPool
	trust := func() {}
	if o.Roots != nil {
		roots = x509.NewCertPool()
		trust = sync.OnceFunc(func() { *roots = *o.Roots() })
	}
	return &http.Transport{
		Proxy:                  proxyFromEnvironment(),
		OnProxyConnectResponse: checkProxyAnswer,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			trust() // before the handshake
			t := traceOf(ctx)
			conn, err := o.Dial(t.dialling(ctx), network, address)
			if err == nil {
				t.dialled(ctx, conn)
			}
			return conn, err
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots, Time: o.Now},
		TLSHandshakeTimeout:    tlsTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		ForceAttemptHTTP2:      true, // a custom dialer disables HTTP/2 otherwise
		MaxIdleConnsPerHost:    max(o.Parallel, idlePerHost),
		IdleConnTimeout:        cmp.Or(o.Linger, idleTimeout),
		WriteBufferSize:        bufferSize,
		// If a host has gone silently, all requests on the connection would wait in vain.
		HTTP2: &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTimeout},
	}
}

// CloseIdleConnections closes the connections that no request uses now.
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: t.o.Base}).CloseIdleConnections()
}

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) { return t.send(r, 1) }

// send sends a request; try is the number of the attempt in its call, from 1.
func (t *Transport) send(r *http.Request, try int) (*http.Response, error) {
	if err := r.Context().Err(); err != nil { // nothing was sent, so nothing is observed
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, scrub(err)
	}
	if t.o.UserAgent != "" {
		r = r.Clone(r.Context())
		r.Header.Set("User-Agent", t.o.UserAgent)
	}
	ctx, release := context.WithCancelCause(r.Context())
	watch := newWatch(t.o, r, try, release)
	resp, err := t.answerTo(r.WithContext(ctx), release)
	if err != nil {
		release(nil)
		err = traceOf(r.Context()).scrub(err)
		watch.end(err)
		return nil, err
	}
	traceOf(r.Context()).answered()
	watch.answered(resp)
	return resp, nil
}

// answerTo sends an attempt, and cancels it if its answer does not begin in time: net/http limits
// only connection, handshake and answer separately.
func (t *Transport) answerTo(
	r *http.Request, cancel context.CancelCauseFunc,
) (*http.Response, error) {
	late := &networkError{
		cause: CauseTimeout,
		text:  fmt.Sprintf("no answer began within %v", answerTimeout),
	}
	waiting := &patience{left: answerTimeout, out: func() { cancel(late) }}
	waiting.start()
	defer waiting.stop()
	resp, err := t.o.Base.RoundTrip(r)
	if err != nil && context.Cause(r.Context()) == error(late) {
		err = late
	}
	return resp, err
}

// proxySchemes are the proxy protocols that net/http supports.
var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

// proxyFromEnvironment reads HTTPS_PROXY, or else ALL_PROXY, and NO_PROXY, in upper or lower case.
// An invalid setting fails every request, whereas net/http would silently continue without a proxy.
// Loopback addresses are never reached through a proxy, and only they use http, so HTTP_PROXY is
// ignored.
func proxyFromEnvironment() func(*http.Request) (*url.URL, error) {
	settings := httpproxy.FromEnvironment()
	variable := proxyVariable()
	settings.HTTPSProxy = proxySetting()
	settings.NoProxy = proxyExceptions(settings.NoProxy)
	choose, fault := settings.ProxyFunc(), proxyFault(settings.HTTPSProxy)
	return func(r *http.Request) (proxy *url.URL, err error) {
		switch {
		case hostname.IsLoopback(r.URL.Hostname()):
		case fault == "":
			proxy, err = choose(r.URL)
		default: // the setting is not quoted, as it may contain a password
			err = &networkError{
				cause: CauseProxy,
				text:  variable + " is not the address of a proxy: " + fault,
			}
		}
		traceOf(r.Context()).connecting(proxy, err)
		return proxy, err
	}
}

// proxyKind is the protocol of a proxy, as a [Proxy] has it.
func proxyKind(proxy *url.URL) string { return strings.TrimSuffix(proxy.Scheme, "h") }

// proxyPorts are the ports of proxies whose setting has none.
var proxyPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080"}

// proxyAddress is the host and port of a proxy.
func proxyAddress(proxy *url.URL) string {
	return net.JoinHostPort(proxy.Hostname(), cmp.Or(proxy.Port(), proxyPorts[proxyKind(proxy)]))
}

// proxyVariable returns the name of the variable that sets the proxy, or HTTPS_PROXY if none does.
func proxyVariable() string {
	const usual = "HTTPS_PROXY"
	for _, name := range []string{usual, "https_proxy", "ALL_PROXY", "all_proxy"} { // as curl does
		if os.Getenv(name) != "" {
			return name
		}
	}
	return usual
}

// proxySetting returns the address of the proxy as it is set, or "". Blanks and line ends around it,
// which a file of variables may leave there, are cut.
func proxySetting() string { return strings.TrimSpace(os.Getenv(proxyVariable())) }

// proxyExceptions returns a list of hosts that need no proxy as the library reads it, with commas. As
// other programs take them, entries may be apart by blanks, semicolons or bars, and be quoted, URLs or
// absolute names.
func proxyExceptions(setting string) string {
	isBetween := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;|\"'", r)
	}
	entries := strings.FieldsFunc(setting, isBetween)
	for i, entry := range entries {
		if _, address, isURL := strings.Cut(entry, "://"); isURL {
			entry, _, _ = strings.Cut(address, "/")
		}
		entries[i] = strings.TrimSuffix(entry, ".")
	}
	return strings.Join(entries, ",")
}

// proxyFault says what is wrong with the setting of a proxy, or "" if nothing is. An empty setting
// stands for no proxy.
func proxyFault(setting string) string {
	if setting == "" {
		return ""
	}
	if strings.ContainsAny(setting[:1], "\"'") {
		return "it begins with a quotation mark"
	}
	const noScheme = "it begins with none of http://, https://, socks5:// and socks5h://"
	hasScheme := strings.Contains(setting, "://")
	if !hasScheme {
		setting = "http://" + setting
	}
	proxy, err := url.Parse(setting)
	hasUser := strings.Contains(setting, "@")
	switch {
	case hasUser && (err != nil || strings.Contains(behindHost(proxy), "@")):
		return "it is no URL; in a user name or password, a backslash is written as %5C," +
			" # as %23, / as %2F, ? as %3F, a blank as %20"
	case err != nil && !hasScheme:
		return noScheme
	case err != nil:
		return "it is no URL"
	case !slices.Contains(proxySchemes, proxy.Scheme),
		!hasScheme && proxy.Path != "" && proxy.Path != "/":
		return noScheme
	case proxy.Hostname() == "":
		return "it names no host"
	}
	if port := proxy.Port(); port != "" {
		if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
			return "its port is not between 1 and 65535"
		}
	}
	return ""
}

// behindHost is what a URL has behind its host. An at sign in it shows that a password was cut there.
func behindHost(address *url.URL) string {
	return address.Path + address.RawQuery + address.Fragment
}

// checkProxyAnswer notes the answer of a proxy that was asked to connect, and returns the error for
// one that refused.
func checkProxyAnswer(
	ctx context.Context, proxy *url.URL, _ *http.Request, answer *http.Response,
) error {
	traceOf(ctx).proxyAnswered(ctx, proxy, answer)
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &networkError{
		cause: CauseProxy,
		text:  "the proxy answered " + StatusText(answer.StatusCode),
	}
}
