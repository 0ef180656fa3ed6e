package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/secret"
)

// How a request is sent. A GET that changes nothing passes these methods of its call, from
// the outside in:
//
//	get         sends it again when the service is busy or has dropped the connection
//	follow      goes where it is redirected to, on the same host
//	authorized  puts an access token on it, where the call is made for a user
//	send        numbers the attempts of the call for the observer
//
// send also makes a [trace], which notes how the request comes to its host: hooks of net/http, the
// dialer and the proxy's answer tell it. An error has its [Way].
//
// Below them is the transport that the whole program shares ([NewTransport]): it ends attempts
// that are not answered in time, and calls the observer. net/http is below that: connections,
// TLS, the proxy. Its Client is not used: it adds a Referer to redirects, which may have a
// password in it, reads the body of a redirect, and quotes its target in errors.
//
// A request that must not be sent twice ([singleSend]) passes none of them, and has a connection of
// its own, as net/http repeats requests by itself on those that it keeps. A probe ([ProbeHost])
// has one too, to see how it comes about, and follows the same redirects.
//
// Take a request whose access token was revoked early. authorized asks the session for a token,
// which only checks the clock, and the request is sent: attempt 1. The answer is 401. authorized
// tells the session which token was refused, and gets another: one that another request or
// process has obtained meanwhile, or one from a renewal, which is a request that must not be sent
// twice. The request is sent again with it, below redirects and retries, which do not notice:
// attempt 2. Its answer is final, even another 401. If there is no other token, the first 401 is
// the answer; if the renewal fails, its error is, and there is no retry, as that would be another
// renewal.
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

const (
	maxRetries    = 3                      // after the first attempt
	firstBackoff  = 500 * time.Millisecond // doubles with each retry
	maxRetryAfter = 30 * time.Second       // if the service asks for more, its answer is returned
	maxWait       = 30 * 24 * time.Hour    // limit for Retry-After, which is shown
)

// pause returns how long to wait after an attempt, counted from 0. resp is nil if the attempt
// brought no answer.
type pause func(attempt int, resp *http.Response) time.Duration

// get sends a request, and repeats it if the service is busy or the connection was dropped. It
// returns the answer to the last attempt, whatever its status.
func (c *call) get(r *http.Request) (*http.Response, error) {
	wait := c.pause
	if wait == nil {
		wait = backoff
	}
	for attempt := 0; ; attempt++ {
		resp, err := c.follow(r)
		if c.sendOnce || attempt == maxRetries || !c.worthRetrying(r.Context(), resp, err) {
			return resp, err
		}
		pause := time.After(wait(attempt, resp))
		if resp != nil {
			_ = resp.Body.Close() // unread: the body of a busy service may never arrive
		}
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-pause:
		}
	}
}

// worthRetrying reports whether another attempt may help. Exactly one of resp and err is nil.
func (c *call) worthRetrying(ctx context.Context, resp *http.Response, err error) bool {
	switch {
	case ctx.Err() != nil:
		return false
	case err != nil:
		return isDropped(err) && !isNoToken(err)
	case !slices.Contains(busy, resp.StatusCode):
		return false
	case resp.StatusCode == http.StatusTooManyRequests && c.returnBusy:
		return false
	}
	asked, _ := retryAfter(resp)
	deadline, hasDeadline := ctx.Deadline()
	endsInTime := !hasDeadline || asked < time.Until(deadline)
	return asked <= maxRetryAfter && endsInTime
}

// busy are the statuses of a service, or of something in front of it, that may work again soon.
var busy = []int{
	http.StatusTooManyRequests,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// backoff is the [pause] that the service asks for, or else one that doubles with each attempt.
func backoff(attempt int, resp *http.Response) time.Duration {
	if resp != nil {
		if asked, ok := retryAfter(resp); ok {
			return asked
		}
	}
	return firstBackoff << attempt
}

// retryAfter parses the Retry-After header: seconds, or an HTTP date, which is compared with the
// server's own clock if the answer has that. ok is false if there is no valid header.
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
		now = time.Now().Truncate(time.Second)
	}
	return min(max(at.Sub(now), 0), maxWait), true
}

const (
	maxRedirects = 5
	maxHost      = 260 // characters of a host and port in an error
)

