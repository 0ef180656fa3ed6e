package check

import (
	"cmp"
	"crypto/x509"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
)

var at = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

const email = "ada@harbor.example"

// outside are the checks of an address with which nothing is wrong, without a password.
func outside() []Check {
	return []Check{
		{ID: Profile, State: OK},
		{ID: Lookup, State: OK, Host: "global.example", Status: 200, found: &finding{PrimaryDomain: "harbor.example"}},
		{ID: Global, State: OK, Host: "global.example", Status: 404},
		{ID: Authority, State: OK, Host: "auth.example", Status: 405},
		{ID: Gateway, State: OK, Host: "gateway.harbor.example", Status: 401},
	}
}

// inside are those with a password.
func inside() []Check {
	return append(outside(),
		Check{ID: SignIn, State: OK, Host: "auth.example", Status: 200},
		token(OK, "", "harbor.example", "fjord.example", "minato.example"),
		Check{ID: DomainPrefix + "harbor.example", State: OK, Host: "gateway.harbor.example", Status: 200},
		Check{ID: DomainPrefix + "fjord.example", State: OK, Host: "gateway.fjord.example", Status: 200},
		Check{ID: DomainPrefix + "minato.example", State: OK, Host: "gateway.minato.example", Status: 200},
	)
}

// token is the check of claims.
func token(state State, code Code, primary string, others ...string) Check {
	return Check{ID: Claims, State: state, Code: code, found: &finding{readable: true, PrimaryDomain: primary, OtherDomains: others}}
}

// tooMany is the check of claims with more domains than are read.
func tooMany(c Check) Check {
	c.found.DomainsNotRead = 1
	return c
}

// with replaces checks by their ids, or adds them.
func with(checks []Check, others ...Check) []Check {
	for _, c := range others {
		if i := slices.IndexFunc(checks, func(known Check) bool { return known.ID == c.ID }); i >= 0 {
			if c.Host == "" {
				c.Host = checks[i].Host
			}
			checks[i] = c
		} else {
			checks = append(checks, c)
		}
	}
	return checks
}

// down are hosts that fail in the same way.
func down(why api.Cause, ids ...string) []Check {
	var checks []Check
	for _, id := range ids {
		checks = append(checks, Check{ID: id, State: Fail, Code: unreachable[id], Summary: "the reason", found: &finding{Failure: why.String()}})
	}
	return checks
}

// page is a check that got an HTML page.
func page(id string) Check {
	c := failed("", &api.BodyError{Detail: "an HTML page instead of JSON"})
	c.ID = id
	return c
}

// refusing are hosts at an address that refuse the connection.
func refusing(address string, ids ...string) []Check {
	checks := down(api.CauseRefused, ids...)
	for i := range checks {
		checks[i].Host = address
	}
	return checks
}

func refusedBy(id string, why api.Cause) Check {
	return Check{ID: id, State: Fail, Code: Certificate, Summary: "its certificate is for another host", found: &finding{Failure: why.String()}}
}

// ending is a host whose certificate expires on a day.
func ending(id string, state State, day time.Time) Check {
	f := finding{probe: api.Probe{Certificate: &x509.Certificate{NotAfter: day}}}
	if state == Fail {
		f.Failure, f.Reason = api.CauseCertificate.String(), "its certificate expired on "+day.Format(time.DateOnly)
	}
	return Check{ID: id, State: state, Code: Certificate, found: &f}
}

func off(id string, state State, seconds float64) Check {
	return Check{ID: id, State: state, Code: Clock, Status: 404, found: &finding{probe: api.Probe{Skew: time.Duration(seconds * float64(time.Second))}}}
}

// device is the check of a device login whose answer names a primary domain, "" for none.
func device(state State, code Code, answer, primary string) Check {
	f := finding{ErrorCode: &answer, PrimaryDomain: primary, DeviceID: "c1e0"}
	return Check{ID: Device, State: state, Code: code, Host: "global.example", Status: 200, found: &f}
}

// changed is a check with something else in its finding.
func changed(c Check, change func(*finding)) Check {
	f := *c.finding()
	change(&f)
	c.found = &f
	return c
}

func byName(f *finding) { f.DeviceName = "laptop" }

// slow is a check whose answer came late.
func slow(id string, took time.Duration) Check {
	c := Check{ID: id, State: Warn, Code: LooksFine, Status: 200, waited: took}
	if id == Lookup {
		c.found = &finding{PrimaryDomain: "harbor.example"}
	}
	return c
}

// sameServer are hosts that one server is behind.
func sameServer(hosts ...Check) []Check {
	for i := range hosts {
		hosts[i].finding().probe.Address = "192.0.2.1:" + strconv.Itoa(443+i)
	}
	return hosts
}

func status(id string, state State, code Code, status int) Check {
	return Check{ID: id, State: state, Code: code, Status: status, Summary: answered(status, 0)}
}

// refused is a sign-in that the token endpoint answered with an error.
func refused(state State, code Code, status int, answer, description string) Check {
	return Check{
		ID: SignIn, State: state, Code: code, Status: status, Summary: answered(status, 0),
		found: &finding{ErrorCode: &answer, Description: description},
	}
}

// denied are the shares of a domain that a gateway refused; without is its answer to nobody.
func denied(id string, answer, without int) Check {
	c := status(id, Fail, NoAccess, answer)
	c.found = &finding{StatusWithoutToken: without}
	return c
}

