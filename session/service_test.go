package session

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

// backend answers for gateway and global service, and notes what it was sent.
type backend struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string         // method, path, Authorization and User-Agent of each request
	next http.HandlerFunc // answers one request
}

func newBackend(t *testing.T) *backend {
	b := &backend{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.seen = append(b.seen, strings.Join([]string{r.Method, r.URL.EscapedPath(), r.Header.Get("Authorization"), r.UserAgent()}, " "))
		if next := b.next; next != nil {
			b.next = nil
			next(w, r)
			return
		}
		switch r.URL.Path {
		case "/getuserdomain.aspx":
			_, _ = io.WriteString(w, r.URL.Query().Get("useremail")+",harbor.example")
		case "/login2.aspx":
			_, _ = io.WriteString(w, `{"ErrorCode":"U107"}`)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"Data":[]}`)
		}
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *backend) requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.seen...)
}

func newService(t *testing.T, a *authority, b *backend, c *clock, change func(*config.Profile)) *Service {
	p := a.profile()
	p.BaseURL, p.GlobalURL = b.URL+"/{domain}", b.URL
	if change != nil {
		change(p)
	}
	return NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault(), UserAgent: "gatehouse/test", Now: c.Now})
}

func read(t *testing.T, body *api.Body, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := body.ReadAll(); err != nil || string(got) != `{"Data":[]}` {
		t.Fatalf("the body is %q, %v", got, err)
	}
}

func TestTheServiceAsksEachHostWithItsOwnCredential(t *testing.T) {
	a, b := newAuthority(t), newBackend(t)
	s := newService(t, a, b, newClock(), func(p *config.Profile) {
		p.ResellerID, p.APIKey = "r-0", secret.New("profile-key")
	})
	signIn(t, s.Session)
	ctx := t.Context()

	body, err := s.Shares(ctx, "", "")
	read(t, body, err)
	body, err = s.Shares(ctx, "quay.example", "bob+x@quay.example")
	read(t, body, err)
	body, err = s.Companies(ctx, "", "", secret.Text{})
	read(t, body, err)
	body, err = s.Companies(ctx, "quay.example", " r-1 ", secret.New("given-key"))
	read(t, body, err)
	if d, err := s.Lookup(ctx, "bob@quay.example"); err != nil || d != "harbor.example" {
		t.Errorf("Lookup: %+v, %v", d, err)
	}
	r, err := s.DeviceLogin(ctx, api.DeviceLoginRequest{Email: user, Password: secret.New("x"), DeviceName: "n"})
	if err != nil || r.ErrorCode != "U107" {
		t.Errorf("DeviceLogin: %+v, %v", r, err)
	}

	bearer := "Bearer " + a.accessToken(1)
	want := []string{
		"GET /harbor.example/api/users/ann@harbor.example/shares " + bearer + " gatehouse/test",
		"GET /quay.example/api/users/bob+x@quay.example/shares " + bearer + " gatehouse/test",
		"GET /harbor.example/api/resellers/r-0/companies ApiKey profile-key gatehouse/test",
		"GET /quay.example/api/resellers/r-1/companies ApiKey given-key gatehouse/test",
		"GET /getuserdomain.aspx  gatehouse/test",
		"GET /login2.aspx  gatehouse/test",
	}
	got := b.requests()
	for i := range got { // whether a path escapes these two is not our concern
		got[i] = strings.NewReplacer("%40", "@", "%2B", "+").Replace(got[i])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

func TestWhatACallLacksIsSaid(t *testing.T) {
	a, b := newAuthority(t), newBackend(t)
	ctx, key := t.Context(), secret.New("key")
	s := newService(t, a, b, newClock(), nil)
	if _, err := s.Shares(ctx, "harbor.example", ""); err != ErrSignedOut {
		t.Errorf("Shares, signed out: %v", err)
	}
	calls := map[Missing]func() error{
		MissingReseller: func() error { _, err := s.Companies(ctx, "harbor.example", "", key); return err },
		MissingAPIKey:   func() error { _, err := s.Companies(ctx, "harbor.example", "r", secret.Text{}); return err },
		MissingDomain:   func() error { _, err := s.Companies(ctx, "", "r", key); return err },
	}
	for what, call := range calls {
		err := call()
		if missing, ok := errors.AsType[*MissingError](err); !ok || missing.What != what {
			t.Errorf("without value %d the error is %v", what, err)
		}
	}
	if _, err := s.Companies(ctx, "harbor.example/x", "r", key); err == nil {
		t.Error("a path is taken for a domain")
	}
	if got := b.requests(); len(got) != 0 {
		t.Errorf("sent were %v", got)
	}
	body, err := s.Companies(ctx, "harbor.example", "r", key) // needs no session
	read(t, body, err)

	one := newService(t, a, b, newClock(), func(p *config.Profile) { p.BaseURL = b.URL })
	body, err = one.Companies(ctx, "", "r", key) // a gateway for all domains needs none
	read(t, body, err)
}

func TestARenewalThatFailsIsNotRepeatedByTheGateway(t *testing.T) {
	a, b, c := newAuthority(t), newBackend(t), newClock()
	s := newService(t, a, b, c, nil)
	signIn(t, s.Session)
	c.Advance(25 * time.Hour)
	a.Next(drop)
	_, err := s.Shares(t.Context(), "", "")
	if _, ok := errors.AsType[*DelayedError](err); !ok {
		t.Errorf("Shares: %v", err)
	}
	if a.refreshes() != 1 || len(b.requests()) != 0 {
		t.Errorf("there were %d renewals, and sent were %v", a.refreshes(), b.requests())
	}
}

func TestAGlanceIsSentOnceWhateverComesBack(t *testing.T) {
	for name, code := range map[string]int{"a refused token": http.StatusUnauthorized, "a busy gateway": http.StatusServiceUnavailable} {
		t.Run(name, func(t *testing.T) {
			a, b, c := newAuthority(t), newBackend(t), newClock()
			asked := 0
			gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
				c.Advance(42 * time.Millisecond)
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(code)
			}))
			t.Cleanup(gateway.Close)
			s := newService(t, a, b, c, func(p *config.Profile) { p.BaseURL = gateway.URL })
			signIn(t, s.Session)
			_, latency, err := s.Glance(t.Context(), "")
			if refused, ok := errors.AsType[*api.StatusError](err); !ok || refused.Status != code {
				t.Errorf("Glance: %v, want status %d", err, code)
			}
			if asked != 1 || a.refreshes() != 0 {
				t.Errorf("the gateway was asked %d times, and there were %d renewals", asked, a.refreshes())
			}
			if latency != 42*time.Millisecond {
				t.Errorf("the latency is %v", latency)
			}
		})
	}
}

func TestServicesShareConnectionsAndNothingElse(t *testing.T) {
	a := newAuthority(t)
	var mu sync.Mutex
	var credentials []string
	made := 0
	gateway := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		credentials = append(credentials, r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `{"Data":[]}`)
	}))
	gateway.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		if state == http.StateNew {
			made++
		}
	}
	gateway.Start()
	t.Cleanup(gateway.Close)
	p := a.profile()
	p.BaseURL = gateway.URL
	base := api.NewBase(api.Options{})
	var want []string
	var observed [3]int
	for i := range observed {
		s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault(), Base: base, Observe: func(api.Exchange) { observed[i]++ }})
		signIn(t, s.Session)
		want = append(want, "Bearer "+s.Session.CurrentToken().Reveal())
		body, err := s.Shares(t.Context(), "", "")
		read(t, body, err)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if made != 1 || !slices.Equal(credentials, want) || len(slices.Compact(want)) != len(observed) {
		t.Errorf("%d connections brought %q, want one with %q", made, credentials, want)
	}
	if observed != [3]int{2, 2, 2} {
		t.Errorf("%v exchanges were observed, want the sign-in and the list of each", observed)
	}
}

func TestConnectionsOfAServiceAloneAreClosedWithIt(t *testing.T) {
	a, states := newAuthority(t), make(chan http.ConnState, 10)
	gateway := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"Data":[]}`)
	}))
	gateway.Config.ConnState = func(_ net.Conn, state http.ConnState) { states <- state }
	gateway.Start()
	t.Cleanup(gateway.Close)
	wantState := func(want http.ConnState) {
		t.Helper()
		for deadline := time.After(10 * time.Second); ; {
			select {
			case got := <-states:
				if got == want {
					return
				}
			case <-deadline:
				t.Fatalf("the connection is not %v", want)
			}
		}
	}
	p := a.profile()
	p.BaseURL = gateway.URL
	s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault(), Linger: time.Hour})
	signIn(t, s.Session)
	body, err := s.Shares(t.Context(), "", "")
	read(t, body, err)
	wantState(http.StateIdle)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wantState(http.StateClosed)
}

