package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

// script answers each request with the next handler, and then with the last.
func script(handlers ...http.HandlerFunc) (http.HandlerFunc, *atomic.Int32) {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		handlers[min(i, len(handlers)-1)](w, r)
	}, &n
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

func TestPlainGETsAreRepeatedWhenTheServiceIsBusy(t *testing.T) {
	ok := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/getuserdomain.aspx" {
			answer(200, "text/html", "ann@harbor.example,harbor.example")(w, r)
			return
		}
		answer(200, "application/json", "[]")(w, r)
	}
	for _, tt := range []struct {
		name     string
		handlers []http.HandlerFunc
		requests int32
		status   int // 0: there is an answer
	}{
		{"never busy", []http.HandlerFunc{ok}, 1, 0},
		{"429 once", []http.HandlerFunc{status(429), ok}, 2, 0},
		{"502, 503, 504", []http.HandlerFunc{status(502), status(503), status(504), ok}, 4, 0},
		{"always busy", []http.HandlerFunc{status(503)}, 4, 503},
		{"dropped", []http.HandlerFunc{raw(""), ok}, 2, 0},
		{"dropped within the header", []http.HandlerFunc{raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"), ok}, 2, 0},
		{"busy, and slow to say why", []http.HandlerFunc{busyForEver, ok}, 2, 0},
		{"an error that stays", []http.HandlerFunc{status(500), ok}, 1, 500},
		{"not implemented", []http.HandlerFunc{status(501), ok}, 1, 501},
		{"refused", []http.HandlerFunc{status(401), ok}, 1, 401},
		{"asked to wait a second", []http.HandlerFunc{status(429, "Retry-After", "1"), ok}, 2, 0},
		{"asked to wait too long", []http.HandlerFunc{status(503, "Retry-After", "31"), ok}, 1, 503},
	} {
		t.Run(tt.name, func(t *testing.T) {
			handler, requests := script(tt.handlers...)
			server := serve(t, handler)
			gateway, global := newGateway(t, server.URL), newGlobal(t, server.URL)
			for name, call := range map[string]func() error{
				"shares": func() error {
					body, err := gateway.Shares(t.Context(), "a")
					if err == nil {
						_, err = body.ReadAll()
					}
					return err
				},
				"lookup": func() error {
					_, err := global.UserDomain(t.Context(), "ann@harbor.example")
					return err
				},
			} {
				requests.Store(0)
				if err := call(); statusOf(err) != tt.status || (err == nil) != (tt.status == 0) {
					t.Fatalf("%s: got %v, want %d", name, err, tt.status)
				}
				if n := requests.Load(); n != tt.requests {
					t.Fatalf("%s: %d requests, want %d", name, n, tt.requests)
				}
			}
		})
	}
}

// busyForEver begins to say that it is busy.
func busyForEver(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(503)
	flushed(w, `{"Message":`)
	hang(w, r)
}

func loginOf(email string) DeviceLoginRequest {
	return DeviceLoginRequest{DeviceName: "laptop", Email: email, Password: secret.New("pässword")}
}

// It is not read: a gateway may take forever to say why it refuses a token.
func TestARefusalIsClosedUnreadBeforeTheReplay(t *testing.T) {
	handler, requests := script(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		flushed(w, "who")
		hang(w, r)
	}, answer(200, "application/json", "[]"))
	gateway := newGateway(t, serve(t, handler).URL)
	gateway.Tokens = &twoTokens{}
	if _, err := open(t, gateway).ReadAll(); err != nil || requests.Load() != 2 {
		t.Errorf("%v after %d requests", err, requests.Load())
	}
}

// What is asked in the background is not worth a renewal: with each row that is seen it would be one more.
func TestARequestThatIsMadeOnceIsNotReplayedWithAnotherToken(t *testing.T) {
	for once, want := range map[bool]map[int]int32{
		true:  {http.StatusUnauthorized: 1, http.StatusServiceUnavailable: 1},
		false: {http.StatusUnauthorized: 2, http.StatusServiceUnavailable: 1 + maxRetries},
	} {
		for code, want := range want {
			handler, requests := counted(status(code))
			gateway := newGateway(t, serve(t, handler).URL)
			gateway.Tokens, gateway.Once = &twoTokens{}, once
			_, err := gateway.Shares(t.Context(), "a")
			if statusOf(err) != code || requests.Load() != want {
				t.Errorf("once %v, %d: %v after %d requests, want %d", once, code, err, requests.Load(), want)
			}
		}
	}
}

