package check

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
)

// TestNoSentenceContradictsACheckBesideIt judges random mixes of outcomes: a support engineer
// repeats what the verdict says while the checks are printed below it.
func TestNoSentenceContradictsACheckBesideIt(t *testing.T) {
	random := rand.New(rand.NewPCG(24, 11))
	for range 10_000 {
		s, checks := randomCheck(random)
		rejudge(checks)
		v := judge(s, checks)
		for _, said := range contradictions(s, checks, v) {
			t.Fatalf("%s\n%s %s %s: %s\nknown: %s\nnext: %v\nuser: %s\nasked for %q with %+v", said, v.State, v.Code, v.Scope, v.Sentence, v.Known, v.Next, v.User, s.Domain, checks)
		}
	}
}

// contradictions are what a verdict says against its own checks.
func contradictions(s diagnosis, checks []Check, v Verdict) (found []string) {
	d := s
	d.checks = checks
	texts := strings.Join([]string{v.Title, v.Sentence, v.Known, v.User, Report{Verdict: v, Checks: checks}.Reach()}, "\n")
	for _, step := range v.Next {
		texts += "\n" + step.Sentence()
	}
	claim := func(phrase string, holds bool) {
		if strings.Contains(strings.ToLower(texts), phrase) && !holds {
			found = append(found, "it says: "+phrase)
		}
	}
	lookup, token := d.of(Lookup).finding().PrimaryDomain, d.claims().PrimaryDomain
	in, signedIn := d.of(SignIn).finding(), d.asked(SignIn)
	device := d.of(Device).finding()
	getsIn := d.works(SignIn) && (d.works(DomainPrefix+token) || d.works(DomainPrefix+s.Domain))

	claim("everybody", false)
	claim("concerns everyone", false)
	claim("names no primary domain", lookup == "" || token == "")
	claim("has no primary domain", lookup == "" && token == "" || device.code() == "U103")
	claim("finds no primary domain", lookup == "")
	claim("the look-up could not be completed", d.of(Lookup).State == Unknown)
	claim("can sign in", d.works(SignIn))
	claim("the sign-in and the shares work all the same", getsIn)
	claim("your password is correct", d.works(SignIn))
	claim("all hosts answer", d.works(Global) && d.works(Authority) && d.works(Gateway))
	claim("cannot get in", !d.works(SignIn))
	claim("works, but slowly", getsIn)
	claim("the domain the domain", false)
	claim("is the domain.", false)
	claim("the password was correct", strings.Contains(in.Description, "The password was correct"))
	claim("is not one of the domains", d.claims().readable && d.claims().DomainsNotRead == 0)
	claim("is one of the domains", d.claims().readable)
	claim("usually the e-mail address or the password is wrong. ", false)
	claim("the password is wrong.\n", in.Description == "")
	claim("type your e-mail address and password again", in.Description == "")
	claim("created", false) // the answer does not say that a device is new
	claim("make sure that this is the id", device.DeviceName == "")
	claim("no host that was asked answers", !answeringElsewhere(checks, v.Check))
	if v.Scope == ScopeHere && v.Code != BadProfile && v.Code != ClientRefused && v.Code != Clock && answeringElsewhere(checks, v.Check) {
		found = append(found, "it is this machine, though another host answers")
	}
	if len(v.Next) == 0 {
		found = append(found, "it leads nowhere")
	}
	for _, step := range v.Next {
		switch {
		case step.Kind == StepSignIn && signedIn:
			found = append(found, "it advises a sign-in, which was made")
		case step.Kind == StepOtherDomain && strings.EqualFold(step.Domain, s.Domain):
			found = append(found, "it advises the domain that was asked for")
		case step.Kind == StepOtherDomain:
			if d.of(DomainPrefix+step.Domain).State == Fail {
				found = append(found, "it advises a domain that failed")
			}
		}
	}
	for _, name := range []string{"harbor.example", "fjord.example"} {
		c := d.of(DomainPrefix + name)
		claim(name+" works", works(c.State))
		claim("please sign in at "+name, c.State != Fail)
		claim("please try "+name, c.State != Fail)
	}
	if v.Check != "" && v.State == Fail && d.of(v.Check).State != Fail {
		found = append(found, "it failed, and shows a check that did not")
	}
	failed, unknown, minor := false, false, false // minor: not known of another domain
	for _, c := range checks {
		if v.State == OK && c.State.Failed() {
			found = append(found, "it is ok, and "+c.ID+" is "+string(c.State))
		}
		failed = failed || c.State == Fail
		unknown, minor = unknown || c.State == Unknown && !d.isMinor(c), minor || c.State == Unknown && d.isMinor(c)
	}
	if !failed && (v.State == Fail || s.Domain == "" && unknown != (v.State == Unknown) || minor && !unknown && v.Code != OtherDomains) {
		found = append(found, "nothing failed, and what is not known is shown as something else")
	}
	return found
}

func answeringElsewhere(checks []Check, id string) bool {
	shown := find(checks, id)
	for _, c := range checks {
		if c.Status > 0 && c.Host != shown.Host {
			return true
		}
	}
	return false
}

