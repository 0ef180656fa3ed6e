package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gatehouse/internal/text/redact"
)

// Place is a URL for a probe: a GET of it without credentials changes nothing, and no service can
// take it for a failed sign-in.
type Place struct {
	setting, base string
	path          []string
}

// TokenPlace is the token endpoint of an authority (interface section 4.1). A GET has no
// grant, so a working endpoint refuses it, with 405 for example. It tells more than the
// base URL: what answers there may be a page in front of the service.
func TokenPlace(authority string) Place {
	return Place{"authority", authority, []string{"connect", "token"}}
}

// GatewayPlace is the path of a gateway below which all its resources are (interface
// sections 4.2 and 4.3). A working gateway answers 401 or 404.
func GatewayPlace(baseURL string) Place { return Place{"base_url", baseURL, []string{"api"}} }

// GlobalPlace is the base URL of the global service. Its two pages are left out: without
// their parameters they might fail, and with them one is the look-up, which is a check of
// its own, and the other one a device login.
func GlobalPlace(globalURL string) Place { return Place{"global_url", globalURL, nil} }

// Root returns the base URL of a place, which shows whether its host answers elsewhere.
func (p Place) Root() Place { return Place{p.setting, p.base, nil} }

// Probe is what one request has shown about a host and the way to it. Fields for what has not
// happened, or is unknown, are zero.
type Probe struct {
	Host    string    // host and port, for display
	Request string    // "GET https://auth.example.com/connect/token", without a query
	At      time.Time // when it began, by our clock
	Way     Way       // how far it came

	Proxy     bool          // a proxy was used; Resolve and Connect are then about the proxy
	Address   string        // IP address and port dialled; "" with a proxy, which is not reported
	Resolve   time.Duration // of the host name
	Connect   time.Duration
	Handshake time.Duration // of TLS, with the host
	FirstByte time.Duration // from the beginning to the answer

	TLS         uint16              // version, such as [tls.VersionTLS13]
	Certificate *x509.Certificate   // of the host, even if it was refused
	Issuers     []*x509.Certificate // of all chains that were accepted; none if it was refused

	Status     int
	Protocol   string        // such as "HTTP/2.0"
	RetryAfter time.Duration // how long the host asks to wait
	RedirectTo string        // host and port to which it redirects, if that is another one

	// Skew is by how much the clock of the host is ahead of ours, to within SkewWithin,
	// which is at least half a second: Date has whole seconds. Both are 0 without a valid
	// Date.
	Skew, SkewWithin time.Duration
}

const (
	probeLimit    = 4 << 10                // bytes of the body that are read, for the observer
	probeBodyTime = 500 * time.Millisecond // how long that may take
)

// ProbeHost sends one request without credentials on a connection of its own, and returns what it
// has shown, even with an error. Redirects within the host are followed, and the last answer counts;
// a redirect to another host is an answer. ctx limits the time.
//
// Errors: [*RequestError] (nothing was sent), [*TransportError].
func ProbeHost(ctx context.Context, transport *Transport, place Place) (Probe, error) {
	u, err := endpoint(place.setting, place.base, place.path...)
	if err != nil {
		return Probe{}, err
	}
	p, to, err := probeOnce(ctx, transport, u)
	for n := 0; to != nil && n < maxRedirects; n++ {
		p, to, err = probeOnce(ctx, transport, to)
	}
	return p, err
}

