package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/redact"
)

// trace notes the way of one request to its host. Hooks call it from several goroutines, some of
// them after the request has ended: a host may be dialled at several addresses, and net/http
// completes a connection that the request no longer needs. A nil trace notes nothing.
type trace struct {
	// ctx is the context of the request. Connections have their own, which do not end with it.
	ctx    context.Context
	host   string // for display
	secure bool   // https
	// discreet leaves out where the proxy is, see [Options].
	discreet bool
	clock    func() time.Time // that certificates are judged by
	began    time.Time
	// isProbe means that the clock is compared with the clock of the host.
	isProbe bool

	mu sync.Mutex
	passage
}

// passage is what a trace has noted. net/http begins again if a kept connection has gone.
type passage struct {
	stage   Stage
	settled bool // the request has its connection: other ones no longer matter
	proxy   *Proxy
	asked   bool // the proxy is connected and was asked to connect to the host
	dials   []dial
	made    connection
	fault   *CertificateFault // of the host

	resolving, resolved time.Time
	shaking             time.Time
	handshake           time.Duration // with the host
	state               *tls.ConnectionState
	ready               time.Time // when the request of a probe could be sent, by the clock
}

// dial is a [Dialled] that may not have ended.
type dial struct {
	Dialled
	began time.Time
	ended bool
}

// connection is what a dial has come to, and the context of that dial.
type connection struct {
	ctx context.Context
	net.Conn
}

type traceKey struct{}

func traceOf(ctx context.Context) *trace {
	t, _ := ctx.Value(traceKey{}).(*trace)
	return t
}

// traced returns a request whose way is noted. The trace replaces the one of an earlier request of
// the call.
func (c *call) traced(r *http.Request) *http.Request {
	c.trace = &trace{
		ctx:      r.Context(),
		host:     c.host,
		secure:   r.URL.Scheme == "https",
		discreet: c.transport.o.Discreet,
		clock:    c.transport.o.Now,
		began:    time.Now(),
	}
	ctx := context.WithValue(r.Context(), traceKey{}, c.trace)
	return r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:           c.trace.gotConn,
		TLSHandshakeStart: c.trace.handshakeStart,
		TLSHandshakeDone:  c.trace.handshakeDone,
	}))
}

// note changes a trace, unless its request already has a connection.
func (t *trace) note(change func(now time.Time)) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.settled {
		change(time.Now())
	}
}

// reach notes that a request has come as far as a stage.
func (t *trace) reach(stage Stage) { t.stage = max(t.stage, stage) }

// connecting notes that net/http begins to connect, and through which proxy, or nil. After an error
// the setting of the proxy is invalid, and the proxy has no name.
func (t *trace) connecting(proxy *url.URL, err error) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.passage = passage{}
	switch {
	case err != nil:
		t.proxy = &Proxy{}
	case proxy != nil:
		kind := proxyKind(proxy)
		t.proxy = &Proxy{Kind: kind, hasUser: proxy.User != nil}
		if !t.discreet {
			t.proxy.Host = hostname.Readable(proxyAddress(proxy))
		}
	}
}

// isProxyAhead reports whether the request has not got past the proxy yet.
func (t *trace) isProxyAhead() bool { return t.proxy != nil && t.stage < StageConnection }

// dialling returns a context to dial with, which notes names and addresses.
func (t *trace) dialling(ctx context.Context) context.Context {
	if t == nil {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart:     t.dnsStart,
		DNSDone:      t.dnsDone,
		ConnectStart: t.connectStart,
		ConnectDone:  t.connectDone,
	})
}

func (t *trace) dnsStart(httptrace.DNSStartInfo) {
	t.note(func(now time.Time) { t.resolving = now })
}

func (t *trace) dnsDone(info httptrace.DNSDoneInfo) {
	t.note(func(now time.Time) {
		t.resolved = now
		if info.Err == nil {
			t.reach(StageName)
		}
	})
}

func (t *trace) connectStart(_, address string) {
	t.note(func(now time.Time) {
		t.reach(StageName)
		to := Dialled{Address: address, IPv6: isIPv6(address)}
		t.dials = append(t.dials, dial{Dialled: to, began: now})
	})
}

// connectDone notes how dialling an address ended. It counts even when the request already has its
// connection, as the other addresses are given up only then.
func (t *trace) connectDone(_, address string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.dials {
		if d := &t.dials[i]; d.Address == address && !d.ended {
			d.end(err)
			return
		}
	}
}

