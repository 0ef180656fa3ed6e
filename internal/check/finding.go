package check

import (
	"crypto/tls"
	"encoding/json"
	"math"
	"slices"
	"time"

	"gatehouse/api"
)

// finding is what a check found. The verdict reads it; people and JSON get it as a [Detail]:
// the fields that are not zero, in this order. A pointer is for a value whose zero is a fact.
type finding struct {
	AuthorityURL string `json:"authority_url,omitzero"`
	BaseURL      string `json:"base_url,omitzero"`
	GlobalURL    string `json:"global_url,omitzero"`
	ClientID     string `json:"client_id,omitzero"`
	CAFile       string `json:"ca_file,omitzero"`

	AskedFor     string `json:"asked_for,omitzero"` // the facts of a host follow
	DeviceName   string `json:"device_name,omitzero"`
	DeviceIDSent string `json:"device_id_sent,omitzero"`
	DeviceType   string `json:"device_type,omitzero"`
	DomainIDSent string `json:"domain_id_sent,omitzero"`
	Answered     string `json:"answered,omitzero"` // by a look-up that named no domain

	Failure     string  `json:"failure,omitzero"` // why there was no answer: an [api.Cause], or one of the failures below
	Reason      string  `json:"reason,omitzero"`  // the failure as the end of a sentence
	Message     string  `json:"message,omitzero"` // of a gateway
	ErrorCode   *string `json:"error_code,omitzero"`
	Description string  `json:"error_description,omitzero"` // of the token endpoint
	RetryAfter  seconds `json:"retry_after_seconds,omitzero"`

	Meaning    string      `json:"meaning,omitzero"` // of the code of a device login
	Documented *bool       `json:"documented,omitzero"`
	Wipe       *bool       `json:"wipe,omitzero"`
	Validated  json.Number `json:"validated,omitzero"`

	Shares  *int        `json:"shares,omitzero"`
	Bytes   json.Number `json:"bytes,omitzero"`
	Counted string      `json:"counted,omitzero"`

	LifeSeconds   *int64   `json:"life_seconds,omitzero"`
	PrimaryDomain string   `json:"primary_domain,omitzero"`
	DomainID      string   `json:"domain_id,omitzero"`
	DeviceID      string   `json:"device_id,omitzero"`
	DeviceCreated bool     `json:"device_created,omitzero"` // by this login
	OtherDomains  []string `json:"other_domains,omitempty"`
	NotDomains    []string `json:"not_domains,omitempty"` // what stands among the domains and is none

	ExpiresAt      time.Time `json:"expires_at,omitzero"`
	ScopesAskedFor []string  `json:"scopes_asked_for,omitzero"`
	ScopesGranted  []string  `json:"scopes_granted,omitempty"`
	Renewable      *bool     `json:"renewable,omitzero"`

	Complete           *bool `json:"complete,omitzero"` // the result of a login with an undocumented code
	NoClientSecret     bool  `json:"no_client_secret,omitzero"`
	DomainsNotAsked    int   `json:"domains_not_asked,omitzero"`
	StatusWithoutToken int   `json:"status_without_token,omitzero"`

	probe    api.Probe // of a host
	tries    int
	discreet bool // for people who may not know where the host is
	readable bool // the claims of the token
	control  control
}

// finding is what the check found, an empty one if nothing.
func (c Check) finding() *finding {
	if c.found == nil {
		return &finding{}
	}
	return c.found
}

// Failures beside those of [api.Cause].
const (
	failureStatus  = "status"  // an answer of 429 or from 500 on
	failureAnswer  = "answer"  // an answer that is not what the interface promises
	failureAddress = "address" // the e-mail address is none
)

// seconds is a time that JSON has in whole seconds.
type seconds time.Duration

func (s seconds) MarshalJSON() ([]byte, error) {
	return json.Marshal(int64(math.Round(time.Duration(s).Seconds())))
}

// code is the error code of the token endpoint or the code of a device login.
func (f finding) code() string {
	if f.ErrorCode == nil {
		return ""
	}
	return *f.ErrorCode
}

// retryAfter is how long the host asked to be left alone.
func (f finding) retryAfter() time.Duration {
	return max(time.Duration(f.RetryAfter), f.probe.RetryAfter)
}

// certificateEnds is zero if no certificate was seen.
func (f finding) certificateEnds() time.Time {
	if f.probe.Certificate == nil {
		return time.Time{}
	}
	return f.probe.Certificate.NotAfter.UTC()
}

// facts are the finding as people and JSON get it.
func (f finding) facts() Detail {
	var d Detail
	text, err := json.Marshal(f)
	if err != nil || d.UnmarshalJSON(text) != nil { // there is no value that cannot be written
		return Detail{}
	}
	at := 0
	if f.AskedFor != "" {
		at = 1
	}
	return slices.Insert(d, at, f.host()...)
}

// host are the facts of the last request to a host, if one was sent.
func (f finding) host() (d Detail) {
	p := f.probe
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
	if p.Certificate != nil && (!f.discreet || p.TLS > 0) { // a refused certificate may belong to another host
		add(true, "certificate_issuer", issuer(p.Certificate))
		add(true, "certificate_names", certificateNames(p.Certificate))
		add(true, "certificate_ends", f.certificateEnds())
	}
	add(p.SkewWithin > 0, FactClockSkew, p.Skew.Round(100*time.Millisecond).Seconds())
	return d
}
