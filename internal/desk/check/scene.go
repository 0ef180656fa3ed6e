package check

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
)

// scene is what was asked, and all that was seen. It knows which observation outranks which:
// what the person's own sign-in shows comes before what services say about the person, and that
// before what hosts answer to a harmless request.
type scene struct {
	Request
	at             time.Time
	client, scopes string // the client id of the profile, and the scopes that it asks for
	authorityKey   string // of the profile, for the URL of the authority
	oneGateway     bool   // for all domains
	localAuthority bool   // of one domain
	checks         []Check
}

func newScene(r *run, report Report) *scene {
	p := r.service.Profile
	return &scene{
		Request: r.Request, at: r.now(), client: p.ClientID, scopes: p.Scope, authorityKey: authorityKeys[p.Authority],
		oneGateway: r.hasOneGateway(), localAuthority: p.AsksDomain(), checks: report.Checks,
	}
}

func (s *scene) of(id string) Check { return find(s.checks, id) }

func (s *scene) seen(id string) *observation { return s.of(id).seen() }

// asked reports whether a check was made.
func (s *scene) asked(id string) bool { c := s.of(id); return c.ID != "" && c.State != Skipped }

// signsIn reports whether the authority accepted the password.
func (s *scene) signsIn() bool { return s.seen(SignIn).outcome == outcomeAnswered }

// reads reports whether the shares of a domain were read with the token.
func (s *scene) reads(domain string) bool {
	o := s.seen(DomainPrefix + domain)
	return o.outcome == outcomeAnswered && o.Shares != nil
}

// claims is what the token says, an empty observation if there is none.
func (s *scene) claims() *observation { return s.seen(Claims) }

// lookedUp is the primary domain of the look-up, "" if it named none.
func (s *scene) lookedUp() string { return s.seen(Lookup).PrimaryDomain }

// primary is the primary domain as the token names it, or else as the look-up does.
func (s *scene) primary() string { return cmp.Or(s.claims().PrimaryDomain, s.lookedUp()) }

// wanted is the domain that decides whether the person gets in: the one they ask for, or else the
// primary one.
func (s *scene) wanted() string {
	if s.asksOtherDomain() && s.asked(DomainPrefix+s.Domain) {
		return s.Domain
	}
	return s.primary()
}

// working is a domain whose shares were read: the wanted or the primary one; "" if neither.
func (s *scene) working() string {
	for _, name := range []string{s.wanted(), s.primary()} {
		if s.reads(name) {
			return name
		}
	}
	return ""
}

// isMinor reports whether a check is of a domain that is neither the one the person asks for nor
// the primary one.
func (s *scene) isMinor(c Check) bool {
	name, isDomain := DomainOf(c.ID)
	return isDomain && name != s.wanted() && name != s.primary()
}

// minors are the checks of other domains that match.
func (s *scene) minors(matches func(Check) bool) (list []Check) {
	for _, c := range s.checks {
		if s.isMinor(c) && matches(c) {
			list = append(list, c)
		}
	}
	return list
}

// gatewayCounts reports whether the gateway of the look-up can be a cause: beside a token, only
// that of a domain which the token names can.
func (s *scene) gatewayCounts() bool {
	named := s.claims().PrimaryDomain
	return named == "" || named == s.lookedUp()
}

// requests are the checks that asked a host which the person needs.
func (s *scene) requests() (list []Check) {
	for _, c := range s.checks {
		if c.ID != Control && c.seen().outcome >= outcomeNoWay && !s.isMinor(c) && !s.outranked(c.ID) {
			list = append(list, c)
		}
	}
	return list
}

// nameIn is the name or IP address of a host that may have a port.
func nameIn(host string) string { return (&url.URL{Host: host}).Hostname() }

// distinctHosts is how many names the hosts of checks have.
func distinctHosts(checks []Check) int {
	names := map[string]bool{}
	for _, c := range checks {
		names[nameIn(c.Host)] = true
	}
	return len(names)
}

// outranked reports whether a stronger observation than the probe of a host shows that the host
// works, or that it does not matter.
func (s *scene) outranked(id string) bool {
	answers := func(ids ...string) bool {
		return slices.ContainsFunc(ids, func(id string) bool {
			outcome := s.seen(id).outcome
			return outcome == outcomeAnswered || outcome == outcomeRefused
		})
	}
	switch id {
	case Global:
		return answers(Lookup, Device)
	case Authority:
		return answers(SignIn)
	case Gateway:
		return answers(DomainPrefix+s.lookedUp()) || !s.gatewayCounts()
	}
	return false
}

// relate judges the hosts again after all requests: what a harmless request met is no more than a
// remark where the host answers what matters, or does not matter.
func relate(checks []Check) (changed []Check) {
	s := &scene{checks: checks}
	for i := range checks {
		c := &checks[i]
		if !isHost(c.ID) || works(c.State) || c.State == Skipped || !s.outranked(c.ID) {
			continue
		}
		c.State = Info
		if c.ID == Gateway && !s.gatewayCounts() {
			c.Summary += "; the token does not name this domain"
		} else {
			c.Summary += "; it answered another request"
		}
		changed = append(changed, *c)
	}
	return changed
}

