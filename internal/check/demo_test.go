package check_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// service is the demo as the program has it, with the profile changed.
func service(t testing.TB, server *demo.Server, change func(*config.Profile)) *session.Service {
	t.Helper()
	return serviceAt(t, time.Now, server, change)
}

// serviceAt is a service with a clock of its own.
func serviceAt(t testing.TB, now func() time.Time, server *demo.Server, change func(*config.Profile)) *session.Service {
	t.Helper()
	variables := map[string]string{"GATEHOUSE_STORE": "memory"}
	for _, e := range server.Env() {
		variables[e.Name] = e.Value
	}
	profile, err := config.Resolve(config.Sources{LookupEnv: func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	if profile.Roots, err = server.Roots(); err != nil {
		t.Fatal(err)
	}
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

// situation is somebody who cannot get in, and why.
type situation struct {
	name    string
	request check.Request
	state   check.State
	code    check.Code
	scope   check.Scope
	says    string // part of the sentence
}

var situations = []situation{
	{"from outside", check.Request{Email: "ada@harbor.example"}, check.OK, check.LooksFine, check.ScopeNone, "is visible from outside"},
	{"all is well", check.Request{Email: "ben@harbor.example", Password: password}, check.OK, check.LooksFine, check.ScopeNone, "harbor.example lists"},
	{"unknown", check.Request{Email: "nobody@harbor.example"}, check.Fail, check.UnknownAddress, check.ScopePerson, "nobody@harbor.example"},
	{"unknown, with a password", check.Request{Email: "nobody@harbor.example", Password: password}, check.Fail, check.UnknownAddress, check.ScopePerson, "nobody@harbor.example"},
	{"an empty address", check.Request{Email: " "}, check.Fail, check.UnknownAddress, check.ScopePerson, "is not an e-mail address"},
	{"no address", check.Request{Email: "ada at harbor"}, check.Fail, check.UnknownAddress, check.ScopePerson, "is not an e-mail address"},
	{"a wrong password", check.Request{Email: "ada@harbor.example", Password: secret.New("wrong")}, check.Fail, check.WrongPassword, check.ScopePerson, "or the password"},
	{"no primary domain", check.Request{Email: "eli@harbor.example", Password: password}, check.Fail, check.NoPrimaryDomain, check.ScopePerson, "neither"},
	{"look-up and claims differ", check.Request{Email: "jon@harbor.example", Password: password}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "names pier.example"},
	{"U105", check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop"}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "U105"},
	{"U105 for a domain", check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop", Domain: "minato.example"}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "although it named none. The primary domain is harbor.example"},
	{"U107", check.Request{Email: "dora@harbor.example", Password: password, DeviceName: "laptop"}, check.Fail, check.DeviceNotValidated, check.ScopePerson, "the device that this check created"},
	{"wipe", check.Request{Email: "wes@harbor.example", Password: password, DeviceName: "laptop"}, check.Fail, check.WipeOrdered, check.ScopePerson, "erase"},
	{"U100", check.Request{Email: "ben@harbor.example", Password: password, DeviceName: "laptop"}, check.Warn, check.UndocumentedCode, check.ScopePerson, "Looks fine; the code U100"},
	{"no access", check.Request{Email: "nora@harbor.example", Password: password}, check.Fail, check.NoAccess, check.ScopePerson, "403"},
	{"no access to another domain", check.Request{Email: "olaf@harbor.example", Password: password}, check.Warn, check.OtherDomains, check.ScopePerson, "minato.example does not"},
	{"asks for another domain", check.Request{Email: "ben@harbor.example", Password: password, Domain: "pier.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "pier.example is one of the domains"},
	{"asks for a domain of others", check.Request{Email: "ben@harbor.example", Password: password, Domain: "fjord.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "fjord.example is not one of"},
	{"asks for a domain that is not theirs, and another one refuses them", check.Request{Email: "ada@harbor.example", Password: password, Domain: "pier.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "pier.example is not one of the domains"},
	{"asks for another domain, without a password", check.Request{Email: "ada@harbor.example", Domain: "pier.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "asked for pier.example"},
	{"a gateway that is down", check.Request{Email: "kit@harbor.example"}, check.Fail, check.GatewayUnreachable, check.ScopeDomain, "The gateway of shoal.example"},
	{"a gateway that is down, with a password", check.Request{Email: "kit@harbor.example", Password: password}, check.Fail, check.GatewayUnreachable, check.ScopeDomain, "503"},
	{"a certificate that has ended", check.Request{Email: "lena@harbor.example"}, check.Fail, check.Certificate, check.ScopeDomain, "expired on"},
	{"a certificate that has ended, with a password", check.Request{Email: "lena@harbor.example", Password: password}, check.Fail, check.Certificate, check.ScopeDomain, "expired on"},
	{"a clock that is slow", check.Request{Email: "milo@harbor.example"}, check.Fail, check.Clock, check.ScopeDomain, "10m 0s behind"},
	{"a clock that is slow, and keeps nobody out", check.Request{Email: "milo@harbor.example", Password: password}, check.Warn, check.Clock, check.ScopeDomain, "gets in, but the clock of the gateway"},
	{"U105 for the primary domain", check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop", Domain: "harbor.example"}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "the answer contradicts itself"},
	{"busy", check.Request{Email: "quin@harbor.example", Password: password}, check.Unknown, check.Undecided, check.ScopeNone, "429"},
}

func TestTheSituationsOfTheDemo(t *testing.T) {
	// The clocks stand still: a second that turned during a request would be a second of skew.
	at := time.Now().Truncate(time.Second)
	clock := func() time.Time { return at }
	s := serviceAt(t, clock, start(t, demo.Options{Now: clock}), nil)
	t.Cleanup(func() {
		if s.Session.Status().State != session.SignedOut {
			t.Error("somebody is signed in now")
		}
	})
	for _, tt := range situations {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			report := check.New(s).Run(t.Context(), tt.request, nil)
			v := report.Verdict
			if v.State != tt.state || v.Code != tt.code || v.Scope != tt.scope || !strings.Contains(v.Sentence, tt.says) {
				text, _ := json.MarshalIndent(report, "", " ")
				t.Errorf("got %s %s %s: %s\nwant %s %s %s: %q\n%s", v.State, v.Code, v.Scope, v.Sentence, tt.state, tt.code, tt.scope, tt.says, text)
			}
		})
	}
}

// signedIn is a service at which somebody is signed in.
func TestASlowGatewayIsAWarning(t *testing.T) {
	s := service(t, start(t, demo.Options{}), nil)
	for _, tt := range []struct {
		password secret.Text
		title    string
	}{{secret.Text{}, "Answers slowly"}, {password, "Works, slowly"}} {
		report := check.New(s).Run(t.Context(), check.Request{Email: "pia@harbor.example", Password: tt.password}, nil)
		if v := report.Verdict; v.State != check.Warn || v.Code != check.LooksFine || report.Title() != tt.title {
			t.Errorf("%s %s %s: %s", v.State, v.Code, report.Title(), v.Sentence)
		}
	}
}

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
	before := s.Session.Held()
	for _, tt := range []struct {
		name    string
		request check.Request
		state   check.State
		differs string // the first check that came out otherwise
		says    string
		scope   check.Scope
	}{
		{"the same", check.Request{Email: "ben@harbor.example", Password: password}, check.OK, "", "same result for ada@harbor.example", check.ScopeNone},
		{"a wrong password", check.Request{Email: "ben@harbor.example", Password: secret.New("wrong")}, check.Info, check.SignIn, "sign-in works for ada@harbor.example, not for this person", check.ScopePerson},
		{"an unknown address", check.Request{Email: "nobody@harbor.example"}, check.Info, check.Lookup, "lookup works for ada@harbor.example", check.ScopePerson},
		{"no access", check.Request{Email: "nora@harbor.example", Password: password}, check.Info, "domain:harbor.example", "harbor.example works for ada@harbor.example, not for this person", check.ScopePerson},
		{"without a password", check.Request{Email: "ben@harbor.example"}, check.OK, "", "same result for ada@harbor.example", check.ScopeNone},
		{"herself", check.Request{Email: "ADA@harbor.example"}, check.Info, "", "nothing to compare", check.ScopeNone},
		{"a domain that is not hers", check.Request{Email: "kit@harbor.example"}, check.OK, "", "same result", check.ScopeDomain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.request.Control = true
			report := check.New(s).Run(t.Context(), tt.request, nil)
			control := report.Checks[len(report.Checks)-1]
			if control.ID != check.Control || control.State != tt.state || control.Detail.Text("differs_at") != tt.differs || !strings.Contains(control.Summary, tt.says) {
				t.Errorf("got %+v", control)
			}
			if report.Verdict.Scope != tt.scope {
				t.Errorf("the scope is %s: %s", report.Verdict.Scope, report.Verdict.Sentence)
			}
		})
	}
	if s.Session.Held() != before || s.Session.Status().Username != "ada@harbor.example" {
		t.Error("the session is another one now")
	}
}

func TestTheControlWithoutASession(t *testing.T) {
	report := check.New(service(t, start(t, demo.Options{}), nil)).Run(t.Context(), check.Request{Email: "ada@harbor.example", Control: true}, nil)
	control := report.Checks[len(report.Checks)-1]
	if control.ID != check.Control || control.State != check.Skipped || control.Summary != "no session to compare with" || report.Verdict.Code != check.LooksFine {
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
		{"another scope", func(p *config.Profile) { p.Scope = "everything" }, check.Undecided, check.ScopeNone},
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
	request := check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop", Domain: "minato.example"}
	report := check.New(s).Run(t.Context(), request, nil)
	const want = "A device login only takes the id of a domain, so minato.example was not sent. The answer names harbor.example as the primary domain."
	device := report.Checks[len(report.Checks)-1]
	if v := report.Verdict; !strings.HasPrefix(v.Known, want) || device.ID != check.Device || device.Detail.Text(check.FactMeaning) != want || device.Detail.Text("domain_id_sent") != "" {
		t.Errorf("it is known by %q, and of the device login: %v", v.Known, device.Detail)
	}
	request.Domain = ""
	if v := check.New(s).Run(t.Context(), request, nil).Verdict; strings.Contains(v.Sentence, "asked for") || !strings.Contains(v.Known, "named no domain") {
		t.Errorf("without a domain: %s %s", v.Sentence, v.Known)
	}
}

func TestAServiceThatIsNotThere(t *testing.T) {
	server := start(t, demo.Options{})
	s := service(t, server, nil)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	report := check.New(s).Run(t.Context(), check.Request{Email: "ada@harbor.example", Password: password, DeviceName: "laptop"}, nil)
	if v := report.Verdict; v.Code != check.GlobalUnreachable || v.Scope != check.ScopeHere || !strings.Contains(v.Sentence, "can be reached from here: the connection was refused") || report.Title() != "Nothing can be reached from here" {
		t.Errorf("%s %s: %s", v.Code, v.Scope, v.Sentence)
	}
	var states []string
	for _, c := range report.Checks {
		states = append(states, strings.TrimSpace(c.ID+" "+string(c.State)+" "+c.Because))
	}
	want := "profile ok, lookup unknown, global fail, authority fail, gateway skipped lookup, sign-in skipped authority, claims skipped authority, device skipped global"
	if got := strings.Join(states, ", "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The hosts of the demo are one server, so either clock may be wrong.
func TestTheClockOfOneServerIsNotCalledOurs(t *testing.T) {
	for _, tt := range []struct {
		by    time.Duration
		state check.State
		code  check.Code
		scope check.Scope
	}{
		{10 * time.Minute, check.Fail, check.Clock, check.ScopeInstallation},
		{-10 * time.Minute, check.Fail, check.Clock, check.ScopeInstallation},
		{2 * time.Minute, check.Warn, check.Clock, check.ScopeInstallation},
		{30 * time.Second, check.OK, check.LooksFine, check.ScopeNone},
	} {
		s := service(t, start(t, demo.Options{Now: func() time.Time { return time.Now().Add(tt.by) }}), nil)
		report := check.New(s).Run(t.Context(), check.Request{Email: "ada@harbor.example"}, nil)
		if v := report.Verdict; v.State != tt.state || v.Code != tt.code || v.Scope != tt.scope {
			t.Errorf("%v: got %s %s %s: %s", tt.by, v.State, v.Code, v.Scope, v.Sentence)
		}
	}
}