func TestATokenIsReplacedForA401Alone(t *testing.T) {
	for code, want := range map[int]int32{200: 1, 204: 1, 400: 1, 401: 2, 403: 1, 500: 1} {
		handler, requests := script(status(code), status(code))
		gateway := newGateway(t, serve(t, handler).URL)
		gateway.Tokens = &twoTokens{}
		_ = drained(gateway.Shares(t.Context(), "a"))
		if got := requests.Load(); got != want {
			t.Errorf("%d: %d requests, want %d", code, got, want)
		}
	}
}

// endedTokens end the call that asks for one, as somebody does who hangs up during a renewal.
type endedTokens struct {
	twoTokens
	cancel context.CancelFunc
	none   bool  // not even the first
	seen   error // of the context, once it has ended
}

func (s *endedTokens) Token(ctx context.Context) (secret.Text, error) {
	if s.none {
		s.cancel()
		s.seen = ctx.Err()
	}
	return secret.New("first"), ctx.Err()
}

func (s *endedTokens) Replacement(ctx context.Context, _ secret.Text) (secret.Text, error) {
	s.cancel()
	s.seen = ctx.Err()
	return secret.New("second"), ctx.Err()
}

func TestACallThatEndsWhileItWaitsForATokenIsCancelled(t *testing.T) {
	for none, want := range map[bool]int32{true: 0, false: 1} {
		ctx, cancel := cancellable(t)
		handler, requests := counted(status(http.StatusUnauthorized))
		gateway := newGateway(t, serve(t, handler).URL)
		tokens := &endedTokens{cancel: cancel, none: none}
		gateway.Tokens = tokens
		_, err := gateway.Shares(ctx, "a")
		if tokens.seen == nil {
			t.Error("the session is not told that the call has ended")
		}
		failed, ok := errors.AsType[*TransportError](err)
		if !ok || failed.Cause() != CauseCancelled || isNoToken(err) || requests.Load() != want {
			t.Errorf("after %d requests: %v", requests.Load(), err)
		}
	}
}

// A replacement that fails is why there is no answer: the first one is of a token that has gone.
func TestAReplacementThatFailsEndsTheCall(t *testing.T) {
	handler, requests := counted(status(http.StatusUnauthorized))
	session := &brokenSession{err: errors.New("the session has ended")}
	gateway := newGateway(t, serve(t, handler).URL)
	gateway.Tokens = &firstToken{session}
	_, err := gateway.Shares(t.Context(), "a")
	if !errors.Is(err, session.err) || !isNoToken(err) || requests.Load() != 1 {
		t.Errorf("after %d requests: %v", requests.Load(), err)
	}
}

// firstToken has a token and no other.
type firstToken struct{ *brokenSession }

func (firstToken) Token(context.Context) (secret.Text, error) { return secret.New("first"), nil }

func (f firstToken) Replacement(_ context.Context, refused secret.Text) (secret.Text, error) {
	return refused, f.err
}

func TestAReplayThatIsDroppedIsRepeated(t *testing.T) {
	// Each on a connection of its own, as net/http repeats by itself what goes with a kept one.
	refused := status(http.StatusUnauthorized, "Connection", "close")
	handler, requests := script(refused, raw(""), refused, answer(200, "application/json", "[]"))
	gateway := newGateway(t, serve(t, handler).URL)
	gateway.Tokens = &twoTokens{}
	if text, err := open(t, gateway).ReadAll(); err != nil || string(text) != "[]" || requests.Load() != 4 {
		t.Errorf("after %d requests: %q, %v", requests.Load(), text, err)
	}
}

func TestAnAnswerWithALocationIsAnAnswer(t *testing.T) {
	handler, requests := counted(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/again")
		answer(200, "application/json", "[]")(w, r)
	})
	if text, err := open(t, newGateway(t, serve(t, handler).URL)).ReadAll(); err != nil || string(text) != "[]" {
		t.Errorf("after %d requests: %q, %v", requests.Load(), text, err)
	}
}