func TestASignInAsideLeavesTheSessionAlone(t *testing.T) {
	a := newAuthority(t)
	vault := fastVault(t, vaultPath(t))
	s := NewService(ServiceOptions{Profile: a.profile(), Vault: vault})
	t.Cleanup(func() { _ = s.Close() })
	signIn(t, s.Session)
	before := s.Session.CurrentToken()
	aside := s.Aside()
	if aside.Session.Status().State != SignedOut {
		t.Error("somebody is signed in aside")
	}
	if err := aside.Session.SignIn(t.Context(), credentials); err != nil {
		t.Fatal(err)
	}
	if status := aside.Session.Status(); status.State != Active || status.Saved || aside.Session.CurrentToken() == before {
		t.Errorf("aside: %+v", status)
	}
	aside.AllowDomain("quay.example")
	kept, err := vault.Load(t.Context())
	if err != nil || kept.Access != before || s.Session.CurrentToken() != before || s.Session.allowed.Load() != nil {
		t.Errorf("the session has changed: %v", err)
	}
}

func TestATokenWithoutClaimsGoesToTheDomainOfItsAuthorityAlone(t *testing.T) {
	a, b := newAuthority(t), newBackend(t)
	s := newService(t, a, b, newClock(), func(p *config.Profile) {
		p.Authority, p.DomainAuthURL = config.AuthorityDomain, a.URL+"/{domain}"
	})
	withoutClaims := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"access_token":"opaque","token_type":"Bearer","expires_in":600}`)
	}
	a.Next(withoutClaims)
	signIn(t, s.Session)
	body, err := s.Shares(t.Context(), "harbor.example", "")
	read(t, body, err)
	refuse := func(others ...string) {
		t.Helper()
		before := len(b.requests())
		for _, other := range others {
			_, err := s.Shares(t.Context(), other, "")
			if unknown, ok := errors.AsType[*UnknownDomainError](err); !ok || unknown.Domain != other {
				t.Errorf("%s: %v", other, err)
			}
		}
		if sent := b.requests()[before:]; len(sent) > 0 {
			t.Errorf("sent: %v", sent)
		}
	}
	refuse("quay.example", "sub.harbor.example", "harbor.example.evil.example")
	s.AllowDomain("quay.example")
	body, err = s.Shares(t.Context(), "quay.example", "")
	read(t, body, err)
	refuse("pier.example", "sub.quay.example", "quay.example.evil.example")
	a.Next(withoutClaims)
	signIn(t, s.Session)
	refuse("quay.example")
}

// A request that is answered with 503 or 401 is sent again.
func TestARepeatedRequestCarriesNoTokenOfAnotherUser(t *testing.T) {
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusUnauthorized} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			a, b := newAuthority(t), newBackend(t)
			s := newService(t, a, b, newClock(), func(*config.Profile) {})
			signIn(t, s.Session)
			b.next = func(w http.ResponseWriter, _ *http.Request) {
				a.Next(func(w http.ResponseWriter, _ *http.Request) {
					_, _ = io.WriteString(w, `{"access_token":"of bob","token_type":"Bearer","expires_in":600}`)
				})
				another := credentials
				another.Username = "bob@other.example"
				if err := s.Session.SignIn(t.Context(), another); err != nil {
					t.Error(err)
				}
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(status)
			}
			before := len(b.requests())
			_, err := s.Shares(t.Context(), "", "")
			if sent := b.requests()[before:]; len(sent) != 1 || !errors.Is(err, ErrSignedOut) {
				t.Errorf("sent: %v, %v", sent, err)
			}
		})
	}
}
