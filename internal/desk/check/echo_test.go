package check_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// before and after are words around what a service repeats.
const before, after = "Zanzibar: ", " (Quillfish)"

// parrot refuses the requests to a page with a text, and lets people in with any password otherwise.
type parrot struct{ page, text string }

func echoing(said *atomic.Pointer[parrot]) func(http.Handler) http.Handler {
	return func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p := said.Load()
			switch page := path.Base(r.URL.Path); {
			case page == p.page && r.URL.RawQuery+r.Header.Get("Authorization") != "":
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				text := before + p.text + after
				_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_grant", "error_description": text, "Message": text})
				return
			case page == "token" && r.ParseForm() == nil && r.PostForm.Has("password"):
				r.PostForm.Set("password", demo.Password)
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(r.PostForm.Encode())), -1
				r.Form, r.PostForm = nil, nil
			}
			service.ServeHTTP(w, r)
		})
	}
}

// witness keeps the requests of a service, and makes all that people get of a report.
type witness struct {
	*session.Service
	mu       sync.Mutex
	requests []*api.Exchange
}

func newWitness(t *testing.T, server *demo.Server) *witness {
	t.Helper()
	profile := profileOf(t, server)
	w := &witness{}
	w.Service = session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Now: time.Now, Observe: func(x api.Exchange) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.requests = append(w.requests, &x)
	}})
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// faces are the report and its requests as people get them, by what that is.
func (w *witness) faces(t *testing.T, r check.Report) map[string]string {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var har bytes.Buffer
	if err := api.WriteHAR(&har, "v1", w.requests); err != nil {
		t.Fatal(err)
	}
	kept := ""
	for _, x := range w.requests {
		kept += fmt.Sprintf("%+v\n", *x)
	}
	return map[string]string{"JSON": string(text), "Markdown": r.Markdown(), "HAR": har.String(), "activity and log": kept, "card": fmt.Sprintf("%+v", r)}
}

func (w *witness) check(t *testing.T, password string) check.Report {
	t.Helper()
	w.mu.Lock()
	w.requests = nil
	w.mu.Unlock()
	return check.New(w.Service).Run(t.Context(), check.Request{
		Email: "ben@harbor.example", Password: secret.New(password), DeviceName: "laptop",
	}, nil)
}

// A service that repeats a password, in whatever spelling, is not quoted.
func TestNoFaceOfACheckShowsARepeatedPassword(t *testing.T) {
	var said atomic.Pointer[parrot]
	said.Store(&parrot{})
	w := newWitness(t, start(t, demo.Options{Wrap: echoing(&said)}))
	for i, password := range testkit.EchoedPasswords() {
		for j, echo := range testkit.Echoes(password) {
			for page, id := range map[string]string{"token": check.SignIn, "login2.aspx": check.Device} {
				if !testkit.Long() && (i+j)%6 != 0 {
					continue
				}
				said.Store(&parrot{page, echo.Text})
				report := w.check(t, password)
				for face, text := range w.faces(t, report) {
					if strings.Contains(text, strings.TrimSpace(before)) || strings.Contains(text, "Quillfish") {
						t.Errorf("%s of %s: the %s has %s", echo.Way, password, face, echo.Text)
					}
				}
				if got := fact(report, id, "left_out"); got != "it repeats what was typed" {
					t.Errorf("%s of %s: of %s is left out: %q", echo.Way, password, id, got)
				}
				if v := report.Verdict; page == "token" && !strings.HasSuffix(v.Sentence, " What the authority adds is left out: it repeats what was typed.") {
					t.Errorf("%s of %s: %s %s", echo.Way, password, v.Code, v.Sentence)
				}
			}
		}
	}
}

// fact is a fact of a check in a report.
func fact(r check.Report, id, name string) string {
	i := slices.IndexFunc(r.Checks, func(c check.Check) bool { return c.ID == id })
	if i < 0 {
		return "there is no such check"
	}
	return r.Checks[i].Detail.Text(name)
}

func TestTheWordsOfAServiceAreShownWhereTheyRepeatNothing(t *testing.T) {
	var said atomic.Pointer[parrot]
	const text = "invalid_username_or_password; the account is locked. Try again in 15 minutes"
	said.Store(&parrot{"token", text})
	w := newWitness(t, start(t, demo.Options{Wrap: echoing(&said)}))
	for _, password := range []string{"demo", "grant", "O'Brien1", "密码本"} {
		report := w.check(t, password)
		if v := report.Verdict; v.Code != check.SignInRefused || !strings.Contains(v.Sentence, `says: "`+before+text) {
			t.Errorf("with the password %s: %s %s", password, v.Code, v.Sentence)
		}
		for face, shown := range w.faces(t, report) {
			if !strings.Contains(shown, "locked") {
				t.Errorf("with the password %s, the %s has nothing of it", password, face)
			}
		}
		if left := fact(report, check.SignIn, "left_out"); left != "" {
			t.Errorf("with the password %s there is left out: %s", password, left)
		}
	}
}

// issuing makes the authority issue a token with these claims.
func issuing(claims string) func(http.Handler) http.Handler {
	token := testkit.JWT(claims)
	return func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				service.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"access_token":"`+token+`","token_type":"Bearer","expires_in":3600}`)
		})
	}
}

// The claims of a token are an answer to a password, too.
func TestTheClaimsOfATokenDoNotRepeatThePassword(t *testing.T) {
	const claims = `{"primary_domain":"harbor.example","domains":["pw=O''Brien1","not a domain"],"scope":"openid O&#39;Brien1"}`
	w := newWitness(t, start(t, demo.Options{Wrap: issuing(claims)}))
	report := w.check(t, "O'Brien1")
	if got := fact(report, check.Claims, "not_domains"); got != "•••, not a domain" {
		t.Errorf("the claims that are no domains: %s", got)
	}
	if got := fact(report, check.Claims, "scopes_granted"); got != "openid, •••" {
		t.Errorf("the scopes: %s", got)
	}
	for face, text := range w.faces(t, report) {
		if strings.Contains(text, "Brien1") {
			t.Errorf("the %s has it: %s", face, text)
		}
	}
}

func TestTheAddressOfATokenDoesNotRepeatThePassword(t *testing.T) {
	for sub, want := range map[string]string{"O'Brien1@x.example": "•••", "ada@harbor.example": "ada@harbor.example"} {
		w := newWitness(t, start(t, demo.Options{Wrap: issuing(`{"primary_domain":"harbor.example","sub":"` + sub + `"}`)}))
		report := w.check(t, "O'Brien1")
		if got := fact(report, check.Claims, "subject"); got != want {
			t.Errorf("for the token of %s: %s", sub, got)
		}
	}
}
