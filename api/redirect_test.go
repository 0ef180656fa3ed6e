package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

func TestRedirectsStayOnTheHost(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		reason   string // "" means followed
	}{
		{"https://a.example/x", "https://a.example/y?z", ""},
		{"https://a.example/x", "/y", ""},
		{"https://a.example/x", "https://A.example:443/y", ""},
		{"http://127.0.0.1:80/x", "http://127.0.0.1/y", ""},
		{"https://a.example/x", "https://b.example/x", "it leads to another host"},
		{"https://a.example/x", "//b.example/x", "it leads to another host"},
		{"https://a.example/x", "https://sub.a.example/x", "it leads to another host"},
		{"https://a.example/x", "https://a.example:8443/x", "it leads to another host"},
		{"https://a.example/x", "https://a.example.evil/x", "it leads to another host"},
		{"https://a.example/x", "https://a.example@evil/x", "it leads to another host"},
		{"https://a.example/x", "https://eve:secret@a.example/x", "it contains a user name"},
		{"https://a.example/x", "https://a.example./x", "it leads to another host"},
		{"https://a.example/x", `https:\\b.example\x`, "it leads to another host"},
		{"https://a.example/x", "///b.example/x", ""}, // a path of this host
		{"https://a.example/x", "https:///x", "it leads to another host"},
		{"https://a.example/x", "javascript:alert(1)", "it switches to http"},
		{"http://127.0.0.1:1/x", "https://127.0.0.1:1/x", ""},
		{"http://127.0.0.1:1/x", "file:///etc/passwd", "it leads to another host"},
		{"https://a.example/x", "http://a.example/x", "it switches to http"},
		{"https://a.example/x", "http://a.example:443/x", "it switches to http"},
		{"https://a.example/x", "file:///etc/passwd", "it switches to http"},
		{"http://127.0.0.1:1/x", "http://127.0.0.1:2/x", "it leads to another host"},
		{"https://a.example/x", "https://a.example/%zz?secret", "its target is not a valid address"},
		{"https://a.example/x", "::secret", "its target is not a valid address"},
	} {
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			var hosts []string
			get := call{transport: over(roundTripFunc(func(r *http.Request) (*http.Response, error) {
				hosts = append(hosts, r.URL.Host)
				resp := &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody, Request: r}
				if len(hosts) == 1 {
					resp.StatusCode = 302
					resp.Header.Set("Location", tt.to)
				}
				return resp, nil
			}))}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tt.from, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := get.get(r)
			if tt.reason == "" {
				if err != nil || len(hosts) != 2 {
					t.Fatalf("got %v after asking %v", err, hosts)
				}
				_ = resp.Body.Close()
				return
			}
			refused, ok := errors.AsType[*RedirectError](err)
			if !ok || redirectReasons[refused.Kind] != tt.reason || len(hosts) != 1 {
				t.Fatalf("got %v after asking %v", err, hosts)
			}
			if strings.ContainsAny(refused.From+refused.To, "/?@") || strings.Contains(refused.Error(), "secret") {
				t.Fatalf("more than the hosts is named: %v", refused)
			}
		})
	}
}

func TestACircleOfRedirectsEnds(t *testing.T) {
	handler, requests := counted(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	_, err := newGateway(t, serve(t, handler).URL).Shares(t.Context(), "a")
	if _, ok := errors.AsType[*RedirectError](err); !ok || requests.Load() != 6 {
		t.Errorf("%v after %d requests", err, requests.Load())
	}
}

// The other hosts are real: nobody so much as connects to them.
func TestNoCredentialFollowsARedirectToAnotherHost(t *testing.T) {
	authority := testkit.NewAuthority(t)
	client := NewTransport(trusting(t, authority))
	var connections atomic.Int32
	elsewhere := func(secure bool) string {
		server := httptest.NewUnstartedServer(status(200))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		t.Cleanup(server.Close)
		if secure {
			server.TLS = tlsOf(authority)
			server.StartTLS()
		} else {
			server.Start()
		}
		return server.URL
	}
	for _, target := range []string{elsewhere(true), elsewhere(false), strings.Replace(elsewhere(true), "127.0.0.1", "localhost", 1)} {
		for _, code := range []int{300, 301, 302, 303, 305, 307, 308} {
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Set-Cookie", "canary=1")
				w.Header().Set("Refresh", "0; url="+target)
				http.Redirect(w, r, target+r.URL.RequestURI(), code)
			}))
			server.TLS = tlsOf(authority)
			server.StartTLS()
			t.Cleanup(server.Close)
			for name, call := range everyCallWith(client, server.URL) {
				err := call(t.Context())
				refused, ok := errors.AsType[*RedirectError](err)
				if !ok || refused.From != host(server) || !strings.HasSuffix(target, refused.To) || refused.Op == "" {
					t.Errorf("%d to %s, %s: got %v, want a refused redirect", code, target, name, err)
				}
			}
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections to the other hosts", n)
	}
}

