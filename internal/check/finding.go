package check

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/problem"
	"gatehouse/internal/redact"
)

// finding is what a check found. The verdict reads it; people and JSON get it as a [Detail]:
// the fields that are not zero, in this order. A pointer is for a value whose zero is a fact.
type finding struct {
	AuthorityURL string `json:"authority_url,omitzero"`
	BaseURL      string `json:"base_url,omitzero"`
	GlobalURL    string `json:"global_url,omitzero"`
	ClientID     string `json:"client_id,omitzero"`
	CAFile       string `json:"ca_file,omitzero"`

	AskedFor     string `json:"asked_for,omitzero"`
	DeviceName   string `json:"device_name,omitzero"`
	DeviceIDSent string `json:"device_id_sent,omitzero"`
	DeviceType   string `json:"device_type,omitzero"`
	DomainIDSent string `json:"domain_id_sent,omitzero"`
	Answered     string `json:"answered,omitzero"` // by a look-up that named no domain

	Failure     string       `json:"failure,omitzero"` // why there was no answer: an [api.Cause], or one of the failures below
	Reason      string       `json:"reason,omitzero"`  // the failure as the end of a sentence
	Message     string       `json:"message,omitzero"` // of a gateway
	ErrorCode   *string      `json:"error_code,omitzero"`
	Description string       `json:"error_description,omitzero"` // of the token endpoint
	LeftOut     api.Omission `json:"left_out,omitzero"`          // why there is no message or description
	RetryAfter  int64        `json:"retry_after_seconds,omitzero"`

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
	OtherDomains  []string `json:"other_domains,omitempty"`
	NotDomains    []string `json:"not_domains,omitempty"` // what stands among the domains and is none

	ExpiresAt      time.Time `json:"expires_at,omitzero"`
	ScopesAskedFor []string  `json:"scopes_asked_for,omitzero"`
	ScopesGranted  []string  `json:"scopes_granted,omitempty"`
	Renewable      *bool     `json:"renewable,omitzero"`

	Complete           *bool `json:"complete,omitzero"` // the result of a login with an undocumented code
	NoClientSecret     bool  `json:"no_client_secret,omitzero"`
	DomainsNotAsked    int   `json:"domains_not_asked,omitzero"`
	DomainsNotRead     int   `json:"domains_not_read,omitzero"` // beyond session.MaxDomains
	StatusWithoutToken int   `json:"status_without_token,omitzero"`

	probe    api.Probe // of a host
	tries    int
	discreet bool // for people who may not know where the host is
	readable bool // the claims of the token
	kept     bool // the password was not let pass, and nothing was sent: see [api.Gate]
	foreign  bool // something else than the service may have answered: an HTML page, or a redirect
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

// code is the error code of the token endpoint or the code of a device login.
func (f finding) code() string {
	if f.ErrorCode == nil {
		return ""
	}
	return *f.ErrorCode
}

// retryAfter is how long the host asked to be left alone.
func (f finding) retryAfter() time.Duration { return time.Duration(f.RetryAfter) * time.Second }

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
	return append(d, f.host()...)
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
	add(p.RedirectTo != "", "redirect_to", p.RedirectTo)
	add(p.Request != "", "proxy", p.Proxy)
	add(p.Address != "" && !f.discreet, "address", p.Address)
	add(p.Resolve > 0, "resolve_ms", p.Resolve.Milliseconds())
	add(p.Connect > 0, "connect_ms", p.Connect.Milliseconds())
	add(p.TLS > 0, "tls", tls.VersionName(p.TLS))
	add(p.TLS > 0, "tls_ms", p.Handshake.Milliseconds())
	add(p.Status > 0, "first_byte_ms", p.FirstByte.Milliseconds())
	if p.Certificate != nil && (!f.discreet || p.TLS > 0) { // a refused certificate may belong to another host
		issuer := p.Certificate.Issuer
		add(true, "certificate_issuer", redact.OneLine(cmp.Or(issuer.CommonName, issuer.String()), 200))
		add(true, "certificate_names", certificateNames(p.Certificate))
		add(true, "certificate_ends", f.certificateEnds())
	}
	add(p.SkewWithin > 0, FactClockSkew, p.Skew.Round(100*time.Millisecond).Seconds())
	return d
}

// certificateNames are the hosts that a certificate is for.
func certificateNames(c *x509.Certificate) []string {
	const maxNames = 20
	names := []string{}
	for _, name := range c.DNSNames {
		names = append(names, redact.OneLine(name, 260))
	}
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names[:min(len(names), maxNames)]
}

