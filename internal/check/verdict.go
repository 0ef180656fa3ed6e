package check

import (
	"cmp"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"gatehouse/api"
	"gatehouse/internal/config"
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
	code  Code
	state State
	check Check // that shows it, the zero one where nothing is wrong
}

// judgement is what the checks found, and the cause that follows from it.
type judgement struct {
	subject
	checks []Check
	cause
}

// judge makes the verdict of checks: the first cause in causal order. It does nothing else
// and asks nobody.
func judge(s subject, checks []Check) Verdict {
	j := judgement{subject: s, checks: checks}
	j.cause = j.find()
	return j.write()
}

// find is the first check that failed; else that the person asks for another domain than
// the primary one; else what is not known; else what is wrong with another domain; else the
// first warning, and last an answer that was slow.
func (j judgement) find() cause {
	if c, ok := j.first(func(c Check) bool { return c.State == Fail && c.Code != "" && !j.isMinor(c) }); ok {
		if c.ID == Lookup && c.Code == UnknownAddress && j.isKnown() {
			return cause{NoPrimaryDomain, Fail, j.withoutDomain(c)}
		}
		return cause{c.Code, Fail, c}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Warn && c.Code == OtherDomains }); ok {
		switch asked := j.of(DomainPrefix + j.Domain); {
		case asked.State != Unknown:
			return cause{OtherDomains, Warn, c}
		case j.works(DomainPrefix + j.claims().PrimaryDomain):
			return cause{OtherDomains, Warn, asked}
		}
	}
	if c, ok := j.first(func(c Check) bool { return (c.State == Unknown || c.State == Fail && c.Code == "") && !j.isMinor(c) }); ok {
		return cause{Undecided, Unknown, c}
	}
	for _, state := range []State{Fail, Unknown} { // of another domain
		if c, ok := j.first(func(c Check) bool { return c.State == state }); ok {
			return cause{OtherDomains, Warn, c}
		}
	}
	if c, ok := j.first(func(c Check) bool {
		return c.State == Warn && c.Code != "" && c.Code != LooksFine && c.ID != Profile // a profile that lacks something, and works
	}); ok {
		return cause{c.Code, Warn, c}
	}
	if c := j.slowest(); c.waited > 0 {
		return cause{LooksFine, Warn, c}
	}
	return cause{code: LooksFine, state: OK}
}

// first is the first check of the person that matches: the control is not one of theirs.
func (j judgement) first(matches func(Check) bool) (Check, bool) {
	if i := slices.IndexFunc(j.checks, func(c Check) bool { return c.ID != Control && matches(c) }); i >= 0 {
		return j.checks[i], true
	}
	return Check{}, false
}

// slowest is the check that waited longest for its answer, of those that waited too long.
func (j judgement) slowest() (slowest Check) {
	for _, c := range j.checks {
		if c.State == Warn && c.Code == LooksFine && c.waited > slowest.waited {
			slowest = c
		}
	}
	return slowest
}

func (j judgement) of(id string) Check { return find(j.checks, id) }

func (j judgement) claims() *finding { return j.of(Claims).finding() }

func (j judgement) asked(id string) bool { return j.of(id).ID != "" }

func (j judgement) works(id string) bool { return works(j.of(id).State) }

// getsIn reports whether the sign-in was accepted and a domain that matters gave its shares.
func (j judgement) getsIn() bool { return j.works(SignIn) && j.working() != "" }

// working is the domain that the person asks for or else the primary one, if its shares were
// read; "" if neither's were.
func (j judgement) working() string {
	for _, name := range []string{j.wanted(), j.claims().PrimaryDomain} {
		if j.works(DomainPrefix + name) {
			return name
		}
	}
	return ""
}

// wanted is the domain that the person asks for, or else the primary one.
func (j judgement) wanted() string {
	if j.Domain != "" && !isGUID(j.Domain) {
		return j.Domain
	}
	return cmp.Or(j.claims().PrimaryDomain, primaryDomain(j.checks))
}

// isMinor reports whether a check is of a domain that is neither the one the person asks for
// nor the primary one, where either was asked.
func (j judgement) isMinor(c Check) bool {
	name, isDomain := strings.CutPrefix(c.ID, DomainPrefix)
	wanted, primary := j.wanted(), j.claims().PrimaryDomain
	return isDomain && (j.asked(DomainPrefix+wanted) || j.asked(DomainPrefix+primary)) && name != wanted && name != primary
}

// withoutDomain is the check that shows best that an address has no primary domain: it can
// sign in, so that the look-up does not mean that it is unknown.
func (j judgement) withoutDomain(lookup Check) Check {
	for _, id := range []string{Claims, Device} {
		if c := j.of(id); c.Code == NoPrimaryDomain {
			return c
		}
	}
	return lookup
}

// isKnown reports whether the service knows the address, whatever the look-up says.
func (j judgement) isKnown() bool {
	return j.works(SignIn) || j.of(Device).Code == NoPrimaryDomain
}

// plainWords are those in which servers say that the address or the password is wrong, and
// nothing else. A description with any other word may mean something else.
var plainWords = strings.Fields(`a an and are bad credential credentials did do does e email error found given grant in incorrect
	invalid is login mail address match matched name no not of or owner password passwords provided refused resource supplied that
	the these this unknown user username wrong you your`)

