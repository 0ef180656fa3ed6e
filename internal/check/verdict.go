package check

import (
	"cmp"
	"net"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/hostname"
)

// subject is what the verdict knows beside the checks.
type subject struct {
	Request
	At             time.Time
	Client         string // the client id of the profile
	OneGateway     bool   // for all domains
	LocalAuthority bool   // of one domain
}

func (r *run) subject() subject {
	return subject{
		Request: r.Request, At: r.service.Now(), Client: r.service.Profile.ClientID,
		OneGateway:     !strings.Contains(r.service.Profile.BaseURL, "{domain}"),
		LocalAuthority: strings.Contains(r.authorityTemplate(), "{domain}"),
	}
}

// cause is why a verdict is what it is.
type cause struct {
	code    Code
	state   State
	check   Check  // that shows it, the zero one where nothing is wrong
	variant string // of the sentences of its code
}

// judge makes the verdict of checks: the first cause in causal order. It does nothing else
// and asks nobody.
func judge(s subject, checks []Check) Verdict {
	j := judgement{s, checks}
	c := j.cause()
	if c.variant == "" {
		c.variant = j.variant(c)
	}
	v := write(c, j.scope(c), j.values(c))
	v.Next = slices.DeleteFunc(v.Next, j.isPointless)
	v.Known += j.control(c)
	if device := j.device(); c.check.ID == Device && device.created() != "" && c.variant != "own" { // which says it
		v.Known += " This check created the device " + device.created() + "."
	}
	if j.isOwnSession() {
		v.Next = append(v.Next, Step{Text: "refresh your own sign-in", Kind: StepSignInAgain})
	}
	return v
}

// isPointless reports whether this check already took a step, or knows that it fails.
func (j judgement) isPointless(s Step) bool {
	_, signedIn := find(j.checks, SignIn)
	domain, asked := find(j.checks, DomainPrefix+s.Domain)
	switch s.Kind {
	case StepSignIn:
		return signedIn
	case StepOtherDomain:
		return strings.EqualFold(s.Domain, j.Domain) || asked && domain.State == Fail
	}
	return false
}

type judgement struct {
	subject
	checks []Check
}

func (j judgement) lookup() foundLookup { return findingOf[foundLookup](j.checks, Lookup) }
func (j judgement) claims() foundClaims { return findingOf[foundClaims](j.checks, Claims) }
func (j judgement) device() foundDevice { return findingOf[foundDevice](j.checks, Device) }

// works reports whether a check was made and came out well.
func (j judgement) works(id string) bool {
	c, ok := find(j.checks, id)
	return ok && works(c.State)
}

// getsIn reports whether the sign-in was accepted and a domain that matters gave its shares.
func (j judgement) getsIn() bool { return j.works(SignIn) && j.working() != "" }

// working is the domain that the person asks for or else the primary one, if its shares were
// read; "" if neither's were.
func (j judgement) working() string {
	for _, name := range []string{j.wanted(), j.claims().primary} {
		if j.works(DomainPrefix + name) {
			return name
		}
	}
	return ""
}

// cause is the first check that failed; else that the person asks for another domain than
// the primary one; else what is not known; else what is wrong with another domain; else the
// first warning, and last an answer that was slow.
func (j judgement) cause() cause {
	if c, ok := j.first(func(c Check) bool { return c.State == Fail && c.Code != "" && !j.isMinor(c) }); ok {
		if c.ID == Lookup && c.Code == UnknownAddress && j.isKnown() {
			return cause{code: NoPrimaryDomain, state: Fail, check: j.withoutDomain(c)}
		}
		return cause{code: c.Code, state: Fail, check: c}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Warn && c.Code == OtherDomains }); ok {
		switch asked, _ := find(j.checks, DomainPrefix+j.Domain); {
		case asked.State != Unknown:
			return cause{code: OtherDomains, state: Warn, check: c}
		case j.works(DomainPrefix + j.claims().primary):
			return cause{code: OtherDomains, state: Warn, check: asked, variant: "asked not known"}
		}
	}
	if c, ok := j.first(func(c Check) bool { return (c.State == Unknown || c.State == Fail && c.Code == "") && !j.isMinor(c) }); ok {
		return cause{code: Undecided, state: Unknown, check: c}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Fail }); ok {
		return cause{code: OtherDomains, state: Warn, check: c, variant: "minor"}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Unknown }); ok {
		return cause{code: OtherDomains, state: Warn, check: c, variant: "not known"}
	}
	if c, ok := j.first(func(c Check) bool {
		return c.State == Warn && c.Code != "" && c.Code != LooksFine && c.ID != Profile // a profile that lacks something, and works
	}); ok {
		return cause{code: c.Code, state: Warn, check: c}
	}
	if c, ok := j.slowest(); ok {
		return cause{code: LooksFine, state: Warn, check: c}
	}
	return cause{code: LooksFine, state: OK}
}

