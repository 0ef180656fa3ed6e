package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// front stands before an authority: it counts renewals, and can lose or hold back the answer to
// one. It is a gateway as well, which refuses the access tokens of before.
type front struct {
	*httptest.Server
	proxy *httputil.ReverseProxy

	mu       sync.Mutex
	renewals int
	seen     map[string]bool // access tokens that came to the gateway
	stale    map[string]bool // those that it refuses
	lose     bool            // the next answer to a renewal
	held     chan struct{}   // closed when such an answer is there, which then never comes; nil: none is held
}

func newFront(t testing.TB, a *foreignAuthority) *front {
	to, err := url.Parse(a.url)
	if err != nil {
		t.Fatal(err)
	}
	f := &front{seen: map[string]bool{}, stale: map[string]bool{}}
	f.proxy = &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: f.answered,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/connect/token" {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if strings.Contains(string(body), "grant_type=refresh_token") {
			f.mu.Lock()
			f.renewals++
			f.mu.Unlock()
			r.Header.Set("X-Renewal", "yes")
		}
		f.proxy.ServeHTTP(w, r)
		return
	}
	token := r.Header.Get("Authorization")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[token] = true
	if f.stale[token] {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `[{"Name":"one"}]`)
}

// answered is called with each answer of the authority.
func (f *front) answered(answer *http.Response) error {
	if answer.Request.Header.Get("X-Renewal") == "" {
		return nil
	}
	f.mu.Lock()
	lose, held := f.lose, f.held
	f.lose = false
	f.mu.Unlock()
	switch {
	case lose:
		return http.ErrAbortHandler
	case held != nil:
		close(held)
		<-answer.Request.Context().Done()
		return http.ErrAbortHandler
	}
	return nil
}

// refuseTokens makes the gateway refuse the access tokens that it has seen.
func (f *front) refuseTokens() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for token := range f.seen {
		f.stale[token] = true
	}
}

func (f *front) sent() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.renewals
}

// caller is what somebody does with an authority, from one home directory.
type caller struct {
	t     *testing.T
	front *front
	env   []string
}

func (a *foreignAuthority) call(t *testing.T, more ...string) *caller {
	f := newFront(t, a)
	return &caller{t: t, front: f, env: a.env(t, f.URL, more...)}
}

// run runs the program, which has to end with a code and to say something.
func (v *caller) run(code int, says, stdin string, args ...string) finished {
	v.t.Helper()
	done := gatehouse(v.t, v.env, stdin, args...)
	if done.code != code || !strings.Contains(done.stderr, says) {
		v.t.Fatalf("gatehouse %s: code %d, want %d and %q\n%s%s", strings.Join(args, " "), done.code, code, says, done.stdout, done.stderr)
	}
	return done
}

func (v *caller) signIn(password string, code int, says string) {
	v.t.Helper()
	v.run(code, says, password+"\n", "login", "--email", thePerson, "--password-stdin")
}

// shares reads a list, for which the session is renewed where the gateway refuses its token.
func (v *caller) shares(code int, says string) {
	v.t.Helper()
	v.run(code, says, "", "shares", "-o", "json")
}

// renew makes the gateway refuse the token at hand, and reads a list.
func (v *caller) renew(code int, says string) {
	v.t.Helper()
	v.front.refuseTokens()
	v.shares(code, says)
}

// signedIn is a caller with a session that the gateway has seen.
func (a *foreignAuthority) signedIn(t *testing.T, more ...string) *caller {
	t.Helper()
	v := a.call(t, more...)
	v.signIn(a.password, 0, "")
	v.shares(0, "")
	return v
}

