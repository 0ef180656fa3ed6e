package check

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
)

// cause is why a verdict is what it is.
type cause struct {
	code  Code
	state State
	check Check // that shows it, the zero one where nothing is wrong
}

// diagnosis is what was asked and found, and the cause that follows from it.
type diagnosis struct {
	Request
	At             time.Time
	Client         string // the client id of the profile
	OneGateway     bool   // for all domains
	LocalAuthority bool   // of one domain
	AuthorityKey   string // of the profile, for the URL of the authority

	checks []Check
	cause
}

// judge makes the verdict of checks: the first cause in causal order. It does nothing else
// and asks nobody.
func judge(d diagnosis, checks []Check) Verdict {
	d.checks = checks
	d.cause = d.find()
	return d.write()
}

// find is the first check that failed; else that the person asks for another domain than
// the primary one; else what is not known; else what is wrong with another domain; else the
// first warning, and last an answer that was slow.
func (d diagnosis) find() cause {
	if c, ok := d.first(func(c Check) bool { return c.State == Fail && c.Code != "" && !d.isMinor(c) }); ok {
		if c.ID != Lookup || c.Code != UnknownAddress || !d.works(SignIn) && d.of(Device).Code != NoPrimaryDomain {
			return cause{c.Code, Fail, c}
		}
		// The service knows the address, whatever the look-up says. Another check may show it better.
		if better, ok := d.first(func(c Check) bool { return c.Code == NoPrimaryDomain }); ok {
			c = better
		}
		return cause{NoPrimaryDomain, Fail, c}
	}
	if c, ok := d.first(func(c Check) bool { return c.State == Warn && c.Code == OtherDomains }); ok {
		switch asked := d.of(DomainPrefix + d.Domain); {
		case asked.State != Unknown:
			return cause{OtherDomains, Warn, c}
		case d.works(DomainPrefix + d.claims().PrimaryDomain):
			return cause{OtherDomains, Warn, asked}
		}
	}
	if c, ok := d.first(func(c Check) bool { return (c.State == Unknown || c.State == Fail && c.Code == "") && !d.isMinor(c) }); ok {
		return cause{Undecided, Unknown, c}
	}
	for _, state := range []State{Fail, Unknown} { // of another domain
		if c, ok := d.first(func(c Check) bool { return c.State == state }); ok {
			return cause{OtherDomains, Warn, c}
		}
	}
	if c, ok := d.first(func(c Check) bool {
		return c.State == Warn && c.Code != "" && c.Code != LooksFine && c.ID != Profile // a profile that lacks something, and works
	}); ok {
		return cause{c.Code, Warn, c}
	}
	var slowest Check
	for _, c := range d.checks {
		if c.waited > slowest.waited {
			slowest = c
		}
	}
	if slowest.waited > 0 {
		return cause{LooksFine, Warn, slowest}
	}
	return cause{code: LooksFine, state: OK}
}

// first is the first check of the person that matches: the control is not one of theirs.
func (d diagnosis) first(matches func(Check) bool) (Check, bool) {
	if i := slices.IndexFunc(d.checks, func(c Check) bool { return c.ID != Control && matches(c) }); i >= 0 {
		return d.checks[i], true
	}
	return Check{}, false
}

func (d diagnosis) of(id string) Check { return find(d.checks, id) }

func (d diagnosis) claims() *finding { return d.of(Claims).finding() }

// mayBeUnread reports whether the domain that was asked for may be one that the token has and that
// was not read.
func (d diagnosis) mayBeUnread() bool {
	return d.claims().DomainsNotRead > 0 && !slices.Contains(d.claims().OtherDomains, d.Domain)
}

func (d diagnosis) asked(id string) bool { return d.of(id).ID != "" }

func (d diagnosis) works(id string) bool { return works(d.of(id).State) }

// working is the domain that the person asks for or else the primary one, if its shares were
// read; "" if neither's were.
func (d diagnosis) working() string {
	for _, name := range []string{d.wanted(), d.claims().PrimaryDomain} {
		if d.works(DomainPrefix + name) {
			return name
		}
	}
	return ""
}

// wanted is the domain that the person asks for, or else the primary one.
func (d diagnosis) wanted() string {
	if d.Domain != "" && !isGUID(d.Domain) {
		return d.Domain
	}
	return cmp.Or(d.claims().PrimaryDomain, primaryDomain(d.checks))
}

// isMinor reports whether a check is of a domain that is neither the one the person asks for
// nor the primary one, where either was asked.
func (d diagnosis) isMinor(c Check) bool {
	name, isDomain := strings.CutPrefix(c.ID, DomainPrefix)
	wanted, primary := d.wanted(), d.claims().PrimaryDomain
	return isDomain && (d.asked(DomainPrefix+wanted) || d.asked(DomainPrefix+primary)) && name != wanted && name != primary
}

// namedDomain is the primary domain as a device login names it, or else as the rest does.
func (d diagnosis) namedDomain() string {
	return cmp.Or(d.of(Device).finding().PrimaryDomain, primaryDomain(d.checks))
}

// doubtsDomain reports whether a device login leaves open which domain is the primary one: nobody
// names it, or the login names another than the rest.
func (d diagnosis) doubtsDomain() bool {
	named, known := d.of(Device).finding().PrimaryDomain, primaryDomain(d.checks)
	_, err := config.CheckDomain(named)
	isOther := err == nil && known != "" && !strings.EqualFold(named, known)
	return d.check.ID == Device && (isOther || d.namedDomain() == "")
}

// isComplete reports whether a device login with an undocumented code got all that it is for.
func (d diagnosis) isComplete() bool {
	complete := d.check.finding().Complete
	return complete != nil && *complete
}

