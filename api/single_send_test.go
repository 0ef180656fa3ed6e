package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// http2Server speaks HTTP/2 over TLS, frame by frame. It answers look-ups, and does to
// every other request what a test says.
type http2Server struct {
	URL   string
	serve func(*http2Stream)

	ended chan error // how reading each connection has ended

	mu                    sync.Mutex
	connections, requests int // but for look-ups
}

// http2Stream is a stream of a connection of a server.
type http2Stream struct {
	*http2.Framer
	conn *tls.Conn
	id   uint32
}

func (s *http2Stream) cut() { _ = s.conn.NetConn().Close() }

// head writes the headers of an answer, body its body.
func (s *http2Stream) head(ended bool) {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	_ = encoder.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	_ = encoder.WriteField(hpack.HeaderField{Name: "content-type", Value: "application/json"})
	_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: s.id, BlockFragment: block.Bytes(), EndHeaders: true, EndStream: ended})
}

func (s *http2Stream) body(text string) {
	s.head(false)
	_ = s.WriteData(s.id, true, []byte(text))
}

func startHTTP2(t *testing.T, a *testkit.Authority) *http2Server {
	t.Helper()
	config := tlsOf(a)
	config.NextProtos = []string{"h2"}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	s := &http2Server{URL: "https://" + listener.Addr().String(), ended: make(chan error, 10)}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			running.Go(func() { s.ended <- s.run(conn.(*tls.Conn)) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		running.Wait()
	})
	return s
}

func (s *http2Server) run(conn *tls.Conn) error {
	stream := &http2Stream{Framer: http2.NewFramer(conn, conn), conn: conn}
	stream.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return err
	}
	s.mu.Lock()
	s.connections++
	s.mu.Unlock()
	_ = stream.WriteSettings()
	for {
		frame, err := stream.ReadFrame()
		if err != nil {
			return err
		}
		if headers, ok := frame.(*http2.MetaHeadersFrame); ok {
			stream.id = headers.StreamID
			s.request(stream, headers)
		}
	}
}

func (s *http2Server) request(stream *http2Stream, headers *http2.MetaHeadersFrame) {
	if headers.PseudoValue("path") == "/getuserdomain.aspx?useremail=ann%40harbor.example" {
		stream.body("ann@harbor.example,harbor.example")
		return
	}
	s.mu.Lock()
	s.requests++
	s.mu.Unlock()
	s.serve(stream)
}

// seen is how often a client has connected, and what it has sent but look-ups.
func (s *http2Server) seen() (connections, requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections, s.requests
}

// net/http repeats a request by itself where HTTP/2 says that it was not processed, which
// is what a broken server says as well.
func TestNothingThatMustNotBeSentTwiceIsRepeatedOverHTTP2(t *testing.T) {
	authority := testkit.NewAuthority(t)
	reset := func(code http2.ErrCode) func(*http2Stream) {
		return func(s *http2Stream) { _ = s.WriteRSTStream(s.id, code) }
	}
	goAway := func(last func(*http2Stream) uint32, code http2.ErrCode) func(*http2Stream) {
		return func(s *http2Stream) { _ = s.WriteGoAway(last(s), code, nil) }
	}
	before := func(s *http2Stream) uint32 { return max(s.id, 2) - 2 }
	this := func(s *http2Stream) uint32 { return s.id }
	for name, serve := range map[string]func(*http2Stream){
		"the stream is refused":          reset(http2.ErrCodeRefusedStream),
		"the stream breaks the protocol": reset(http2.ErrCodeProtocol),
		"the connection goes before it":  goAway(before, http2.ErrCodeNo),
		"the connection goes after it":   func(s *http2Stream) { goAway(this, http2.ErrCodeNo)(s); s.cut() },
		"the connection is cut":          (*http2Stream).cut,
		"it is cut within the body":      func(s *http2Stream) { s.head(false); _ = s.WriteData(s.id, false, []byte("{")); s.cut() },
	} {
		t.Run(name, func(t *testing.T) {
			server := startHTTP2(t, authority)
			server.serve = serve
			client := NewTransport(trusting(t, authority))
			if _, err := (&Global{HTTP: client, URL: server.URL}).UserDomain(t.Context(), "ann@harbor.example"); err != nil {
				t.Fatal(err) // its connection is kept
			}
			calls := everyCallWith(client, server.URL)
			for _, name := range onceCalls {
				connections, requests := server.seen()
				if err := calls[name](t.Context()); err == nil {
					t.Errorf("%s: no error", name)
				}
				connected, sent := server.seen()
				if sent != requests+1 || connected != connections+1 {
					t.Errorf("%s: sent %d times over %d new connections, want once over one", name, sent-requests, connected-connections)
				}
			}
		})
	}
}

