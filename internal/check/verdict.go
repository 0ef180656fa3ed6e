package check

import (
	"cmp"
	"math"
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
	c.variant = j.variant(c)
	v := write(c, j.scope(c), j.values(c))
	v.Known += j.control(c)
	if j.isOwnSession() {
		v.Next = append(v.Next, Step{Text: "refresh your own sign-in", Kind: StepSignInAgain})
	}
	return v
}

type judgement struct {
	subject
	checks []Check
}

// cause is the first check that failed; else that the person asks for another domain than
// the primary one; else what is not known; else the first warning.
func (j judgement) cause() cause {
	if c, ok := j.first(func(c Check) bool { return c.State == Fail && c.Code != "" && !j.isMinor(c) }); ok {
		if c.ID == Lookup && c.Code == UnknownAddress && j.isKnown() {
			return cause{code: NoPrimaryDomain, state: Fail, check: j.withoutDomain(c)}
		}
		return cause{code: c.Code, state: Fail, check: c}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Warn && c.Code == OtherDomains }); ok && !j.askedIsUnknown() {
		return cause{code: OtherDomains, state: Warn, check: c}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Unknown || c.State == Fail && c.Code == "" }); ok {
		return cause{code: Undecided, state: Unknown, check: c}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Fail }); ok {
		return cause{code: OtherDomains, state: Warn, check: c, variant: "minor"}
	}
	if c, ok := j.first(func(c Check) bool { return c.State == Warn && c.Code != "" && c.ID != Profile }); ok { // a profile that lacks something, and works
		return cause{code: c.Code, state: Warn, check: c}
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
	return name != wanted
}

// wanted is the domain that the person asks for, or else the primary one.
func (j judgement) wanted() string {
	if j.Domain != "" && !isGUID(j.Domain) {
		return j.Domain
	}
	return cmp.Or(j.claimed(), primaryDomain(j.checks))
}

