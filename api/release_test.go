package api

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// given is a context of a caller that lives on after a call, and knows who waits for its end.
type given struct {
	done chan struct{} // never closed

	mu      sync.Mutex
	waiting int
}

func (g *given) Deadline() (time.Time, bool) { return time.Time{}, false }
func (g *given) Done() <-chan struct{}       { return g.done }
func (g *given) Err() error                  { return nil }
func (g *given) Value(any) any               { return nil }

// AfterFunc is what package context calls for each context that is made of this one.
func (g *given) AfterFunc(func()) (stop func() bool) {
	g.add(1)
	return sync.OnceValue(func() bool { g.add(-1); return true })
}

func (g *given) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting += n
}

func (g *given) who() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}

// ledger is a transport that knows what it has handed out.
type ledger struct {
	next http.RoundTripper

	mu      sync.Mutex
	entries []*lent
}

// lent is a request that was sent, and the body of its answer.
type lent struct {
	io.ReadCloser
	ctx    context.Context
	path   string
	closed bool
}

func (l *lent) Close() error {
	l.closed = true
	return l.ReadCloser.Close()
}

func (l *ledger) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	entry := &lent{ctx: r.Context(), path: r.URL.Path}
	if err == nil {
		entry.ReadCloser, resp.Body = resp.Body, entry
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entry)
	return resp, err
}

// requireReturned checks that nothing is left of the requests since the last time.
func (l *ledger) requireReturned(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, entry := range l.entries {
		if entry.ReadCloser != nil && !entry.closed {
			t.Errorf("the body of the answer to %s is open", entry.path)
		}
		if entry.ctx.Err() == nil {
			t.Errorf("the context of the request to %s goes on", entry.path)
		}
	}
	l.entries = nil
}

// Whatever a service answers.
func TestNothingIsLeftOfACallThatHasEnded(t *testing.T) {
	within := status(http.StatusTemporaryRedirect, "Location", "/again")
	for name, handlers := range map[string][]http.HandlerFunc{
		"JSON":                       {answer(200, "application/json", `{"access_token":"a"}`)},
		"nothing":                    {answer(200, "application/json", "")},
		"a page":                     {answer(200, "text/html", "<html>")},
		"a refusal":                  {answer(403, "application/json", `{"Message":"Denied."}`)},
		"a refusal of the token":     {answer(401, "application/json", `{"Message":"Expired."}`)},
		"a refusal in an envelope":   {answer(200, "application/json", `{"error":"denied"}`)},
		"busy, and then JSON":        {answer(503, "text/plain", "busy"), answer(200, "application/json", "[]")},
		"busy for long":              {answer(503, "text/plain", "busy")},
		"a redirect within the host": {within, answer(200, "application/json", "[]")},
		"redirects without end":      {within},
		"a redirect elsewhere":       {status(http.StatusFound, "Location", "https://other.example/")},
		"a cut body":                 {raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n[1")},
		"a body that is too long":    {raw("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n[1")},
		"a cut":                      {raw("")},
	} {
		t.Run(name, func(t *testing.T) {
			handler, requests := script(handlers...)
			server := serve(t, handler)
			base := NewBase(Options{})
			t.Cleanup(base.CloseIdleConnections)
			sent := &ledger{next: base}
			client := NewTransport(Options{Base: sent})

			calls := everyCallWith(client, server.URL)
			calls["probe"] = func(ctx context.Context) error {
				_, err := ProbeHost(ctx, client, GlobalPlace(server.URL))
				return err
			}
			calls["shares with another token"] = func(ctx context.Context) error {
				gateway := &Gateway{HTTP: client, BaseURL: server.URL, Tokens: &twoTokens{}, pause: noPause}
				return drained(gateway.Shares(ctx, "a"))
			}
			for call, do := range calls {
				t.Run(call, func(t *testing.T) {
					requests.Store(0)
					ctx := &given{done: make(chan struct{})}
					_ = do(ctx)
					if requests.Load() == 0 {
						t.Error("nothing was sent")
					}
					sent.requireReturned(t)
					if n := ctx.who(); n > 0 {
						t.Errorf("%d wait for the end of the caller's context", n)
					}
				})
			}
		})
	}
}

// lines counts the connections that are open.
type lines struct {
	mu   sync.Mutex
	open int
}

func (l *lines) dial(_ context.Context, network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	l.add(1)
	return &line{Conn: conn, hangUp: sync.OnceFunc(func() { l.add(-1) })}, nil
}

func (l *lines) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open += n
}

func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

type line struct {
	net.Conn
	hangUp func()
}

func (l *line) Close() error {
	l.hangUp()
	return l.Conn.Close()
}

func TestAConnectionOfItsOwnIsClosedWhateverComes(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"JSON":       answer(200, "application/json", `{"access_token":"a"}`),
		"a page":     answer(200, "text/html", "<html>"),
		"a refusal":  answer(403, "application/json", `{"Message":"Denied."}`),
		"a redirect": status(http.StatusFound, "Location", "/again"),
		"a cut body": raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n[1"),
		"a cut":      raw(""),
		"no HTTP":    raw("SSH-2.0-x\r\n"),
	} {
		server := serve(t, handler)
		var open lines
		client := NewTransport(Options{Dial: open.dial})
		calls := everyCallWith(client, server.URL)
		for _, call := range onceCalls {
			_ = calls[call](t.Context())
			if n := open.count(); n > 0 {
				t.Errorf("%s, %s: %d connections are open", name, call, n)
			}
		}
		if _, err := ProbeHost(t.Context(), client, GlobalPlace(server.URL)); err == nil && open.count() > 0 {
			t.Errorf("%s, probe: %d connections are open", name, open.count())
		}
	}
}

// noted is the body of a request that knows whether it was closed.
type noted struct {
	io.Reader
	closed bool
}

func (n *noted) Close() error {
	n.closed = true
	return nil
}

// As package net/http does it, whatever became of the request.
func TestTheBodyOfARequestThatIsNotSentIsClosed(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var open lines
	base := NewBase(Options{Dial: open.dial})
	address := serve(t, answer(http.StatusOK, "text/plain", "")).URL
	for name, test := range map[string]struct {
		ctx     context.Context
		through http.RoundTripper
		address string
	}{
		"cancelled":       {ended, NewTransport(Options{Base: base}), address},
		"no connection":   {t.Context(), &singleSend{base: base}, "http://127.0.0.1:0"},
		"its time is out": {t.Context(), &singleSend{base: base, deadline: time.Now()}, address},
	} {
		body := &noted{Reader: strings.NewReader("canary")}
		r, err := http.NewRequestWithContext(test.ctx, http.MethodPost, test.address, body)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := test.through.RoundTrip(r)
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s: it was sent", name)
		}
		if !body.closed {
			t.Errorf("%s: the body is open", name)
		}
		if n := open.count(); n > 0 {
			t.Errorf("%s: %d connections are open", name, n)
		}
	}
}

// unclosable is a body that cannot be closed.
type unclosable struct{ io.Reader }

var errUnclosable = errors.New("it cannot be closed")

func (unclosable) Close() error { return errUnclosable }

func TestABodyThatCannotBeClosedIsTold(t *testing.T) {
	base := roundTripFunc(func(*http.Request) (*http.Response, error) {
		body := unclosable{strings.NewReader("[1,2]")}
		return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: body}, nil
	})
	gateway := &Gateway{HTTP: NewTransport(Options{Base: base}), BaseURL: "https://a.example"}
	body, err := gateway.Shares(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := body.Close(); !errors.Is(err, errUnclosable) {
			t.Errorf("got %v", err)
		}
	}
}