func TestACallThatHasEndedWaitsForNoOtherAttempt(t *testing.T) {
	ctx, cancel := cancellable(t)
	dropping := roundTripFunc(func(*http.Request) (*http.Response, error) {
		cancel()
		return nil, io.EOF
	})
	gateway := &Gateway{HTTP: over(dropping), BaseURL: "https://a.example", pause: func(int, *http.Response) time.Duration {
		t.Error("it waits")
		return 0
	}}
	if _, err := gateway.Shares(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// An attempt begins where the call began, wherever the one before was sent to.
func TestAnotherAttemptFollowsItsOwnRedirects(t *testing.T) {
	log := &exchangeLog{}
	var paths, want []string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		if r.URL.Path == "/busy" {
			status(http.StatusServiceUnavailable)(w, r)
			return
		}
		http.Redirect(w, r, "/busy", http.StatusFound)
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause}
	if _, err := gateway.Shares(t.Context(), "a"); statusOf(err) != http.StatusServiceUnavailable {
		t.Errorf("got %v", err)
	}
	for range 1 + maxRetries {
		want = append(want, "/api/users/a/shares", "/busy")
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("the requests differ (-want +got):\n%s", diff)
	}
	for i, x := range log.exchanges {
		if x.Try != 1+i/2 {
			t.Errorf("request %d belongs to attempt %d", i, x.Try)
		}
	}
}

func TestAttemptsAreHalfASecondApartAndMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		}
		start := time.Now()
		_, err := (&Gateway{HTTP: answering(t, busy), BaseURL: "http://localhost"}).Shares(t.Context(), "a")
		if took := time.Since(start); statusOf(err) != http.StatusServiceUnavailable || took != 3500*time.Millisecond {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestATimeToWaitUntilIsByOurClockIfTheServiceNamesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now().Add(9 * time.Second).UTC().Format(http.TimeFormat)
		<-time.After(500 * time.Millisecond)
		resp := &http.Response{Header: http.Header{"Retry-After": {at}}}
		if got, ok := retryAfter(resp); !ok || got != 9*time.Second {
			t.Errorf("%v, %v", got, ok)
		}
	})
}

func TestASessionIsToldOfAReplacementThatIsRefusedAndOfNoOther(t *testing.T) {
	for code, want := range map[int]string{http.StatusUnauthorized: "second", http.StatusForbidden: "", http.StatusOK: ""} {
		handler, _ := script(status(http.StatusUnauthorized), status(code))
		tokens := &twoTokens{}
		gateway := newGateway(t, serve(t, handler).URL)
		gateway.Tokens = tokens
		_, _ = gateway.Shares(t.Context(), "a")
		if got := tokens.refused.Reveal(); got != want {
			t.Errorf("where the replay is answered with %d, %q was refused, want %q", code, got, want)
		}
	}
}

// twoTokens are a token and its replacement, and the one that was refused in its place.
type twoTokens struct{ refused secret.Text }

func (s *twoTokens) ReplacementRefused(token secret.Text) { s.refused = token }

func (*twoTokens) IsNew(secret.Text) bool { return false }

func (*twoTokens) Token(context.Context) (secret.Text, error) { return secret.New("first"), nil }

func (*twoTokens) Replacement(context.Context, secret.Text) (secret.Text, error) {
	return secret.New("second"), nil
}

// oneToken cannot be renewed; it may be new.
type oneToken struct{ isNew bool }

func (oneToken) Token(context.Context) (secret.Text, error) { return secret.New("only"), nil }

func (oneToken) Replacement(_ context.Context, refused secret.Text) (secret.Text, error) {
	return refused, nil
}

func (oneToken) ReplacementRefused(secret.Text) {}

func (o oneToken) IsNew(secret.Text) bool { return o.isNew }

