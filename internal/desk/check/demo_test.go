package check_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// service is the demo as the program has it, with the profile changed.
func service(t testing.TB, server *demo.Server, change func(*config.Profile)) *session.Service {
	t.Helper()
	return serviceAt(t, time.Now, server, change)
}

// profileOf is a profile that reaches a server.
func profileOf(t testing.TB, server *demo.Server) *config.Profile {
	t.Helper()
	variables := server.Env()
	profile, err := config.Resolve(config.Sources{LookupEnv: func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	profile.Roots = server.Roots
	return profile
}

// serviceAt is a service with a clock of its own.
func serviceAt(t testing.TB, now func() time.Time, server *demo.Server, change func(*config.Profile)) *session.Service {
	t.Helper()
	profile := profileOf(t, server)
	if change != nil {
		change(profile)
	}
	s := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Now: now})
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func start(t testing.TB, o demo.Options) *demo.Server {
	t.Helper()
	server, err := demo.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

var password = secret.New("demo")

func signedIn(t *testing.T, server *demo.Server, username string) *session.Service {
	t.Helper()
	s := service(t, server, nil)
	if err := s.Session.SignIn(t.Context(), session.SignIn{Username: username, Password: password}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheControl(t *testing.T) {
	server := start(t, demo.Options{})
	s := signedIn(t, server, "ada@harbor.example")
	before := s.Session.CurrentToken()
	for _, tt := range []struct {
		name    string
		request check.Request
		state   check.State
		differs string // the first check that came out otherwise
		says    string
		scope   check.Scope
	}{
		{"the same", check.Request{Email: "ben@harbor.example", Password: password}, check.Info, "", "the look-up and harbor.example work for ada@harbor.example, too", check.ScopeNone},
		{"a wrong password", check.Request{Email: "ben@harbor.example", Password: secret.New("wrong")}, check.Info, "", "the look-up works for ada@harbor.example, too", check.ScopePerson},
		{"an unknown address", check.Request{Email: "nobody@harbor.example"}, check.Info, check.Lookup, "the look-up works for ada@harbor.example, not for this person", check.ScopePerson},
		{"no access", check.Request{Email: "nora@harbor.example", Password: password}, check.Info, "domain:harbor.example", "harbor.example works for ada@harbor.example, not for this person", check.ScopePerson},
		{"without a password", check.Request{Email: "ben@harbor.example"}, check.Info, "", "the look-up works for ada@harbor.example, too", check.ScopeNone},
		{"herself", check.Request{Email: "ADA@harbor.example"}, check.Info, "", "nothing to compare", check.ScopeNone},
		{"a domain that is not hers", check.Request{Email: "kit@harbor.example"}, check.Info, "", "the look-up works for ada@harbor.example, too", check.ScopeDomain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.request.Control = true
			report := check.New(s).Run(t.Context(), tt.request, nil)
			control := report.Checks[len(report.Checks)-1]
			if control.ID != check.Control || control.State != tt.state || control.Detail.Text("differs_at") != tt.differs || !strings.Contains(control.Summary.String(), tt.says) {
				t.Errorf("got %+v", control)
			}
			if report.Verdict.Scope != tt.scope {
				t.Errorf("the scope is %s: %s", report.Verdict.Scope, report.Verdict.Sentence)
			}
		})
	}
	if s.Session.CurrentToken() != before || s.Session.Status().Username != "ada@harbor.example" {
		t.Error("the session is another one now")
	}
}

// broken is a way to the service on which a bug shows as soon as shares are asked for.
type broken struct{ http.RoundTripper }

func (b broken) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/shares") {
		panic("canary")
	}
	return b.RoundTripper.RoundTrip(r)
}

func TestAPanicWithinTheControlEndsNothingElse(t *testing.T) {
	profile := profileOf(t, start(t, demo.Options{}))
	base := broken{api.NewBase(api.Options{Roots: profile.Roots})}
	s := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Base: base})
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Session.SignIn(t.Context(), session.SignIn{Username: "ada@harbor.example", Password: password}); err != nil {
		t.Fatal(err)
	}
	report := check.New(s).Run(t.Context(), check.Request{Email: "ben@harbor.example", Control: true}, nil)
	control := report.Checks[len(report.Checks)-1]
	if control.ID != check.Control || control.Summary.String() != "the look-up works for ada@harbor.example, too" {
		t.Errorf("got %+v", control)
	}
}

