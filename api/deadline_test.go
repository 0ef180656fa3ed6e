package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// answering is a client of a service that exists in the memory of the test alone,
// so that its clock stands still while nobody waits. The service reads a request
// and answers by itself.
func answering(t *testing.T, serve func(net.Conn)) *Transport {
	var services sync.WaitGroup
	t.Cleanup(services.Wait)
	base := NewBase(Options{})
	base.DialContext = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		services.Go(func() {
			defer far.Close()
			_, _ = far.Read(make([]byte, 64<<10))
			serve(far)
		})
		return near, nil
	}
	t.Cleanup(base.CloseIdleConnections)
	return NewTransport(Options{Base: base})
}

// silent says nothing until it is left.
func silent(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// dripping sends a beginning, and then a blank each second until it is left.
func dripping(beginning string) func(net.Conn) {
	return func(conn net.Conn) {
		for _, err := io.WriteString(conn, beginning); err == nil; _, err = io.WriteString(conn, " ") {
			<-time.After(time.Second)
		}
	}
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

func TestNoRequestOutlastsItsDeadline(t *testing.T) {
	for name, service := range map[string]func(net.Conn){
		"no answer":             silent,
		"an answer by letters":  dripping("HTTP/1.1 200 OK\r\nX-Slow:"),
		"a body that stalls":    func(conn net.Conn) { _, _ = io.WriteString(conn, head+"Content-Length: 99\r\n\r\n["); silent(conn) },
		"a body by letters":     dripping(head + "Content-Length: 99999\r\n\r\n["),
		"a body without an end": dripping(head + "Connection: close\r\n\r\n["),
		"a refusal by letters":  dripping("HTTP/1.1 500 Oh\r\nContent-Length: 99999\r\n\r\n"),
		"a refusal that drips on": func(conn net.Conn) {
			beginning := "HTTP/1.1 403 No\r\nContent-Length: 99999\r\n\r\n"
			for _, err := io.WriteString(conn, beginning); err == nil; _, err = io.WriteString(conn, strings.Repeat(" ", minProgress)) {
				<-time.After(stallLimit - time.Second) // just enough not to stall
			}
		},
		"a redirect by letters": dripping("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 9999\r\n\r\n"),
	} {
		for call := range everyCallWith(nil, "") {
			t.Run(name+", "+call, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					err := everyCallWith(answering(t, service), "http://localhost")[call](t.Context())
					if err == nil {
						t.Fatal("no error")
					}
					if took := time.Since(start); took > 62*time.Second {
						t.Errorf("%v after %v", err, took)
					}
					late, ok := errors.AsType[*TransportError](err)
					if isAnswer := statusOf(err) > 0 || isA[*RedirectError](err); !isAnswer && (!ok || late.Cause() != CauseTimeout) {
						t.Errorf("it ended with %v", err)
					}
				})
			})
		}
	}
}

// A session says until when its refresh token may leave. That can make the time of a call shorter.
func TestARenewalHasTheTimeOfACallOrLess(t *testing.T) {
	for name, test := range map[string]struct{ left, want time.Duration }{
		"without a limit of its own": {0, callTimeout},
		"with a late one":            {time.Hour, callTimeout},
		"with an early one":          {10 * time.Second, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				steady := func(conn net.Conn) { // so that nothing else is late
					_, err := io.WriteString(conn, head+"Connection: close\r\n\r\n{")
					for ; err == nil; _, err = io.WriteString(conn, strings.Repeat(" ", minProgress)) {
						<-time.After(time.Second)
					}
				}
				client := &TokenClient{HTTP: answering(t, steady), Authority: "http://localhost"}
				start := time.Now()
				if test.left > 0 {
					client.SendBy = start.Add(test.left)
				}
				_, err := client.Refresh(t.Context(), secret.New("refresh"))
				late, ok := errors.AsType[*TransportError](err)
				if !ok || late.Cause() != CauseTimeout || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("it ended with %v", err)
				}
				if took := time.Since(start); took != test.want {
					t.Errorf("it took %v, want %v", took, test.want)
				}
			})
		})
	}
}

