package api

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gatehouse/internal/secret"
)

// tokenServer counts the refresh tokens that arrive.
func tokenServer(t *testing.T) (url string, count func() int) {
	handler, n := counted(answer(http.StatusOK, "application/json", `{"access_token":"a","token_type":"Bearer"}`))
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ParseForm() == nil && r.PostForm.Has("refresh_token") {
			handler(w, r)
		}
	})
	return server.URL, func() int { return int(n.Load()) }
}

func TestATokenDoesNotLeaveAfterTheDeadline(t *testing.T) {
	url, count := tokenServer(t)
	late := time.Now() // when the connection is there, as if the process was paused meanwhile
	slow := func(_ context.Context, network, address string) (net.Conn, error) {
		late = time.Now()
		return net.Dial(network, address)
	}
	c := &TokenClient{Authority: url}
	for name, test := range map[string]struct {
		deadline func() time.Time
		err      error
	}{
		"late":    {func() time.Time { return late }, context.DeadlineExceeded},
		"in time": {func() time.Time { return late.Add(time.Minute) }, nil},
	} {
		u, err := endpoint("authority", url)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.newRequest(u, map[string][]string{"refresh_token": {"canary"}})
		if err != nil {
			t.Fatal(err)
		}
		before := count()
		sender := &once{base: newBaseWith(slow)}
		answer, err := sender.RoundTrip(r.WithContext(pausedContext{t.Context(), test.deadline}))
		if !errors.Is(err, test.err) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if err == nil {
			_ = answer.Body.Close()
		}
		if sent := sender.begun.Load(); sent != (test.err == nil) || sent != (count() > before) {
			t.Errorf("%s: sent is %v, %d tokens arrived", name, sent, count()-before)
		}
	}
}

// pausedContext has a deadline whose timer never fires, as in a process that was paused and
// has just gone on.
type pausedContext struct {
	context.Context
	deadline func() time.Time
}

func (c pausedContext) Deadline() (time.Time, bool) { return c.deadline(), true }

func TestWhetherATokenWasSentIsKnown(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	refuse := func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no route") }
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		dial   Dialer
		serve  http.HandlerFunc
		unsent bool
	}{
		{name: "the context has ended", ctx: ended, unsent: true},
		{name: "no connection", dial: refuse, unsent: true},
		{name: "the connection breaks in the handshake", dial: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			go func() { _, _ = io.ReadFull(there, make([]byte, 5)); _ = there.Close() }()
			return here, nil
		}, unsent: true},
		{name: "no answer", serve: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewTLSServer(tt.serve)
			defer server.Close()
			base := newBaseWith(tt.dial)
			base.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
			ctx := tt.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			c := &TokenClient{HTTP: NewTransport(Options{Base: base}), Authority: server.URL}
			_, err := c.Refresh(ctx, secret.New("canary-refresh"))
			failed, ok := errors.AsType[*TransportError](err)
			if !ok || failed.Unsent != tt.unsent {
				t.Errorf("%v: unsent is %v", err, ok && failed.Unsent)
			}
		})
	}
}

func newBaseWith(dial Dialer) *http.Transport {
	base := newBase()
	if dial != nil {
		base.DialContext = dial
	}
	return base
}
