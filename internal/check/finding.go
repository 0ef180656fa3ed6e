package check

import (
	"crypto/tls"
	"time"

	"gatehouse/api"
	"gatehouse/internal/human"
)

// finding is what a check found, one type for each kind of check. The verdict reads it; people
// and JSON get its facts.
type finding interface {
	facts() Detail
	wrong() trouble
}

// found gives a check its finding.
func (c Check) found(f finding) Check {
	c.finding, c.Detail = f, f.facts()
	return c
}

// findingOf is the finding of a check, the zero one where it has none of this type: it was
// skipped, or not completed.
func findingOf[F finding](checks []Check, id string) F {
	c, _ := find(checks, id)
	f, _ := c.finding.(F)
	return f
}

// trouble returns what kept a check from its answer.
func (c Check) trouble() trouble {
	if c.finding == nil {
		return trouble{}
	}
	return c.finding.wrong()
}

// failure says why a host did not do what it should.
type failure string

const (
	failureName        failure = "name"        // there is no host with this name
	failureResolution  failure = "resolution"  // names cannot be resolved
	failureNetwork     failure = "network"     // there is no way to the host
	failureRefused     failure = "refused"     // nothing listens there
	failureTimeout     failure = "timeout"     // no answer in time
	failureProxy       failure = "proxy"       // the proxy of this machine
	failureTLS         failure = "tls"         // the handshake failed otherwise than over the certificate
	failureCertificate failure = "certificate" // expired, of another host, of an unknown authority
	failureStatus      failure = "status"      // an answer of 429 or from 500 on
	failureAnswer      failure = "answer"      // an answer that is not what the interface promises
	failureAddress     failure = "address"     // the e-mail address is none
	failureOther       failure = "other"
)

// trouble is what kept a request from its answer, or what the service said instead.
type trouble struct {
	failure     failure
	reason      string // the failure as the end of a sentence
	message     string // of a gateway
	code        string // of the token endpoint
	description string // of the token endpoint
	retryAfter  time.Duration
}

func (t trouble) wrong() trouble { return t }

func (t trouble) facts() Detail {
	d := Detail{}.with("failure", string(t.failure)).with("reason", t.reason).with("message", t.message).
		with(FactErrorCode, t.code).with("error_description", t.description)
	if t.retryAfter > 0 {
		d = d.with(FactRetryAfter, int64(t.retryAfter.Round(time.Second)/time.Second))
	}
	return d
}

// foundProfile is the part of the profile that was used.
type foundProfile struct {
	trouble
	authorityURL, baseURL, globalURL, clientID, caFile string
}

func (f foundProfile) facts() Detail {
	return Detail{NewFact("authority_url", f.authorityURL), NewFact("base_url", f.baseURL), NewFact("global_url", f.globalURL), NewFact("client_id", f.clientID)}.
		with("ca_file", f.caFile)
}

// foundLookup is the answer of the global service (interface section 2.3).
type foundLookup struct {
	trouble
	asked    string
	answered string // where it named no domain
	primary  string // a host name
	knownBy  string
}

func (f foundLookup) facts() Detail {
	return append(Detail{}.with("asked_for", f.asked).with("answered", f.answered), f.trouble.facts()...).
		with(FactPrimaryDomain, f.primary).with(FactKnownBy, f.knownBy)
}

// foundHost is what the last request to a host showed.
type foundHost struct {
	trouble
	probe    api.Probe
	tries    int
	discreet bool // for people who may not know where the host is
}