// hostOf is the host and port of a URL, "" if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// failed is the check of a request that did not bring what it was for, and why. It is unknown:
// that the question was not answered says nothing about the answer.
func failed(host string, err error) Check {
	c := Check{State: Unknown, Host: host}
	f := &finding{Failure: api.CauseOther.String()}
	c.found = f
	if errors.Is(err, context.DeadlineExceeded) {
		f.Failure = api.CauseTimeout.String()
	}
	f.kept = as[*api.GateError](err) != nil
	switch e := innermost(err).(type) {
	case *api.TokenError:
		c.Status, c.Summary = e.Status, fmt.Sprintf("answered %d: %s", e.Status, e.Code)
		f.ErrorCode, f.Description, f.RetryAfter = &e.Code, e.Description, int64(e.RetryAfter/time.Second)
		f.LeftOut = e.Omitted
	case *api.StatusError:
		c.Status, c.Summary = e.Status, answered(e.Status, e.RetryAfter)
		f.Message, f.RetryAfter = e.Message, int64(e.RetryAfter/time.Second)
		f.LeftOut = e.Omitted
	case *api.BodyError:
		c.Summary, f.Failure = "sent "+e.Detail, failureAnswer
		f.foreign = strings.HasPrefix(e.Detail, "an HTML page")
	case *api.RedirectError:
		c.Summary, f.Failure, f.foreign = "redirects to "+e.To+", which is not followed", failureAnswer, true
	case *api.LimitError:
		c.Summary, f.Failure = "sent an answer that is too long", failureAnswer
	case *api.TransportError:
		c.Summary, f.Failure = e.Reason(), e.Cause().String()
	case *jsonscan.SyntaxError:
		c.Summary = "sent an answer that is " + e.Error()
	default:
		c.Summary = strings.TrimSuffix(problem.Describe(err, problem.Screen).Sentence, ".")
	}
	switch {
	case isTrouble(c.Status):
		f.Failure = failureStatus
	case c.Status > 0:
		f.Failure = failureAnswer
	}
	if errors.Is(err, context.Canceled) {
		c.Summary = stopped
	}
	return c
}

// innermost is the error of package api in another one, or that itself.
func innermost(err error) error {
	return cmp.Or(as[*api.TokenError](err), as[*api.StatusError](err), as[*api.BodyError](err), as[*api.LimitError](err),
		as[*api.RedirectError](err), as[*api.TransportError](err), as[*jsonscan.SyntaxError](err), err)
}

func as[E error](err error) error {
	if e, ok := errors.AsType[E](err); ok {
		return e
	}
	return nil
}

// answered is a status that is no success, in words.
func answered(status int, retryAfter time.Duration) string {
	text := "answered " + api.StatusText(status)
	if retryAfter > 0 {
		text += " and told us to wait " + human.InWords(retryAfter)
	}
	return text
}

// isTrouble reports whether a status says that the service could not answer, in place of an
// answer.
func isTrouble(status int) bool { return status == http.StatusTooManyRequests || status >= 500 }

// Detail is what a check found, in the order in which people read it. In JSON it is an object.
type Detail []Fact

// Fact is one value of a [Detail]. Its name is the one in JSON, such as "certificate_ends"; its
// value is JSON, so that a report that was read is written again as it was.
type Fact struct {
	Name  string
	Value json.RawMessage
}

// NewFact makes a fact of a value that JSON can hold.
func NewFact(name string, value any) Fact {
	text, err := json.Marshal(value)
	if err != nil { // a time after the year 9999, of a certificate
		text, _ = json.Marshal(err.Error())
	}
	return Fact{name, text}
}

func (d Detail) MarshalJSON() ([]byte, error) {
	var members [][]byte
	for _, fact := range d {
		name, _ := json.Marshal(fact.Name) // every text can be written
		members = append(members, slices.Concat(name, []byte(":"), fact.Value))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

// UnmarshalJSON implements [json.Unmarshaler]. It keeps the order.
func (d *Detail) UnmarshalJSON(text []byte) error {
	object := gjson.ParseBytes(text)
	if !object.IsObject() {
		return errors.New("a detail is not an object")
	}
	*d = Detail{}
	object.ForEach(func(name, value gjson.Result) bool {
		*d = append(*d, Fact{name.Str, json.RawMessage(value.Raw)})
		return true
	})
	return nil
}

// Text is the fact of a name as people read it, "" if there is none.
func (d Detail) Text(name string) string {
	for _, fact := range d {
		if fact.Name == name {
			return fact.Text()
		}
	}
	return ""
}

// Label is the name of a fact as people read it: "clock skew". The unit is in the text.
func (f Fact) Label() string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(f.Name, "_ms"), "_seconds"), "_", " ")
}

// Text is the value of a fact as people read it: times in UTC, durations with their unit, truth
// as yes or no.
func (f Fact) Text() string {
	value := gjson.ParseBytes(f.Value)
	switch value.Type {
	case gjson.String:
		if at, ok := f.Time(); ok {
			return human.Moment(at.UTC())
		}
		if f.Name == factLeftOut {
			return api.Omission(value.Str).Reason()
		}
		return value.Str
	case gjson.True:
		return "yes"
	case gjson.False:
		return "no"
	case gjson.Number:
		switch {
		case f.Name == "validated":
			return value.Raw + " (meaning undocumented)"
		case strings.HasSuffix(f.Name, "_ms"):
			return human.Took(time.Duration(value.Int()) * time.Millisecond)
		case strings.HasSuffix(f.Name, "_seconds"):
			return value.Raw + " s"
		}
	}
	if value.IsArray() {
		var words []string
		for _, word := range value.Array() {
			words = append(words, word.String())
		}
		return strings.Join(words, ", ")
	}
	return string(f.Value)
}

// Time is the value of a fact that is a time; ok is false for another one.
func (f Fact) Time() (at time.Time, ok bool) {
	err := json.Unmarshal(f.Value, &at)
	return at, err == nil && len(f.Value) > len("null")
}

// IsNumber reports whether the value of a fact is a number.
func (f Fact) IsNumber() bool {
	return len(f.Value) > 0 && strings.IndexByte("-0123456789", f.Value[0]) >= 0
}

// factLeftOut is why a text of the service is not in the report, an [api.Omission].
const factLeftOut = "left_out"

// Names of facts that are read outside this package.
const (
	FactPrimaryDomain = "primary_domain"     // of look-up, claims or device login: a host name
	FactErrorCode     = "error_code"         // of a device login, or the error of the token endpoint
	FactClockSkew     = "clock_skew_seconds" // by how much the host's clock is ahead of this one
)