// control is the check of whoever is signed in, with one step that they took.
func controlled(state State, differs string) Check {
	detail := Detail{NewFact(factUser, "desk@harbor.example"), NewFact(DomainPrefix+"harbor.example", string(state)+", as it came")}
	if differs != "" {
		detail = append(detail, NewFact(factDiffers, differs))
	}
	return Check{ID: Control, State: Info, Detail: detail}
}

const guidOfHarbor = "11111111-7710-4572-b569-46b50ea2c142"

var timedOut = finding{Failure: api.CauseTimeout.String()}

// verdicts are all situations: what the checks found, and what follows from it.
var verdicts = []struct {
	name    string
	subject diagnosis
	checks  []Check
	state   State
	code    Code
	scope   Scope
	says    string // part of the sentence
}{
	{"nothing is wrong, from outside", diagnosis{}, outside(), OK, LooksFine, ScopeNone, "nothing is wrong with"},
	{"nothing is wrong, with a password", diagnosis{}, inside(), OK, LooksFine, ScopeNone, "harbor.example lists"},
	{"a token that is no JWT", diagnosis{}, with(outside(), Check{ID: SignIn, State: OK}, Check{ID: Claims, State: Unknown, Summary: "the token is not a JWT"}), Unknown, Undecided, ScopeNone, "the check of the claims could not be completed"},
	{"a control that could not be completed", diagnosis{}, append(inside(), Check{ID: Control, State: Unknown}), OK, LooksFine, ScopeNone, "harbor.example lists"},

	{"an unknown address", diagnosis{}, with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}), Fail, UnknownAddress, ScopePerson, "finds no primary domain for " + email},
	{"an empty address", diagnosis{Request: Request{Email: " "}}, with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress, found: &finding{Failure: failureAddress, Reason: "nothing is there"}}), Fail, UnknownAddress, ScopeNone, `"" is not an e-mail address`},
	{"no address", diagnosis{Request: Request{Email: "ada at harbor"}}, with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress, found: &finding{Failure: failureAddress, Reason: "it has no @"}}), Fail, UnknownAddress, ScopeNone, `"ada at harbor" is not an e-mail address`},
	{
		"an unknown address whose password is refused", diagnosis{},
		with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}, refused(Fail, WrongPassword, 400, "invalid_grant", "")),
		Fail, UnknownAddress, ScopePerson, "finds no primary domain for " + email,
	},
	{
		"a sign-in without a primary domain", diagnosis{},
		with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}, Check{ID: SignIn, State: OK}, token(Fail, NoPrimaryDomain, "")),
		Fail, NoPrimaryDomain, ScopePerson, "can sign in, but the token names no primary domain.",
	},
	{
		"a primary domain in the token alone", diagnosis{},
		with(inside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}), Fail, NoPrimaryDomain, ScopePerson, "the global service finds no primary domain.",
	},
	{
		"U103 for an address without a domain", diagnosis{},
		with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}, device(Fail, NoPrimaryDomain, "U103", "")),
		Fail, NoPrimaryDomain, ScopePerson, "failed with U103",
	},
	{"U103 though all else names one", diagnosis{}, with(inside(), device(Fail, NoPrimaryDomain, "U103", "")), Fail, NoPrimaryDomain, ScopePerson, "failed with U103"},

	{
		"look-up and claims differ", diagnosis{},
		with(inside(), token(Fail, OtherPrimaryDomain, "pier.example")),
		Fail, OtherPrimaryDomain, ScopePerson, email + " can sign in, but the look-up names harbor.example as the primary domain and the token names pier.example.",
	},
	{"U105", diagnosis{}, with(inside(), device(Fail, OtherPrimaryDomain, "U105", "harbor.example")), Fail, OtherPrimaryDomain, ScopePerson, "although Gatehouse sent no domain with it. The primary domain is harbor.example"},
	{"U105 without a domain in the answer", diagnosis{}, with(inside(), device(Fail, OtherPrimaryDomain, "U105", "")), Fail, OtherPrimaryDomain, ScopePerson, "although Gatehouse sent no domain with it. The primary domain is harbor.example"},
	{
		"U105 for a domain that was asked for", diagnosis{Request: Request{Domain: "minato.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example"), device(Fail, OtherPrimaryDomain, "U105", "harbor.example")),
		Fail, OtherPrimaryDomain, ScopePerson, "although Gatehouse sent no domain with it. The primary domain is harbor.example",
	},
	{"U105 for the id of a domain", diagnosis{Request: Request{Domain: "37881350-7710-4572-b569-46b50ea2c142"}}, with(inside(), device(Fail, OtherPrimaryDomain, "U105", "")), Fail, OtherPrimaryDomain, ScopePerson, "U105, wrong domain"},

	{"a wrong password", diagnosis{}, with(outside(), refused(Fail, WrongPassword, 400, "invalid_grant", "")), Fail, WrongPassword, ScopePerson, "rejects the sign-in of ada@harbor.example. Usually the e-mail address or the password is wrong."},
	{"a refused client", diagnosis{Client: "desk"}, with(outside(), refused(Fail, ClientRefused, 401, "invalid_client", "")), Fail, ClientRefused, ScopeInstallation, "client desk (invalid_client)"},
	{"another refusal of OAuth", diagnosis{}, with(outside(), refused(Unknown, "", 400, "invalid_scope", "")), Unknown, Undecided, ScopeNone, "with invalid_scope"},
	{"a token endpoint that fails", diagnosis{}, with(outside(), status(SignIn, Unknown, "", 503)), Unknown, Undecided, ScopeNone, "sign-in could not be completed: the host answered 503"},
	{"a sign-in at the wrong address", diagnosis{}, with(outside(), status(SignIn, Unknown, "", 404)), Unknown, Undecided, ScopeNone, "the sign-in could not be completed: the host answered 404"},
	{"a token endpoint that is busy", diagnosis{}, with(outside(), Check{ID: SignIn, State: Unknown, Status: 429, Summary: "answered 429", found: &finding{RetryAfter: 30}}), Unknown, Undecided, ScopeNone, "429"},

	{"U107", diagnosis{}, with(inside(), device(Fail, DeviceNotValidated, "U107", "")), Fail, DeviceNotValidated, ScopePerson, "U107"},
	{"Wipe for a device that was named", diagnosis{}, with(inside(), changed(device(Fail, WipeOrdered, "U100", ""), byName)), Fail, WipeOrdered, ScopePerson, "orders the device to erase"},
	{"Wipe", diagnosis{}, with(inside(), device(Fail, WipeOrdered, "U100", "")), Fail, WipeOrdered, ScopePerson, "erase its data"},
	{"U100 with all that a login is for", diagnosis{}, with(inside(), changed(device(Warn, UndocumentedCode, "U100", ""), func(f *finding) { f.Complete = new(true) })), Warn, UndocumentedCode, ScopeNone, "looks fine, although its code U100"},
	{"U100 with all that a login is for, for a device that was named", diagnosis{}, with(inside(), changed(device(Warn, UndocumentedCode, "U100", ""), func(f *finding) { f.Complete, f.DeviceName = new(true), "laptop" })), Warn, UndocumentedCode, ScopeNone, "looks fine, although its code U100"},
	{"U100 with less", diagnosis{}, with(inside(), device(Warn, UndocumentedCode, "U100", "")), Warn, UndocumentedCode, ScopeNone, "an incomplete result"},
	{"a device login without an answer", diagnosis{}, with(inside(), Check{ID: Device, State: Unknown, found: &timedOut}), Unknown, Undecided, ScopeNone, "the device login could not be completed"},

	{"no access", diagnosis{}, with(inside(), denied(DomainPrefix+"harbor.example", 403, 401)), Fail, NoAccess, ScopePerson, "refuses ada@harbor.example access to harbor.example (403)"},
	{"no access for anybody", diagnosis{}, with(inside(), denied(DomainPrefix+"harbor.example", 403, 403)), Fail, NoAccess, ScopeDomain, "and without a token"},
	{"a token that is not accepted", diagnosis{}, with(inside(), denied(DomainPrefix+"harbor.example", 401, 401)), Fail, NoAccess, ScopePerson, "does not accept the token"},
	{
		"no access, nor for whoever is signed in", diagnosis{},
		with(inside(), status(DomainPrefix+"harbor.example", Fail, NoAccess, 401), controlled(Fail, "")),
		Fail, NoAccess, ScopeDomain, "does not accept",
	},
	{
		"no access, unlike whoever is signed in", diagnosis{},
		with(inside(), status(DomainPrefix+"harbor.example", Fail, NoAccess, 403), controlled(OK, "")),
		Fail, NoAccess, ScopePerson, "refuses",
	},
	{
		"no access to the domain that was asked for", diagnosis{Request: Request{Domain: "fjord.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example", "fjord.example"), status(DomainPrefix+"fjord.example", Fail, NoAccess, 403)),
		Fail, NoAccess, ScopePerson, "access to fjord.example",
	},

	{
		"asks for another domain", diagnosis{Request: Request{Domain: "fjord.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example", "fjord.example")),
		Warn, OtherDomains, ScopePerson, "fjord.example is one of the domains of",
	},
	{
		"asks for another domain, which was not asked", diagnosis{Request: Request{Domain: "fjord.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example", "fjord.example"), Check{ID: DomainPrefix + "fjord.example", State: Skipped}),
		Warn, OtherDomains, ScopePerson, "fjord.example is one of the domains of",
	},
	{
		"asks for a domain of others", diagnosis{Request: Request{Domain: "pier.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example")),
		Warn, OtherDomains, ScopePerson, "pier.example is not one of the domains of",
	},
	{
		"asks for a domain that was not read", diagnosis{Request: Request{Domain: "pier.example"}},
		with(inside(), tooMany(token(Warn, OtherDomains, "harbor.example", "fjord.example"))),
		Warn, OtherDomains, ScopePerson, "pier.example is not among those that were read",
	},
	{
		"asks for another domain, without a password", diagnosis{Request: Request{Domain: "pier.example"}},
		with(outside(), Check{ID: Lookup, State: Warn, Code: OtherDomains, found: &finding{PrimaryDomain: "harbor.example"}}),
		Warn, OtherDomains, ScopePerson, "asked for pier.example, but the primary domain",
	},
	{
		"asks for another domain, which does not answer", diagnosis{Request: Request{Domain: "fjord.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example", "fjord.example"), Check{ID: DomainPrefix + "fjord.example", State: Unknown, found: &timedOut}),
		Warn, OtherDomains, ScopePerson, "harbor.example works for ada@harbor.example. It is not known whether fjord.example does",
	},
	{"no access to another domain", diagnosis{}, with(inside(), status(DomainPrefix+"minato.example", Fail, NoAccess, 403)), Warn, OtherDomains, ScopePerson, "harbor.example works for ada@harbor.example, but minato.example does not"},
	{
		"trouble in two other domains", diagnosis{},
		with(inside(), status(DomainPrefix+"fjord.example", Fail, GatewayUnreachable, 503), status(DomainPrefix+"minato.example", Fail, NoAccess, 403)),
		Warn, OtherDomains, ScopeDomain, "fjord.example and minato.example do not",
	},
	{"another domain that is busy", diagnosis{}, with(inside(), status(DomainPrefix+"minato.example", Unknown, "", 429)), Warn, OtherDomains, ScopePerson, "harbor.example works for ada@harbor.example. It is not known whether minato.example does"},

	{"no global service", diagnosis{}, with(outside(), append(down(api.CauseRefused, Global), Check{ID: Lookup, State: Unknown})...), Fail, GlobalUnreachable, ScopeInstallation, "cannot be reached"},
	{"an HTML page of the look-up", diagnosis{}, with(outside(), page(Lookup)), Unknown, Undecided, ScopeNone, "the look-up could not be completed: the host sent an HTML page"},
	{"an HTML page of a gateway", diagnosis{}, with(inside(), page(DomainPrefix+"harbor.example")), Unknown, Undecided, ScopeNone, "the check of harbor.example could not be completed: the host sent an HTML page"},
	{"a global service of errors", diagnosis{}, with(outside(), status(Lookup, Unknown, "", 503), status(Global, Fail, GlobalUnreachable, 503)), Fail, GlobalUnreachable, ScopeInstallation, "every request with an error"},
	{"no authority", diagnosis{}, with(outside(), append(down(api.CauseName, Authority), Check{ID: SignIn, State: Skipped, Because: Authority})...), Fail, AuthorityUnreachable, ScopeAuthority, "cannot be reached"},
	{"no local authority", diagnosis{LocalAuthority: true}, with(outside(), down(api.CauseName, Authority)...), Fail, AuthorityUnreachable, ScopeDomain, "cannot be reached"},
	{"an authority of errors", diagnosis{}, with(outside(), status(Authority, Fail, AuthorityUnreachable, 500)), Fail, AuthorityUnreachable, ScopeAuthority, "every request with an error"},
	{"no gateway", diagnosis{}, with(outside(), down(api.CauseRefused, Gateway)...), Fail, GatewayUnreachable, ScopeDomain, "The gateway of harbor.example, gateway.harbor.example, cannot be reached"},
	{"no gateway, where there is one for all", diagnosis{OneGateway: true}, with(outside(), down(api.CauseRefused, Gateway)...), Fail, GatewayUnreachable, ScopeInstallation, "cannot be reached"},
	{"a gateway of errors", diagnosis{}, with(outside(), status(Gateway, Fail, GatewayUnreachable, 503)), Fail, GatewayUnreachable, ScopeDomain, "every request with an error"},
	{"no gateway of the domain asked for", diagnosis{Request: Request{Domain: "fjord.example"}}, with(inside(), Check{ID: DomainPrefix + "fjord.example", State: Fail, Code: GatewayUnreachable, Summary: "the connection was refused", found: &finding{Failure: api.CauseRefused.String()}}), Fail, GatewayUnreachable, ScopeDomain, "The gateway of fjord.example"},
	{"no host at all", diagnosis{}, with(outside(), append(down(api.CauseRefused, Global, Authority, Gateway), Check{ID: Lookup, State: Unknown})...), Fail, GlobalUnreachable, ScopeInstallation, "cannot be reached from here"},
	{"no host of this machine", diagnosis{}, with(outside(), append(refusing("127.0.0.1:8080", Global, Authority, Gateway), Check{ID: Lookup, State: Unknown})...), Fail, GlobalUnreachable, ScopeHere, "cannot be reached from here"},
	{"one host of this machine, and no other was asked", diagnosis{LocalAuthority: true}, append([]Check{{ID: Profile, State: OK}, {ID: Lookup, State: Unknown}}, refusing("127.0.0.1:8080", Global)...), Fail, GlobalUnreachable, ScopeInstallation, "cannot be reached"},
	{"one host of this machine", diagnosis{}, with(outside(), refusing("[::1]:8080", Gateway)...), Fail, GatewayUnreachable, ScopeDomain, "cannot be reached"},
	{"no host has a name that can be resolved", diagnosis{}, with(outside(), down(api.CauseResolution, Global, Authority, Gateway)...), Fail, GlobalUnreachable, ScopeHere, "cannot be reached from here"},
	{"two hosts, for the third is not known", diagnosis{}, with(outside(), append(down(api.CauseTimeout, Global, Authority), Check{ID: Lookup, State: Unknown}, Check{ID: Gateway, State: Skipped, Because: Lookup})...), Fail, GlobalUnreachable, ScopeHere, "cannot be reached"},
	{"hosts that fail otherwise", diagnosis{}, with(outside(), append(down(api.CauseRefused, Global, Authority), down(api.CauseName, Gateway)...)...), Fail, GlobalUnreachable, ScopeInstallation, "cannot be reached"},
	{"all hosts answer with errors", diagnosis{}, with(outside(), status(Global, Fail, GlobalUnreachable, 503), status(Authority, Fail, AuthorityUnreachable, 503), status(Gateway, Fail, GatewayUnreachable, 503)), Fail, GlobalUnreachable, ScopeInstallation, "every request with an error"},
	{"no name of one host", diagnosis{}, with(outside(), down(api.CauseResolution, Global)...), Fail, GlobalUnreachable, ScopeInstallation, "The global service global.example cannot be reached from here"},
	{"no network to the authority", diagnosis{}, with(outside(), down(api.CauseNoWay, Authority)...), Fail, AuthorityUnreachable, ScopeAuthority, "from here"},
	{"no proxy to the gateway", diagnosis{}, with(outside(), down(api.CauseProxy, Gateway)...), Fail, GatewayUnreachable, ScopeDomain, "from here"},

	{
		"a certificate that has ended", diagnosis{},
		with(outside(), ending(Gateway, Fail, at.AddDate(0, 0, -1))),
		Fail, Certificate, ScopeDomain, "The connection to the gateway of harbor.example, gateway.harbor.example, is not secure: its certificate expired on 2026-11-21",
	},
	{"a certificate of another host", diagnosis{}, with(outside(), refusedBy(Authority, api.CauseCertificate)), Fail, Certificate, ScopeAuthority, "is not secure: its certificate is for another host"},
	{"no certificate is accepted", diagnosis{}, with(outside(), refusedBy(Global, api.CauseCertificate), refusedBy(Authority, api.CauseCertificate), refusedBy(Gateway, api.CauseCertificate)), Fail, Certificate, ScopeHere, "refuses the certificates of all hosts:"},
	{
		"a certificate that ends soon", diagnosis{},
		with(outside(), ending(Gateway, Warn, at.AddDate(0, 0, 12))),
		Warn, Certificate, ScopeDomain, "expires on 2026-12-04",
	},
	{
		"a certificate that ends soon, and a wrong password", diagnosis{},
		with(outside(), ending(Gateway, Warn, at.AddDate(0, 0, 12)), status(SignIn, Fail, WrongPassword, 400)),
		Fail, WrongPassword, ScopePerson, "password",
	},

	{"a clock that is off", diagnosis{}, with(outside(), off(Gateway, Fail, -600)), Fail, Clock, ScopeDomain, "The clock of the gateway of harbor.example, gateway.harbor.example, is 10 minutes behind the clock of this machine"},
	{"a clock that is somewhat off", diagnosis{}, with(outside(), off(Authority, Warn, 90)), Warn, Clock, ScopeAuthority, "1 minute and 30 seconds ahead of"},
	{"this clock is off", diagnosis{}, with(outside(), off(Global, Fail, 600), off(Authority, Fail, 601), off(Gateway, Fail, 599)), Fail, Clock, ScopeHere, "The clock of this machine"},
	{"clocks that differ from each other", diagnosis{}, with(outside(), off(Global, Fail, 600), off(Authority, Fail, -600), off(Gateway, Fail, 599)), Fail, Clock, ScopeInstallation, "The clock of the global service global.example"},

	{"a client without a secret", diagnosis{Client: "desk"}, with(outside(), Check{ID: SignIn, State: Fail, Code: ClientRefused, Status: 401, found: &finding{ErrorCode: new("invalid_client"), NoClientSecret: true}}), Fail, ClientRefused, ScopeHere, "no client secret is set"},
	{"a profile that is wrong", diagnosis{}, []Check{{ID: Profile, State: Fail, Code: BadProfile, Summary: "client_id is missing"}, {ID: Lookup, State: Skipped, Because: Profile}}, Fail, BadProfile, ScopeHere, "client_id is missing"},

	{"a URL of a domain that cannot be used", diagnosis{}, with(outside(), Check{ID: Gateway, State: Fail, Code: BadProfile, Summary: "base_url is not a URL"}), Fail, BadProfile, ScopeHere, "base_url is not a URL"},
	{"a profile without a client secret, which works", diagnosis{}, with(inside(), Check{ID: Profile, State: Warn, Code: BadProfile}), OK, LooksFine, ScopeNone, "harbor.example lists"},

	{"a look-up that is busy", diagnosis{}, with(outside(), status(Lookup, Unknown, "", 429)), Unknown, Undecided, ScopeNone, "the look-up could not be completed"},
	{"a look-up in vain, and a wrong password", diagnosis{}, with(outside(), status(Lookup, Unknown, "", 500), status(SignIn, Fail, WrongPassword, 400)), Fail, WrongPassword, ScopePerson, "password"},
	{"a host that hangs", diagnosis{}, with(outside(), Check{ID: Gateway, State: Unknown, Summary: "not completed in time", found: &timedOut}), Unknown, Undecided, ScopeNone, "gateway could not be completed: not completed in time"},
	{"everything hangs", diagnosis{}, []Check{{ID: Profile, State: OK}, {ID: Lookup, State: Unknown}, {ID: Global, State: Unknown}, {ID: Authority, State: Unknown}, {ID: Gateway, State: Skipped, Because: Lookup}}, Unknown, Undecided, ScopeNone, "the look-up could not be completed"},
	{"nothing was begun", diagnosis{}, []Check{{ID: Profile, State: Unknown, Summary: "not started in time"}}, Unknown, Undecided, ScopeNone, "profile"},
	{"a failure without a code", diagnosis{}, with(outside(), Check{ID: Gateway, State: Fail}), Unknown, Undecided, ScopeNone, "gateway"},
	{"unknown, and a certificate that ends soon", diagnosis{}, with(outside(), status(Lookup, Unknown, "", 500), Check{ID: Gateway, State: Warn, Code: Certificate}), Unknown, Undecided, ScopeNone, "the look-up"},
	{"a token without a primary domain, which the look-up names", diagnosis{}, with(inside(), token(Fail, NoPrimaryDomain, "")), Fail, NoPrimaryDomain, ScopePerson, "names no primary domain."},
	{"a token without a primary domain, and no look-up", diagnosis{}, with(inside(), status(Lookup, Unknown, "", 503), token(Fail, NoPrimaryDomain, "")), Fail, NoPrimaryDomain, ScopePerson, "names no primary domain."},
	{
		"a look-up without a domain, and a token that cannot be read", diagnosis{},
		with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}, Check{ID: SignIn, State: OK}, Check{ID: Claims, State: Unknown, found: &finding{}}),
		Fail, NoPrimaryDomain, ScopePerson, "finds no primary domain.",
	},
	{
		"a look-up without a domain, and a primary domain that is none", diagnosis{},
		with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress}, Check{ID: SignIn, State: OK}, Check{ID: Claims, State: Unknown, found: &finding{readable: true, NotDomains: []string{"not a host"}}}),
		Fail, NoPrimaryDomain, ScopePerson, "finds no primary domain.",
	},
	{
		"the domain that was asked for works, the primary one refuses", diagnosis{Request: Request{Domain: "fjord.example"}},
		with(inside(), token(Warn, OtherDomains, "harbor.example", "fjord.example"), denied(DomainPrefix+"harbor.example", 403, 401)),
		Fail, NoAccess, ScopePerson, "access to harbor.example",
	},
	{"U105 for the id of the domain that it names", diagnosis{Request: Request{Domain: guidOfHarbor}}, with(inside(), changed(device(Fail, OtherPrimaryDomain, "U105", "harbor.example"), func(f *finding) { f.DomainID = guidOfHarbor })), Fail, OtherPrimaryDomain, ScopePerson, "the answer contradicts itself"},
	{"U105 that names another domain than all else", diagnosis{Request: Request{Domain: "harbor.example"}}, with(inside(), device(Fail, OtherPrimaryDomain, "U105", "pier.example")), Fail, OtherPrimaryDomain, ScopePerson, "it is not certain which domain"},
	{
		"U105, and nobody names a domain", diagnosis{}, with(outside(), Check{ID: Lookup, State: Unknown}, Check{ID: SignIn, State: OK}, Check{ID: Claims, State: Unknown}, device(Fail, OtherPrimaryDomain, "U105", "")),
		Fail, OtherPrimaryDomain, ScopePerson, "it is not certain which domain",
	},
	{"U105 for the name of the domain that it names", diagnosis{Request: Request{Domain: "harbor.example"}}, with(inside(), device(Fail, OtherPrimaryDomain, "U105", "harbor.example")), Fail, OtherPrimaryDomain, ScopePerson, "although Gatehouse sent no domain with it"},
	{"a refusal that says something else", diagnosis{}, with(outside(), refused(Fail, WrongPassword, 400, "invalid_grant", "Account is locked until 18:00. The password was correct.")), Fail, WrongPassword, ScopePerson, "rejects the sign-in of ada@harbor.example. The authority adds: Account is locked until 18:00. The password was correct."},
	{
		"U107 for a device that was named", diagnosis{},
		with(inside(), changed(device(Fail, DeviceNotValidated, "U107", "harbor.example"), byName)),
		Fail, DeviceNotValidated, ScopePerson, "failed with U107, not validated.",
	},
	{"a slow gateway", diagnosis{}, with(inside(), slow(Gateway, 2*time.Second)), Warn, LooksFine, ScopeNone, "works, but slowly: the gateway of harbor.example, gateway.harbor.example, took 2.0 s to answer"},
	{"a slow gateway, from outside", diagnosis{}, with(outside(), slow(Gateway, 2*time.Second)), Warn, LooksFine, ScopeNone, "One answer was slow: the gateway of harbor.example, gateway.harbor.example, took 2.0 s."},
	{"two slow answers", diagnosis{}, with(inside(), slow(Lookup, 1100*time.Millisecond), slow(SignIn, 3*time.Second)), Warn, LooksFine, ScopeNone, "the sign-in took 3.0 s"},
	{"a slow answer, and a certificate that ends soon", diagnosis{}, with(inside(), slow(Lookup, 2*time.Second), ending(Gateway, Warn, at.AddDate(0, 0, 12))), Warn, Certificate, ScopeDomain, "expires on"},
	{"one server with a wrong clock, which keeps nobody out", diagnosis{}, with(inside(), sameServer(off(Global, Warn, 600), off(Authority, Warn, 600), off(Gateway, Warn, 600))...), Warn, Clock, ScopeInstallation, "The sign-in and the shares work all the same."},
	{"one server with a wrong clock", diagnosis{}, with(outside(), sameServer(off(Global, Fail, 600), off(Authority, Fail, 600), off(Gateway, Fail, 600))...), Fail, Clock, ScopeInstallation, "The clock of the global service global.example is 10 minutes ahead"},
	{"no global service, and nothing else was asked", diagnosis{}, []Check{{ID: Profile, State: OK}, down(api.CauseProxy, Global)[0]}, Fail, GlobalUnreachable, ScopeHere, "cannot be reached from here"},
	{"no authority, and nothing else was asked", diagnosis{}, []Check{{ID: Profile, State: OK}, down(api.CauseNoWay, Authority)[0]}, Fail, AuthorityUnreachable, ScopeHere, "cannot be reached from here"},
	{"no gateway, and nothing else was asked", diagnosis{}, []Check{{ID: Profile, State: OK}, down(api.CauseResolution, Gateway)[0]}, Fail, GatewayUnreachable, ScopeHere, "cannot be reached from here"},
	{
		"an undocumented code beside a domain that is not known", diagnosis{},
		with(inside(), status(DomainPrefix+"minato.example", Unknown, "", 503), changed(device(Warn, UndocumentedCode, "U100", ""), func(f *finding) { f.Complete = new(true) })),
		Warn, OtherDomains, ScopePerson, "not known whether minato.example does",
	},

	{"no control, for nobody is signed in", diagnosis{}, append(outside(), Check{ID: Control, State: Skipped}), OK, LooksFine, ScopeNone, "nothing is wrong with"},
}