func TestARedirectOnTheHostIsFollowedWithTheCredentialAndNoCookie(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		var seen []*http.Request
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			seen = append(seen, r)
			if len(seen) > 1 {
				answer(200, "application/json", "[]")(w, r)
				return
			}
			w.Header().Set("Set-Cookie", "canary=1")
			http.Redirect(w, r, "/there", code)
		})
		gateway := newGateway(t, server.URL)
		gateway.Tokens = testkit.Token("canary-token")
		body, err := gateway.Shares(t.Context(), "a")
		if err := drained(body, err); err != nil || len(seen) != 2 {
			t.Fatalf("%d: %v after %d requests", code, err, len(seen))
		}
		second := seen[1]
		if second.Method != http.MethodGet || second.URL.Path != "/there" || second.Header.Get("Authorization") != "Bearer canary-token" || second.Header.Get("Cookie") != "" {
			t.Errorf("%d: sent was %s %s %v", code, second.Method, second.URL, second.Header)
		}
	}
}

func TestRequestsWithAPasswordFollowNoRedirectAtAll(t *testing.T) {
	handler, requests := counted(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusPermanentRedirect)
	})
	calls := everyCallWith(newTestClient(t), serve(t, handler).URL)
	for _, name := range onceCalls {
		requests.Store(0)
		err := calls[name](t.Context())
		if _, ok := errors.AsType[*RedirectError](err); !ok || requests.Load() != 1 {
			t.Errorf("%s: got %v after %d requests", name, err, requests.Load())
		}
	}
}

// The secrets that everyCallWith sends.
var sentSecrets = []string{
	"canary-pass wörd+/", "canary-plain&=", "canary-ad", "canary-refresh/+", "canary-access.token", "canary-api-key", "canary client/secret",
}

// onceCalls are those of everyCallWith that must not be sent twice.
var onceCalls = []string{"password grant", "refresh grant", "device login"}

// everyCallWith makes every request of the interface to one host, with a secret wherever there
// is one.
func everyCallWith(client *Transport, url string) map[string]func(context.Context) error {
	token := &TokenClient{HTTP: client, Authority: url, ClientID: "id", ClientSecret: secret.New(sentSecrets[6])}
	inBody := *token
	inBody.InForm = true
	gateway := &Gateway{HTTP: client, BaseURL: url, pause: noPause, Tokens: testkit.Token(sentSecrets[4])}
	global := &Global{HTTP: client, URL: url, pause: noPause}
	login := DeviceLoginRequest{
		DeviceName: "laptop", Email: "ann@harbor.example", DeviceType: "Mac",
		Password: secret.New(sentSecrets[0]), PlainPassword: secret.New(sentSecrets[1]), ActiveDirectoryToken: secret.New(sentSecrets[2]),
	}
	return map[string]func(context.Context) error{
		"password grant": func(ctx context.Context) error {
			_, err := token.Password(ctx, "ann@harbor.example", secret.New(sentSecrets[0]))
			return err
		},
		"refresh grant": func(ctx context.Context) error {
			_, err := inBody.Refresh(ctx, secret.New(sentSecrets[3]))
			return err
		},
		"shares": func(ctx context.Context) error {
			body, err := gateway.Shares(ctx, "ann@harbor.example")
			return drained(body, err)
		},
		"companies": func(ctx context.Context) error {
			body, err := gateway.Companies(ctx, secret.New(sentSecrets[5]), "reseller-1")
			return drained(body, err)
		},
		"lookup": func(ctx context.Context) error {
			_, err := global.UserDomain(ctx, "ann@harbor.example")
			return err
		},
		"device login": func(ctx context.Context) error {
			_, err := global.DeviceLogin(ctx, login)
			return err
		},
	}
}

func drained(body *Body, err error) error {
	if err == nil {
		_, err = body.ReadAll()
	}
	return err
}
