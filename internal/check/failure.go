package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/problem"
)

// hostOf is the host and port of a URL, "" if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// failed is the check of a request that did not bring what it was for, and why. It is unknown:
// that the question was not answered says nothing about the answer.
func failed(host string, err error) Check {
	c := Check{State: Unknown, Host: host}
	f := &finding{Failure: api.CauseOther.String()}
	c.found = f
	if errors.Is(err, context.DeadlineExceeded) {
		f.Failure = api.CauseTimeout.String()
	}
	switch e := innermost(err).(type) {
	case *api.TokenError:
		c.Status, c.Summary = e.Status, fmt.Sprintf("answered %d: %s", e.Status, e.Code)
		f.ErrorCode, f.Description, f.RetryAfter = &e.Code, e.Description, seconds(e.RetryAfter)
	case *api.StatusError:
		c.Status, c.Summary = e.Status, answered(e.Status, e.RetryAfter)
		f.Message, f.RetryAfter = e.Message, seconds(e.RetryAfter)
	case *api.BodyError:
		c.Summary, f.Failure = "sent "+e.Detail, failureAnswer
	case *api.RedirectError:
		c.Summary, f.Failure = "redirects to "+e.To+", which is not followed", failureAnswer
	case *api.LimitError:
		c.Summary, f.Failure = "sent an answer that is too long", failureAnswer
	case *api.TransportError:
		c.Summary, f.Failure = e.Reason(), e.Cause().String()
	case *jsonscan.SyntaxError:
		c.Summary = "sent an answer that is " + e.Error()
	default:
		c.Summary = strings.TrimSuffix(problem.Describe(err, problem.Screen).Sentence, ".")
	}
	switch {
	case isTrouble(c.Status):
		f.Failure = failureStatus
	case c.Status > 0:
		f.Failure = failureAnswer
	}
	if errors.Is(err, context.Canceled) {
		c.Summary = stopped
	}
	return c
}

// innermost is the error of package api in another one, or that itself.
func innermost(err error) error {
	return cmp.Or(as[*api.TokenError](err), as[*api.StatusError](err), as[*api.BodyError](err), as[*api.LimitError](err),
		as[*api.RedirectError](err), as[*api.TransportError](err), as[*jsonscan.SyntaxError](err), err)
}

func as[E error](err error) error {
	if e, ok := errors.AsType[E](err); ok {
		return e
	}
	return nil
}

// answered is a status that is no success, in words.
func answered(status int, retryAfter time.Duration) string {
	text := fmt.Sprintf("answered %d", status)
	if name := http.StatusText(status); name != "" {
		text += " (" + strings.ToLower(name) + ")"
	}
	if retryAfter > 0 {
		text += ", asked to wait " + human.Span(retryAfter)
	}
	return text
}

// isTrouble reports whether a status says that the service could not answer, in place of an
// answer.
func isTrouble(status int) bool { return status == http.StatusTooManyRequests || status >= 500 }
