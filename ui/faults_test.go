package ui

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// revocation stands before the service and, once on, ends the session of
// everybody who has not signed in since.
type revocation struct {
	next http.Handler
	on   atomic.Bool
}

func (p *revocation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	grant := ""
	if strings.HasSuffix(r.URL.Path, "/connect/token") {
		body, _ := io.ReadAll(r.Body)
		form, _ := url.ParseQuery(string(body))
		grant = form.Get("grant_type")
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	switch {
	case grant == "password":
		p.on.Store(false)
	case p.on.Load() && grant == "refresh_token":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
		return
	case p.on.Load():
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.next.ServeHTTP(w, r)
}

func (p *revocation) before(next http.Handler) { p.next = next }

// refusal stands before the service and, once on, answers 503 for it.
type refusal struct {
	next http.Handler
	on   atomic.Bool
}

func (p *refusal) before(next http.Handler) { p.next = next }

func (p *refusal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.on.Load() {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	p.next.ServeHTTP(w, r)
}

// stall stands before the service and, once on, lets everybody wait who asks for
// a path with an end, "" for any.
type stall struct {
	next http.Handler
	on   atomic.Bool
	only string
	// ended lets those go who have waited.
	ended chan struct{}
}

func (s *stall) before(next http.Handler) { s.next = next }

func (s *stall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.on.Load() && strings.HasSuffix(r.URL.Path, s.only) {
		select {
		case <-r.Context().Done():
		case <-s.ended:
		}
		return
	}
	s.next.ServeHTTP(w, r)
}

// behind puts a handler before the service that the variables point at.
func behind(t *testing.T, v variables, p interface {
	http.Handler
	before(http.Handler)
}) {
	t.Helper()
	service, err := url.Parse(v["GATEHOUSE_AUTH_URL"])
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: service.Scheme, Host: service.Host})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of those who gave up
	p.before(proxy)
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	for name, value := range v {
		v[name] = strings.ReplaceAll(value, "http://"+service.Host, front.URL)
	}
}
