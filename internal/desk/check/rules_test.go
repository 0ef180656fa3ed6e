package check

import (
	"strings"
	"testing"
	"time"

	"gatehouse/api"
)

// certificateAt is a host whose certificate was refused.
func certificateAt(id, host string, fault api.CertificateFault) Check {
	return Check{ID: id, State: Fail, Host: host, Summary: "its certificate was rejected", found: &observation{
		outcome: outcomeCertificate, cause: api.CauseCertificate, way: api.Way{Host: host, Certificate: &fault},
	}}
}

func answeredAt(id, host string, o observation) Check {
	o.outcome = outcomeAnswered
	return Check{ID: id, State: OK, Host: host, Status: 200, found: &o}
}

// signedIn are the checks of somebody who reads the shares in harbor.example.
func signedIn() []Check {
	return []Check{
		answeredAt(SignIn, "auth.example", observation{}),
		answeredAt(Claims, "", observation{readable: true, PrimaryDomain: "harbor.example"}),
		answeredAt(DomainPrefix+"harbor.example", "gateway.harbor.example", observation{Shares: new(3)}),
	}
}

// TestVerdictsOfWaysThatNoWorldHas judges what the worlds of the embedded service cannot show: TLS,
// proxies and addresses.
func TestVerdictsOfWaysThatNoWorldHas(t *testing.T) {
	hotel := api.CertificateFault{Kind: api.FaultOtherNames, Names: []string{"login.hotel-wifi.example"}, Fingerprint: "f", SignerID: "known"}
	expired := api.CertificateFault{Kind: api.FaultExpired, Fingerprint: "w", SignerID: "known", At: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	stranger := api.CertificateFault{Kind: api.FaultUnknownSigner, Issuer: "CN=Proxy", SignerID: "p"}
	incomplete := api.CertificateFault{Kind: api.FaultIncompleteChain, Issuer: "CN=Intermediate", SignerID: "i"}
	proxy := Check{ID: DomainPrefix + "pier.example", State: Fail, Host: "gateway.pier.example", found: &observation{
		outcome: outcomeProxy, cause: api.CauseProxy, Reason: "its proxy refused", way: api.Way{Proxy: &api.Proxy{Kind: "http", Host: "proxy.corp:3128", Status: 403}},
	}}
	refused := proxy
	refused.ID = Global
	for _, tt := range []struct {
		name   string
		checks []Check
		code   Code
		scope  Scope
		says   string
	}{
		{"one certificate for the names of another host", []Check{certificateAt(Global, "global.example", hotel), certificateAt(Authority, "auth.example", hotel)}, Network, ScopeHere, "login.hotel-wifi.example"},
		{"the same signer, whom nobody knows", []Check{certificateAt(Global, "global.example", stranger), certificateAt(Authority, "auth.example", stranger)}, Network, ScopeHere, "CN=Proxy"},
		{"one certificate for both hosts that has expired, beside one that answers", []Check{answeredAt(Lookup, "lookup.example", observation{PrimaryDomain: "harbor.example"}), certificateAt(Authority, "auth.example", expired), certificateAt(Gateway, "gateway.example", expired)}, Certificate, ScopeAuthority, "expired on 2026-11-01"},
		{"all certificates are out of time", []Check{certificateAt(Global, "global.example", expired), certificateAt(Authority, "auth.example", expired)}, Certificate, ScopeHere, "clock of this machine"},
		{"a chain that is incomplete", []Check{certificateAt(Gateway, "gateway.example", incomplete)}, Certificate, ScopeDomain, "CN=Intermediate: the chain is incomplete"},
		{"a proxy that refuses", []Check{refused}, Network, ScopeHere, "proxy.corp:3128 (403 forbidden)"},
		{"a proxy that refuses another domain", append(signedIn(), proxy), OtherDomains, ScopeDomain, "not pier.example"},
		{"two strange certificates of other domains", append(signedIn(), certificateAt(DomainPrefix+"a.example", "a.example", stranger), certificateAt(DomainPrefix+"b.example", "b.example", stranger)), OtherDomains, ScopeDomain, "a.example and b.example"},
		{"a device login whose password was kept here", append(signedIn(), Check{ID: Device, State: Unknown, found: &observation{outcome: outcomeWithheld, Reason: "the limit is 20"}}), SignInRefused, ScopeHere, "the limit is 20"},
		{"U103 beside a token", append(signedIn(), answeredAt(Device, "global.example", observation{ErrorCode: new("U103")})), NoPrimaryDomain, ScopePerson, "although the token names harbor.example: the answer"},
		{"U105, and only the answer names a domain", []Check{answeredAt(Device, "global.example", observation{ErrorCode: new("U105"), PrimaryDomain: "harbor.example"})}, OtherPrimaryDomain, ScopePerson, "it is not certain"},
	} {
		v := judge(&scene{Request: Request{Email: "ann@harbor.example"}}, tt.checks)
		if v.Code != tt.code || v.Scope != tt.scope || !strings.Contains(v.Sentence, tt.says) {
			t.Errorf("%s: %s %s: %s", tt.name, v.Code, v.Scope, v.Sentence)
		}
		checkTexts(t, tt.name, v)
	}
}

func TestASilenceThatIsRememberedKeepsItsTime(t *testing.T) {
	c := Check{State: Fail, found: &observation{outcome: outcomeSilent, waited: 9 * time.Second}}
	if c.noteWait(time.Millisecond); c.found.waited != 9*time.Second {
		t.Errorf("it waited %v", c.found.waited)
	}
}

func TestOnlyAnAddressThatGaveNoAnswerIsSilent(t *testing.T) {
	for name, tt := range map[string]struct {
		dialled api.Dialled
		silent  bool
	}{
		"given up for IPv4":            {api.Dialled{IPv6: true, Err: api.CauseCancelled, Took: time.Second}, true},
		"timed out":                    {api.Dialled{IPv6: true, Err: api.CauseTimeout}, true},
		"no way, on a machine of IPv4": {api.Dialled{IPv6: true, Err: api.CauseNoWay}, false},
		"connected":                    {api.Dialled{IPv6: true, Connected: true}, false},
		"of IPv4":                      {api.Dialled{Err: api.CauseTimeout}, false},
	} {
		o := observation{way: api.Way{Dialled: []api.Dialled{tt.dialled}}}
		if got := len(o.silentIPv6()) > 0; got != tt.silent {
			t.Errorf("%s: %v", name, got)
		}
		o.discreet = true
		if len(o.silentIPv6()) > 0 {
			t.Errorf("%s: a visitor learns the address", name)
		}
	}
}
