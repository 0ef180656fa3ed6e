package check

import (
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
func failed(host string, err error) (Check, trouble) {
	c := Check{State: Unknown, Host: host, Summary: reason(err)}
	t := trouble{failure: failureOf(err)}
	if e, ok := errors.AsType[*api.StatusError](err); ok {
		c.Status = e.Status
		t.message, t.retryAfter = e.Message, e.RetryAfter
	}
	if e, ok := errors.AsType[*api.TokenError](err); ok {
		c.Status = e.Status
		t.code, t.description, t.retryAfter = e.Code, e.Description, e.RetryAfter
	}
	return c, t
}

// reason is an error in a few words, without what was asked for and of whom.
func reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return stopped
	}
	switch e := innermost(err).(type) {
	case *api.StatusError:
		return answered(e.Status, e.RetryAfter)
	case *api.TokenError:
		return fmt.Sprintf("answered %d: %s", e.Status, e.Code)
	case *api.BodyError:
		return "sent " + e.Detail
	case *api.RedirectError:
		return "redirects to " + e.To + ", which is not followed"
	case *api.LimitError:
		return "sent a longer answer than is read"
	case *api.TransportError:
		return e.Reason()
	case *jsonscan.SyntaxError:
		return "sent an answer that is " + e.Error()
	}
	return strings.TrimSuffix(problem.Describe(err, problem.Screen).Sentence, ".")
}

// innermost is the error of package api in another one, or that itself.
func innermost(err error) error {
	for _, find := range []func(error) error{
		as[*api.TokenError], as[*api.StatusError], as[*api.BodyError], as[*api.LimitError], as[*api.RedirectError], as[*api.TransportError], as[*jsonscan.SyntaxError],
	} {
		if found := find(err); found != nil {
			return found
		}
	}
	return err
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

// failureOf classifies an error.
func failureOf(err error) failure {
	if e, ok := errors.AsType[*api.TransportError](err); ok {
		return failure(e.Cause().String())
	}
	status := 0
	if e, ok := errors.AsType[*api.StatusError](err); ok {
		status = e.Status
	}
	if e, ok := errors.AsType[*api.TokenError](err); ok {
		status = e.Status
	}
	switch {
	case isTrouble(status):
		return failureStatus
	case status > 0, as[*api.BodyError](err) != nil, as[*api.LimitError](err) != nil, as[*api.RedirectError](err) != nil:
		return failureAnswer
	case errors.Is(err, context.DeadlineExceeded):
		return failureTimeout
	}
	return failureOther
}

// isTrouble reports whether a status says that the service could not answer, in place of an
// answer.
func isTrouble(status int) bool { return status == http.StatusTooManyRequests || status >= 500 }
