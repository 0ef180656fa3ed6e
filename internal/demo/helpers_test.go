package demo_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/demo"
)

// clock is a service clock that only moves when told.
type clock struct{ nanos atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.nanos.Store(time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.nanos.Add(int64(d)) }

// service is a running demo and a client that follows nothing and keeps
// bodies as they came.
type service struct {
	*testing.T
	*demo.Server
	clock *clock
	http  *http.Client
}

func start(t *testing.T) *service {
	t.Helper()
	return startWith(t, demo.Options{})
}

// startWith starts a demo with those options and a clock of the test's.
func startWith(t *testing.T, o demo.Options) *service {
	t.Helper()
	c := newClock()
	o.Now = c.now
	server, err := demo.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := server.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return &service{t, server, c, &http.Client{Transport: transport}}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (s *service) do(request *http.Request) answer {
	s.Helper()
	response, err := s.http.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatalf("read the body of %s: %v", request.URL.Path, err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

func (s *service) request(method, path, body string) *http.Request {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	return request
}

// get sends a GET with an Authorization header, if it is not empty.
func (s *service) get(path, authorization string) answer {
	s.Helper()
	request := s.request(http.MethodGet, path, "")
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	return s.do(request)
}

// postForm sends a form with Basic client credentials, unless the form has
// its own.
func (s *service) postForm(authority string, form url.Values) answer {
	s.Helper()
	request := s.request(http.MethodPost, authority+"/connect/token", form.Encode())
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if !form.Has("client_id") {
		request.SetBasicAuth("gatehouse-demo", "demo-secret")
	}
	return s.do(request)
}

const fullScope = "openid profile domain_api offline_access"

func passwordForm(email string) url.Values {
	return url.Values{"grant_type": {"password"}, "username": {email}, "password": {"demo"}, "scope": {fullScope}}
}

func refreshForm(token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
}

type tokens struct {
	Access    string          `json:"access_token"`
	ExpiresIn json.RawMessage `json:"expires_in"`
	Type      string          `json:"token_type"`
	Refresh   *string         `json:"refresh_token"`
	ID        *string         `json:"id_token"`
}

// signIn signs in at the main authority.
func (s *service) signIn(email string) tokens {
	s.Helper()
	return s.tokensOf(s.postForm("/auth", passwordForm(email)))
}

func (s *service) refresh(token string) tokens {
	s.Helper()
	return s.tokensOf(s.postForm("/auth", refreshForm(token)))
}

func (s *service) tokensOf(a answer) tokens {
	s.Helper()
	if a.status != http.StatusOK {
		s.Fatalf("the token endpoint answered %d %s", a.status, a.body)
	}
	return decode[tokens](s.T, a.body)
}

func decode[V any](t *testing.T, body string) V {
	t.Helper()
	var value V
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%v in %.200s", err, body)
	}
	return value
}

// payload decodes the claims of a JWT and checks its algorithm.
func payload[V any](t *testing.T, token string) V {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("%q is not a JWT", token)
	}
	header := decode[struct{ Alg string }](t, segment(t, parts[0]))
	if header.Alg != "RS256" {
		t.Errorf("alg is %q, want RS256", header.Alg)
	}
	return decode[V](t, segment(t, parts[1]))
}

func segment(t *testing.T, encoded string) string {
	t.Helper()
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(decoded)
}

func sharesPath(domain, user string) string {
	return "/gateway/" + domain + "/api/users/" + url.PathEscape(user) + "/shares"
}

// wantMessage checks a refusal of the gateway or the global service.
func wantMessage(t *testing.T, a answer, status int) {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d: %.200s", a.status, status, a.body)
	}
	if got := decode[struct{ Message string }](t, a.body); got.Message == "" {
		t.Errorf("no Message in %s", a.body)
	}
}