// randomCheck is an address with any outcome of each check that its order allows.
func randomCheck(random *rand.Rand) (diagnosis, []Check) {
	pick := func(outcomes ...Check) Check { return outcomes[random.IntN(len(outcomes))] }
	s := diagnosis{Request: Request{Email: email}, At: at, AuthorityKey: "auth_url", OneGateway: random.IntN(4) == 0, LocalAuthority: random.IntN(4) == 0}
	s.Domain = []string{"", "", "harbor.example", "fjord.example", "pier.example", guidOfHarbor}[random.IntN(6)]
	late := time.Duration(1+random.IntN(3)) * time.Second

	lookup := pick(
		Check{State: OK, Status: 200, found: &finding{PrimaryDomain: "harbor.example"}},
		Check{State: OK, Status: 200, found: &finding{PrimaryDomain: "harbor.example"}},
		Check{State: Warn, Code: LooksFine, Status: 200, waited: late, found: &finding{PrimaryDomain: "harbor.example"}},
		Check{State: Fail, Code: UnknownAddress, Status: 200, found: &finding{Answered: "the address, with no domain"}},
		Check{State: Unknown, Status: 503, found: &finding{Failure: failureStatus}},
	)
	primary := lookup.finding().PrimaryDomain
	if primary != "" && s.Domain != "" && s.Domain != primary {
		lookup.State, lookup.Code = Warn, OtherDomains
	}
	checks := []Check{{ID: Profile, State: OK}, named(lookup, Lookup, "global.example")}
	host := func(id, name string) Check {
		failed := func(why api.Cause, code Code) Check {
			return Check{State: Fail, Code: code, Summary: "it failed", found: &finding{Failure: why.String(), probe: api.Probe{Address: name}}}
		}
		c := pick(
			Check{State: OK, Status: 404}, Check{State: OK, Status: 404}, Check{State: OK, Status: 404},
			Check{State: Warn, Code: LooksFine, Status: 404, waited: late},
			Check{State: Fail, Code: unreachable[id], Status: 503, found: &finding{Failure: failureStatus}},
			Check{State: Unknown, Status: 429, found: &finding{Failure: failureStatus}},
			Check{State: Unknown, found: &timedOut},
			failed(api.CauseNoWay, unreachable[id]), failed(api.CauseProxy, unreachable[id]), failed(api.CauseName, unreachable[id]),
			failed(api.CauseRefused, unreachable[id]), failed(api.CauseCertificate, Certificate),
			off("", Fail, 600), off("", Warn, 90),
		)
		return named(c, id, name)
	}
	checks = append(checks, host(Global, "global.example"), host(Authority, "auth.example"))
	if primary == "" {
		checks = append(checks, Check{ID: Gateway, State: Skipped, Because: Lookup})
	} else {
		checks = append(checks, host(Gateway, "gateway.harbor.example"))
	}
	if random.IntN(3) == 0 {
		return s, checks
	}
	in := pick(
		Check{State: OK, Status: 200}, Check{State: OK, Status: 200},
		Check{State: OK, Status: 200}, Check{State: OK, Status: 200},
		Check{State: Warn, Code: LooksFine, Status: 200, waited: late},
		refused(Fail, WrongPassword, 400, "invalid_grant", ""),
		refused(Fail, WrongPassword, 400, "invalid_grant", "Account is locked. The password was correct."),
		refused(Unknown, "", 400, "invalid_scope", ""),
	)
	if find(checks, Authority).isObstacle() {
		in = Check{State: Skipped, Because: Authority}
	}
	checks = append(checks, named(in, SignIn, "auth.example"))
	if !works(in.State) {
		return s, append(checks, Check{ID: Claims, State: Skipped, Because: SignIn})
	}
	return s, insideAtRandom(random, s, checks, pick)
}

// insideAtRandom adds what follows an accepted sign-in.
func insideAtRandom(random *rand.Rand, s diagnosis, checks []Check, pick func(...Check) Check) []Check {
	claims := pick(token(OK, "", "harbor.example", "fjord.example"), token(OK, "", "harbor.example", "fjord.example"), token(Fail, NoPrimaryDomain, ""), Check{ID: Claims, State: Unknown, found: &finding{}},
		Check{ID: Claims, State: Unknown, found: &finding{readable: true, NotDomains: []string{"no host"}}}, token(OK, "", "pier.example", "fjord.example"))
	f := claims.finding()
	looked := find(checks, Lookup).finding().PrimaryDomain
	switch {
	case f.PrimaryDomain == "":
	case looked != "" && looked != f.PrimaryDomain:
		claims.State, claims.Code = Fail, OtherPrimaryDomain
	case s.Domain != "" && s.Domain != f.PrimaryDomain:
		claims.State, claims.Code = Warn, OtherDomains
	}
	checks = append(checks, claims)
	for i, name := range []string{f.PrimaryDomain, "fjord.example"} {
		if f.PrimaryDomain == "" {
			break
		}
		c := pick(
			Check{State: OK, Status: 200}, Check{State: OK, Status: 200}, Check{State: OK, Status: 200},
			Check{State: Warn, Code: LooksFine, Status: 200, waited: 2 * time.Second},
			denied("", 403, 401), denied("", 403, 403), denied("", 401, 401),
			Check{State: Unknown, Status: 503}, Check{State: Unknown, found: &timedOut},
		)
		if i == 0 && find(checks, Gateway).isObstacle() {
			c = Check{State: Skipped, Because: Gateway}
		}
		checks = append(checks, named(c, DomainPrefix+name, "gateway."+name))
	}
	if random.IntN(2) == 0 {
		c := pick(
			device(Fail, OtherPrimaryDomain, "U105", "harbor.example"), device(Fail, DeviceNotValidated, "U107", "harbor.example"),
			device(Fail, NoPrimaryDomain, "U103", ""), device(Warn, UndocumentedCode, "U100", "harbor.example"),
			device(Fail, OtherPrimaryDomain, "U105", "pier.example"), device(Fail, OtherPrimaryDomain, "U105", ""), device(Fail, WipeOrdered, "U100", "harbor.example"), Check{ID: Device, State: Unknown, Host: "global.example"},
		)
		if c.finding().ErrorCode != nil && random.IntN(2) == 0 {
			c = changed(c, byName)
		}
		checks = append(checks, c)
	}
	return checks
}

func named(c Check, id, host string) Check {
	c.ID, c.Host = id, host
	return c
}