func TestAConnectionOfItsOwnEndsWithTheAnswer(t *testing.T) {
	authority := testkit.NewAuthority(t)
	server := startHTTP2(t, authority)
	server.serve = func(s *http2Stream) { s.body("{}") }
	global := &Global{HTTP: NewTransport(trusting(t, authority)), URL: server.URL}
	if _, err := global.DeviceLogin(t.Context(), loginOf("ann@harbor.example")); err != nil {
		t.Fatal(err)
	}
	if err := <-server.ended; err != io.EOF {
		t.Errorf("it ended with %v, want its end by the client", err)
	}
}

func TestAConnectionOfItsOwnEndsWithARedirect(t *testing.T) {
	ended := make(chan struct{}, len(onceCalls))
	server := httptest.NewUnstartedServer(status(http.StatusTemporaryRedirect, "Location", "/elsewhere"))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			ended <- struct{}{}
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	calls := everyCallWith(newTestClient(t), server.URL)
	for _, name := range onceCalls {
		err := calls[name](t.Context())
		refused, ok := errors.AsType[*RedirectError](err)
		if !ok || refused.Kind != RedirectWithin || refused.Path != "/elsewhere" {
			t.Errorf("%s: %v", name, err)
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatalf("%s: its connection is still there", name)
		}
	}
}

// The proxy of a connection of its own is that of the request, port and all.
func TestADeviceLoginIsSentThroughTheProxyOfItsHost(t *testing.T) {
	authority := testkit.NewAuthority(t)
	server := httptest.NewUnstartedServer(answer(200, "application/json", "{}"))
	server.TLS, server.EnableHTTP2 = tlsOf(authority), true
	server.StartTLS()
	t.Cleanup(server.Close)
	tunnel := &proxy{to: host(server), status: http.StatusOK}
	near := httptest.NewServer(tunnel)
	t.Cleanup(near.Close)
	proxyEnvironment(t, near.URL, "global.example:8443")

	options := trusting(t, authority)
	base := options.Base.(*http.Transport)
	base.TLSClientConfig.ServerName = "localhost" // of the certificate
	base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "global.example:8443" {
			address = host(server)
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	client := NewTransport(options)
	for _, url := range []string{"https://global.example:8443", "https://GLOBAL.example", "https://bücher.example:444"} {
		if _, err := (&Global{HTTP: client, URL: url}).DeviceLogin(t.Context(), loginOf("ann@harbor.example")); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	var asked []string
	for _, r := range tunnel.requests {
		asked = append(asked, r.Host)
	}
	if want := []string{"global.example:443", "xn--bcher-kva.example:444"}; !slices.Equal(asked, want) {
		t.Errorf("the proxy was asked for %q, want %q", asked, want)
	}
}

func TestNothingLeavesLate(t *testing.T) {
	for name, whole := range map[string]time.Duration{"late": 0, "in time": time.Minute} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			t.Run(name+", "+method, func(t *testing.T) {
				handler, arrived := counted(answer(http.StatusOK, "application/json", "{}"))
				sender := &singleSend{}
				// It is late when the connection is there, as if the process was paused meanwhile.
				sender.base = NewBase(Options{Dial: func(_ context.Context, network, address string) (net.Conn, error) {
					sender.deadline = time.Now().Add(whole)
					return net.Dial(network, address)
				}})
				var body io.Reader
				if method == http.MethodPost {
					body = strings.NewReader("canary")
				}
				r, err := http.NewRequestWithContext(t.Context(), method, serve(t, handler).URL, body)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := sender.RoundTrip(r)
				if err == nil {
					_ = answer.Body.Close()
				}
				inTime := whole > 0
				if inTime != (err == nil) || !inTime && !errors.Is(err, errLate) {
					t.Errorf("the error is %v", err)
				}
				if sent := arrived.Load() > 0; sent != inTime || sender.leaving.Load() && !sent && body != nil {
					t.Errorf("sent is %v", sent)
				}
			})
		}
	}
}

