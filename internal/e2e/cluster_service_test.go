//go:build linux

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	embedded "gatehouse/internal/demo"
)

// accounts are the embedded service with an account for each visitor, which writes down
// what became of each refresh token.
type accounts struct {
	*embedded.Server

	mu       sync.Mutex
	tokens   map[string]*presentedToken // by refresh token
	visitors map[string]string          // who signed in, by the id of the sign-in
}

// presentedToken is a refresh token that was presented.
type presentedToken struct {
	visitor string
	sent    []bool // whether the service spent it, each time
}

// answerTime is how long a renewal takes.
const answerTime = 300 * time.Millisecond

// rows is how many shares everybody has.
const rows = 40

// startAccounts starts a service whose access tokens live that long.
func startAccounts(t testing.TB, life time.Duration) *accounts {
	t.Helper()
	s := &accounts{tokens: map[string]*presentedToken{}, visitors: map[string]string{}}
	var err error
	if s.Server, err = embedded.Start(t.Context(), embedded.Options{AccessLife: life, Wrap: s.wrap}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (s *accounts) wrap(real http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/connect/token"):
			s.token(real, w, r)
		case strings.HasSuffix(r.URL.Path, "/shares"):
			s.shares(real, w, r)
		default:
			real.ServeHTTP(w, r)
		}
	})
}

// token has the service answer, and writes down what it was asked.
func (s *accounts) token(real http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	form, _ := url.ParseQuery(string(body))
	visitor, refresh := form.Get("username"), form.Get("refresh_token")
	if visitor != "" {
		form.Set("username", "ada@harbor.example") // the account that they all are
		body = []byte(form.Encode())
	}
	if refresh != "" {
		pause(r.Context(), answerTime) // so that servers are killed meanwhile
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer := httptest.NewRecorder()
	real.ServeHTTP(answer, r)
	s.note(visitor, refresh, answer)
	pass(w, answer, answer.Body.Bytes())
}

func (s *accounts) note(visitor, refresh string, answer *httptest.ResponseRecorder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	good := answer.Code == http.StatusOK
	var granted struct {
		Access string `json:"access_token"`
	}
	_ = json.Unmarshal(answer.Body.Bytes(), &granted)
	if refresh == "" {
		if good {
			s.visitors[signInOf(granted.Access)] = visitor
		}
		return
	}
	t := s.tokens[refresh]
	if t == nil {
		t = &presentedToken{}
		s.tokens[refresh] = t
	}
	if good {
		t.visitor = s.visitors[signInOf(granted.Access)]
	}
	t.sent = append(t.sent, good)
}

// shares gives everybody shares with their own name, for whoever sees those of another one.
func (s *accounts) shares(real http.Handler, w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	r.Header.Del("Accept-Encoding")
	real.ServeHTTP(answer, r)
	body := answer.Body.Bytes()
	if answer.Code == http.StatusOK {
		bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		visitor := s.visitors[signInOf(bearer)]
		s.mu.Unlock()
		body = sharesOf(visitor)
	}
	pass(w, answer, body)
}

func sharesOf(visitor string) []byte {
	name, _, _ := strings.Cut(visitor, "@")
	type share struct {
		ID   string `json:"Id"`
		Name string
	}
	list := struct{ Data []share }{}
	for i := range rows {
		list.Data = append(list.Data, share{fmt.Sprint(i + 1), fmt.Sprintf("%s-share-%02d", name, i+1)})
	}
	body, _ := json.Marshal(list)
	return body
}

func pass(w http.ResponseWriter, answer *httptest.ResponseRecorder, body []byte) {
	for name, values := range answer.Header() {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body)
}

// signInOf is the id of the sign-in that an access token comes from.
func signInOf(access string) string {
	parts := strings.Split(access, ".")
	if len(parts) != 3 {
		return ""
	}
	clear, _ := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		SessionID string `json:"sid"`
	}
	_ = json.Unmarshal(clear, &claims)
	return claims.SessionID
}

// presented is how often refresh tokens of a visitor were presented again. lost means that the
// service had spent one of them the first time.
type presented struct {
	again int
	lost  bool
}

// spent is how many refresh tokens were spent, and which were presented again, by visitor.
func (s *accounts) spent() (renewals int, again map[string]presented) {
	s.mu.Lock()
	defer s.mu.Unlock()
	again = map[string]presented{}
	for _, t := range s.tokens {
		for _, good := range t.sent {
			if good {
				renewals++
			}
		}
		if len(t.sent) > 1 {
			before := again[t.visitor]
			again[t.visitor] = presented{before.again + len(t.sent) - 1, before.lost || t.sent[0]}
		}
	}
	return renewals, again
}
