package check_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// recorder notes what a service is asked, and with which credential.
type recorder struct {
	mu       sync.Mutex
	requests []string
	sent     []string // bodies, queries and headers
}

func (r *recorder) wrap(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		scheme, _, _ := strings.Cut(request.Header.Get("Authorization"), " ")
		line := strings.TrimSpace(request.Method + " " + request.URL.Path + " " + scheme)
		r.mu.Lock()
		r.requests = append(r.requests, line)
		r.sent = append(r.sent, line+"\n"+string(body)+"\n"+request.URL.RawQuery+"\n"+fmt.Sprint(request.Header))
		r.mu.Unlock()
		service.ServeHTTP(w, request)
	})
}

func (r *recorder) count(line string) (n int) {
	for _, asked := range r.requests {
		if asked == line {
			n++
		}
	}
	return n
}

func TestCredentialsGoWhereASignInSendsThemAlone(t *testing.T) {
	const word = "canary-password-of-ben"
	seen := &recorder{}
	server := start(t, demo.Options{Wrap: seen.wrap, Secrets: demo.Secrets{Password: word}})
	report := check.New(service(t, server, nil)).Run(t.Context(), check.Request{
		Email: "ben@harbor.example", Password: secret.New(word), DeviceName: "laptop", Domain: "fjord.example",
	}, nil)
	if report.Verdict.Code != check.OtherDomains {
		t.Fatalf("%s: %s", report.Verdict.Code, report.Verdict.Sentence)
	}
	slices.Sort(seen.requests)
	want := []string{
		"GET /auth/connect/token",
		"GET /gateway/harbor.example/api",
		"GET /gateway/harbor.example/api/users/ben@harbor.example/shares Bearer",
		"GET /gateway/pier.example/api/users/ben@harbor.example/shares Bearer",
		"GET /global",
		"GET /global/getuserdomain.aspx",
		"GET /global/login2.aspx",
		"POST /auth/connect/token Basic",
	}
	if diff := cmp.Diff(want, seen.requests); diff != "" { // nothing of fjord.example, which only a person named
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	var search testkit.SecretSearcher
	search.Add("password", word)
	for _, sent := range seen.sent {
		line, _, _ := strings.Cut(sent, "\n")
		mayHave := line == "POST /auth/connect/token Basic" || line == "GET /global/login2.aspx"
		if has := len(search.Find(sent)) > 0; has != mayHave {
			t.Errorf("%s: the password is sent: %v", line, has)
		}
	}
}

func TestNothingIsSentForWhatIsNoAddress(t *testing.T) {
	seen := &recorder{}
	s := service(t, start(t, demo.Options{Wrap: seen.wrap}), nil)
	for _, text := range []string{"ada at harbor", "ada@harbor.example, ben@harbor.example", "@harbor.example"} {
		report := check.New(s).Run(t.Context(), check.Request{Email: text, Password: password, DeviceName: "laptop"}, nil)
		for _, c := range report.Checks {
			if slices.Contains([]string{check.SignIn, check.Claims, check.Device}, c.ID) && (c.State != check.Skipped || c.Because != check.Lookup) {
				t.Errorf("%q: %s is %s because of %q", text, c.ID, c.State, c.Because)
			}
		}
	}
	for _, line := range seen.requests {
		if strings.HasPrefix(line, "POST") || strings.HasSuffix(line, ".aspx") {
			t.Errorf("asked %s", line)
		}
	}
}

func TestABusyServiceIsNotAskedAgain(t *testing.T) {
	seen := &recorder{}
	busy := func(http.Handler) http.Handler {
		return seen.wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}))
	}
	report := check.New(service(t, start(t, demo.Options{Wrap: busy}), nil)).Run(t.Context(), check.Request{Email: "ada@harbor.example"}, nil)
	if n := seen.count("GET /global/getuserdomain.aspx"); n != 1 || report.Verdict.Code != check.ServiceFailing || report.Verdict.State != check.Unknown {
		t.Errorf("asked %d times: %s", n, report.Verdict.Sentence)
	}
	if wait, ok := report.Busy(); !ok || wait != time.Second {
		t.Errorf("busy for %v", wait)
	}
}