// stranger reports whether hosts of different names show certificates that this machine refuses and
// that have something in common, such as [sameSigner] says, and is the first of them.
func (s *scene) stranger(inCommon func(*api.CertificateFault) string) (first Check, found bool) {
	by := map[string][]Check{}
	if s.working() != "" {
		return Check{}, false
	}
	for _, c := range s.requests() {
		if fault := c.seen().way.Certificate; fault != nil {
			if key := inCommon(fault); key != "" {
				by[key] = append(by[key], c)
			}
		}
	}
	for _, c := range s.requests() { // in causal order
		for _, alike := range by {
			if alike[0].ID == c.ID && distinctHosts(alike) > 1 {
				return c, true
			}
		}
	}
	return Check{}, false
}

// sameSigner is the signer of a certificate whom nobody knows, "" where the fault is another one. A
// certificate that signs itself, and does for hosts of different names, is one of [sameCertificate].
func sameSigner(fault *api.CertificateFault) string {
	if fault.Kind == api.FaultUnknownSigner {
		return fault.SignerID
	}
	return ""
}

// sameCertificate is a certificate that fits none of the hosts which show it; "" where the fault says
// nothing of a stranger: one certificate may be right for two hosts, and have expired.
func sameCertificate(fault *api.CertificateFault) string {
	switch fault.Kind {
	case api.FaultOtherNames, api.FaultNoName, api.FaultSelfSigned:
		return fault.Fingerprint
	}
	return ""
}

// nothingReachable reports whether no host that was asked could be connected, and shows the first:
// then the cause is here. One host alone shows it only where this machine has no way at all.
func (s *scene) nothingReachable() (first Check, found bool) {
	asked := s.requests()
	isReached := func(c Check) bool { return c.seen().outcome != outcomeNoWay && c.seen().outcome != outcomeProxy }
	if len(asked) == 0 || slices.ContainsFunc(asked, isReached) {
		return Check{}, false
	}
	first = asked[0]
	if distinctHosts(asked) > 1 || hostname.IsLoopback(nameIn(first.Host)) {
		return first, true
	}
	cause := first.seen().cause
	return first, cause == api.CauseResolution || cause == api.CauseNoWay
}

// noneSecure reports whether hosts of different names were asked, and the TLS handshake failed with each.
func (s *scene) noneSecure() (first Check, found bool) {
	asked := s.requests()
	if distinctHosts(asked) < 2 || slices.ContainsFunc(asked, func(c Check) bool { return c.seen().outcome != outcomeHandshake }) {
		return Check{}, false
	}
	return asked[0], true
}

// certificatesOutOfTime reports whether the certificates of all hosts have expired or are not valid
// yet: then the clock of this machine may be wrong. also narrows it, if it is not nil.
func (s *scene) certificatesOutOfTime(also func(*scene, []Check) bool) (first Check, found bool) {
	asked := s.requests()
	isOut := func(c Check) bool {
		fault := c.seen().way.Certificate
		return fault != nil && (fault.Kind == api.FaultExpired || fault.Kind == api.FaultNotYetValid)
	}
	if distinctHosts(asked) < 2 || slices.ContainsFunc(asked, func(c Check) bool { return !isOut(c) }) {
		return Check{}, false
	}
	return asked[0], also == nil || also(s, asked)
}

// expiredTogether reports whether certificates have expired at the same time, as those do that were
// issued together: a clock that is wrong makes those invalid that end at different times.
func (*scene) expiredTogether(asked []Check) bool {
	first := asked[0].seen().way.Certificate
	return !slices.ContainsFunc(asked, func(c Check) bool {
		fault := c.seen().way.Certificate
		return fault.Kind != api.FaultExpired || fault.At.Sub(first.At).Abs() > 24*time.Hour
	})
}

// ownClockIsRight reports whether another host than that of a check agrees with the clock of this
// machine.
func (s *scene) ownClockIsRight(but Check) bool {
	return slices.ContainsFunc(s.checks, func(c Check) bool {
		p := c.seen().probe
		_, state := ClockDifference(p.Skew, p.SkewWithin)
		return isHost(c.ID) && p.SkewWithin > 0 && state == OK && nameIn(c.Host) != nameIn(but.Host)
	})
}

// clocksAlike is how far clocks may be apart that tell the same time.
const clocksAlike = time.Minute

// ownClockIsWrong reports whether the clocks of several servers agree with each other, and not
// with the one of this machine.
func (s *scene) ownClockIsWrong() bool {
	servers := map[string]bool{}
	var first *observation
	for _, id := range []string{Global, Authority, Gateway} {
		o := s.seen(id)
		if o.probe.SkewWithin == 0 {
			continue
		}
		if first == nil {
			first = o
		}
		_, state := ClockDifference(o.probe.Skew, o.probe.SkewWithin)
		if state == OK || (o.probe.Skew-first.probe.Skew).Abs() > clocksAlike {
			return false
		}
		servers[nameIn(cmp.Or(o.probe.Address, s.of(id).Host))] = true // one behind another port shares the clock
	}
	return len(servers) > 1
}

// clockOff is by how much the clock of a host is ahead, if that is more than tokens allow.
func clockOff(o *observation) (ahead time.Duration, off bool) {
	_, state := ClockDifference(o.probe.Skew, o.probe.SkewWithin)
	return o.probe.Skew, state == Fail
}

// hostScope is who uses the host of a check.
func (s *scene) hostScope(c Check) Scope {
	switch asks := KindOf(c.ID).asks; {
	case asks == globalPart:
		return ScopeInstallation
	case asks == authorityPart && !s.localAuthority:
		return ScopeAuthority
	case asks != authorityPart && s.oneGateway:
		return ScopeInstallation
	}
	return ScopeDomain
}
