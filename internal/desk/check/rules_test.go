package check

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
)

// certificateAt is a host whose certificate was refused.
func certificateAt(id, host string, fault api.CertificateFault) Check {
	return Check{ID: id, State: Fail, Host: host, Summary: Summary{"its certificate was rejected"}, found: &observation{
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

// throughProxy is the global service behind a proxy that did not let the request through.
func throughProxy(proxy api.Proxy) Check {
	return Check{ID: Global, State: Fail, Host: "global.example", Summary: Summary{"its proxy failed"}, found: &observation{
		outcome: outcomeProxy, cause: api.CauseProxy, Reason: "its proxy failed", way: api.Way{Proxy: &proxy},
	}}
}

func otherHost(c Check) Check {
	c.ID, c.Host = Authority, "auth.example"
	return c
}

// TestVerdictsOfWaysThatNoWorldHas judges what the worlds of the embedded service cannot show: TLS,
// proxies and addresses.
func TestVerdictsOfWaysThatNoWorldHas(t *testing.T) {
	hotel := api.CertificateFault{Kind: api.FaultOtherNames, Names: []string{"login.hotel-wifi.example"}, Fingerprint: "f", SignerID: "known"}
	expired := api.CertificateFault{Kind: api.FaultExpired, Fingerprint: "w", SignerID: "known", At: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	stranger := api.CertificateFault{Kind: api.FaultUnknownSigner, Signer: "CN=Proxy", SignerID: "p"}
	incomplete := api.CertificateFault{Kind: api.FaultIncompleteChain, Signer: "CN=Intermediate", SignerID: "i"}
	proxy := Check{ID: DomainPrefix + "pier.example", State: Fail, Host: "gateway.pier.example", found: &observation{
		outcome: outcomeProxy, cause: api.CauseProxy, Reason: "its proxy refused", way: api.Way{Proxy: &api.Proxy{Kind: "http", Host: "proxy.corp:3128", Status: 403}},
	}}
	refused := proxy
	refused.ID = Global
	early := api.CertificateFault{Kind: api.FaultNotYetValid, Fingerprint: "e", SignerID: "known", At: time.Date(2027, 11, 1, 0, 0, 0, 0, time.UTC)}
	alone := api.CertificateFault{Kind: api.FaultUnknownSigner, Signer: "CN=Somebody", SignerID: "s", Alone: true}
	nowhere := Check{ID: Gateway, State: Fail, Host: "gateway.example", found: &observation{
		outcome: outcomeNoWay, cause: api.CauseRefused, way: api.Way{Dialled: []api.Dialled{{Address: "0.0.0.0:443", Err: api.CauseRefused}}},
	}}
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
		{"all certificates are out of time", []Check{certificateAt(Global, "global.example", expired), certificateAt(Authority, "auth.example", early)}, Certificate, ScopeHere, "clock of this machine"},
		{"all certificates expired together", []Check{certificateAt(Global, "global.example", expired), certificateAt(Authority, "auth.example", expired)}, Certificate, ScopeInstallation, "expired on 2026-11-01"},
		{"a signer that nobody knows, at one host", []Check{certificateAt(Gateway, "gateway.example", alone)}, Certificate, ScopeDomain, "no certificate of that authority was sent with it"},
		{"a name that leads nowhere", []Check{nowhere}, Network, ScopeHere, "leads to 0.0.0.0:443"},
		{"a proxy that has gone", []Check{throughProxy(api.Proxy{Kind: "http", Host: "proxy.corp:3128", Cause: api.CauseName})}, Network, ScopeHere, "cannot be reached: its name has no address"},
		{"a proxy that asks for a sign-in", []Check{throughProxy(api.Proxy{Kind: "http", Host: "proxy.corp:3128", Status: 407, SignIn: api.ProxySignInMissing})}, Network, ScopeHere, "asks for a user name and a password"},
		{"a SOCKS proxy that asks for a sign-in", []Check{throughProxy(api.Proxy{Kind: "socks5", Host: "proxy.corp:1080", Reply: "no acceptable authentication methods", SignIn: api.ProxySignInMissing})}, Network, ScopeHere, "proxy.corp:1080 asks for a user name and a password"},
		{"a proxy that rejects a password", []Check{throughProxy(api.Proxy{Kind: "socks5", Host: "proxy.corp:1080", Reply: "username/password authentication failed", SignIn: api.ProxySignInRejected})}, Network, ScopeHere, "does not accept the user name and the password"},
		{"a name that does not exist", []Check{{ID: Gateway, State: Fail, Host: "gateway.example", found: &observation{outcome: outcomeNoWay, cause: api.CauseNoHost, Reason: api.CauseNoHost.Text()}}, answeredAt(Lookup, "lookup.example", observation{PrimaryDomain: "harbor.example"})}, GatewayUnreachable, ScopeDomain, "there is no such host name"},
		{"a name that exists without an address", []Check{{ID: Gateway, State: Fail, Host: "gateway.example", found: &observation{outcome: outcomeNoWay, cause: api.CauseNoAddress, Reason: api.CauseNoAddress.Text()}}, answeredAt(Lookup, "lookup.example", observation{PrimaryDomain: "harbor.example"})}, GatewayUnreachable, ScopeDomain, "its name exists, and has no address"},
		{"a name that its servers cannot look up", []Check{{ID: Gateway, State: Fail, Host: "gateway.example", found: &observation{outcome: outcomeNoWay, cause: api.CauseNameFault, Reason: api.CauseNameFault.Text()}}, answeredAt(Lookup, "lookup.example", observation{PrimaryDomain: "harbor.example"})}, GatewayUnreachable, ScopeDomain, "SERVFAIL"},
		{"a name without an address", []Check{{ID: Gateway, State: Fail, Host: "gateway.example", found: &observation{outcome: outcomeNoWay, cause: api.CauseName, Reason: api.CauseName.Text()}}, answeredAt(Lookup, "lookup.example", observation{PrimaryDomain: "harbor.example"})}, GatewayUnreachable, ScopeDomain, "its name has no address"},
		{"a proxy that says why", []Check{throughProxy(api.Proxy{Kind: "http", Host: "proxy.corp:3128", Status: 403, Reply: "Category blocked"})}, Network, ScopeHere, `says: "Category blocked"`},
		{"a proxy that reaches nobody", []Check{throughProxy(api.Proxy{Kind: "http", Host: "proxy.corp:3128", Status: 503}), otherHost(throughProxy(api.Proxy{Kind: "http", Host: "proxy.corp:3128", Status: 503}))}, Network, ScopeHere, "reaches no host of the service"},
		{"a chain that is incomplete", []Check{certificateAt(Gateway, "gateway.example", incomplete)}, Certificate, ScopeDomain, "CN=Intermediate: the chain is incomplete"},
		{"a proxy that refuses", []Check{refused}, Network, ScopeHere, "it answers 403 forbidden"},
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

func TestARuleNamesAStepOnce(t *testing.T) {
	values := map[string]phrase{"operator": named("harbor.example"), "wait": plain("5 seconds"), "other": named("ben@harbor.example")}
	again := []Step{
		{Text: "[Wait {wait}, then check again]", Kind: StepAgain},
		{Text: "Check again in a minute", Kind: StepAgain},
	}
	address := Step{Text: "Check {other}", Kind: StepOtherAddress, Email: "{other}"}
	for name, test := range map[string]struct {
		next     []Step
		repeated bool
		want     []StepKind
	}{
		"again in two ways":       {again, false, []StepKind{StepAgain}},
		"again, after a failure":  {again, true, []StepKind{StepReport}},
		"and reported, too":       {append(again, reportStep), true, []StepKind{StepReport}},
		"twice":                   {[]Step{address, address}, false, []StepKind{StepOtherAddress}},
		"twice in the same words": {[]Step{do("Check {other}"), address}, false, []StepKind{StepOther, StepOtherAddress}},
	} {
		s := &scene{Request: Request{Email: "ada@harbor.example", Repeated: test.repeated}}
		var got []StepKind
		for _, step := range s.steps(rule{next: test.next}, Check{}, values) {
			got = append(got, step.Kind)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