// It is late when the connection is there.
func TestNothingIsSentAfterItsTime(t *testing.T) {
	for _, late := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			base := NewBase(Options{Dial: func(context.Context, string, string) (net.Conn, error) {
				near, far := net.Pipe()
				go func() {
					defer far.Close()
					if _, err := far.Read(make([]byte, 1<<10)); err == nil {
						_, _ = io.WriteString(far, head+"Content-Length: 2\r\n\r\n{}")
					}
				}()
				<-time.After(10 * time.Second)
				return near, nil
			}})
			deadline := time.Now().Add(10 * time.Second)
			if !late {
				deadline = deadline.Add(1)
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, left, err := sendOnce(NewTransport(Options{Base: base}), r, deadline)
			if left == late || (err != nil) != late || late && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("late %v: left %v, %v", late, left, err)
			}
			if err == nil {
				_ = resp.Body.Close()
			}
		})
	}
}

// overdueAfter is a body after whose first reading its request is late, as if the process was paused
// with the request on its way.
type overdueAfter struct {
	io.Reader
	sender *singleSend
	ended  chan struct{} // closed when its end was read
}

func (b overdueAfter) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.sender.deadline = time.Now()
	if err == io.EOF {
		close(b.ended)
	}
	return n, err
}

func TestWhatHasLeftInTimeIsAnsweredHoweverLate(t *testing.T) {
	const sent = "refresh_token=canary"
	ended := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		select {
		case <-ended:
			_, _ = w.Write(text)
		case <-r.Context().Done():
		}
	})
	sender := &singleSend{base: NewBase(Options{})}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, overdueAfter{strings.NewReader(sent), sender, ended})
	if err != nil {
		t.Fatal(err)
	}
	r.ContentLength = int64(len(sent))
	answer, err := sender.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != sent {
		t.Errorf("the answer is %q, %v", text, err)
	}
}

func TestWhetherTheServiceMayHaveActedOnWhatIsSentOnce(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{&RequestError{Field: "devicename"}, false},
		{&RedirectError{}, false},
		{&TransportError{Unsent: true}, false},
		{&TransportError{Err: context.DeadlineExceeded}, true},
		{&StatusError{Status: http.StatusUnauthorized}, false},
		{&StatusError{Status: http.StatusTooManyRequests}, false},
		{&StatusError{Status: http.StatusInternalServerError}, true},
		{&StatusError{Status: http.StatusServiceUnavailable}, true}, // of a gateway that has lost the service meanwhile
		{&StatusError{Status: http.StatusBadGateway}, true},
		{&TokenError{Status: http.StatusServiceUnavailable, Code: "temporarily_unavailable"}, false},
		{&TokenError{Status: http.StatusBadRequest, Code: "invalid_client"}, false},
		{&TokenError{Status: http.StatusGatewayTimeout, Code: "temporarily_unavailable"}, true},
		{&BodyError{ContentType: "text/html"}, true},
		{&LimitError{}, true},
		{errors.New("anything else"), true},
	} {
		if got := MayHaveActed(fmt.Errorf("wrapped: %w", tt.err)); got != tt.want {
			t.Errorf("%T %v: %v", tt.err, tt.err, got)
		}
	}
}

func TestADeviceLoginKnowsWhetherItWasSent(t *testing.T) {
	drop := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for url, unsent := range map[string]bool{serve(t, drop).URL: false, gone.URL: true} {
		login := DeviceLoginRequest{Email: "ann@harbor.example", Password: secret.New("canary-password"), DeviceName: "phone"}
		_, err := (&Global{HTTP: NewTransport(Options{}), URL: url}).DeviceLogin(t.Context(), login)
		if MayHaveActed(err) == unsent {
			t.Errorf("%v: unsent is %v", err, !unsent)
		}
	}
}

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
			base := NewBase(Options{Dial: tt.dial})
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