func TestVerdicts(t *testing.T) {
	reached := map[string]bool{}
	for _, tt := range verdicts {
		t.Run(tt.name, func(t *testing.T) {
			tt.subject.At, tt.subject.AuthorityKey, tt.subject.Email = at, "auth_url", cmp.Or(tt.subject.Email, email)
			got := judge(tt.subject, tt.checks)
			if got.State != tt.state || got.Code != tt.code || got.Scope != tt.scope || !strings.Contains(got.Sentence, tt.says) {
				t.Errorf("got %s %s %s: %s\nwant %s %s %s: %s", got.State, got.Code, got.Scope, got.Sentence, tt.state, tt.code, tt.scope, tt.says)
			}
			checkTexts(t, got)
			d := tt.subject
			d.checks = tt.checks
			d.cause = d.find()
			reached[d.entry().what] = true
		})
	}
	for _, e := range entries {
		if e.code.Title() == string(e.code) {
			t.Errorf("%s has no title", e.code)
		}
		if !reached[e.what] {
			t.Errorf("no situation leads to: %s %s", e.code, e.what)
		}
	}
}

// checkTexts checks what has to hold for the texts of each verdict.
func checkTexts(t *testing.T, v Verdict) {
	t.Helper()
	texts := []string{v.Sentence, v.Known, v.User}
	for _, step := range v.Next {
		texts = append(texts, step.Sentence())
		if (step.Kind == StepOtherDomain || step.Kind == StepOpenDomain) && step.Domain == "" {
			t.Errorf("no domain: %+v", step)
		}
	}
	if len(v.Next) == 0 {
		t.Error("nothing is to be done next")
	}
	for _, text := range texts {
		if text == "" || strings.ContainsAny(text, "{}%") || strings.Contains(text, "  ") || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
			t.Errorf("not a sentence: %q", text)
		}
		if strings.Contains(text, "the domain the") || strings.Contains(text, "an unknown day") || strings.Contains(text, "no reason is known") && v.Code != Undecided && v.Code != OtherDomains {
			t.Errorf("something is not filled in: %q", text)
		}
	}
}