// slowest is the check that waited longest for its answer, of those that waited too long.
func (j judgement) slowest() (slowest Check, ok bool) {
	for _, c := range j.checks {
		if c.State == Warn && c.Code == LooksFine && (!ok || c.waited > slowest.waited) {
			slowest, ok = c, true
		}
	}
	return slowest, ok
}

// first is the first check of the person that matches: the control is not one of theirs.
func (j judgement) first(matches func(Check) bool) (Check, bool) {
	if i := slices.IndexFunc(j.checks, func(c Check) bool { return c.ID != Control && matches(c) }); i >= 0 {
		return j.checks[i], true
	}
	return Check{}, false
}

// isMinor reports whether a check is of a domain beside the one that the person asks for.
func (j judgement) isMinor(c Check) bool {
	name, isDomain := strings.CutPrefix(c.ID, DomainPrefix)
	if !isDomain {
		return false
	}
	wanted := j.wanted()
	if _, asked := find(j.checks, DomainPrefix+wanted); !asked {
		return false
	}
	return name != wanted && name != j.claims().primary
}

// wanted is the domain that the person asks for, or else the primary one.
func (j judgement) wanted() string {
	if j.Domain != "" && !isGUID(j.Domain) {
		return j.Domain
	}
	return cmp.Or(j.claims().primary, primaryDomain(j.checks))
}

// withoutDomain is the check that shows best that an address has no primary domain: it can
// sign in, so that the look-up does not mean that it is unknown.
func (j judgement) withoutDomain(lookup Check) Check {
	for _, id := range []string{Claims, Device} {
		if c, _ := find(j.checks, id); c.Code == NoPrimaryDomain {
			return c
		}
	}
	return lookup
}

// isKnown reports whether the service knows the address, whatever the look-up says.
func (j judgement) isKnown() bool {
	in, _ := find(j.checks, SignIn)
	device, _ := find(j.checks, Device)
	return works(in.State) && in.State != "" || device.Code == NoPrimaryDomain
}

// scope says how far a cause reaches.
func (j judgement) scope(c cause) Scope {
	if c.check.Scope != "" && c.check.Code == c.code {
		return c.check.Scope
	}
	switch c.code {
	case LooksFine, Undecided:
		return ScopeNone
	case ClientRefused:
		return ScopeInstallation
	case BadProfile:
		return ScopeHere
	case Certificate, Clock, GlobalUnreachable, AuthorityUnreachable, GatewayUnreachable:
		if j.isHere(c) {
			return ScopeHere
		}
		return j.hostScope(c.check.ID)
	case OtherDomains:
		if c.variant == "minor" && c.check.Code != NoAccess {
			return j.hostScope(c.check.ID)
		}
	case NoAccess:
		if c.variant == "everybody" || findingOf[foundControl](j.checks, Control).state(c.check.ID) == Fail {
			return j.hostScope(c.check.ID)
		}
	}
	return ScopePerson
}

// hostScope is who uses a host.
func (j judgement) hostScope(id string) Scope {
	switch {
	case id == Global, id != Authority && j.OneGateway:
		return ScopeInstallation
	case id == Authority && !j.LocalAuthority:
		return ScopeAuthority
	}
	return ScopeDomain
}