func TestTheControlWithoutASession(t *testing.T) {
	report := check.New(service(t, start(t, demo.Options{}), nil)).Run(t.Context(), check.Request{Email: "ada@harbor.example", Control: true}, nil)
	control := report.Checks[len(report.Checks)-1]
	if control.ID != check.Control || control.State != check.Skipped || control.Summary.String() != "no session to compare with" || report.Verdict.Code != check.LooksFine {
		t.Errorf("got %+v, %s", control, report.Verdict.Sentence)
	}
}

func TestAProfileThatTheServiceRefuses(t *testing.T) {
	server := start(t, demo.Options{})
	for _, tt := range []struct {
		name   string
		change func(*config.Profile)
		code   check.Code
		scope  check.Scope
	}{
		{"another client secret", func(p *config.Profile) { p.ClientSecret = secret.New("canary-client-secret") }, check.ClientRefused, check.ScopeInstallation},
		{"another client secret in the body", func(p *config.Profile) {
			p.ClientSecret, p.ClientAuth = secret.New("canary-client-secret"), config.ClientAuthBody
		}, check.ClientRefused, check.ScopeInstallation},
		{"no client secret", func(p *config.Profile) { p.ClientSecret = secret.Text{} }, check.ClientRefused, check.ScopeHere},
		{"another scope", func(p *config.Profile) { p.Scope = "everything" }, check.ClientRefused, check.ScopeInstallation},
		{"no global service", func(p *config.Profile) { p.GlobalURL = "" }, check.BadProfile, check.ScopeHere},
	} {
		t.Run(tt.name, func(t *testing.T) {
			report := check.New(service(t, server, tt.change)).Run(t.Context(), check.Request{Email: "ada@harbor.example", Password: password}, nil)
			if v := report.Verdict; v.Code != tt.code || v.Scope != tt.scope {
				t.Errorf("%s %s: %s", v.Code, v.Scope, v.Sentence)
			}
			if text, _ := json.Marshal(report); strings.Contains(string(text), "canary") {
				t.Errorf("a secret is told: %s", text)
			}
		})
	}
}

// A name is no part of a device login, which takes the id of a domain.
func TestWhatIsSaidOfTheDomainAgreesWithWhatWasSent(t *testing.T) {
	s := service(t, start(t, demo.Options{}), nil)
	request := check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop", Domain: " MINATO.example. "}
	report := check.New(s).Run(t.Context(), request, nil)
	device := report.Checks[len(report.Checks)-1]
	if v := report.Verdict; !strings.HasPrefix(v.Known, "A device login can name a domain only by its id, and Gatehouse sent none. The name minato.example was not sent.") || device.ID != check.Device ||
		!strings.Contains(device.Detail.Text("meaning"), "The request named no domain") || device.Detail.Text("domain_id_sent") != "" {
		t.Errorf("it is known by %q, and of the device login: %v", v.Known, device.Detail)
	}
}

func TestAServiceThatIsNotThere(t *testing.T) {
	server := start(t, demo.Options{})
	s := service(t, server, nil)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	report := check.New(s).Run(t.Context(), check.Request{Email: "ada@harbor.example", Password: password, DeviceName: "laptop"}, nil)
	if v := report.Verdict; v.Code != check.Network || v.Scope != check.ScopeHere || !strings.Contains(v.Sentence, "can be reached from here: the connection was refused") || report.Title() != "Nothing reachable from here" {
		t.Errorf("%s %s: %s", v.Code, v.Scope, v.Sentence)
	}
	because := map[string]string{
		check.Gateway: check.Lookup, check.SignIn: check.Authority,
		check.Claims: check.Authority, check.Device: check.Global,
	}
	failed := map[string]bool{}
	for _, c := range report.Checks {
		failed[c.ID] = c.State == check.Fail
		want, isKnown := because[c.ID]
		switch {
		case c.State == check.Skipped && (!failed[c.Because] || isKnown && c.Because != want):
			t.Errorf("%s is skipped because of %q", c.ID, c.Because)
		case c.State != check.Skipped && isKnown:
			t.Errorf("%s is %s, not skipped because of %s", c.ID, c.State, want)
		case c.Host != "" && c.State == check.OK, c.State == check.Unknown:
			t.Errorf("%s is %s, though nothing answers", c.ID, c.State)
		}
	}
}