func (f foundHost) facts() Detail {
	p := f.probe
	var d Detail
	add := func(known bool, name string, value any) {
		if known {
			d = append(d, NewFact(name, value))
		}
	}
	add(p.Request != "", "request", p.Request)
	add(p.Status > 0, "status", p.Status)
	add(p.Protocol != "", "protocol", p.Protocol)
	add(f.tries > 1, "tries", f.tries)
	add(p.RetryAfter > 0, FactRetryAfter, int64(p.RetryAfter/time.Second))
	add(p.RedirectTo != "", "redirect_to", p.RedirectTo)
	add(p.Request != "", "proxy", p.Proxy)
	add(p.Address != "" && !f.discreet, "address", p.Address)
	add(p.Resolve > 0, "resolve_ms", p.Resolve.Milliseconds())
	add(p.Connect > 0, "connect_ms", p.Connect.Milliseconds())
	add(p.TLS > 0, "tls", tls.VersionName(p.TLS))
	add(p.TLS > 0, "tls_ms", p.Handshake.Milliseconds())
	add(p.Status > 0, "first_byte_ms", p.FirstByte.Milliseconds())
	if p.Certificate != nil && (!f.discreet || p.TLS > 0) { // one that was refused may be of another host
		add(true, "certificate_issuer", issuer(p.Certificate))
		add(true, "certificate_names", certificateNames(p.Certificate))
		add(true, "certificate_ends", p.Certificate.NotAfter.UTC())
	}
	add(p.SkewWithin > 0, FactClockSkew, p.Skew.Round(100*time.Millisecond).Seconds())
	return append(d, f.trouble.facts()...)
}

func (f foundHost) wrong() trouble {
	t := f.trouble
	t.retryAfter = f.probe.RetryAfter
	return t
}

// host is what a check found of a host, the zero value if it looked at none.
func (c Check) host() foundHost {
	switch f := c.finding.(type) {
	case foundHost:
		return f
	case foundDomain:
		if f.host != nil {
			return *f.host
		}
	}
	return foundHost{}
}

// certificateEnds is zero if no certificate was seen.
func (f foundHost) certificateEnds() time.Time {
	if f.probe.Certificate == nil {
		return time.Time{}
	}
	return f.probe.Certificate.NotAfter.UTC()
}

// foundSignIn is the answer to the one sign-in (interface section 4.1).
type foundSignIn struct {
	trouble
	asked     string
	accepted  bool
	life      time.Duration
	renewable bool
	knownBy   string
	noSecret  bool // the client was refused, and the profile has no client secret
}

func (f foundSignIn) facts() Detail {
	d := append(Detail{}.with("asked_for", f.asked), f.trouble.facts()...)
	if f.accepted {
		d = d.with("life_seconds", int64(f.life/time.Second)).with("renewable", f.renewable)
	}
	d = d.with(FactKnownBy, f.knownBy)
	if f.noSecret {
		d = d.with("no_client_secret", true)
	}
	return d
}

// foundClaims is what the access token says (interface section 2.2).
type foundClaims struct {
	trouble
	readable      bool // the token is a JWT
	primary       string
	others        []string
	rejected      []string // what stands among the domains and is none
	expires       time.Time
	scopesAsked   []string
	scopesGranted []string
	renewable     bool
	notAsked      int // domains beyond those that are checked
	knownBy       string
}

func (f foundClaims) facts() Detail {
	if !f.readable {
		return append(f.trouble.facts(), NewFact(FactKnownBy, f.knownBy))
	}
	d := Detail{}.with(FactPrimaryDomain, f.primary)
	if len(f.others) > 0 {
		d = d.with("other_domains", f.others)
	}
	if len(f.rejected) > 0 {
		d = d.with("not_domains", f.rejected)
	}
	if !f.expires.IsZero() {
		d = d.with("expires_at", f.expires)
	}
	d = d.with("scopes_asked_for", f.scopesAsked)
	if len(f.scopesGranted) > 0 {
		d = d.with("scopes_granted", f.scopesGranted)
	}
	d = d.with("renewable", f.renewable).with(FactKnownBy, f.knownBy)
	if f.notAsked > 0 {
		d = d.with("domains_not_asked", f.notAsked)
	}
	return d
}

// foundDomain is how the gateway of a domain answered a request for the person's shares.
type foundDomain struct {
	trouble
	host    *foundHost // where the gateway itself is what fails
	asked   string
	counted *ShareCount
	partial bool // the list broke off
	knownBy string
	without int // the status that the gateway answers without a token, 0 if it was not asked
}

