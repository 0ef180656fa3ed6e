package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/text/redact"
)

func TestEachAttemptIsObservedOnce(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := start
	log := &exchangeLog{}
	base := NewBase(Options{})
	t.Cleanup(base.CloseIdleConnections)
	client := NewTransport(Options{
		Base:    base,
		Observe: log.observe,
		Now: func() time.Time {
			clock = clock.Add(time.Second)
			return clock
		},
	})
	handler, _ := script(raw(""), status(503), func(w http.ResponseWriter, _ *http.Request) { zipped(w, `{"Data":[]}`) })
	server := serve(t, handler)

	gateway := &Gateway{HTTP: client, BaseURL: server.URL, pause: noPause}
	if _, err := open(t, gateway).ReadAll(); err != nil {
		t.Fatal(err)
	}
	common := Exchange{
		Method: "GET", Scheme: "http", Host: host(server), Path: "/api/users/ann%40harbor.example/shares",
		Header: []Pair{{Name: "Accept", Value: "application/json"}},
	}
	dropped, busy, done := common, common, common
	dropped.Start, dropped.Try, dropped.Duration, dropped.Err = start.Add(1*time.Second), 1, time.Second, io.EOF
	busy.Start, busy.Try, busy.Status, busy.Protocol = start.Add(3*time.Second), 2, 503, "HTTP/1.1"
	busy.FirstByte, busy.Duration = time.Second, 2*time.Second
	done.Start, done.Try, done.Status, done.Protocol = start.Add(6*time.Second), 3, 200, "HTTP/1.1"
	done.FirstByte, done.Duration = time.Second, 2*time.Second
	done.Body, done.Bytes = Excerpt{Text: `{"Data":[]}`, JSON: true}, int64(len(`{"Data":[]}`))
	varying := cmpopts.IgnoreFields(Exchange{}, "AnswerHeader")
	if diff := cmp.Diff([]Exchange{dropped, busy, done}, log.exchanges, cmpopts.EquateErrors(), varying); diff != "" {
		t.Fatalf("the exchanges differ (-want +got):\n%s", diff)
	}
}

// Bodies of lists have a gigabyte; of those that are too long to be shown nothing is kept meanwhile.
func TestOfALongBodyNothingIsKept(t *testing.T) {
	log := &exchangeLog{}
	const size = 4 * redact.MaxHead
	server := serve(t, answer(200, "application/json", `["`+strings.Repeat("a", size)+`"]`))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := clientObservedBy(t, log).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	observed, ok := resp.Body.(*watch)
	if !ok {
		t.Fatalf("the body is a %T", resp.Body)
	}
	for read, piece := 0, make([]byte, 1<<10); read < size; {
		n, err := observed.Read(piece)
		if err != nil {
			t.Fatal(err)
		}
		if read += n; len(observed.head) > redact.MaxHead {
			t.Fatalf("after %d bytes %d are kept", read, len(observed.head))
		}
	}
	if len(observed.head) != 0 {
		t.Errorf("in the end %d bytes are kept", len(observed.head))
	}
	_ = observed.Close()
	if len(log.exchanges) != 1 || log.exchanges[0].Body.Text != "" || log.exchanges[0].Body.Omitted == "" {
		t.Errorf("observed are %+v", log.exchanges)
	}
}

// readOf observes an answer of which so many bytes are read, and no end.
func readOf(t *testing.T, body string, n int) Exchange {
	t.Helper()
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "17")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		answer(200, "text/plain", body)(w, nil)
	})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := clientObservedBy(t, log).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if len(log.exchanges) != 1 {
		t.Fatalf("observed are %+v", log.exchanges)
	}
	return log.exchanges[0]
}

func TestABodyIsKeptOnceItIsWhole(t *testing.T) {
	longest := `{"Data":[]` + strings.Repeat(" ", redact.MaxHead-11) + "}"
	for name, tt := range map[string]struct {
		body string
		read int
		want string
	}{
		"all of it":                    {"three small words", 17, "three small words"},
		"a part of it":                 {"three small words", 5, ""},
		"nothing of it":                {"three small words", 0, ""},
		"all that is kept":             {longest, len(longest), `{"Data":[]}`},
		"a byte more than all that is": {longest + " ", len(longest) + 1, ""},
	} {
		x := readOf(t, tt.body, tt.read)
		if x.Body.Text != tt.want || x.Bytes != int64(tt.read) {
			t.Errorf("%s: of %d bytes %.40q… is kept: %s", name, x.Bytes, x.Body.Text, x.Body.Omitted)
		}
		if !slices.ContainsFunc(x.AnswerHeader, func(p Pair) bool { return p.Name == "X-Request-Id" && p.Value == "17" }) {
			t.Errorf("%s: the headers are %v", name, x.AnswerHeader)
		}
	}
}