func TestAHostIsJudgedByAllThatItAnswered(t *testing.T) {
	failing := func(id string) Check { return status(id, Fail, unreachable[id], 503) }
	unsure := func(id string) Check { return status(id, Unknown, "", 503) }
	for _, tt := range []struct {
		name   string
		checks []Check
		id     string
		state  State
		code   Code
	}{
		{"the global service answers the look-up", with(outside(), failing(Global)), Global, Unknown, ""},
		{"the global service answers nothing", with(outside(), failing(Global), unsure(Lookup)), Global, Fail, GlobalUnreachable},
		{"the global service is not known to fail", with(outside(), unsure(Global), unsure(Lookup)), Global, Unknown, ""},
		{"the look-up fails alone", with(outside(), unsure(Lookup)), Global, OK, ""},
		{"the authority answers the sign-in", with(inside(), failing(Authority)), Authority, Unknown, ""},
		{"the authority is busy at the sign-in", with(inside(), failing(Authority), status(SignIn, Unknown, "", 429)), Authority, Fail, AuthorityUnreachable},
		{"the gateway gives the shares", with(inside(), failing(Gateway)), Gateway, Unknown, ""},
		{"the gateway refuses the person", with(inside(), failing(Gateway), status(DomainPrefix+"harbor.example", Fail, NoAccess, 403)), Gateway, Unknown, ""},
		{"another gateway answers", with(slices.DeleteFunc(inside(), func(c Check) bool { return c.ID == DomainPrefix+"harbor.example" }), failing(Gateway)), Gateway, Fail, GatewayUnreachable},
		{"shares were skipped", with(inside(), failing(Gateway), Check{ID: DomainPrefix + "harbor.example", State: Skipped}), Gateway, Fail, GatewayUnreachable},
		{"a certificate is one, whatever else answers", with(inside(), refusedBy(Authority, api.CauseCertificate)), Authority, Fail, Certificate},
	} {
		rejudge(tt.checks)
		if got := find(tt.checks, tt.id); got.State != tt.state || got.Code != tt.code {
			t.Errorf("%s: got %s %s, want %s %s", tt.name, got.State, got.Code, tt.state, tt.code)
		}
	}
}