func TestARenewalThatIsLateFromTheBeginningIsNotSent(t *testing.T) {
	handler, requests := counted(answer(200, "application/json", `{"access_token":"a"}`))
	client := newTokenClient(t, serve(t, handler).URL)
	client.SendBy = time.Now()
	_, err := client.Refresh(t.Context(), secret.New("refresh"))
	late, ok := errors.AsType[*TransportError](err)
	if !ok || late.Cause() != CauseTimeout || !late.Unsent || requests.Load() > 0 {
		t.Errorf("after %d requests: %v", requests.Load(), err)
	}
}

// Nobody knows what the rest of it would have said: the token may have been spent.
func TestARefusalThatIsCutByTheEndOfTheTimeIsNone(t *testing.T) {
	refusing := dripping("HTTP/1.1 400 No\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{")
	for _, call := range []string{"password grant", "refresh grant"} {
		for name, limit := range map[string]time.Duration{"the time of a call": time.Hour, "less": time.Second} {
			t.Run(name+", "+call, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					err := everyCallWith(answering(t, refusing), "http://localhost")[call](ctx)
					failed, ok := errors.AsType[*TransportError](err)
					if !ok || failed.Unsent || failed.Cause() != CauseTimeout {
						t.Errorf("the error is %v", err)
					}
				})
			})
		}
	}
}

func TestAHandshakeWithoutAnAnswerIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, far) }() // ends with the connection
		dial := func(context.Context, string, string) (net.Conn, error) { return near, nil }
		global := &Global{HTTP: NewTransport(Options{Dial: dial}), URL: "https://global.example"}
		began := time.Now()
		_, err := global.UserDomain(t.Context(), "ann@harbor.example")
		failed, ok := errors.AsType[*TransportError](err)
		if took := time.Since(began); took != tlsTimeout || !ok || failed.Cause() != CauseTimeout {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestAnAttemptHas30SecondsUntilItsAnswerBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		gateway := &Gateway{HTTP: answering(t, silent), BaseURL: "http://localhost", Tokens: testkit.Token("t")}
		_, err := gateway.Shares(t.Context(), "a")
		failed, ok := errors.AsType[*TransportError](err)
		if !ok || failed.Cause() != CauseTimeout || err.Error() != "get the shares of a: localhost: no answer began within 30s" {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took != answerTimeout {
			t.Errorf("it took %v", took)
		}
	})
}

func TestABodyThatStallsEndsInATimeout(t *testing.T) {
	const says = "less than 1 KiB arrived in 30s"
	for _, start := range []string{"", "[1,"} {
		synctest.Test(t, func(t *testing.T) {
			stalling := func(conn net.Conn) {
				_, _ = io.WriteString(conn, head+"Content-Length: 99\r\n\r\n"+start)
				silent(conn)
			}
			body, err := (&Gateway{HTTP: answering(t, stalling), BaseURL: "http://localhost"}).Shares(t.Context(), "a")
			if err == nil {
				_, err = body.ReadAll()
			}
			stalled, ok := errors.AsType[*TransportError](err)
			if !ok || stalled.Cause() != CauseTimeout || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want %s", err, says)
			}
		})
	}
}