func TestALocalAuthorityIsFoundByTheLookUp(t *testing.T) {
	seen := &recorder{}
	server := start(t, demo.Options{Wrap: seen.wrap})
	s := service(t, server, func(p *config.Profile) { p.Authority = config.AuthorityDomain })
	report := check.New(s).Run(t.Context(), check.Request{Email: "ben@harbor.example", Password: password}, nil)
	if report.Verdict.Code != check.LooksFine || seen.count("POST /local/harbor.example/connect/token Basic") != 1 || seen.count("GET /global/getuserdomain.aspx") != 1 {
		t.Errorf("%s; asked %q", report.Verdict.Sentence, seen.requests)
	}
	report = check.New(s).Run(t.Context(), check.Request{Email: "nobody@harbor.example", Password: password}, nil)
	for _, c := range report.Checks {
		if (c.ID == check.Authority || c.ID == check.SignIn || c.ID == check.Claims) && (c.State != check.Skipped || c.Because != check.Lookup) {
			t.Errorf("%s is %s because of %q", c.ID, c.State, c.Because)
		}
	}
}

func TestTheHostsAreAskedOnceForABatch(t *testing.T) {
	seen := &recorder{}
	checker := check.New(service(t, start(t, demo.Options{Wrap: seen.wrap}), nil))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, name := range []string{"ada", "ben", "gus", "hal", "cleo"} {
				checker.Run(t.Context(), check.Request{Email: name + "@harbor.example"}, nil)
			}
		})
	}
	all.Wait()
	if n := seen.count("GET /global/getuserdomain.aspx"); n != 40 {
		t.Errorf("%d look-ups", n)
	}
	for _, line := range []string{"GET /global", "GET /auth/connect/token", "GET /gateway/harbor.example/api"} {
		if n := seen.count(line); n != 1 {
			t.Errorf("%s: %d times", line, n)
		}
	}
}

func TestIdsCanBeReadAloud(t *testing.T) {
	checker := check.New(service(t, start(t, demo.Options{}), nil))
	ids := map[string]bool{}
	for range 50 {
		id := checker.Run(t.Context(), check.Request{Email: "none"}, nil).ID
		if len(id) != 9 || id[4] != '-' || strings.Trim(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ-") != "" || ids[id] {
			t.Errorf("the id %q", id)
		}
		ids[id] = true
	}
}

func TestADetailKeepsItsOrderAndItsValues(t *testing.T) {
	detail := check.Detail{
		check.NewFact("zulu", "text"),
		check.NewFact("alpha", time.Date(2027, 1, 4, 12, 30, 0, 5000, time.UTC)),
		check.NewFact("count", int64(1234567890123456789)),
		check.NewFact("skew", -600.5),
		check.NewFact("huge", json.Number("123456789012345678901")),
		check.NewFact("yes", true),
		check.NewFact("names", []string{"a", "b"}),
		check.NewFact("almost a time", "2027-01-04T12:30:00.50Z"),
		check.NewFact("null as text", "null"),
	}
	text, err := json.Marshal(detail)
	if err != nil {
		t.Fatal(err)
	}
	var again check.Detail
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(detail, again); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, strange := range []string{`{"a":{"b":[1,2]},"c":null,"d":1e400,"e":[1],"f":0.10}`, `{}`} {
		if err := json.Unmarshal([]byte(strange), &again); err != nil {
			t.Errorf("%s: %v", strange, err)
		}
		if text, _ := json.Marshal(again); string(text) != strange {
			t.Errorf("%s became %s", strange, text)
		}
	}
	for _, broken := range []string{`[]`, `"a"`, `7`} {
		if json.Unmarshal([]byte(broken), &again) == nil {
			t.Errorf("%s is taken", broken)
		}
	}
}