// probeOnce sends one request. to is where it is redirected within the host, or nil.
func probeOnce(
	ctx context.Context, transport *Transport, u *url.URL,
) (p Probe, to *url.URL, err error) {
	c, r := newCall("check the connection", transport, u), newGet(u)
	clock := transport.o.Now
	shownURL := r.URL.Scheme + "://" + r.URL.Host + redact.NewExchange(r).Path
	p = Probe{
		Host:    c.host,
		Request: r.Method + " " + shownURL,
		At:      clock().Round(0),
	}
	own, _ := onOwnConnection(transport)
	r = c.traced(r.WithContext(ctx))
	c.trace.isProbe = true
	resp, err := own.RoundTrip(r)
	if err != nil {
		err = c.failed(ctx, err)
		c.trace.fill(&p, err)
		return p, nil, err
	}
	defer resp.Body.Close()
	p.answered(c.trace, resp, clock())
	if isRedirect(resp) {
		var refusal *RedirectError
		if to, refusal = redirectTarget(u, resp, true); refusal != nil {
			p.RedirectTo = refusal.To
		}
	}
	// Close may be called while another goroutine reads.
	defer time.AfterFunc(probeBodyTime, func() { _ = resp.Body.Close() }).Stop()
	_, _ = io.CopyN(io.Discard, resp.Body, probeLimit) // for the observer, whatever comes
	return p, to, nil
}

// answered records an answer that began at this time by our clock.
func (p *Probe) answered(t *trace, resp *http.Response, at time.Time) {
	p.FirstByte = time.Since(t.began)
	sent := t.fill(p, nil)
	p.Status, p.Protocol = resp.StatusCode, resp.Proto
	p.RetryAfter, _ = retryAfter(resp)
	p.Skew, p.SkewWithin = skew(resp.Header, sent, at)
}

func (p *Probe) setTLS(state *tls.ConnectionState) {
	if state == nil {
		return
	}
	p.TLS = state.Version
	if len(state.PeerCertificates) > 0 {
		p.Certificate = state.PeerCertificates[0]
	}
	for _, chain := range state.VerifiedChains {
		p.Issuers = append(p.Issuers, chain[1:]...)
	}
}

// fill records in a probe what the trace noted, and returns when the request could be sent, by our
// clock. err is the error of the request, or nil.
func (t *trace) fill(p *Probe, err error) (sent time.Time) {
	cause := CauseOther
	if err != nil {
		cause, _ = explain(err)
	}
	p.Way = t.way(cause)
	p.Proxy = p.Way.Proxy != nil
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.resolved.IsZero() {
		p.Resolve = t.resolved.Sub(t.resolving)
	}
	p.Handshake = t.handshake
	p.setTLS(t.state)
	p.dialled(t.dials)
	failed, ok := errors.AsType[*TransportError](err)
	if ok && failed.Cause().IsTLS() {
		p.Certificate = refusedCertificate(err)
	}
	return cmp.Or(t.ready, p.At)
}

// refusedCertificate returns the certificate that a handshake failed for, or nil if it failed for
// another reason.
func refusedCertificate(err error) *x509.Certificate {
	refused, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if !ok || len(refused.UnverifiedCertificates) == 0 {
		return nil
	}
	return refused.UnverifiedCertificates[0]
}

// dialled records the address that was connected, or else the last one that was dialled.
func (p *Probe) dialled(dials []dial) {
	for _, d := range dials {
		if !p.Proxy {
			p.Address = d.Address
		}
		if d.Connected {
			p.Connect = d.began.Add(d.Took).Sub(dials[0].began)
			return
		}
	}
}

// skew returns by how much the clock of a host is ahead of ours, and by how much that value may be
// wrong. The host wrote its Date between sent, the end of the request, and answered, the beginning
// of the answer. A cache says with Age how old the Date is. Both are 0 without a valid Date.
func skew(header http.Header, sent, answered time.Time) (ahead, within time.Duration) {
	date, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0, 0
	}
	if age, err := strconv.ParseInt(header.Get("Age"), 10, 32); err == nil && age > 0 {
		date = date.Add(time.Duration(age) * time.Second)
	}
	const halfSecond = time.Second / 2 // Date is cut to the second
	halfWay := answered.Sub(sent) / 2
	ahead = date.Add(halfSecond).Sub(sent.Round(0).Add(halfWay))
	return ahead, halfSecond + halfWay
}
