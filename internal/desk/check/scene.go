package check

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
)

// scene is what was asked, and everything that was seen. It knows which observation outranks which:
// the person's own sign-in comes first, then what services say about the person, then what hosts
// answer to a harmless request.
type scene struct {
	Request
	face           Face
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
		Request:        r.Request,
		face:           r.Face,
		at:             r.now(),
		client:         p.ClientID,
		scopes:         p.Scope,
		authorityKey:   authorityKeys[p.Authority],
		oneGateway:     r.hasOneGateway(),
		localAuthority: p.AsksDomain(),
		checks:         report.Checks,
	}
}

func (s *scene) of(id string) Check { return find(s.checks, id) }

func (s *scene) seen(id string) *observation { return s.of(id).seen() }

// asked reports whether a check was made.
func (s *scene) asked(id string) bool {
	c := s.of(id)
	return c.ID != "" && c.State != Skipped
}

// signsIn reports whether the authority accepted the password.
func (s *scene) signsIn() bool { return s.seen(SignIn).outcome == outcomeAnswered }

// rejectsPassword reports whether the authority rejected the address or the password.
func (s *scene) rejectsPassword() bool {
	in := s.seen(SignIn)
	return in.outcome == outcomeRefused && in.reason == api.ReasonCredentials
}

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

// working is the domain whose shares were read: the wanted one, or else the primary one, or "" if
// neither was.
func (s *scene) working() string {
	for _, name := range []string{s.wanted(), s.primary()} {
		if s.reads(name) {
			return name
		}
	}
	return ""
}

// isMinor reports whether a check is about a minor domain: neither the one that the person asks for
// nor the primary one.
func (s *scene) isMinor(c Check) bool {
	name, isDomain := DomainOf(c.ID)
	return isDomain && name != s.wanted() && name != s.primary()
}

// minors returns those checks of minor domains that match.
func (s *scene) minors(matches func(Check) bool) (list []Check) {
	for _, c := range s.checks {
		if s.isMinor(c) && matches(c) {
			list = append(list, c)
		}
	}
	return list
}

// gatewayCounts reports whether the gateway of the look-up can be a cause. If there is a token, it
// can only be one if the token names the same primary domain.
func (s *scene) gatewayCounts() bool {
	named := s.claims().PrimaryDomain
	return named == "" || named == s.lookedUp()
}

