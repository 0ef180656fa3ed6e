package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

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
	retries := 0
	retrying := retryablehttp.Client{
		HTTPClient: withRedirects(client, refuseForeign),
		RetryMax:   maxRetries,
		CheckRetry: func(ctx context.Context, resp *http.Response, err error) (bool, error) {
			if retries == maxRetries || !worthRetrying(ctx, resp, err) {
				return false, nil
			}
			retries++
			discard(resp)
			return true, nil
		},
		ErrorHandler: retryablehttp.PassthroughErrorHandler, // the default one prints the address
		Backoff: func(_, _ time.Duration, attempt int, resp *http.Response) time.Duration {
			return wait(attempt, resp)
		},
	}
	return retrying.Do(&retryablehttp.Request{Request: countingTries(r)})
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

// discard closes an answer that nobody will see: the library would read the rest
// first, however long that takes. resp may be nil.
func discard(resp *http.Response) {
	if resp != nil {
		_ = resp.Body.Close()
		resp.Body = http.NoBody
	}
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
