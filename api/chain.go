package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/internal/redact"
)

const (
	maxRedirects = 5
	maxHost      = 260 // characters of a host and port in an error
)

// redirectPolicy says why a redirect is not followed, "" when it may be.
type redirectPolicy func(from, to *url.URL) string

// withRedirects returns a copy of client under another redirect policy. The
// caller's client may be anything; where a credential goes is decided here.
func withRedirects(client *http.Client, policy redirectPolicy) *http.Client {
	guarded := *client
	guarded.Transport = redirectGuard{orDefault(client.Transport), policy}
	guarded.CheckRedirect = limitRedirects
	return &guarded
}

func orDefault(rt http.RoundTripper) http.RoundTripper {
	if rt == nil {
		return http.DefaultTransport
	}
	return rt
}

// refuseForeign keeps a credential on the host and port it is meant for.
func refuseForeign(from, to *url.URL) string {
	switch {
	case from.Scheme == "https" && to.Scheme != "https":
		return "it leaves https"
	case !sameHost(from, to):
		return "it is another host"
	case to.User != nil:
		return "it names a user"
	}
	return ""
}

// refuseAll is for requests that carry a password or create something: a 307 or
// 308 would repeat the form, and any other would show its query as the Referer.
func refuseAll(_, _ *url.URL) string { return "this request is never sent a second time" }

// sameHost compares host and port; a port left out is the scheme's own.
func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

func limitRedirects(next *http.Request, before []*http.Request) error {
	if len(before) > maxRedirects {
		return &RedirectError{From: hostname.Readable(before[0].URL.Host), To: hostname.Readable(next.URL.Host), Reason: "there are too many redirects"}
	}
	return nil
}

// redirectGuard decides before [http.Client] sees the redirect: that one prints a
// target that is no address, and asks its CheckRedirect about some only.
type redirectGuard struct {
	next   http.RoundTripper
	policy redirectPolicy
}

// RoundTrip implements [http.RoundTripper].
func (g redirectGuard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := g.next.RoundTrip(r)
	if err != nil || !isRedirect(resp) {
		return resp, err
	}
	refusal := &RedirectError{From: hostname.Readable(r.URL.Host)}
	if to, err := r.URL.Parse(resp.Header.Get("Location")); err != nil {
		refusal.Reason = "its target is not an address"
	} else {
		refusal.To, refusal.Reason = redact.OneLine(hostname.Readable(to.Host), maxHost), g.policy(r.URL, to)
	}
	_ = resp.Body.Close() // net/http would read of it first, however long that takes
	resp.Body = http.NoBody
	if refusal.Reason == "" {
		return resp, nil
	}
	return nil, refusal
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode/100 == 3 && resp.Header.Get("Location") != ""
}

const (
	maxRetries    = 3
	firstBackoff  = 500 * time.Millisecond // doubles with each retry
	maxRetryAfter = 30 * time.Second       // a service that asks for more gets its answer shown instead
	maxAsked      = 24 * time.Hour         // what is believed of a Retry-After at all
)

// pause is how long to wait after an attempt, counted from 0. resp is nil when
// the attempt brought no answer.
type pause func(attempt int, resp *http.Response) time.Duration

// getWithRetries sends a GET that changes nothing, again when the service is
// busy or the connection was dropped. It returns the answer to the last attempt,
// whatever its status. wait may be nil.
func getWithRetries(client *http.Client, r *http.Request, wait pause) (*http.Response, error) {
	if wait == nil {
		wait = backoff
	}
	guarded, ctx := withRedirects(client, refuseForeign), r.Context()
	r = countingTries(r)
	for attempt := 0; ; attempt++ {
		resp, err := guarded.Do(r)
		if attempt == maxRetries || !worthRetrying(ctx, resp, err) {
			return resp, err
		}
		pause := wait(attempt, resp)
		if resp != nil {
			_ = resp.Body.Close() // unread: what a busy service says may take for ever to come
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// worthRetrying reports whether another attempt may help; resp is nil if err is not.
func worthRetrying(ctx context.Context, resp *http.Response, err error) bool {
	switch {
	case ctx.Err() != nil:
		return false
	case err != nil:
		return isDropped(err) && !isAnotherCall(err)
	}
	return isBusy(resp.StatusCode) && canWait(ctx, resp)
}

func isBusy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// isAnotherCall reports whether err came out of a call of its own: a transport
// that renews a token below this request must not be made to send it again.
func isAnotherCall(err error) bool {
	_, transport := errors.AsType[*TransportError](err)
	_, body := errors.AsType[*BodyError](err)
	return transport || body
}

// canWait reports whether the wait that the service asks for is short enough,
// also for the deadline of the call.
func canWait(ctx context.Context, resp *http.Response) bool {
	asked, _ := retryAfter(resp)
	deadline, limited := ctx.Deadline()
	return asked <= maxRetryAfter && (!limited || asked < time.Until(deadline))
}

func backoff(attempt int, resp *http.Response) time.Duration {
	if resp != nil {
		if asked, ok := retryAfter(resp); ok {
			return asked
		}
	}
	return firstBackoff << attempt
}

// retryAfter reads the header of that name: seconds, or an HTTP date, which is
// compared with the server's own clock where it shows one.
func retryAfter(resp *http.Response) (asked time.Duration, ok bool) {
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
		seconds = min(max(seconds, 0), int64(maxAsked/time.Second))
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	now, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(at.Sub(now), 0), maxAsked), true
}

// tries counts how often one call sends its request.
type tries struct {
	host, path string
	sent       atomic.Int32
}

type triesKey struct{}

// countingTries gives a request a count of its own.
func countingTries(r *http.Request) *http.Request {
	t := &tries{host: r.URL.Host, path: r.URL.EscapedPath()}
	return r.WithContext(context.WithValue(r.Context(), triesKey{}, t))
}

// countTry says which try a request is, from 1. A request that follows a redirect
// belongs to the try before it; one to another address, such as the renewal of a
// token on the way, to no call that counts.
func countTry(r *http.Request) int {
	t, _ := r.Context().Value(triesKey{}).(*tries)
	switch {
	case t == nil:
		return 1
	case r.Response != nil:
		return int(max(t.sent.Load(), 1))
	case t.host != r.URL.Host || t.path != r.URL.EscapedPath():
		return 1
	}
	return int(t.sent.Add(1))
}
