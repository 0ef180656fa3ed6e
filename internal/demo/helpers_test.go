package demo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"gatehouse/internal/demo"
)

// clock is a service clock that only moves when told.
type clock struct{ sinceNoon atomic.Int64 }

func (c *clock) advance(d time.Duration) { c.sinceNoon.Add(int64(d)) }
func (c *clock) now() time.Time {
	return time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(c.sinceNoon.Load()))
}

// service is a running demo and a client.
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
	c := new(clock)
	o.Now = c.now
	server, err := demo.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	transport := new(http.Transport)
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
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatalf("read the body of %s: %v", request.URL.Path, err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// request makes a request. Headers are names and values in turn, of which the empty ones are left out.
func (s *service) request(method, path, body string, headers ...string) *http.Request {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	for pair := range slices.Chunk(headers, 2) {
		if pair[1] != "" {
			request.Header.Set(pair[0], pair[1])
		}
	}
	return request
}

// get sends a GET with an Authorization header, if it is not empty.
func (s *service) get(path, authorization string) answer {
	s.Helper()
	return s.do(s.request(http.MethodGet, path, "", "Authorization", authorization))
}

const formType = "application/x-www-form-urlencoded"

// postForm sends a form with Basic client credentials, unless the form has
// its own.
func (s *service) postForm(authority string, form url.Values) answer {
	s.Helper()
	request := s.request(http.MethodPost, authority+"/connect/token", form.Encode(), "Content-Type", formType)
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
	parser := jwt.NewParser()
	parsed, parts, err := parser.ParseUnverified(token, jwt.MapClaims{})
	if err != nil || parsed.Method != jwt.SigningMethodRS256 {
		t.Fatalf("%q is no JWT with RS256: %v", token, err)
	}
	claims, _ := parser.DecodeSegment(parts[1])
	return decode[V](t, string(claims))
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