// TestTheReasonOfTheAuthorityIsPassedOn holds that nobody is told to type a password again where the
// authority says that it is about something else.
func TestTheReasonOfTheAuthorityIsPassedOn(t *testing.T) {
	locked, plain := refused(Fail, WrongPassword, 400, "invalid_grant", "Account is locked."), refused(Fail, WrongPassword, 400, "invalid_grant", "")
	unknown := Check{ID: Lookup, State: Fail, Code: UnknownAddress}
	for _, tt := range []struct {
		checks []Check
		text   func(Verdict) string
		want   string
	}{
		{with(outside(), locked), func(v Verdict) string { return v.User }, "The service says: Account is locked. If you"},
		{with(outside(), slow(Gateway, 2*time.Second)), func(v Verdict) string { return v.User }, "nothing is wrong, but part of the service is slow at the moment. Let us"},
		{with(outside(), plain), func(v Verdict) string { return v.User }, "Please type your e-mail address and password again. If you"},
		{with(outside(), unknown, locked), func(v Verdict) string { return v.Known }, "The authority rejected the sign-in as well. The authority adds: Account is locked. A sign-in"},
	} {
		if got := tt.text(judge(diagnosis{Request: Request{Email: email}, At: at}, tt.checks)); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, without %q", got, tt.want)
		}
	}
	if text := NewFact("validated", 1).Text(); text != "1 (meaning undocumented)" {
		t.Errorf("a number whose meaning nobody knows is %q", text)
	}
}

