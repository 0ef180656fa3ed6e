package check

import (
	"errors"
	"net/url"

	"gatehouse/api"
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

func withHost(c Check, host string) Check {
	c.Host = host
	return c
}

// failed is the check of a request that did not bring what it was for: unknown, for
// whatever it is, the question is not answered.
func failed(err error) Check {
	c := Check{State: Unknown, Summary: problem.Describe(err, problem.Screen).Sentence}
	if e, ok := errors.AsType[*api.StatusError](err); ok {
		c.Status = e.Status
	}
	return c
}
