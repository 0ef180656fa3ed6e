package api

import (
	"context"
	"net/http"
	"sync/atomic"
)

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