// isPlainRefusal reports whether what an authority adds to invalid_grant says no more than that.
func isPlainRefusal(c Check) bool {
	description := c.finding().Description
	words := strings.FieldsFunc(strings.ToLower(description), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	isOther := func(word string) bool { return !slices.Contains(plainWords, word) }
	return description == "" || len(words) > 0 && !slices.ContainsFunc(words, isOther)
}

// namedDomain is the primary domain as a device login names it, or else as the rest does.
func (j judgement) namedDomain() string {
	return cmp.Or(j.of(Device).finding().PrimaryDomain, primaryDomain(j.checks))
}

func (j judgement) namesNoDomain() bool { return j.check.ID == Device && j.namedDomain() == "" }

func (j judgement) namesAnotherDomain() bool {
	named, known := j.of(Device).finding().PrimaryDomain, primaryDomain(j.checks)
	_, err := config.CheckDomain(named)
	return j.check.ID == Device && err == nil && known != "" && !strings.EqualFold(named, known)
}

func (j judgement) namesTheDomainAskedFor() bool {
	named := j.namedDomain()
	if isGUID(j.Domain) {
		named = j.check.finding().DomainID
	}
	return j.check.ID == Device && j.Domain != "" && strings.EqualFold(j.Domain, named)
}

// isComplete reports whether a device login with an undocumented code got all that it is for.
func (j judgement) isComplete() bool {
	complete := j.check.finding().Complete
	return complete != nil && *complete
}

// refusesEverybody reports whether a gateway refuses those without a token alike.
func (j judgement) refusesEverybody() bool {
	return j.check.Status == http.StatusForbidden && j.check.finding().StatusWithoutToken == j.check.Status
}

func (j judgement) hasExpired() bool {
	ends := j.check.finding().certificateEnds()
	return !ends.IsZero() && ends.Before(j.At)
}

// scope says how far a cause reaches.
func (j judgement) scope() Scope {
	if j.check.Scope != "" && j.check.Code == j.code {
		return j.check.Scope
	}
	switch j.code {
	case LooksFine, Undecided:
		return ScopeNone
	case ClientRefused:
		return ScopeInstallation
	case BadProfile:
		return ScopeHere
	case Certificate, Clock, GlobalUnreachable, AuthorityUnreachable, GatewayUnreachable:
		if j.isHere() {
			return ScopeHere
		}
		return j.hostScope()
	case OtherDomains:
		if j.check.State == Fail && j.check.Code != NoAccess {
			return j.hostScope()
		}
	case NoAccess:
		if j.refusesEverybody() || j.of(Control).finding().control.state(j.check.ID) == Fail {
			return j.hostScope()
		}
	}
	return ScopePerson
}

// hostScope is who uses the host of the cause.
func (j judgement) hostScope() Scope {
	switch id := j.check.ID; {
	case id == Global, id != Authority && j.OneGateway:
		return ScopeInstallation
	case id == Authority && !j.LocalAuthority:
		return ScopeAuthority
	}
	return ScopeDomain
}

// isHere reports whether a host fails because of this machine or its network: that is at
// fault by itself, or several servers fail alike. It is not where another host answers.
func (j judgement) isHere() bool {
	servers := j.alike()
	if j.code == Clock {
		return servers >= serversAlike
	}
	if slices.ContainsFunc(j.checks, func(other Check) bool { return other.Status > 0 && other.Host != j.check.Host }) {
		return false
	}
	switch j.check.finding().Failure {
	case api.CauseProxy.String(), api.CauseResolution.String(), api.CauseNoWay.String():
		return true
	case api.CauseRefused.String(): // which is an answer, so there is a way to the host
		return servers > 0 && isOfThisMachine("//"+j.check.Host)
	}
	return servers >= serversAlike
}

// serversAlike is how many servers have to fail alike, to look for the cause here.
const serversAlike = 2

// clocksAlike is how far clocks may be apart that tell the same time.
const clocksAlike = time.Minute

// alike is the number of servers behind the hosts of the profile, if at least two hosts were
// asked and all fail in the same way; 0 if they do not.
func (j judgement) alike() int {
	hosts, servers := 0, map[string]bool{}
	for _, id := range hostIDs {
		host := j.of(id)
		if host.ID == "" || host.State == Skipped {
			continue
		}
		if !j.isAlike(host) {
			return 0
		}
		hosts++
		servers[machine(cmp.Or(host.finding().probe.Address, host.Host))] = true
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

// isAlike reports whether a host fails in the same way. An error that it answers is its own,
// and so is the day on which a certificate will end.
func (j judgement) isAlike(host Check) bool {
	same := host.State == Fail && j.state == Fail && host.finding().Failure == j.check.finding().Failure
	switch j.code {
	case Clock:
		return host.Code == Clock && (host.finding().probe.Skew-j.check.finding().probe.Skew).Abs() <= clocksAlike
	case Certificate:
		return same && host.Code == Certificate
	}
	return same && host.Code == unreachable[host.ID] && !isServerError(host)
}