// requests returns the checks that asked a host which the person needs.
func (s *scene) requests() (list []Check) {
	for _, c := range s.checks {
		askedHost := c.ID != Control && c.seen().outcome >= outcomeNoWay
		if askedHost && !s.isMinor(c) && !s.outranked(c.ID) {
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

// relate judges the hosts again after all requests. What a harmless request met is only a remark if
// the host answers the requests that matter, or if it does not matter. It returns the checks that
// changed.
func relate(checks []Check) (changed []Check) {
	s := &scene{checks: checks}
	for i := range checks {
		c := &checks[i]
		if !isHost(c.ID) || works(c.State) || c.State == Skipped || !s.outranked(c.ID) {
			continue
		}
		c.State = Info
		if c.ID == Gateway && !s.gatewayCounts() {
			c.Summary = c.Summary.noting("the token does not name this domain")
		} else {
			c.Summary = c.Summary.noting("it answered another request")
		}
		changed = append(changed, *c)
	}
	return changed
}

// stranger reports whether hosts of different names show certificates that this machine refuses and
// that have something in common, and returns the first of these checks. inCommon returns what a
// certificate may have in common with others, or "".
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

// sameSigner returns the unknown signer of a certificate, or "" if its fault is another one. A
// certificate that is signed by itself has none; see [sameCertificate].
func sameSigner(fault *api.CertificateFault) string {
	if fault.Kind == api.FaultUnknownSigner {
		return fault.SignerID
	}
	return ""
}

// sameCertificate identifies a certificate that fits none of the hosts which show it. It is "" for
// other faults: a certificate that has expired may well belong to two hosts.
func sameCertificate(fault *api.CertificateFault) string {
	switch fault.Kind {
	case api.FaultOtherNames, api.FaultNoName, api.FaultSelfSigned:
		return fault.Fingerprint
	}
	return ""
}

// nothingReachable reports whether no host could be connected, and returns the first check. The cause
// is then this machine or its network. A single host shows that only if this machine could not even
// try.
func (s *scene) nothingReachable() (first Check, found bool) {
	asked := s.requests()
	isReached := func(c Check) bool {
		outcome := c.seen().outcome
		return outcome != outcomeNoWay && outcome != outcomeProxy
	}
	if len(asked) == 0 || slices.ContainsFunc(asked, isReached) {
		return Check{}, false
	}
	first = asked[0]
	if distinctHosts(asked) > 1 || hostname.IsLoopback(nameIn(first.Host)) {
		return first, true
	}
	cause := first.seen().cause
	return first, cause.IsOfNameServers() || cause == api.CauseNoWay
}

// maintenanceEverywhere reports whether all parts of the service that were asked fail, at least two of
// them, and whatever says why names the same maintenance. It returns the first check that does.
func (s *scene) maintenanceEverywhere() (first Check, found bool) {
	if s.working() != "" {
		return Check{}, false
	}
	parts := map[ServicePart]bool{}
	for _, c := range s.requests() {
		o := c.seen()
		isFirst := first.ID == ""
		isSame := o.reason == api.ReasonMaintenance && (isFirst || o.words() == first.seen().words())
		switch {
		case isSame && isFirst:
			first = c
		case isSame, isHost(c.ID) && o.outcome == outcomeFailing:
		default:
			return Check{}, false
		}
		parts[KindOf(c.ID).asks] = true
	}
	return first, first.ID != "" && len(parts) > 1
}

// noneSecure reports whether the TLS handshake failed with all hosts, which have different names.
func (s *scene) noneSecure() (first Check, found bool) {
	asked := s.requests()
	isOther := func(c Check) bool { return c.seen().outcome != outcomeHandshake }
	if distinctHosts(asked) < 2 || slices.ContainsFunc(asked, isOther) {
		return Check{}, false
	}
	return asked[0], true
}

// certificatesOutOfTime reports whether the certificates of all hosts have expired or are not valid
// yet, so that the clock of this machine may be wrong. also is a further condition, or nil.
func (s *scene) certificatesOutOfTime(also func(*scene, []Check) bool) (first Check, found bool) {
	asked := s.requests()
	isOther := func(c Check) bool {
		fault := c.seen().way.Certificate
		return fault == nil || fault.Kind != api.FaultExpired && fault.Kind != api.FaultNotYetValid
	}
	if distinctHosts(asked) < 2 || slices.ContainsFunc(asked, isOther) {
		return Check{}, false
	}
	return asked[0], also == nil || also(s, asked)
}

// expiredTogether reports whether certificates have expired at the same time, probably because they
// were issued together. With a wrong clock, certificates that end at different times are invalid.
func (*scene) expiredTogether(asked []Check) bool {
	first := asked[0].seen().way.Certificate
	return !slices.ContainsFunc(asked, func(c Check) bool {
		fault := c.seen().way.Certificate
		return fault.Kind != api.FaultExpired || fault.At.Sub(first.At).Abs() > 24*time.Hour
	})
}

// ownClockIsRight reports whether the clock of this machine agrees with the clock of some host,
// other than the host of the given check.
func (s *scene) ownClockIsRight(except Check) bool {
	return slices.ContainsFunc(s.checks, func(c Check) bool {
		p := c.seen().probe
		_, state := ClockDifference(p.Skew, p.SkewWithin)
		agrees := p.SkewWithin > 0 && state == OK
		return isHost(c.ID) && agrees && nameIn(c.Host) != nameIn(except.Host)
	})
}

// clocksAlike is how far clocks that agree may be apart.
const clocksAlike = time.Minute

// ownClockIsWrong reports whether the clocks of several servers agree with each other, but not with
// the clock of this machine.
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
		server := nameIn(cmp.Or(o.probe.Address, s.of(id).Host)) // ports of one server share its clock
		servers[server] = true
	}
	return len(servers) > 1
}

// clockOff returns by how much the clock of a host is ahead, and whether that is so much that tokens
// are refused.
func clockOff(o *observation) (ahead time.Duration, off bool) {
	_, state := ClockDifference(o.probe.Skew, o.probe.SkewWithin)
	return o.probe.Skew, state == Fail
}

// hostScope returns who depends on the host of a check.
func (s *scene) hostScope(c Check) Scope {
	switch asks := KindOf(c.ID).asks; {
	case asks == GlobalPart:
		return ScopeInstallation
	case asks == AuthorityPart && !s.localAuthority:
		return ScopeAuthority
	case asks != AuthorityPart && s.oneGateway:
		return ScopeInstallation
	}
	return ScopeDomain
}