// Signing in again gives one more token, which would be refused as well.
func TestARefusedTokenThatWasJustIssuedCallsForACheck(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"Message":"The audience is invalid."}`)
	}
	for name, tt := range map[string]struct {
		tokens TokenSource
		isNew  bool
		help   problem.Help
	}{
		"renewed, and refused again":    {&twoTokens{}, true, problem.HelpCheckAccount},
		"of a sign-in just now":         {oneToken{isNew: true}, true, problem.HelpCheckAccount},
		"old, and it cannot be renewed": {oneToken{}, false, problem.HelpSignIn},
	} {
		gateway := newGateway(t, serve(t, refuse).URL)
		gateway.Tokens = tt.tokens
		_, err := gateway.Shares(t.Context(), "a")
		refused, ok := errors.AsType[*StatusError](err)
		if !ok || refused.NewToken != tt.isNew {
			t.Fatalf("%s: %+v", name, err)
		}
		explained := refused.Explain()
		if explained.Help != tt.help || !strings.Contains(explained.Text, "The audience is invalid") {
			t.Errorf("%s: %+v", name, explained)
		}
	}
}

// A session may have no token because its own request for one was dropped: to
// repeat the GET would be to repeat that.
func TestARequestIsNotRepeatedForADroppedRenewal(t *testing.T) {
	for _, renewal := range []error{
		&TransportError{Op: "renew the session", Host: "auth.example", Err: io.EOF},
		&BodyError{Op: "renew the session", Host: "auth.example", Detail: "an answer that was cut off", Err: io.ErrUnexpectedEOF},
	} {
		handler, requests := counted(status(200))
		session := &brokenSession{err: fmt.Errorf("the session has ended: %w", renewal)}
		gateway := newGateway(t, serve(t, handler).URL)
		gateway.Tokens = session
		_, err := gateway.Shares(t.Context(), "a")
		if session.asked != 1 || requests.Load() != 0 || !errors.Is(err, session.err) {
			t.Errorf("%d tokens were asked for, and %d requests sent, with %v", session.asked, requests.Load(), err)
		}
		if want := "get the shares of a: " + session.err.Error(); err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// brokenSession has no tokens.
type brokenSession struct {
	err   error
	asked int
}

func (s *brokenSession) Token(context.Context) (secret.Text, error) {
	s.asked++
	return secret.Text{}, s.err
}

func (s *brokenSession) Replacement(context.Context, secret.Text) (secret.Text, error) {
	return secret.Text{}, s.err
}

func (s *brokenSession) ReplacementRefused(secret.Text) {}

func (s *brokenSession) IsNew(secret.Text) bool { return false }

func TestAPauseCanBeCancelled(t *testing.T) {
	ctx, cancel := cancellable(t)
	handler, requests := counted(status(503))
	gateway := newGateway(t, serve(t, handler).URL)
	gateway.pause = func(int, *http.Response) time.Duration {
		cancel()
		return time.Hour
	}
	_, err := gateway.Shares(ctx, "a")
	if !errors.Is(err, context.Canceled) || requests.Load() != 1 {
		t.Fatalf("got %v after %d requests", err, requests.Load())
	}
}

func TestAWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	handler, requests := counted(status(429, "Retry-After", "29"))
	global := newGlobal(t, serve(t, handler).URL)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := global.UserDomain(ctx, "ann@harbor.example")
	refused, ok := errors.AsType[*StatusError](err)
	if !ok || refused.RetryAfter != 29*time.Second || requests.Load() != 1 {
		t.Fatalf("got %v after %d requests", err, requests.Load())
	}
}

func TestAWaitOfHalfAMinuteIsBegun(t *testing.T) {
	handler, requests := script(status(429, "Retry-After", "30"), answer(200, "application/json", "[]"))
	_ = open(t, newGateway(t, serve(t, handler).URL))
	if requests.Load() != 2 {
		t.Errorf("%d requests", requests.Load())
	}
}

func TestBackoffDoublesUnlessTheServiceAsksForATime(t *testing.T) {
	date := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(after time.Duration) string { return date.Add(after).Format(http.TimeFormat) }
	for _, tt := range []struct {
		attempt    int
		retryAfter string
		want       time.Duration
	}{
		{0, "", 500 * time.Millisecond},
		{1, "", time.Second},
		{2, "", 2 * time.Second},
		{0, "0", 0},
		{2, "7", 7 * time.Second},
		{0, " 7 ", 7 * time.Second},
		{0, "-7", 0},
		{1, "soon", time.Second},
		{0, at(9 * time.Second), 9 * time.Second},
		{0, at(-9 * time.Second), 0},
		{0, strconv.Itoa(1 << 62), maxWait},
		{0, "93600", 26 * time.Hour},
		{0, at(48 * time.Hour), 48 * time.Hour},
		{0, at(48 * 24 * time.Hour), maxWait},
	} {
		resp := &http.Response{Header: http.Header{"Retry-After": {tt.retryAfter}, "Date": {at(0)}}}
		if got := backoff(tt.attempt, resp); got != tt.want {
			t.Errorf("attempt %d, Retry-After %q: %v, want %v", tt.attempt, tt.retryAfter, got, tt.want)
		}
	}
	if got := backoff(1, nil); got != time.Second {
		t.Errorf("after a dropped connection: %v, want 1s", got)
	}
}

func TestABusyAnswerIsLeftToACallerWhoHoldsBackManyCalls(t *testing.T) {
	found := answer(200, "text/html", "ann@harbor.example,harbor.example")
	for _, tt := range []struct {
		name     string
		handlers []http.HandlerFunc
		requests int32
		status   int // 0: there is an answer
	}{
		{"429", []http.HandlerFunc{status(429, "Retry-After", "7"), found}, 1, 429},
		{"503 and then 429", []http.HandlerFunc{status(503), status(429, "Retry-After", "7"), found}, 2, 429},
		{"503", []http.HandlerFunc{status(503), found}, 2, 0},
		{"dropped", []http.HandlerFunc{raw(""), found}, 2, 0},
	} {
		handler, requests := script(tt.handlers...)
		server := httptest.NewServer(handler)
		global := &Global{HTTP: NewTransport(Options{}), URL: server.URL, ReturnBusy: true, pause: func(int, *http.Response) time.Duration { return 0 }}
		_, err := global.UserDomain(t.Context(), "ann@harbor.example")
		server.Close()
		if statusOf(err) != tt.status || (err == nil) != (tt.status == 0) || requests.Load() != tt.requests {
			t.Errorf("%s: %v after %d requests", tt.name, err, requests.Load())
		}
		if busy, ok := errors.AsType[*StatusError](err); ok && busy.RetryAfter != 7*time.Second {
			t.Errorf("%s: wait %v", tt.name, busy.RetryAfter)
		}
	}
}