func (j judgement) askedIsUnknown() bool {
	c, ok := find(j.checks, DomainPrefix+j.Domain)
	return ok && c.State == Unknown
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
		if c.variant == "everybody" || j.controlState(c.check.ID) == Fail {
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
// fault by itself, or all hosts fail alike.
func (j judgement) isHere(c cause) bool {
	switch c.check.Detail.Text(FactFailure) {
	case FailureProxy, FailureResolution, FailureNetwork:
		return true
	}
	return c.check.Scope == ScopeHere || j.allAlike(c) && (!isRefused(c.check) || isOfThisMachine("//"+c.check.Host))
}

// isRefused reports whether a host refused the connection: that is an answer, so there is a
// way to it.
func isRefused(c Check) bool { return c.Detail.Text(FactFailure) == FailureRefused }

// hostsAlike is how many hosts have to fail alike, to look for the cause here.
const hostsAlike = 2

// clocksAlike is how many seconds clocks may be apart that tell the same time.
const clocksAlike = 60

func (j judgement) allAlike(c cause) bool {
	hosts := 0
	for _, id := range []string{Global, Authority, Gateway} {
		host, asked := find(j.checks, id)
		if !asked || host.State == Skipped {
			continue
		}
		hosts++
		if !alike(host, c) {
			return false
		}
	}
	return hosts >= hostsAlike
}

// alike reports whether a host fails in the same way. An error that it answers is its own,
// and so is the day on which a certificate will end.
func alike(host Check, c cause) bool {
	same := host.State == Fail && c.state == Fail && host.Detail.Text(FactFailure) == c.check.Detail.Text(FactFailure)
	switch c.code {
	case Clock:
		skew, known := host.Detail.seconds(FactClockSkew)
		other, _ := c.check.Detail.seconds(FactClockSkew)
		return known && host.Code == Clock && math.Abs(skew-other) <= clocksAlike
	case Certificate:
		return same && host.Code == Certificate
	}
	return same && host.Code == unreachable[host.ID] && !isServerError(host)
}

// controlState is how a check came out for whoever is signed in, "" if they did not make it.
func (j judgement) controlState(id string) State {
	control, _ := find(j.checks, Control)
	state, _, _ := strings.Cut(control.Detail.Text(id), ",")
	return State(state)
}

// control says how the check of a cause came out for whoever is signed in.
func (j judgement) control(c cause) string {
	control, _ := find(j.checks, Control)
	name := control.Detail.Text(factSignedInAs)
	switch state := j.controlState(c.check.ID); {
	case c.check.ID == "" || name == "":
	case works(state):
		return " The same step works for " + name + "."
	case state == Fail:
		return " The same step fails for " + name + " as well."
	case state == Unknown:
		return " The same step could not be completed for " + name + " either."
	}
	return ""
}

// isOwnSession reports whether the control found that something works for the person, and
// not for whoever is signed in.
func (j judgement) isOwnSession() bool {
	control, _ := find(j.checks, Control)
	id := control.Detail.Text(FactDiffersAt)
	return id != "" && j.controlState(id) == Fail
}

// variant chooses among the sentences of a code.
func (j judgement) variant(c cause) string {
	if c.variant != "" {
		return c.variant
	}
	detail := c.check.Detail
	switch c.code {
	case LooksFine:
		if _, signedIn := find(j.checks, SignIn); !signedIn {
			return "outside"
		}
	case UnknownAddress:
		if j.Email == "" {
			return "nothing"
		}
		if detail.Text(FactFailure) == FailureAddress {
			return "no address"
		}
		if in, _ := find(j.checks, SignIn); in.Code == WrongPassword {
			return "refused"
		}
	case NoPrimaryDomain, OtherPrimaryDomain:
		return j.domainVariant(c)
	case DeviceNotValidated, WrongPassword, WipeOrdered, BadProfile:
	case ClientRefused:
		if none, _ := detail.Get(FactNoSecret).(bool); none {
			return "no secret"
		}
	case UndocumentedCode:
		if complete, _ := detail.Get(FactComplete).(bool); complete {
			return "complete"
		}
	case NoAccess:
		if without, ok := detail.seconds(FactWithout); ok && int(without) == c.check.Status && c.check.Status == 403 {
			return "everybody"
		}
		if c.check.Status == 401 {
			return "token"
		}
	case OtherDomains:
		return j.otherVariant()
	case Certificate, Clock, GlobalUnreachable, AuthorityUnreachable, GatewayUnreachable:
		return j.hostVariant(c)
	case Undecided:
		if c.check.ID == SignIn && detail.Text(FactErrorCode) != "" {
			return "oauth"
		}
	}
	return ""
}

func (j judgement) domainVariant(c cause) string {
	switch {
	case c.check.ID == Device && c.code == OtherPrimaryDomain && j.Domain != "" && !isGUID(j.Domain):
		return "asked"
	case c.check.ID == Device:
		return "device"
	case c.check.ID == Lookup && j.claimed() != "":
		return "look-up"
	}
	return ""
}

// claimed is the primary domain of the token, "" if it names none.
func (j judgement) claimed() string {
	claims, _ := find(j.checks, Claims)
	return claims.Detail.Text(FactPrimaryDomain)
}

func (j judgement) otherVariant() string {
	claims, signedIn := find(j.checks, Claims)
	switch {
	case !signedIn || claims.State == Skipped:
		return "outside"
	case slices.Contains(claims.Detail.list(FactDomains), j.Domain):
		return ""
	}
	return "not reached"
}

func (j judgement) hostVariant(c cause) string {
	switch ends := c.check.Detail.time(FactCertificateEnds); {
	case c.code == GlobalUnreachable && j.allAlike(c):
		return j.allVariant(c)
	case j.isHere(c):
		return "here"
	case c.code == Certificate && c.state == Warn:
		return "soon"
	case c.code == Certificate && !ends.IsZero() && ends.Before(j.At):
		return "ended"
	case c.code != Certificate && c.code != Clock && isServerError(c.check):
		return "errors"
	}
	return ""
}

func (j judgement) allVariant(c cause) string {
	switch {
	case !isRefused(c.check):
		return "all"
	case j.isHere(c):
		return "refused here"
	}
	return "refused"
}

// place is the host of a check with what it is, in the middle of a sentence.
func place(c Check, domain string) string {
	switch c.ID {
	case Global:
		return "the global service " + hostName(c)
	case Authority:
		return "the authority " + hostName(c)
	case Gateway:
		return "the gateway of " + domain + ", " + hostName(c) + ","
	}
	return hostName(c)
}

// hostName is the host of a check as people call it.
func hostName(c Check) string {
	if c.Host == "" {
		return nameOf(c.ID)
	}
	return hostname.Readable(c.Host)
}
