package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/internal/redact"
	"gatehouse/internal/secret"
)

// How a request is sent. Every call has a chain of its own, from the outside in:
//
//	retries     getWithRetries sends a GET again when the service is busy or has dropped
//	            the connection
//	redirects   http.Client follows those that the redirectGuard accepts
//	authorizer  puts an access token on the request, where a call is made for a user
//	numbering   numbers the attempts of the call for the observer
//	transport   ends attempts that are not answered in time, and calls the observer; the
//	            whole program shares one ([NewTransport])
//	net/http    connections, TLS, the proxy
//
// A request that must not be sent twice has no retries and no redirects, and a connection of
// its own ([newOnceChain]), as net/http repeats requests by itself on those it keeps.
// A probe ([ProbeHost]) has one of its own too, to see how it comes about, and nothing but the
// transport above it: it repeats nothing, and follows the same redirects by itself.
//
// Take a request whose access token was revoked early. The authorizer asks the session
// for a token, which only checks the clock, and the request is sent: attempt 1. The answer
// is 401. The authorizer tells the session which token was refused, and gets another: one
// that another request or process has obtained meanwhile, or that of a renewal, which has
// a chain of its own. The request is sent again with it, below redirects and retries,
// which do not notice: attempt 2. Its answer is final, even another 401. If there is no
// other token, the first 401 is the answer; if the renewal fails, its error is, and there
// is no retry, as that would be another renewal.
//
// The caller reads the body of the answer, within the limits of [Body].
//
// How long a call takes at worst, whatever a service does:
//
//	token request, device login  30 s; they are sent once
//	look-up                      30 s, with all attempts
//	list                         4 attempts of 30 s until an answer begins, with 3 pauses of at most 30 s
//	                             between them: 3.5 minutes. Then 30 s for each KiB, and an hour in all
//	                             (without attempts after the first one where Gateway.Once is set)
//	probe                        30 s for each of 6 redirects, unless its context ends before
//
// A renewal that a 401 calls for comes on top, once, and is the session's to limit.

// newChain returns the client of one call, over the transport of another client. That
// client's redirect policy does not apply: policy decides where a credential goes. tokens
// is nil for a request that has its credential or needs none.
func newChain(client *http.Client, policy redirectPolicy, tokens *authorizer) *http.Client {
	next := baseOf(client)
	if shared, ok := next.(*transport); ok {
		next = &numbering{transport: shared}
	}
	if tokens != nil {
		tokens.next = next
		next = tokens
	}
	chained := *client
	chained.Transport, chained.CheckRedirect = redirectGuard{next, policy}, limitRedirects
	return &chained
}

const (
	maxRetries    = 3                      // after the first attempt
	firstBackoff  = 500 * time.Millisecond // doubles with each retry
	maxRetryAfter = 30 * time.Second       // if the service asks for more, its answer is returned
	maxWait       = 24 * time.Hour         // limit for Retry-After
)

// pause returns how long to wait after an attempt, counted from 0; below 0 there is no
// other attempt. resp is nil if the attempt brought no answer.
type pause func(attempt int, resp *http.Response) time.Duration

// getWithRetries sends a GET that changes nothing, and repeats it if the service is busy
// or the connection was dropped. It returns the answer to the last attempt, whatever its
// status. wait may be nil.
func getWithRetries(chain *http.Client, r *http.Request, wait pause) (*http.Response, error) {
	if wait == nil {
		wait = backoff
	}
	for attempt := 0; ; attempt++ {
		resp, err := chain.Do(r)
		if attempt == maxRetries || !worthRetrying(r.Context(), resp, err) {
			return resp, err
		}
		before := wait(attempt, resp)
		if before < 0 {
			return resp, err
		}
		pause := time.NewTimer(before)
		if resp != nil {
			_ = resp.Body.Close() // unread: the body of a busy service may never arrive
		}
		select {
		case <-r.Context().Done():
			pause.Stop()
			return nil, r.Context().Err()
		case <-pause.C:
		}
	}
}

// worthRetrying reports whether another attempt may help; resp is nil if err is not.
func worthRetrying(ctx context.Context, resp *http.Response, err error) bool {
	switch {
	case ctx.Err() != nil:
		return false
	case err != nil:
		cause, _ := explain(err)
		return cause == CauseDropped && !isNoToken(err)
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

// canWait reports whether the wait that the service asks for is short enough, also for
// the call's deadline.
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

// withoutBusy is a pause that leaves waiting after a 429 to the caller.
func (wait pause) withoutBusy() pause {
	if wait == nil {
		wait = backoff
	}
	return func(attempt int, resp *http.Response) time.Duration {
		if resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			return -1
		}
		return wait(attempt, resp)
	}
}

// retryAfter parses the Retry-After header: seconds, or an HTTP date, which is compared
// with the server's own clock if it sent that.
func retryAfter(resp *http.Response) (asked time.Duration, ok bool) {
	value := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
		seconds = min(max(seconds, 0), int64(maxWait/time.Second))
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
	return min(max(at.Sub(now), 0), maxWait), true
}

const (
	maxRedirects = 5
	maxHost      = 260 // characters of a host and port in an error
)

// redirectPolicy says why a redirect is not followed, "" if it may be.
type redirectPolicy func(from, to *url.URL) string

// refuseForeign keeps a credential on its host and port.
func refuseForeign(from, to *url.URL) string {
	switch {
	case from.Scheme == "https" && to.Scheme != "https":
		return "it switches to http"
	case !sameHost(from, to):
		return "it leads to another host"
	case to.User != nil:
		return "it contains a user name"
	}
	return ""
}

// refuseAll is for requests that carry a password or create something: a 307 or 308 would
// repeat the form, and any other redirect would reveal the query in the Referer.
func refuseAll(_, _ *url.URL) string { return "this request is never sent a second time" }

// sameHost compares host and port, which defaults to that of the scheme.
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

// redirectGuard checks a redirect before [http.Client] handles it, which quotes an
// invalid target in its error, and calls CheckRedirect for some redirects only.
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
		refusal.Reason = "its target is not a valid address"
	} else {
		refusal.To, refusal.Reason = redact.OneLine(hostname.Readable(to.Host), maxHost), g.policy(r.URL, to)
	}
	_ = resp.Body.Close() // net/http would read it first, however long that takes
	resp.Body = http.NoBody
	if refusal.Reason == "" {
		return resp, nil
	}
	return nil, refusal
}