// refusesEverybody reports whether a gateway refuses those without a token alike.
func (d diagnosis) refusesEverybody() bool {
	return d.check.Status == http.StatusForbidden && d.check.finding().StatusWithoutToken == d.check.Status
}

// scope says how far a cause reaches.
func (d diagnosis) scope() Scope {
	switch d.code {
	case LooksFine, Undecided, UndocumentedCode: // whose meaning nobody knows
		return ScopeNone
	case UnknownAddress:
		if d.check.finding().Failure == failureAddress {
			return ScopeNone
		}
	case ClientRefused:
		if d.check.finding().NoClientSecret {
			return ScopeHere
		}
		return ScopeInstallation
	case BadProfile:
		return ScopeHere
	case Certificate, Clock, GlobalUnreachable, AuthorityUnreachable, GatewayUnreachable:
		if d.isHere() {
			return ScopeHere
		}
		return d.hostScope()
	case OtherDomains:
		if d.check.State == Fail && d.check.Code != NoAccess {
			return d.hostScope()
		}
	case NoAccess:
		if _, state := controlOutcome(d.checks, d.check.ID); state == Fail || d.refusesEverybody() {
			return d.hostScope()
		}
	}
	return ScopePerson
}

// hostScope is who uses the host of the cause.
func (d diagnosis) hostScope() Scope {
	switch id := d.check.ID; {
	case id == Global, id != Authority && d.OneGateway:
		return ScopeInstallation
	case id == Authority && !d.LocalAuthority:
		return ScopeAuthority
	}
	return ScopeDomain
}

// isHere reports whether a host fails because of this machine or its network: that is at
// fault by itself, or several servers fail alike. It is not where another host answers.
func (d diagnosis) isHere() bool {
	servers := d.alike()
	if d.code == Clock {
		return servers >= serversAlike
	}
	if slices.ContainsFunc(d.checks, func(other Check) bool { return other.Status > 0 && other.Host != d.check.Host }) {
		return false
	}
	switch d.check.finding().Failure {
	case api.CauseProxy.String(), api.CauseResolution.String(), api.CauseNoWay.String():
		return true
	case api.CauseRefused.String(): // which is an answer, so there is a way to the host
		return servers > 0 && hostname.IsLoopback(nameIn(d.check.Host))
	}
	return servers >= serversAlike
}

// serversAlike is how many servers have to fail alike, to look for the cause here.
const serversAlike = 2

// clocksAlike is how far clocks may be apart that tell the same time.
const clocksAlike = time.Minute

// alike is the number of servers behind the hosts of the profile, if at least two hosts were asked
// and all fail in the same way; 0 if not: where one alone was asked, its URL may be wrong.
func (d diagnosis) alike() int {
	hosts, servers := 0, map[string]bool{}
	for id := range unreachable {
		host := d.of(id)
		if host.ID == "" || host.State == Skipped {
			continue
		}
		if !d.isAlike(host) {
			return 0
		}
		hosts++
		// What listens on another port of an address shares its clock and its network.
		servers[nameIn(cmp.Or(host.finding().probe.Address, host.Host))] = true
	}
	if hosts < 2 {
		return 0
	}
	return len(servers)
}

// nameIn is the name or IP address of a host that may have a port.
func nameIn(host string) string { return (&url.URL{Host: host}).Hostname() }

// isAlike reports whether a host fails in the same way. An error that it answers is its own,
// and so is the day on which a certificate will end.
func (d diagnosis) isAlike(host Check) bool {
	same := host.State == Fail && d.state == Fail && host.finding().Failure == d.check.finding().Failure
	switch d.code {
	case Clock:
		return host.Code == Clock && (host.finding().probe.Skew-d.check.finding().probe.Skew).Abs() <= clocksAlike
	case Certificate:
		return same && host.Code == Certificate
	}
	return same && host.Code == unreachable[host.ID] && !isServerError(host)
}

// unreachable are the checks of hosts, and their codes.
var unreachable = map[string]Code{
	Global: GlobalUnreachable, Authority: AuthorityUnreachable, Gateway: GatewayUnreachable,
}

// rejudge judges the hosts again after all requests: a host that failed its probe and answered
// another request is not known to be broken, and a wrong clock is only a warning if the sign-in
// and the shares worked.
func rejudge(checks []Check) (changed []Check) {
	shares := DomainPrefix + primaryDomain(checks)
	others := map[string][]string{Global: {Lookup, Device}, Authority: {SignIn}, Gateway: {shares}} // which ask the same host
	answered := func(id string) bool {
		status := find(checks, id).Status
		return status > 0 && !isTrouble(status)
	}
	getsIn := works(find(checks, SignIn).State) && works(find(checks, shares).State)
	for i := range checks {
		c := &checks[i]
		code, isHost := unreachable[c.ID]
		switch {
		case !isHost || c.State != Fail:
			continue
		case c.Code == Clock && getsIn:
			c.State = Warn
		case c.Code == code && slices.ContainsFunc(others[c.ID], answered):
			c.State, c.Code = Unknown, ""
			c.Summary += "; it answered another request"
		default:
			continue
		}
		changed = append(changed, *c)
	}
	return changed
}

// find is the check with an id, the zero one if it was not made.
func find(checks []Check, id string) Check {
	if i := slices.IndexFunc(checks, func(c Check) bool { return c.ID == id }); i >= 0 {
		return checks[i]
	}
	return Check{}
}

// works reports whether a check was made and came out well.
func works(s State) bool { return s == OK || s == Info || s == Warn }

func isServerError(c Check) bool { return c.Status >= 500 }

// primaryDomain is the one of the look-up, or else of the claims; "" if neither is known.
func primaryDomain(checks []Check) string {
	return cmp.Or(find(checks, Lookup).finding().PrimaryDomain, find(checks, Claims).finding().PrimaryDomain)
}