func TestASessionAtAuthoritiesOfOthers(t *testing.T) {
	eachForeignAuthority(t, func(t *testing.T, a *foreignAuthority) {
		ways := []string{"basic"}
		if testkit.Long() {
			ways = append(ways, "body")
		}
		for _, way := range ways {
			t.Run("renewed by 401, "+way, func(t *testing.T) { testRenewedBy401(t, a.signedIn(t, "GATEHOUSE_CLIENT_AUTH="+way)) })
		}
		if testkit.Long() {
			for _, way := range ways {
				t.Run("renewed by life, "+way, func(t *testing.T) { testRenewedByLife(t, a.signedIn(t, "GATEHOUSE_CLIENT_AUTH="+way)) })
			}
			t.Run("killed during a renewal", func(t *testing.T) { testKilled(t, a) })
			t.Run("the server restarts", func(t *testing.T) { testRestart(t, a) })
		}
		t.Run("a wrong password", func(t *testing.T) { a.call(t).signIn("wrong", 1, a.saysOfPassword) })
		t.Run("a wrong client", func(t *testing.T) { testAWrongClient(t, a) })
		t.Run("an answer that is lost", func(t *testing.T) { testALostAnswer(t, a) })
		t.Run("revoked", func(t *testing.T) { testRevoked(t, a) })
		t.Run("a disabled account", func(t *testing.T) {
			a.disable()
			a.call(t).signIn(a.password, 1, a.saysOfDisabled)
		})
	})
}

func testRenewedBy401(t *testing.T, v *caller) {
	before := v.front.sent()
	v.renew(0, "")
	if got := v.front.sent() - before; got != 1 {
		t.Errorf("it was renewed %d times", got)
	}
}

func testRenewedByLife(t *testing.T, v *caller) {
	first := v.run(0, "", "", "token").stdout
	deadline := time.Now().Add(time.Minute)
	for v.run(0, "", "", "token").stdout == first {
		if time.Now().After(deadline) {
			t.Fatal("the token stays the same")
		}
	}
}

func testALostAnswer(t *testing.T, a *foreignAuthority) {
	v := a.signedIn(t)
	v.front.mu.Lock()
	v.front.lose = true
	v.front.mu.Unlock()
	v.renew(1, "It is not known whether the service has replaced the token")
	v.renew(3, "the answer to its last renewal was lost")
}

func testRestart(t *testing.T, a *foreignAuthority) {
	v := a.signedIn(t)
	a.stop()
	v.renew(1, "the connection was dropped")
	a.start(t)
	v.renew(0, "")
}

// A wrong client secret is said, and costs nobody a session that the authority does not end.
func testAWrongClient(t *testing.T, a *foreignAuthority) {
	v := a.signedIn(t)
	good := v.env
	v.env = append(v.env[:len(v.env):len(v.env)], "GATEHOUSE_CLIENT_SECRET=wrong")
	if a.silentAboutClients {
		v.renew(1, "The client secret or client_auth of the profile has changed")
		v.env = good
		v.renew(3, a.saysOfToken)
		return
	}
	v.renew(1, "Check client_id, client_auth and the client secret")
	v.env = good
	v.renew(0, "")
}

func testKilled(t *testing.T, a *foreignAuthority) {
	v := a.signedIn(t)
	v.front.refuseTokens()
	held := make(chan struct{})
	v.front.mu.Lock()
	v.front.held = held
	v.front.mu.Unlock()
	command := exec.CommandContext(t.Context(), binary, "shares")
	command.Env = v.env
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	<-held
	_ = command.Process.Kill()
	_ = command.Wait() // it was killed
	v.front.mu.Lock()
	v.front.held = nil
	v.front.mu.Unlock()
	v.shares(3, "the answer to its last renewal was lost")
}

// A session that was revoked ends with the words of the authority, and its token is not sent again.
func testRevoked(t *testing.T, a *foreignAuthority) {
	v := a.signedIn(t)
	a.revoke()
	v.renew(3, a.saysOfToken)
	sent := v.front.sent()
	v.shares(3, a.saysOfToken)
	v.run(3, a.saysOfToken, "", "whoami")
	if got := v.front.sent(); got != sent {
		t.Errorf("a dead token was sent %d times more", got-sent)
	}
	v.signIn(a.password, 0, "")
	v.shares(0, "")
}