// CloseIdleConnections lets [http.Client.CloseIdleConnections] reach the wrapped
// transport.
func (g redirectGuard) CloseIdleConnections() {
	(&http.Client{Transport: g.next}).CloseIdleConnections()
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode/100 == 3 && resp.Header.Get("Location") != ""
}

// TokenSource provides the access tokens of a session. Its errors become those of the
// call.
type TokenSource interface {
	// Token is the access token to send.
	Token(ctx context.Context) (secret.Text, error)
	// Replacement is the access token to send after one was refused with a 401: the same
	// one if there is no other.
	Replacement(ctx context.Context, refused secret.Text) (secret.Text, error)
	// ReplacementRefused reports that a replacement was answered with 401 as well.
	ReplacementRefused(token secret.Text)
}

// Authorize adds access tokens to the requests to one host (interface section 5), "host"
// or "host:port". Other requests are passed on unchanged, and so are those with an
// Authorization header. A request answered with 401 is repeated with another token, if
// possible; a second 401 is the answer. A token is never sent over http, except to this
// machine.
func Authorize(tokens TokenSource, next http.RoundTripper, host string) http.RoundTripper {
	return &authorizer{tokens: tokens, next: next, host: host}
}

type authorizer struct {
	tokens TokenSource
	next   http.RoundTripper
	host   string
	once   bool // do not repeat a request after a 401
}

// noTokenError means that there is no token for a request. Its text needs no host, as it
// may be about another request.
type noTokenError struct{ error }

func (e *noTokenError) Unwrap() error { return e.error }

func isNoToken(err error) bool {
	_, ok := errors.AsType[*noTokenError](err)
	return ok
}

var errNotHTTPS = errors.New("the access token is not sent over http")

// RoundTrip implements [http.RoundTripper].
func (a *authorizer) RoundTrip(r *http.Request) (*http.Response, error) {
	if !sameHost(r.URL, &url.URL{Scheme: r.URL.Scheme, Host: a.host}) || r.Header.Get("Authorization") != "" {
		return a.next.RoundTrip(r)
	}
	if r.URL.Scheme != "https" && !hostname.IsLoopback(r.URL.Hostname()) {
		return nil, notSent(r, errNotHTTPS)
	}
	token, err := a.tokens.Token(r.Context())
	if err != nil {
		return nil, notSent(r, err)
	}
	answer, err := a.next.RoundTrip(withToken(r, token))
	if err != nil || answer.StatusCode != http.StatusUnauthorized || a.once {
		return answer, err
	}
	return a.replay(r, token, answer)
}

// replay repeats a request that was answered with 401.
func (a *authorizer) replay(r *http.Request, refused secret.Text, answer *http.Response) (*http.Response, error) {
	if !canRepeat(r) {
		return answer, nil
	}
	token, err := a.tokens.Replacement(r.Context(), refused)
	if err == nil && token == refused {
		return answer, nil
	}
	_ = answer.Body.Close() // unread: the body of a refusal may never arrive
	if err != nil {
		return nil, noToken(r, err)
	}
	again := withToken(r, token)
	if r.GetBody != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	answer, err = a.next.RoundTrip(again)
	if err == nil && answer.StatusCode == http.StatusUnauthorized {
		a.tokens.ReplacementRefused(token)
	}
	return answer, err
}

// canRepeat reports whether a request can be sent again.
func canRepeat(r *http.Request) bool {
	hasBody := r.Body != nil && r.Body != http.NoBody
	return r.GetBody != nil || r.Method == http.MethodGet && !hasBody
}

// withToken is a copy of a request with the token: a transport must not modify requests.
func withToken(r *http.Request, token secret.Text) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", schemeBearer+" "+token.Reveal())
	return r
}

// notSent closes the body of a request that is not sent.
func notSent(r *http.Request, err error) error {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return noToken(r, err)
}

// noToken marks the error of a token source, except if the call was cancelled.
func noToken(r *http.Request, err error) error {
	if r.Context().Err() != nil {
		return err
	}
	return &noTokenError{err}
}

// numbering numbers the attempts of one call.
type numbering struct {
	transport *transport
	attempts  int
}

// RoundTrip implements [http.RoundTripper]. A request that follows a redirect belongs to
// the same attempt.
func (n *numbering) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Response == nil {
		n.attempts++
	}
	return n.transport.send(r, n.attempts)
}
