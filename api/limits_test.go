package api

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

func TestFiveRedirectsAreFollowedAndNoMore(t *testing.T) {
	for redirects, followed := range map[int]bool{5: true, 6: false} {
		asked := 0
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked <= redirects {
				http.Redirect(w, r, "/again", http.StatusFound)
				return
			}
			answer(http.StatusOK, "application/json", "[]")(w, r)
		})
		body, err := newGateway(t, server.URL).Shares(t.Context(), "a")
		if followed {
			if err != nil {
				t.Fatalf("%d redirects: %v", redirects, err)
			}
			_ = body.Close()
			continue
		}
		refused, ok := errors.AsType[*RedirectError](err)
		if !ok || refused.Kind != RedirectTooOften || asked != redirects {
			t.Fatalf("%d redirects: %v, after %d requests", redirects, err, asked)
		}
		if refused.From != host(server) || refused.To != host(server) {
			t.Errorf("it is from %q to %q", refused.From, refused.To)
		}
	}
}

func TestAfterFiveRedirectsOneElsewhereIsCalledThat(t *testing.T) {
	asked := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := "/again"
		if asked++; asked > maxRedirects {
			to = "https://other.example/"
		}
		http.Redirect(w, r, to, http.StatusFound)
	})
	_, err := newGateway(t, server.URL).Shares(t.Context(), "a")
	refused, ok := errors.AsType[*RedirectError](err)
	if !ok || refused.Kind != RedirectElsewhere || refused.To != "other.example" {
		t.Errorf("got %v", err)
	}
}

func TestATokenAnswerThatIsTooLongIsRefused(t *testing.T) {
	server := serve(t, answer(http.StatusOK, "application/json", `{"access_token":"a","x":"`+strings.Repeat("y", 1<<20)+`"}`))
	_, err := newTokenClient(t, server.URL).Refresh(t.Context(), secret.New("r"))
	if limit, ok := errors.AsType[*LimitError](err); !ok || limit.Limit != 1<<20 {
		t.Errorf("the error is %v", err)
	}
}

func TestOfARefusalNoMoreIsReadThanAMessageNeeds(t *testing.T) {
	var read atomic.Int64
	long := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		for err := error(nil); err == nil; _, err = w.Write(make([]byte, refusalLimit)) {
		}
	}
	server := serve(t, long)
	base := NewBase(Options{})
	t.Cleanup(base.CloseIdleConnections)
	counting := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		resp, err := base.RoundTrip(r)
		if err == nil {
			resp.Body = &countedBody{resp.Body, &read}
		}
		return resp, err
	})
	for name, call := range everyCallWith(over(counting), server.URL) {
		read.Store(0)
		if err := call(t.Context()); statusOf(err) != http.StatusForbidden {
			t.Errorf("%s: the error is %v", name, err)
		}
		if got := read.Load(); got > refusalLimit+4<<10 { // what a buffer holds
			t.Errorf("%s: %d bytes of a refusal were read", name, got)
		}
	}
}

// countedBody counts the bytes that are read of a body.
type countedBody struct {
	io.ReadCloser
	read *atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.Add(int64(n))
	return n, err
}

func TestHeadersThatAreTooLongAreRefused(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("y", 2*maxHeaderBytes))
		answer(http.StatusOK, "application/json", "[]")(w, r)
	})
	body, err := newGateway(t, server.URL).Shares(t.Context(), "a")
	if err == nil {
		_ = body.Close()
	}
	if _, refused := errors.AsType[*TransportError](err); !refused {
		t.Errorf("the error is %v", err)
	}
}

func TestAListThatIsAnnouncedAsTooLongIsNotReadAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := answering(t, func(conn net.Conn) { _, _ = io.WriteString(conn, head+"Content-Length: 11\r\n\r\n"); silent(conn) })
		start := time.Now()
		_, err := (&Gateway{HTTP: client, BaseURL: "http://localhost", Limit: 10}).Shares(t.Context(), "a")
		if _, ok := errors.AsType[*LimitError](err); !ok || time.Since(start) > 0 {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

func TestAProbeWaitsForABodyBrieflyAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := answering(t, func(conn net.Conn) { _, _ = io.WriteString(conn, head+"Content-Length: 11\r\n\r\n"); silent(conn) })
		start := time.Now()
		p, err := ProbeHost(t.Context(), client, GlobalPlace("http://localhost"))
		if took := time.Since(start); err != nil || p.Status != http.StatusOK || took > probeBodyTime {
			t.Errorf("after %v: %d, %v", took, p.Status, err)
		}
	})
}

// overHTTP2 is a client of a service that exists in the memory of the test alone, and answers each
// request over HTTP/2 beside reading, as it knows how many connections there were.
func overHTTP2(t *testing.T, answer func(stream *http2Stream, connections int)) *Transport {
	authority := testkit.NewAuthority(t)
	config := tlsOf(authority)
	config.NextProtos = []string{"h2"}
	var running sync.WaitGroup
	t.Cleanup(running.Wait)
	service := &http2Server{}
	service.serve = func(stream *http2Stream) {
		connections, _ := service.seen()
		running.Go(func() { answer(stream, connections) })
	}
	options := trusting(t, authority)
	base := options.Base.(*http.Transport)
	base.DialContext = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		running.Go(func() { _ = service.run(tls.Server(far, config)) })
		return near, nil
	}
	t.Cleanup(base.CloseIdleConnections)
	return NewTransport(options)
}

func TestAConnectionOfAHostThatHasGoneHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := overHTTP2(t, func(stream *http2Stream, connections int) {
			if connections > 1 {
				stream.body("[]")
			}
		})
		start := time.Now()
		body, err := (&Gateway{HTTP: client, BaseURL: "https://localhost", pause: noPause}).Shares(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		text, err := body.ReadAll()
		if took := time.Since(start); err != nil || string(text) != "[]" || took >= answerTimeout {
			t.Errorf("after %v: %q, %v", took, text, err)
		}
	})
}

func TestWhatMustNotBeSentTwiceHasItsTimeWithoutAPing(t *testing.T) {
	for _, name := range onceCalls {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := overHTTP2(t, func(*http2Stream, int) {})
				start := time.Now()
				err := everyCallWith(client, "https://localhost")[name](t.Context())
				if took := time.Since(start); err == nil || took < answerTimeout {
					t.Errorf("after %v: %v", took, err)
				}
			})
		})
	}
}
