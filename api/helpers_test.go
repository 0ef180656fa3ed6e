package api

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// serve starts a server for one test.
func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// counted counts the requests that reach a handler.
func counted(handler http.HandlerFunc) (http.HandlerFunc, *atomic.Int32) {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		handler(w, r)
	}, &n
}

// answer is a handler with one answer to everything.
func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// raw reads the request, answers with these very bytes and drops the connection.
func raw(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or closing resets the connection
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = buffered.WriteString(answer)
		_ = buffered.Flush()
		_ = conn.Close()
	}
}

// hang answers nothing until the client gives up, which a server notices once it
// has read the request.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func newTestClient(t *testing.T) *Transport {
	t.Helper()
	base := NewBase(Options{})
	t.Cleanup(base.CloseIdleConnections)
	return NewTransport(Options{UserAgent: "gatehouse/test", Base: base})
}

func newGateway(t *testing.T, url string) *Gateway {
	t.Helper()
	return &Gateway{HTTP: newTestClient(t), BaseURL: url, pause: noPause}
}

func newGlobal(t *testing.T, url string) *Global {
	t.Helper()
	return &Global{HTTP: newTestClient(t), URL: url, pause: noPause}
}

func noPause(int, *http.Response) time.Duration { return 0 }

func recorded(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "api", name))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// over is a transport that sends its requests through another one.
func over(base http.RoundTripper) *Transport { return NewTransport(Options{Base: base}) }

// cancellable returns a context and its end, which comes with t's at the latest.
func cancellable(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

// shortly is a context that ends soon when it is meant to.
func shortly(t *testing.T, soon bool) context.Context {
	t.Helper()
	if !soon {
		return t.Context()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// statusOf is the status of a [StatusError], 0 for any other error.
func statusOf(err error) int {
	if refused, ok := errors.AsType[*StatusError](err); ok {
		return refused.Status
	}
	return 0
}

// quiet keeps a server from writing about handshakes that are meant to fail.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// host is the host and port of a server.
func host(server *httptest.Server) string { return server.Listener.Addr().String() }