func (f foundDomain) facts() Detail {
	d := Detail{}.with("asked_for", f.asked)
	if f.host != nil {
		d = append(d, f.host.facts()...)
	}
	d = append(d, f.trouble.facts()...)
	if f.counted != nil {
		d = d.with("shares", f.counted.Shares)
		if f.counted.Size != "" && !f.partial {
			d = append(d, Fact{"bytes", []byte(f.counted.Size)})
		}
		if f.counted.More && !f.partial {
			d = d.with("counted", "the first "+human.Bytes(MostCounted)+": there are more")
		}
	}
	d = d.with(FactKnownBy, f.knownBy)
	if f.without > 0 {
		d = d.with("status_without_token", f.without)
	}
	return d
}

func (f foundDomain) wrong() trouble {
	if f.host != nil {
		return f.host.wrong()
	}
	return f.trouble
}

// foundDevice is the answer to a device login (interface section 2.4).
type foundDevice struct {
	trouble
	login   api.DeviceLoginRequest
	meaning api.CodeMeaning
	result  *api.LoginResult // nil without an answer
}

func (f foundDevice) facts() Detail {
	d := Detail{NewFact("asked_for", "a device login of "+f.login.Email)}.
		with("device_name", f.login.DeviceName).with("device_id_sent", f.login.DeviceID).
		with("device_type", string(f.login.DeviceType)).with("domain_id_sent", f.login.Domain)
	if f.result == nil {
		return append(d, f.trouble.facts()...)
	}
	d = append(d, NewFact(FactErrorCode, f.meaning.Code), NewFact(FactMeaning, f.meaning.Meaning), NewFact("documented", f.meaning.Known), NewFact("wipe", f.result.Wipe))
	if f.result.Validated != "" {
		d = append(d, Fact{"validated", []byte(f.result.Validated)}).with("meaning_of_validated", byNobody)
	}
	d = d.with(FactPrimaryDomain, f.primary())
	if p := f.result.PrimaryUserDomain; p != nil {
		d = d.with("domain_id", p.Domain.DomainID)
	}
	d = d.with("device_id", f.result.DeviceID)
	if f.created() != "" {
		d = d.with("device_created", true)
	}
	known := byNobody
	if f.meaning.Known {
		known = bySection + "7"
	}
	d = d.with(FactKnownBy, known)
	if f.isUndocumented() {
		d = d.with("complete", f.meaning.Fine)
	}
	return d
}

// primary is the primary domain that the answer names, as the service writes it.
func (f foundDevice) primary() string {
	if f.result == nil || f.result.PrimaryUserDomain == nil {
		return ""
	}
	return f.result.PrimaryUserDomain.Domain.DomainName
}

// domainID is the id of the primary domain that the answer names.
func (f foundDevice) domainID() string {
	if f.result == nil || f.result.PrimaryUserDomain == nil {
		return ""
	}
	return f.result.PrimaryUserDomain.Domain.DomainID
}

// deviceID is the device that was used, "" without an answer.
func (f foundDevice) deviceID() string {
	if f.result == nil {
		return ""
	}
	return f.result.DeviceID
}

// created is the id of the device that this login made, "" if it made none: only a login with
// a name does.
func (f foundDevice) created() string {
	if f.result == nil || f.login.DeviceName == "" {
		return ""
	}
	return f.result.DeviceID
}

func (f foundDevice) isUndocumented() bool { return !f.result.Wipe && loginCodes[f.meaning.Code] == "" }

// foundControl is how the steps came out for whoever is signed in.
type foundControl struct {
	trouble
	who       string
	own       []Check
	differsAt string // the id of the first step at which they and the person differ
}

func (f foundControl) facts() Detail {
	d := Detail{NewFact("signed_in_as", f.who)}
	for _, c := range f.own {
		d = d.with(c.ID, string(c.State)+", "+c.Summary)
		if c.ID == f.differsAt {
			d = d.with("differs_at", c.ID)
		}
	}
	return d
}

// state is how a step came out, "" if they did not take it.
func (f foundControl) state(id string) State {
	c, _ := find(f.own, id)
	return c.State
}