func (d *dial) end(err error) {
	d.ended, d.Connected, d.Took = true, err == nil, time.Since(d.began)
	if err != nil {
		d.Err, _ = explain(err)
	}
}

// isIPv6 reports whether an IP address with a port is one of IPv6.
func isIPv6(address string) bool {
	to, err := netip.ParseAddrPort(address)
	return err == nil && to.Addr().Unmap().Is6()
}

// dialled notes that a dial made a connection: to the proxy if one is used, otherwise to the host.
func (t *trace) dialled(ctx context.Context, conn net.Conn) {
	t.note(func(time.Time) {
		t.made = connection{ctx, conn}
		t.reach(StageName)
		t.becomeReady()
		if t.proxy == nil {
			t.reach(StageConnection)
		} else if t.proxy.Kind != "https" {
			t.asked = true
		}
	})
}

// becomeReady notes the time from which the request can be sent. A later step may set it again.
func (t *trace) becomeReady() {
	if t.isProbe {
		t.ready = t.clock()
	}
}

// proxyAnswered notes what an HTTP proxy answered when it was asked to connect to the host. ctx is
// the context of the dial.
func (t *trace) proxyAnswered(ctx context.Context, proxy *url.URL, answer *http.Response) {
	said := ""
	if answer.StatusCode != http.StatusOK {
		said = t.proxyWords(ctx, proxy, answer)
	}
	t.note(func(time.Time) {
		if answer.StatusCode == http.StatusOK {
			t.reach(StageConnection)
			return
		}
		t.proxy.Status = answer.StatusCode
		if answer.StatusCode == http.StatusProxyAuthRequired {
			t.proxy.wants()
		}
		_, words, _ := strings.Cut(answer.Status, " ")
		if !strings.EqualFold(words, http.StatusText(answer.StatusCode)) {
			t.proxy.Reply = foreign(words, maxReply)
		}
		t.proxy.Reply = cmp.Or(said, t.proxy.Reply)
	})
}

// proxyWords returns what a proxy that refused says in the body of its answer. It is "" if the body
// says nothing, does not come at once, or repeats the password for the proxy. Reading ends with the
// request too. net/http closes the connection next.
func (t *trace) proxyWords(ctx context.Context, proxy *url.URL, answer *http.Response) string {
	conn := t.connectionOf(ctx)
	if conn == nil {
		return ""
	}
	_ = conn.SetReadDeadline(time.Now().Add(probeBodyTime)) // that of a connection which is closed anyway
	stop := context.AfterFunc(t.ctx, func() { _ = conn.SetReadDeadline(time.Now()) })
	defer stop()
	body, err := io.ReadAll(io.LimitReader(answer.Body, refusalLimit))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ""
	}

	var secrets redact.Secrets
	if password, has := proxy.User.Password(); has {
		secrets.Add(password)
	}
	words := wordsOf(mediaType(answer.Header.Get("Content-Type")), withoutBOM(body))
	if isNameOfStatus(words) || secrets.In(words) {
		return ""
	}
	return foreign(words, maxWords)
}

// connectionOf is the connection that the dial with a context has come to; nil if another one was made
// since.
func (t *trace) connectionOf(ctx context.Context) net.Conn {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.made.ctx != ctx {
		return nil
	}
	return t.made.Conn
}

// handshakeStart notes that a handshake begins, with the host or with an HTTPS proxy. If it is with
// the host, a SOCKS proxy has let the request through.
func (t *trace) handshakeStart() {
	t.note(func(now time.Time) {
		t.shaking = now
		if t.proxy == nil || t.proxy.Kind != "https" || t.stage >= StageConnection {
			t.reach(StageHandshake)
		}
	})
}

func (t *trace) handshakeDone(state tls.ConnectionState, err error) {
	t.note(func(now time.Time) {
		fault := faultOf(err, t.clock)
		switch {
		case t.isProxyAhead():
			t.proxy.Certificate, t.asked = fault, err == nil
			return
		case err == nil:
			t.reach(StageTLS)
		}
		t.fault, t.state, t.handshake = fault, &state, now.Sub(t.shaking)
		t.becomeReady()
	})
}

func (t *trace) gotConn(info httptrace.GotConnInfo) {
	t.note(func(time.Time) {
		t.settled = true
		t.reach(StageConnection)
		if t.secure {
			t.reach(StageTLS)
		}
		if info.Reused {
			t.dials = nil // those of a connection that came about too late
		}
	})
}

func (t *trace) answered() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settled = true
	t.reach(StageAnswer)
}