func TestAnAnswerThatBeganWellMayStallAsWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		beginning := head + "Content-Length: 99999\r\n\r\n[" + strings.Repeat(" ", minProgress)
		gateway := &Gateway{HTTP: answering(t, dripping(beginning)), BaseURL: "http://localhost"}
		err := drained(gateway.Shares(t.Context(), "a"))
		stalled, ok := errors.AsType[*TransportError](err)
		if took := time.Since(start); !ok || stalled.Cause() != CauseTimeout || took > 2*stallLimit {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// Somebody waits for its first rows.
func TestAListIsHandedOutAsItComes(t *testing.T) {
	long := strings.Repeat(" ", 5000) // more than a refusal has
	for _, parts := range [][2]string{{"[1,", "2]"}, {`{"Data":[`, long + "1]}"}} {
		synctest.Test(t, func(t *testing.T) {
			slow := func(conn net.Conn) {
				_, _ = fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", head, len(parts[0]+parts[1]), parts[0])
				<-time.After(time.Second)
				_, _ = io.WriteString(conn, parts[1])
				silent(conn)
			}
			start := time.Now()
			body := open(t, &Gateway{HTTP: answering(t, slow), BaseURL: "http://localhost"})
			if took := time.Since(start); took > 0 {
				t.Errorf("%s…: it was kept back for %v", parts[0], took)
			}
			if text, err := body.ReadAll(); err != nil || string(text) != parts[0]+parts[1] {
				t.Errorf("%s…: %d bytes, %v", parts[0], len(text), err)
			}
		})
	}
}

func TestARefusalInAnEnvelopeMayComeInTwoParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const refusal = `{"Data":null,"Message":"Denied access.","ResponseInfo":{"ResponseCode":0}}`
		inParts := func(conn net.Conn) {
			_, _ = fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", head, len(refusal), refusal[:10])
			<-time.After(time.Second)
			_, _ = io.WriteString(conn, refusal[10:])
			silent(conn)
		}
		gateway := &Gateway{HTTP: answering(t, inParts), BaseURL: "http://localhost"}
		body, err := gateway.Shares(t.Context(), "a")
		refused, ok := errors.AsType[*EnvelopeError](drained(body, err))
		if !ok || refused.Code != "0" || refused.Message != "Denied access." {
			t.Errorf("the error is %+v, %v", refused, err)
		}
	})
}

func TestAnAnswerThatBeganMayTakeLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kib := strings.Repeat(" ", minProgress)
		service := func(conn net.Conn) {
			_, _ = io.WriteString(conn, head+"Connection: close\r\n\r\n[")
			for range 100 {
				<-time.After(stallLimit - time.Second)
				_, _ = io.WriteString(conn, kib)
			}
			_, _ = io.WriteString(conn, "]")
		}
		gateway := &Gateway{HTTP: answering(t, service), BaseURL: "http://localhost"}
		if text, err := open(t, gateway).ReadAll(); err != nil || len(text) != 100*minProgress+2 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
}

// A proxy that refuses may say why, in a body of which only the beginning comes: it is waited for a moment,
// and not at all when nobody asks any more.
func TestTheWordsOfAProxyAreNotWaitedForWhenNobodyAsksAnyMore(t *testing.T) {
	proxyEnvironment(t, "http://proxy.example:3128", "")
	for name, want := range map[string]time.Duration{"asked": probeBodyTime, "cancelled": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := net.Pipe()
				dial := func(context.Context, string, string) (net.Conn, error) { return near, nil }
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				left := make(chan time.Duration, 1)
				go func() {
					_, _ = far.Read(make([]byte, 64<<10))
					_, _ = io.WriteString(far, "HTTP/1.1 403 No\r\nContent-Length: 99\r\n\r\n{")
					start := time.Now()
					if name == "cancelled" {
						synctest.Wait() // until the body is waited for
						cancel()
					}
					silent(far)
					left <- time.Since(start)
				}()
				global := &Global{HTTP: NewTransport(Options{Dial: dial}), URL: "https://global.example"}
				if _, err := global.UserDomain(ctx, "ann@harbor.example"); err == nil {
					t.Error("a proxy that refuses is no error")
				}
				if took := <-left; took != want {
					t.Errorf("the connection is closed after %v, want %v", took, want)
				}
			})
		})
	}
}

func TestAListThatDripsOnEndsWithinAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		drips := func(conn net.Conn) {
			_, err := io.WriteString(conn, head+"Connection: close\r\n\r\n[")
			for n := 0; err == nil && n < 200; n++ {
				<-time.After(stallLimit - time.Second)
				_, err = io.WriteString(conn, strings.Repeat(" ", minProgress))
			}
		}
		_, err := open(t, &Gateway{HTTP: answering(t, drips), BaseURL: "http://localhost"}).ReadAll()
		late, ok := errors.AsType[*TransportError](err)
		if took := time.Since(start); !ok || late.Cause() != CauseTimeout || took != gatewayTimeout {
			t.Errorf("after %v: %v", took, err)
		}
	})
}