// follow sends a request, and sends it on to where it is redirected.
func (c *call) follow(r *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := c.authorized(r)
		if err != nil || !isRedirect(resp) {
			return resp, err
		}
		_ = resp.Body.Close() // unread: it may take forever
		to, refusal := redirectTarget(r.URL, resp, true)
		if refusal == nil && n == maxRedirects {
			refusal = &RedirectError{
				From: hostname.Readable(r.URL.Host),
				To:   hostname.Readable(to.Host),
				Kind: RedirectTooOften,
			}
		}
		if refusal != nil {
			return nil, refusal
		}
		r = r.Clone(r.Context())
		r.URL, r.Host, r.Response = to, to.Host, resp
	}
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode/100 == 3 && resp.Header.Get("Location") != ""
}

// redirectTarget returns where an answer redirects, or else why that must not be followed. A
// credential stays on its host and port. mayRepeat is false for a request that must not be sent
// twice, such as a form that a 307 would have sent again.
func redirectTarget(
	from *url.URL, resp *http.Response, mayRepeat bool,
) (*url.URL, *RedirectError) {
	refusal := &RedirectError{From: hostname.Readable(from.Host)}
	to, err := from.Parse(resp.Header.Get("Location"))
	if err != nil {
		refusal.Kind = RedirectInvalid
		return nil, refusal
	}
	refusal.To = redact.OneLine(hostname.Readable(to.Host), maxHost)
	refusal.Path = redact.OneLine(to.EscapedPath(), maxHost)
	switch {
	case from.Scheme == "https" && to.Scheme != "https":
		refusal.Kind = RedirectToHTTP
	case !strings.EqualFold(from.Hostname(), to.Hostname()), port(from) != port(to):
		refusal.Kind = RedirectElsewhere
	case to.User != nil:
		refusal.Kind = RedirectWithUser
	case !mayRepeat:
		refusal.Kind = RedirectWithin
	default:
		return to, nil
	}
	return nil, refusal
}

// port returns the port of a URL, or the default of its scheme if it has none.
func port(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// TokenSource provides the access tokens of a session. A call returns its errors.
type TokenSource interface {
	// Token returns the access token to send.
	Token(ctx context.Context) (secret.Text, error)
	// Replacement returns the access token to send after one was refused with a 401. It returns the
	// same token if there is no other.
	Replacement(ctx context.Context, refused secret.Text) (secret.Text, error)
	// ReplacementRefused tells the source that a replacement was answered with 401 as well.
	ReplacementRefused(token secret.Text)
	// IsNew reports whether a token was issued so recently, by a sign-in or a renewal, that another one
	// would be refused as well.
	IsNew(token secret.Text) bool
}

// noTokenError means that there is no token for a request. Its text is shown without the host of
// that request, as it may be about another one.
type noTokenError struct{ error }

func (e *noTokenError) Unwrap() error { return e.error }

func isNoToken(err error) bool {
	_, ok := errors.AsType[*noTokenError](err)
	return ok
}

// noToken marks the error of a token source, except if the call was cancelled.
func noToken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return &noTokenError{err}
}

// authorized sends a request with an access token if the call has a source of them (interface
// section 5). If the answer is 401, the request is repeated with another token, if there is one. A
// second 401 is the answer.
func (c *call) authorized(r *http.Request) (*http.Response, error) {
	if c.tokens == nil {
		return c.send(r)
	}
	token, err := c.tokens.Token(r.Context())
	if err != nil {
		return nil, noToken(r.Context(), err)
	}
	answer, err := c.send(withToken(r, token))
	if err != nil || answer.StatusCode != http.StatusUnauthorized || c.sendOnce {
		return answer, err
	}
	other, err := c.tokens.Replacement(r.Context(), token)
	if err == nil && other == token {
		c.newToken = c.tokens.IsNew(token)
		return answer, nil
	}
	_ = answer.Body.Close() // unread: the body of a refusal may never arrive
	if err != nil {
		return nil, noToken(r.Context(), err)
	}
	c.newToken = true
	answer, err = c.send(withToken(r, other))
	if err == nil && answer.StatusCode == http.StatusUnauthorized {
		c.tokens.ReplacementRefused(other)
	}
	return answer, err
}

// withToken returns a copy of a request with the token: the original may be sent again.
func withToken(r *http.Request, token secret.Text) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", schemeBearer+" "+token.Reveal())
	return r
}

// send sends a request. A request that follows a redirect counts as the same attempt.
func (c *call) send(r *http.Request) (*http.Response, error) {
	if r.Response == nil {
		c.attempts++
	}
	return c.transport.send(c.traced(r), c.attempts)
}