func TestTheObservedCredentialIsASchemeAlone(t *testing.T) {
	for authorization, want := range map[string]string{
		"":                 "",
		"Bearer x":         "Bearer",
		"ApiKey x":         "ApiKey",
		"Basic x":          "Basic",
		"bare-secret":      "",
		"Custom scheme-is": "",
	} {
		if got := redact.Scheme(authorization); got != want {
			t.Errorf("%q: got %q, want %q", authorization, got, want)
		}
	}
}

func TestEveryCallIsObservedWithoutItsSecrets(t *testing.T) {
	log := &exchangeLog{}
	client := clientObservedBy(t, log)
	server := serve(t, status(404))
	hidden := func(name string) Pair { return Pair{Name: name, Value: "•••", Secret: true} }
	shown := func(name, value string) Pair { return Pair{Name: name, Value: value} }
	form, json := shown("Content-Type", "application/x-www-form-urlencoded"), shown("Accept", "application/json")
	want := map[string]Exchange{
		"password grant": {
			Method: "POST", Path: "/connect/token", Credential: "Basic",
			Form:   []Pair{shown("grant_type", "password"), hidden("password"), shown("username", "ann@harbor.example")},
			Header: []Pair{{Name: "Authorization", Value: "Basic •••", Secret: true}, form},
		},
		"refresh grant": {
			Method: "POST", Path: "/connect/token",
			Form:   []Pair{shown("client_id", "id"), hidden("client_secret"), shown("grant_type", "refresh_token"), hidden("refresh_token")},
			Header: []Pair{form},
		},
		"shares": {
			Method: "GET", Path: "/api/users/ann%40harbor.example/shares", Credential: "Bearer",
			Header: []Pair{json, {Name: "Authorization", Value: "Bearer •••", Secret: true}},
		},
		"companies": {
			Method: "GET", Path: "/api/resellers/reseller-1/companies", Credential: "ApiKey",
			Header: []Pair{json, {Name: "Authorization", Value: "ApiKey •••", Secret: true}},
		},
		"lookup": {Method: "GET", Path: "/getuserdomain.aspx", Query: []Pair{shown("useremail", "ann@harbor.example")}},
		"device login": {
			Method: "GET", Path: "/login2.aspx", Header: []Pair{json},
			Query: []Pair{
				hidden("Ad"), shown("devicename", "laptop"), shown("devicetype", "Mac"),
				hidden("password"), hidden("password2"), shown("useremail", "ann@harbor.example"),
			},
		},
	}
	for name, call := range everyCallWith(client, server.URL) {
		log.exchanges = nil
		if err := call(t.Context()); statusOf(err) != 404 {
			t.Fatalf("%s: %v", name, err)
		}
		x := want[name]
		x.Scheme, x.Host, x.Status, x.Protocol, x.Try = "http", host(server), 404, "HTTP/1.1", 1
		ignored := cmpopts.IgnoreFields(Exchange{}, "Start", "FirstByte", "Duration", "AnswerHeader")
		if diff := cmp.Diff([]Exchange{x}, log.exchanges, ignored); diff != "" {
			t.Errorf("%s: the exchange differs (-want +got):\n%s", name, diff)
		}
	}
}

func TestAnObserverLearnsWhyABodyEnded(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		end     func(context.CancelFunc, *Body)
		want    error
	}{
		{"closed early", func(w http.ResponseWriter, r *http.Request) { flushed(w, "12"); hang(w, r) },
			func(_ context.CancelFunc, b *Body) { _ = b.Close() }, nil},
		{"cancelled", func(w http.ResponseWriter, r *http.Request) { flushed(w, "12"); hang(w, r) },
			func(cancel context.CancelFunc, b *Body) { cancel(); _, _ = b.ReadAll() }, context.Canceled},
		{"cut off", raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12"),
			func(_ context.CancelFunc, b *Body) { _, _ = b.ReadAll() }, io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			log := &exchangeLog{}
			gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: serve(t, tt.handler).URL}
			ctx, cancel := cancellable(t)
			body, err := gateway.Shares(ctx, "a")
			if err != nil {
				t.Fatal(err)
			}
			tt.end(cancel, body)
			if len(log.exchanges) != 1 || !errors.Is(log.exchanges[0].Err, tt.want) || log.exchanges[0].Bytes != 2 {
				t.Fatalf("got %+v, want %v after 2 bytes", log.exchanges, tt.want)
			}
			if shown := log.exchanges[0].Body; shown.Text != "" || shown.Omitted == "" {
				t.Errorf("a part of it is shown as all of it: %+v", shown)
			}
		})
	}
}
