package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"gatehouse/internal/text/secret"
)

// echo is everything a server knows about a request: a careless one sends it back.
func echo(r *http.Request) string {
	dump, _ := httputil.DumpRequest(r, true)
	query, _ := url.QueryUnescape(string(dump))
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(string(dump) + " " + query)
}

func echoJSON(status int, member string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, _ := json.Marshal(map[string]string{"error": "invalid_grant", member: echo(r)})
		answer(status, "application/json", string(text))(w, r)
	}
}

func echoRaw(before, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { raw(before+echo(r)+after)(w, r) }
}

// Whatever a server does with a request, no error and no exchange shows a secret
// of it, in any of its encodings.
func TestNoFailureShowsASecret(t *testing.T) {
	foreign := serve(t, status(200))
	for name, handler := range map[string]http.HandlerFunc{
		"a message that repeats the request": echoJSON(400, "Message"),
		"a description that does":            echoJSON(400, "error_description"),
		"a code that does":                   echoJSON(400, "error"),
		"a failing server's page that does":  func(w http.ResponseWriter, r *http.Request) { answer(500, "text/html", "<p>"+echo(r))(w, r) },
		"a page that does":                   func(w http.ResponseWriter, r *http.Request) { answer(200, "text/html", "<p>"+echo(r))(w, r) },
		"JSON that does":                     func(w http.ResponseWriter, r *http.Request) { answer(200, "application/json", `{"x":"`+echo(r))(w, r) },
		"a content type that does":           func(w http.ResponseWriter, r *http.Request) { answer(200, echo(r), `<`)(w, r) },
		"a status line that does":            echoRaw("HTTP/1.1 ", "\r\n\r\n"),
		"a protocol that does":               echoRaw("", "\r\n\r\n"),
		"a header that does":                 echoRaw("HTTP/1.1 200 OK\r\n", "\r\n\r\n"),
		"a length that does":                 echoRaw("HTTP/1.1 200 OK\r\nContent-Length: ", "\r\n\r\n"),
		"a transfer encoding that does":      echoRaw("HTTP/1.1 200 OK\r\nTransfer-Encoding: ", "\r\n\r\n"),
		"a chunk that does":                  echoRaw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n", "\r\n"),
		"a cut answer that does":             echoRaw("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n[", ""),
		"a wait that does":                   func(w http.ResponseWriter, r *http.Request) { status(429, "Retry-After", echo(r))(w, r) },
		"a redirect elsewhere that does": func(w http.ResponseWriter, r *http.Request) {
			status(307, "Location", foreign.URL+"/?"+url.QueryEscape(echo(r)))(w, r)
		},
		"a redirect to what is no address": func(w http.ResponseWriter, r *http.Request) { status(307, "Location", "http://[/"+echo(r))(w, r) },
		"a redirect to a user that does": func(w http.ResponseWriter, r *http.Request) {
			status(302, "Location", "https://"+url.QueryEscape(echo(r))+"@b.example")(w, r)
		},
		"an answer of another kind": answer(200, "application/json", "7"),
		"a dropped connection":      raw(""),
		"no answer":                 hang,
	} {
		t.Run(name, func(t *testing.T) {
			observer := &exchangeLog{}
			client := clientObservedBy(t, observer)
			for what, call := range everyCallWith(client, serve(t, handler).URL) {
				err := call(shortly(t, name == "no answer"))
				if err == nil {
					if what == "shares" || what == "companies" {
						continue // any JSON is an answer there
					}
					t.Errorf("%s: no error", what)
				}
				mustNotShowSecrets(t, what, err)
			}
			for _, x := range observer.exchanges {
				mustNotShowSecrets(t, "exchange "+x.Path, x.Err)
				mustNotContainSecrets(t, "exchange", fmt.Sprintf("%+v", x))
			}
		})
	}
}

// A text that repeats several secrets is left out because of any of them. A service may repeat one
// alone.
func TestNoFailureShowsOneSecretAlone(t *testing.T) {
	for what, sent := range map[string][]int{ // as places in sentSecrets
		"password grant": {0, 6},
		"refresh grant":  {3, 6},
		"shares":         {4},
		"companies":      {5},
		"device login":   {0, 1, 2},
	} {
		for _, n := range sent {
			said, _ := json.Marshal(map[string]string{
				"error":             "invalid_request",
				"error_description": "not known here: " + sentSecrets[n],
			})
			server := serve(t, answer(http.StatusBadRequest, "application/json", string(said)))
			observer := &exchangeLog{}
			err := everyCallWith(clientObservedBy(t, observer), server.URL)[what](t.Context())
			if err == nil {
				t.Errorf("%s: no error", what)
			}
			mustNotShowSecrets(t, what, err)
			mustNotContainSecrets(t, what, fmt.Sprintf("%+v", observer.exchanges))
		}
	}
}

func TestNoFailureToConnectShowsASecret(t *testing.T) {
	closed := httptest.NewServer(status(200))
	closed.Close()
	for what, call := range everyCallWith(newTestClient(t), closed.URL) {
		mustNotShowSecrets(t, what, call(t.Context()))
	}
	// Another transport than ours, which wraps what it got from another client.
	nested := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		inner := &url.Error{Op: "Get", URL: r.URL.String(), Err: io.EOF}
		return nil, fmt.Errorf("wrapped: %w", &url.Error{Op: "Get", URL: r.URL.String(), Err: fmt.Errorf("again: %w", inner)})
	})
	for what, call := range everyCallWith(over(nested), "https://a.example") {
		err := call(t.Context())
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: the cause is lost: %v", what, err)
		}
		mustNotShowSecrets(t, what, err)
	}
}

// mustNotShowSecrets prints err, and all it wraps, in every way.
func mustNotShowSecrets(t *testing.T, what string, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		if _, ok := err.(*url.Error); ok {
			t.Errorf("%s: there is a *url.Error inside", what)
		}
		mustNotContainSecrets(t, what, fmt.Sprintf("%v\n%+v\n%#v\n%q", err, err, err, err))
	}
}

func mustNotContainSecrets(t *testing.T, what, text string) {
	t.Helper()
	for _, s := range sentSecrets {
		inBase64 := password2(secret.New(s))
		for _, encoded := range []string{s, url.QueryEscape(s), url.PathEscape(s), inBase64, url.QueryEscape(inBase64)} {
			if strings.Contains(text, encoded) {
				t.Errorf("%s shows %q:\n%s", what, encoded, text)
			}
		}
	}
}

// exchangeLog is an observer that keeps everything.
type exchangeLog struct {
	mu        sync.Mutex
	exchanges []Exchange
}

func (l *exchangeLog) observe(x Exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exchanges = append(l.exchanges, x)
}

func clientObservedBy(t *testing.T, log *exchangeLog) *Transport {
	t.Helper()
	base := NewBase(Options{})
	t.Cleanup(base.CloseIdleConnections)
	return NewTransport(Options{Base: base, Observe: log.observe})
}
