package sshd

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metricset "github.com/VictoriaMetrics/metrics"
	"github.com/google/go-cmp/cmp"
	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
)

func TestTheHostKeyIsMadeOnce(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const servers = 8
	fingerprints := make(chan string, servers)
	var starts sync.WaitGroup
	for range servers {
		starts.Go(func() {
			key, err := loadHostKey(t.Context(), "")
			if err != nil {
				t.Error(err)
				return
			}
			fingerprints <- string(key.PublicKey().Marshal())
		})
	}
	starts.Wait()
	close(fingerprints)
	first := <-fingerprints
	for other := range fingerprints {
		if other != first {
			t.Fatal("there are several")
		}
	}
	testkit.SkipOnWindows(t, "has access lists in place of modes")
	if info, err := os.Stat(defaultHostKey()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	path := defaultHostKey() // of this test: a server has a state directory of its own
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	h := serve(t, hello, func(o *Options) { o.HostKey = path })
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the directory of a key that somebody chose: %v, %v", info.Mode(), err)
	}
	if !strings.HasPrefix(h.Fingerprint(), "SHA256:") {
		t.Errorf("the fingerprint is %s", h.Fingerprint())
	}
	h.client()
}

// The name of a key of RSA is that of its signatures with SHA-1 as well.
func TestAHostKeyOfRSADoesNotSignWithSHA1(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	block, err := gossh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "host_key")
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	h := serve(t, hello, func(o *Options) { o.HostKey = path })
	for algorithm, offered := range map[string]bool{
		gossh.KeyAlgoRSASHA512: true, gossh.KeyAlgoRSASHA256: true, gossh.KeyAlgoRSA: false,
	} {
		c, err := h.connect()
		if err != nil {
			t.Fatal(err)
		}
		config := &gossh.ClientConfig{
			HostKeyCallback:   gossh.FixedHostKey(h.key.PublicKey()),
			HostKeyAlgorithms: []string{algorithm},
		}
		conn, _, _, err := gossh.NewClientConn(c, h.Addr().String(), config)
		if err == nil {
			_ = conn.Close()
		}
		if (err == nil) != offered {
			t.Errorf("%s: %v", algorithm, err)
		}
	}
}

func TestAHostKeyThatIsNoneKeepsTheServerFromStarting(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	o := Options{Listen: "127.0.0.1:0", Access: Access{Anyone: true}, Log: slog.New(slog.DiscardHandler)}
	o.HostKey = defaultHostKey()
	if _, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("no file: %v", err)
	}
	o.HostKey = ""
	if err := files.System().Write(defaultHostKey(), []byte("canary")); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), o); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("a broken file: %v", err)
	}
}

func TestMetricsAreServedOnLoopbackAlone(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	o := Options{Listen: "127.0.0.1:0", Access: Access{Anyone: true}, Metrics: "0.0.0.0:0", Log: slog.New(slog.DiscardHandler)}
	if _, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "for this machine only") {
		t.Error(err)
	}
}

func TestDrainingTellsEverybodyAndWaits(t *testing.T) {
	h := serve(t, func(ctx context.Context, c *Connection) int {
		fmt.Fprintln(c.Stdout, "welcome")
		fmt.Fprintln(c.Stdout, <-c.Notices)
		if c.Terminal != nil {
			<-ctx.Done()
		}
		return 0
	}, func(o *Options) { o.Grace, o.Metrics = time.Hour, "127.0.0.1:0" })
	leaves, stays := h.visitor(), h.visitor().pty().shell()
	if err := leaves.Start("wait"); err != nil {
		t.Fatal(err)
	}
	idle := h.client()
	h.log.find(t, "start", "kind=other command")
	h.log.find(t, "start", "kind=ui")
	if code, _ := h.get("/readyz"); code != http.StatusOK {
		t.Errorf("ready: %d", code)
	}
	now, hurry := context.WithCancel(context.Background())
	go h.Drain(now)
	const notice = "The server is shutting down. This connection ends within 1 hour."
	if code := leaves.code(); code != 0 || !strings.Contains(leaves.stdout.String(), notice) {
		t.Errorf("who leaves: %d %q", code, leaves.stdout.String())
	}
	if code, _ := h.get("/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("ready while draining: %d", code)
	}
	if code, _ := h.get("/healthz"); code != http.StatusOK {
		t.Errorf("healthy while draining: %d", code)
	}
	if err := idle.Wait(); err == nil {
		t.Error("a connection without a session stays")
	}
	if _, err := h.dial(); err == nil {
		t.Error("a new connection is accepted")
	}
	hurry()
	if code := stays.code(); code != exitFailed || !strings.Contains(stays.stdout.String(), "the server is shutting down. Connect again soon.") {
		t.Errorf("who stays: %d %q", code, stays.stdout.String())
	}
	h.log.find(t, "drained")
}

