package check_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// service is the demo as the program has it, with the profile changed.
func service(t *testing.T, server *demo.Server, change func(*config.Profile)) *session.Service {
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
	s := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault()})
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func start(t *testing.T, o demo.Options) *demo.Server {
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
	{"from outside", check.Request{Email: "ada@harbor.example"}, check.OK, check.LooksFine, check.ScopeNone, "without a password"},
	{"all is well", check.Request{Email: "ada@harbor.example", Password: password}, check.OK, check.LooksFine, check.ScopeNone, "harbor.example answers"},
	{"unknown", check.Request{Email: "nobody@harbor.example"}, check.Fail, check.UnknownAddress, check.ScopePerson, "nobody@harbor.example"},
	{"unknown, with a password", check.Request{Email: "nobody@harbor.example", Password: password}, check.Fail, check.UnknownAddress, check.ScopePerson, "nobody@harbor.example"},
	{"no address", check.Request{Email: "ada at harbor"}, check.Fail, check.UnknownAddress, check.ScopePerson, "is not an e-mail address"},
	{"a wrong password", check.Request{Email: "ada@harbor.example", Password: secret.New("wrong")}, check.Fail, check.WrongPassword, check.ScopePerson, "or the password"},
	{"no primary domain", check.Request{Email: "eli@harbor.example", Password: password}, check.Fail, check.NoPrimaryDomain, check.ScopePerson, "neither"},
	{"look-up and claims differ", check.Request{Email: "jon@harbor.example", Password: password}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "names pier.example"},
	{"U105", check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop"}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "U105"},
	{"U105 for a domain", check.Request{Email: "finn@harbor.example", Password: password, DeviceName: "laptop", Domain: "minato.example"}, check.Fail, check.OtherPrimaryDomain, check.ScopePerson, "asks for minato.example"},
	{"U107", check.Request{Email: "dora@harbor.example", Password: password, DeviceName: "laptop"}, check.Fail, check.DeviceNotValidated, check.ScopePerson, "U107"},
	{"wipe", check.Request{Email: "wes@harbor.example", Password: password, DeviceName: "laptop"}, check.Fail, check.WipeOrdered, check.ScopePerson, "erase"},
	{"U100", check.Request{Email: "ada@harbor.example", Password: password, DeviceName: "laptop"}, check.Warn, check.UndocumentedCode, check.ScopePerson, "Looks fine; the code U100"},
	{"no access", check.Request{Email: "nora@harbor.example", Password: password}, check.Fail, check.NoAccess, check.ScopePerson, "403"},
	{"no access to another domain", check.Request{Email: "olaf@harbor.example", Password: password}, check.Warn, check.OtherDomains, check.ScopePerson, "minato.example does not"},
	{"asks for another domain", check.Request{Email: "ada@harbor.example", Password: password, Domain: "fjord.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "fjord.example is one of the domains"},
	{"asks for a domain of others", check.Request{Email: "ada@harbor.example", Password: password, Domain: "pier.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "pier.example is not one of"},
	{"asks for another domain, without a password", check.Request{Email: "ada@harbor.example", Domain: "pier.example"}, check.Warn, check.OtherDomains, check.ScopePerson, "asks for pier.example"},
	{"busy", check.Request{Email: "quin@harbor.example", Password: password}, check.Unknown, check.Undecided, check.ScopeNone, "429"},
}

func TestTheSituationsOfTheDemo(t *testing.T) {
	s := service(t, start(t, demo.Options{}), nil)
	for _, tt := range situations {
		t.Run(tt.name, func(t *testing.T) {
			report := check.New(s).Run(t.Context(), tt.request, nil)
			v := report.Verdict
			if v.State != tt.state || v.Code != tt.code || v.Scope != tt.scope || !strings.Contains(v.Sentence, tt.says) {
				text, _ := json.MarshalIndent(report, "", " ")
				t.Errorf("got %s %s %s: %s\nwant %s %s %s: %q\n%s", v.State, v.Code, v.Scope, v.Sentence, tt.state, tt.code, tt.scope, tt.says, text)
			}
		})
	}
	if s.Session.Status().State != session.SignedOut {
		t.Error("somebody is signed in now")
	}
}