// isHere reports whether a host fails because of this machine or its network: that is at
// fault by itself, or several servers fail alike. It is not where another host answers.
func (j judgement) isHere(c cause) bool {
	servers := j.alike(c)
	if c.code == Clock {
		return servers >= serversAlike
	}
	if slices.ContainsFunc(j.checks, func(other Check) bool { return other.Status > 0 && other.Host != c.check.Host }) {
		return false
	}
	switch c.check.trouble().failure {
	case failureProxy, failureResolution, failureNetwork:
		return true
	case failureRefused:
		return servers > 0 && isOfThisMachine("//"+c.check.Host)
	}
	return servers >= serversAlike
}

// isRefused reports whether a host refused the connection: that is an answer, so there is a
// way to it.
func isRefused(c Check) bool { return c.trouble().failure == failureRefused }

// serversAlike is how many servers have to fail alike, to look for the cause here.
const serversAlike = 2

// clocksAlike is how far clocks may be apart that tell the same time.
const clocksAlike = time.Minute

// alike is the number of servers behind the hosts of the profile, if at least two hosts were
// asked and all fail in the same way; 0 if they do not.
func (j judgement) alike(c cause) int {
	hosts, servers := 0, map[string]bool{}
	for _, id := range []string{Global, Authority, Gateway} {
		host, asked := find(j.checks, id)
		if !asked || host.State == Skipped {
			continue
		}
		if !alike(host, c) {
			return 0
		}
		hosts++
		servers[machine(cmp.Or(host.host().probe.Address, host.Host))] = true
	}
	if hosts < 2 {
		return 0
	}
	return len(servers)
}

// machine is an address without its port: what listens there shares a clock and a network.
func machine(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

// alike reports whether a host fails in the same way. An error that it answers is its own,
// and so is the day on which a certificate will end.
func alike(host Check, c cause) bool {
	same := host.State == Fail && c.state == Fail && host.trouble().failure == c.check.trouble().failure
	switch c.code {
	case Clock:
		return host.Code == Clock && (host.host().probe.Skew-c.check.host().probe.Skew).Abs() <= clocksAlike
	case Certificate:
		return same && host.Code == Certificate
	}
	return same && host.Code == unreachable[host.ID] && !isServerError(host)
}

// control says how the check of a cause came out for whoever is signed in.
func (j judgement) control(c cause) string {
	control := findingOf[foundControl](j.checks, Control)
	switch state := control.state(c.check.ID); {
	case c.check.ID == "" || control.who == "":
	case works(state):
		return " The same step works for " + control.who + "."
	case state == Fail:
		return " The same step fails for " + control.who + " as well."
	case state == Unknown:
		return " The same step could not be completed for " + control.who + " either."
	}
	return ""
}

// isOwnSession reports whether the control found that something works for the person, and
// not for whoever is signed in.
func (j judgement) isOwnSession() bool {
	control := findingOf[foundControl](j.checks, Control)
	return control.differsAt != "" && control.state(control.differsAt) == Fail
}

// place is the host of a check with what it is, in the middle of a sentence.
func (j judgement) place(c Check, domain string) string {
	switch kind := hostKinds[c.ID]; {
	case c.ID == Gateway:
		return "the gateway of " + domain + ", " + hostName(c) + ","
	case kind != "":
		return "the " + kind + " " + hostName(c)
	case strings.HasPrefix(c.ID, DomainPrefix):
		return "the list of shares in " + domain
	}
	return j.checkName(c.ID)
}

// checkName is a check in the middle of a sentence.
func (j judgement) checkName(id string) string {
	switch {
	case id == Lookup:
		return "the look-up"
	case id == SignIn:
		return "the sign-in"
	case id == Device:
		return "the device login"
	case id == Claims, id == Profile:
		return "the check of the " + id
	case hostKinds[id] != "":
		return "the check of the " + hostKinds[id]
	}
	return nameOf(id)
}

// hostName is the host of a check as people call it.
func hostName(c Check) string {
	if c.Host == "" {
		return nameOf(c.ID)
	}
	return hostname.Readable(c.Host)
}