func TestMetricsAreInTheFormatOfPrometheus(t *testing.T) {
	h := serve(t, hello, func(o *Options) {
		o.Metrics = "127.0.0.1:0"
		o.OtherMetrics = append(o.OtherMetrics, func(w io.Writer) { metricset.WriteGaugeUint64(w, "gatehouse_of_handlers", 0) })
	}, limits(func(l *Limits) { l.PerAddress = 1 }))
	v := h.visitor()
	if _, err := h.dial(); err == nil {
		t.Error("there was room")
	}
	v.run("hello")
	h.log.find(t, "end", "reason=done")
	_, text := h.get("/metrics")
	sample := regexp.MustCompile(`^[a-z_]+(\{[a-z]+="[a-z ]+"\})? [0-9.e+-]+$`)
	described := regexp.MustCompile(`^# (HELP [a-z_]+|TYPE [a-z_]+ (counter|gauge))$`)
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		if strings.Contains(lines.Text(), "gatehouse_") && !sample.MatchString(lines.Text()) && !described.MatchString(lines.Text()) {
			t.Errorf("no line of the format: %q", lines.Text())
		}
	}
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (gatehouse_\S+)`).FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	slices.Sort(names)
	// gatehouse_ssh_refused_requests_total is there from the first one on.
	if diff := cmp.Diff([]string{
		"gatehouse_of_handlers", "gatehouse_ssh_auth_total", "gatehouse_ssh_connection_seconds_total", "gatehouse_ssh_connections_open", "gatehouse_ssh_connections_total",
		"gatehouse_ssh_ends_total", "gatehouse_ssh_panics_total", "gatehouse_ssh_received_bytes_total", "gatehouse_ssh_refusals_total",
		"gatehouse_ssh_sent_bytes_total",
	}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		`gatehouse_ssh_refusals_total{reason="address"} 1`, `gatehouse_ssh_auth_total{result="accepted"} 1`,
		"gatehouse_ssh_connections_total 1", "gatehouse_ssh_connections_open 0", "gatehouse_ssh_panics_total 0", "go_goroutines ",
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
	for _, name := range []string{"received_bytes_total", "sent_bytes_total", "connection_seconds_total"} {
		if !regexp.MustCompile(`(?m)^gatehouse_ssh_` + name + ` .*[1-9]`).MatchString(text) {
			t.Errorf("%s of a visit is zero:\n%s", name, text)
		}
	}
}

// A page in a browser on the server can have its name lead to the loopback address.
func TestTheListenerForTheOperatorAnswersForThisMachineOnly(t *testing.T) {
	h := serve(t, hello, func(o *Options) { o.Metrics = "localhost:0" })
	_, port, err := net.SplitHostPort(h.metricsAddr.String())
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "127.0.0.1": 200, "127.9.8.7:80": 200, "localhost:" + port: 200, "LOCALHOST.": 200,
		"[::1]:" + port: 200, "[::1]": 200, "[::ffff:127.0.0.1]:" + port: 200,
		"evil.example:" + port: 421, "evil.example": 421, "localhost.evil.example:" + port: 421, "127.0.0.1.evil.example": 421,
		"10.0.0.1:" + port: 421, "[2001:db8::1]:" + port: 421, "0.0.0.0:" + port: 421, "169.254.169.254": 421,
	} {
		for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
			if code, text := h.getFor(host, path); code != want || code != 200 && strings.Contains(text, "gatehouse_") {
				t.Errorf("%s of %s: %d, want %d: %.100q", path, host, code, want, text)
			}
		}
	}
}

func TestTheListenerForTheOperatorAnswersForTheHostThatItWasGiven(t *testing.T) {
	answered := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for host, want := range map[string]int{"gate.lan:9100": 200, "Gate.LAN": 200, "other.lan:9100": 421, "": 200} {
		request := httptest.NewRequest("GET", "/metrics", nil)
		request.Host = host
		answer := httptest.NewRecorder()
		forHosts(hostOf("gate.lan:9100"), answered).ServeHTTP(answer, request)
		if answer.Code != want {
			t.Errorf("%q: %d, want %d", host, answer.Code, want)
		}
	}
}

// get reads from the listener for the operator.
func (h *host) get(path string) (code int, text string) {
	h.t.Helper()
	return h.getFor(h.metricsAddr.String(), path)
}

// getFor reads it under the name of a host.
func (h *host) getFor(name, path string) (code int, text string) {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), "GET", "http://"+h.metricsAddr.String()+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	request.Host = name
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// A client that keeps its connection open would take a file of the server's for ever.
func TestTheListenerForTheOperatorWaitsForNobodyForLong(t *testing.T) {
	const request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, tt := range map[string]struct {
		sent string
		want time.Duration
	}{
		"says nothing":         {"", 5 * time.Second},
		"stops in its request": {request[:10], 5 * time.Second},
		"asks for no more":     {request, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			askOperations(t, func(client net.Conn) {
				_, _ = io.WriteString(client, tt.sent)
				if got := took(func() { _, _ = io.Copy(io.Discard, client) }); got != tt.want {
					t.Errorf("the connection is open for %v, want %v", got, tt.want)
				}
			})
		})
	}
	for pause, isRead := range map[time.Duration]bool{4 * time.Second: true, 6 * time.Second: false} {
		askOperations(t, func(client net.Conn) {
			_, _ = io.WriteString(client, request)
			<-time.After(pause)
			answer := make([]byte, len("HTTP/1.1 200 OK"))
			if n, _ := client.Read(answer); (n > 0) != isRead {
				t.Errorf("after %v it reads %q", pause, answer[:n])
			}
		})
	}
}

// askOperations has a client connect to the listener for the operator, in a bubble. Nothing of an
// answer is on the way: it is written as it is read.
func askOperations(t *testing.T, ask func(client net.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		client, accepted := net.Pipe()
		listener := make(pipes, 1)
		listener <- accepted
		server := newServer(options(&logbook{}, hello, nil)).newOperations("localhost")
		go func() { _ = server.Serve(listener) }()
		defer server.Close()
		defer client.Close()
		ask(client)
	})
}

// pipes is a listener of connections that are there from the start.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, open := <-p; open {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func TestTheListenerForTheOperatorEndsWithTheServer(t *testing.T) {
	// At an address of this process alone nobody else listens on the port meanwhile.
	h := serve(t, hello, func(o *Options) { o.Metrics = testkit.Loopback() + ":0" })
	h.drainNow()
	requireNobodyAt(t, h.metricsAddr)
}

func TestTheListenerForTheOperatorMayEndAtOnce(t *testing.T) {
	server := newServer(Options{Log: slog.New(slog.DiscardHandler)})
	for range 20 {
		end, err := server.serveOperations(t.Context(), testkit.Loopback()+":0")
		if err != nil {
			t.Fatal(err)
		}
		end()
		requireNobodyAt(t, server.metricsAddr)
	}
}

func requireNobodyAt(t *testing.T, address net.Addr) {
	t.Helper()
	if c, err := net.Dial("tcp", address.String()); err == nil {
		_ = c.Close()
		t.Error("it still answers")
	}
}

// Whoever has begun has the time of grace; others would only take longer to find another server.
func TestDrainingEndsWhoHasNotBegunAtOnce(t *testing.T) {
	const grace = time.Hour
	inBubble(t, untilOver, func(t *testing.T, h *host) {
		h.visitor().pty().shell()
		idle := h.client()
		began := time.Now()
		var waited time.Duration
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_ = idle.Wait()
			waited = time.Since(began)
		}()
		if got := took(func() { h.Drain(t.Context()) }); got != grace {
			t.Errorf("who has begun stays for %v", got)
		}
		if <-gone; waited != 0 {
			t.Errorf("who has not begun stays for %v", waited)
		}
		h.log.find(t, "draining", "grace=1h0m0s")
	}, func(o *Options) { o.Grace = grace }, limits(func(l *Limits) { l.Authenticate, l.Idle = 0, 0 }))
}