func TestAnOwnSignInThatFailsAloneIsToBeRefreshed(t *testing.T) {
	const domain = DomainPrefix + "harbor.example"
	for name, tt := range map[string]struct {
		checks  []Check
		refresh bool
	}{
		"it works for them":       {with(inside(), status(domain, Fail, NoAccess, 403), controlled(OK, domain)), false},
		"it fails for them":       {with(inside(), status(domain, Fail, NoAccess, 403), controlled(Fail, "")), false},
		"it fails for them alone": {with(inside(), controlled(Fail, domain)), true},
	} {
		v := judge(diagnosis{Request: Request{Email: email}, At: at}, tt.checks)
		if refresh := slices.ContainsFunc(v.Next, func(s Step) bool { return s.Kind == StepSignInAgain }); refresh != tt.refresh {
			t.Errorf("%s: next %+v", name, v.Next)
		}
	}
}

func TestACauseReachesAsFarAsTheControlShows(t *testing.T) {
	const domain = DomainPrefix + "harbor.example"
	for state, want := range map[State]string{
		OK: "This affects this person, not desk@harbor.example.", Fail: "This affects this person and desk@harbor.example.",
		Unknown: "This was tested for this person only.", Skipped: "This was tested for this person only.",
	} {
		own := compare("desk@harbor.example", nil, []Check{{ID: domain, State: state, Summary: "as it came"}})
		own.ID = Control
		report := Report{Verdict: Verdict{Scope: ScopePerson, Check: domain}, Checks: []Check{{ID: domain, State: Fail}, own}}
		if got := report.Reach(); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
}

func TestASignInIsAdvisedWhereItIsPossible(t *testing.T) {
	unknown := with(outside(), Check{ID: Lookup, State: Fail, Code: UnknownAddress})
	for _, local := range []bool{false, true} {
		v := judge(diagnosis{Request: Request{Email: email}, LocalAuthority: local}, unknown)
		if advised := slices.ContainsFunc(v.Next, func(s Step) bool { return s.Kind == StepSignIn }); advised == local {
			t.Errorf("local authority %v: next %+v", local, v.Next)
		}
	}
}

func TestEveryCodeThatTheInterfaceExplainsIsACause(t *testing.T) {
	for _, code := range []string{"U100", "U103", "U105", "U107"} {
		known := (&api.LoginResult{ErrorCode: code}).Explain("").Known
		if _, isCause := loginCodes[code]; isCause != known {
			t.Errorf("%s: known %v, a cause %v", code, known, isCause)
		}
	}
}

func TestTheControlIsComparedStepByStep(t *testing.T) {
	for _, tt := range []struct {
		mine, theirs State
		differs      bool
	}{
		{OK, OK, false},
		{OK, Warn, false},
		{OK, Fail, true},
		{OK, Unknown, true},
		{Fail, OK, true},
		{Fail, Fail, false},
		{Unknown, Fail, false},
		{Unknown, OK, false}, // nothing was compared
		{Skipped, OK, false},
		{OK, Skipped, false},
		{"", Fail, false}, // not tried for both
	} {
		got := compare("desk@harbor.example", []Check{{ID: Lookup, State: tt.theirs}}, []Check{{ID: Lookup, State: tt.mine}})
		if differs := got.Detail.Text(factDiffers) == Lookup; got.State != Info || differs != tt.differs || got.Summary == "" {
			t.Errorf("mine %s, theirs %s: %+v", tt.mine, tt.theirs, got)
		}
	}
}

func TestOnlyAnAnswerThatTookMoreThanASecondIsSlow(t *testing.T) {
	for _, tt := range []struct {
		check Check
		took  time.Duration
		slow  bool
	}{
		{Check{State: OK, Status: 200}, time.Second, false},
		{Check{State: OK, Status: 200}, time.Second + time.Millisecond, true},
		{Check{State: Info, Status: 404}, 2 * time.Second, true},
		{Check{State: OK}, 2 * time.Second, false}, // nobody was asked
		{Check{State: Fail, Code: NoAccess, Status: 403}, 2 * time.Second, false},
		{Check{State: Unknown, Status: 503}, 2 * time.Second, false},
	} {
		before := tt.check
		tt.check.noteWait(tt.took)
		if slow := tt.check.State == Warn && tt.check.Code == LooksFine; slow != tt.slow || !slow && (tt.check.State != before.State || tt.check.Summary != "") {
			t.Errorf("%s after %v: %+v", before.State, tt.took, tt.check)
		}
	}
}

func TestTheNextStepsEndWithTheDeviceOfTheLogin(t *testing.T) {
	made := changed(device(Warn, UndocumentedCode, "U100", ""), byName)
	for _, checks := range [][]Check{with(inside(), made), with(inside(), made, status(DomainPrefix+"minato.example", Fail, NoAccess, 403))} {
		v := judge(diagnosis{Request: Request{Email: email}, At: at}, checks)
		if last := v.Next[len(v.Next)-1].Sentence(); !strings.HasPrefix(last, "The device login returned device c1e0. If the person does not use it, ask") {
			t.Errorf("%s: %s", v.Code, last)
		}
	}
}