// way returns what has been noted until now. cause is why the request ended, which counts for
// addresses that are still being dialled.
func (t *trace) way(cause Cause) Way {
	if t == nil {
		return Way{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	w := Way{Host: t.host, Stage: t.stage, Certificate: t.fault}
	if t.proxy != nil {
		proxy := *t.proxy
		w.Proxy = &proxy
	}
	if len(t.dials) > 0 {
		w.Dialled = make([]Dialled, len(t.dials))
	}
	for i, d := range t.dials {
		w.Dialled[i] = d.until(time.Now(), t.stage >= StageConnection || cause == CauseCancelled)
	}
	return w
}

// until returns what is known about an address, even if it is still being dialled.
func (d *dial) until(now time.Time, cancelled bool) Dialled {
	known := d.Dialled
	if !d.ended {
		known.Err, known.Took = CauseTimeout, now.Sub(d.began)
		if cancelled {
			known.Err = CauseCancelled
		}
	}
	return known
}

// scrub makes an error of net/http safe to show, and says where on the way it arose.
func (t *trace) scrub(err error) error {
	err = withoutURL(err)
	if known, ok := err.(*networkError); ok {
		return t.located(known)
	}
	cause, text := explain(err)
	if t != nil {
		cause, text = explainAt(err, t.clock)
		t.noteReply(cause, err)
		t.noteProxyFault(err)
	}
	if cause == CauseOther {
		err = nil
	}
	return t.located(&networkError{cause: cause, text: text, err: err})
}

// located returns an error with the cause and the text that fit the place where the request ended.
// To call it again changes nothing.
func (t *trace) located(err error) error {
	cause, text := explain(err)
	place, said := t.place(cause, text)
	if place == cause && said == text {
		return err
	}
	return &networkError{cause: place, text: said, err: err, dropped: cause == CauseDropped}
}

// place returns what a cause means at the place where the request ended, and the text for it.
func (t *trace) place(cause Cause, text string) (Cause, string) {
	if t == nil || cause == CauseCancelled || cause == CausePrivate || cause == CauseProxy {
		return cause, text
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	isResolving := t.stage == StageNone && !t.resolving.IsZero() && t.resolved.IsZero()
	switch {
	case cause == CauseTimeout && isResolving:
		cause, text = CauseResolution, causes[CauseResolution].text
	case cause == CauseTimeout && t.asked: // the proxy perhaps waits for the host
		return cause, text
	case cause == CauseTimeout && t.stage == StageHandshake:
		text = "no answer to the TLS handshake in time"
	case cause == CauseDropped && t.stage == StageHandshake:
		text = "the connection was closed during the TLS handshake"
	case cause == CauseNoWay:
		cause, text = t.bestDial(cause, text)
	}
	if !t.isProxyAhead() {
		return cause, text
	}
	if !t.asked {
		t.proxy.Cause = cause
	}
	return CauseProxy, t.proxyFailed(cause, text)
}

// bestDial returns the best reason why no address was connected. Package net gives the reason of
// the first address, which may be an IPv6 address on a machine that has no IPv6.
func (t *trace) bestDial(cause Cause, text string) (Cause, string) {
	for _, better := range []Cause{CauseRefused, CauseTimeout} {
		for _, d := range t.dials {
			if d.ended && !d.Connected && d.Err == better {
				return better, causes[better].text
			}
		}
	}
	return cause, text
}

// noteReply notes why a SOCKS proxy did not connect to the host. Only the error of package net/http
// says that.
func (t *trace) noteReply(cause Cause, err error) {
	if op, ok := errors.AsType[*net.OpError](err); ok && cause == CauseOther {
		t.note(func(time.Time) {
			if t.isProxyAhead() && t.asked && t.proxy.Kind == "socks5" {
				t.proxy.Reply = socksReply(op)
				if slices.Contains(socksSignIn, op.Err.Error()) {
					t.proxy.wants()
				}
			}
		})
	}
}

// noteProxyFault notes why a proxy could not be reached.
func (t *trace) noteProxyFault(err error) {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		t.note(func(time.Time) {
			if t.proxy != nil && !t.asked {
				t.proxy.Cause, _ = explainAt(op.Err, t.clock)
			}
		})
	}
}

// proxyFailed completes "the host: ..." if there was no answer because of a proxy. It does not
// reveal the address of the proxy.
func (t *trace) proxyFailed(cause Cause, text string) string {
	switch {
	case t.proxy.Reply != "":
		return "the proxy answered: " + t.proxy.Reply
	case t.proxy.Certificate != nil:
		text = t.proxy.Certificate.brief()
	}
	return "its proxy: " + text
}
