package check

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/jsonscan"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/redact"
	"gatehouse/session"
)

// outcome is how far a request came, and what kind of answer it brought.
type outcome uint8

// The outcomes. From outcomeBusy on, the host has answered over HTTP.
const (
	outcomeNone        outcome = iota // nothing was asked
	outcomeStopped                    // somebody ended the check
	outcomeLate                       // the whole check ran out of time before this was asked
	outcomeBroken                     // this program failed
	outcomeUnusable                   // the profile names no host that can be asked
	outcomeWithheld                   // this program refused to send a password
	outcomeNoWay                      // no connection came about
	outcomeProxy                      // a proxy refused or failed
	outcomeCertificate                // the certificate was refused
	outcomeHandshake                  // the host was connected, and the handshake failed
	outcomeSilent                     // the host was connected, and gave no answer in time
	outcomeDropped                    // the host was connected, and closed the connection or sent no HTTP
	outcomeBusy                       // 429
	outcomePortal                     // 511: the network asks for a sign-in
	outcomeFailing                    // 5xx, 408
	outcomeForeign                    // an answer that is not what the interface promises: a page, another host
	outcomeMissing                    // 404 and the like: nothing is there
	outcomeRefused                    // the service refuses the person or the request
	outcomeAnswered                   // what was asked for
)

// answered reports whether the host has answered over HTTP.
func (o outcome) answered() bool { return o >= outcomeBusy }

// observation is what a step saw, in typed values. The verdict reads nothing else. People and JSON
// get it as a [Detail]: the fields with a name that are not zero, in this order. A pointer is for
// a value whose zero is a fact.
type observation struct {
	outcome   outcome
	cause     api.Cause     // of a request without an answer
	way       api.Way       // of the last request, as far as it is known
	reason    api.Reason    // why the service refuses, as far as its words say so
	waited    time.Duration // for an answer that was slow, or that never came
	probe     api.Probe     // of a host
	tries     int           // of a host
	elsewhere bool          // a host fails for one path, and answers another
	discreet  bool          // it is for people who may not know where the host is
	page      bool          // a refusal is an HTML page, which something else than the service may have sent
	redirects bool          // and is not followed
	redirect  api.RedirectKind
	inBody    bool // a refusal came with a success of HTTP, in its body
	emptied   bool // the words beside an empty list refuse, and nothing else does
	noList    bool // the answer is a message in place of a list
	token     api.TokenFault
	ambiguous []string // signs of the client's id and secret, see [api.ClientHint]

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
	Answered     string `json:"answered,omitzero"`     // by a look-up that named no domain
	AnsweredFor  string `json:"answered_for,omitzero"` // another address, by a look-up

	Remembered   bool         `json:"remembered,omitzero"` // it is what another look-up met shortly before
	Failure      string       `json:"failure,omitzero"`    // why there was no answer: an [api.Cause], or one of the failures below
	Reason       string       `json:"reason,omitzero"`     // the failure as the end of a sentence
	Message      string       `json:"message,omitzero"`    // of a gateway, a global service or a page
	ResponseCode string       `json:"response_code,omitzero"`
	ErrorCode    *string      `json:"error_code,omitzero"`
	Description  string       `json:"error_description,omitzero"` // of the token endpoint
	LeftOut      api.Omission `json:"left_out,omitzero"`          // why there is no message or description
	RetryAfter   int64        `json:"retry_after_seconds,omitzero"`

	Meaning    string      `json:"meaning,omitzero"` // of the code of a device login
	Documented *bool       `json:"documented,omitzero"`
	Wipe       *bool       `json:"wipe,omitzero"`
	Validated  json.Number `json:"validated,omitzero"`
	// Notification is the URL of what the service wants to tell the user.
	Notification string `json:"notification_url,omitzero"`

	Shares  *int        `json:"shares,omitzero"`
	Bytes   json.Number `json:"bytes,omitzero"`
	Counted string      `json:"counted,omitzero"`
	cut     bool        // the list ended early

	TokenType     string   `json:"token_type,omitzero"` // that is not Bearer
	LifeSeconds   *int64   `json:"life_seconds,omitzero"`
	LifeSaid      string   `json:"life_said,omitzero"` // expires_in as it came, where it is no life
	PrimaryDomain string   `json:"primary_domain,omitzero"`
	DomainID      string   `json:"domain_id,omitzero"`
	DeviceID      string   `json:"device_id,omitzero"`
	OtherDomains  []string `json:"other_domains,omitempty"`
	NotDomains    []string `json:"not_domains,omitempty"`     // what stands among the domains and is none
	Several       []string `json:"primary_domains,omitempty"` // that one look-up named

	ExpiresAt      time.Time `json:"expires_at,omitzero"`
	ScopesAskedFor []string  `json:"scopes_asked_for,omitzero"`
	ScopesGranted  []string  `json:"scopes_granted,omitempty"`
	Renewable      *bool     `json:"renewable,omitzero"`

	Complete           *bool `json:"complete,omitzero"` // the result of a login with an undocumented code
	NoClientSecret     bool  `json:"no_client_secret,omitzero"`
	DomainsNotAsked    int   `json:"domains_not_asked,omitzero"`
	DomainsNotRead     int   `json:"domains_not_read,omitzero"` // beyond session.MaxDomains
	StatusWithoutToken int   `json:"status_without_token,omitzero"`

	Subject  string        `json:"subject,omitzero"` // another address that the token is of
	readable bool          // the claims of the token
	begins   time.Time     // when the token begins, if that is later than now
	early    time.Duration // by how much
	lacks    []string      // what the result of a device login has not
	ended    bool          // the token had ended when its claims were read

	User        string   `json:"signed_in_as,omitzero"` // of the control
	DiffersAt   string   `json:"differs_at,omitzero"`   // the id of the first step at which the user and the person differ
	WorksToo    []string `json:"works_too,omitempty"`   // ids of steps that work for both
	FailsToo    []string `json:"fails_too,omitempty"`   // ids of steps that fail for both
	worksHere   bool     // at DiffersAt, for the user alone
	comparisons []comparison
}

// seen is what the check saw, an empty observation if nothing.
func (c Check) seen() *observation {
	if c.found == nil {
		return &observation{}
	}
	return c.found
}

// Failures beside those of [api.Cause].
const (
	failureStatus  = "status"  // an answer of 429 or from 500 on
	failureAnswer  = "answer"  // an answer that is not what the interface promises
	failureAddress = "address" // the e-mail address is none
	failureStopped = "stopped" // somebody ended the check
)

// code is the error code of the token endpoint or the code of a device login.
func (o *observation) code() string {
	if o.ErrorCode == nil {
		return ""
	}
	return *o.ErrorCode
}

// words are what the service says in its own words, bare codes included.
func (o *observation) words() string { return cmp.Or(o.Description, o.Message) }

// sentence is what the service says if that can be read to a person.
func (o *observation) sentence() string {
	if api.IsBareCode(o.words()) {
		return ""
	}
	return o.words()
}

// retryAfter is how long the host asked to be left alone.
func (o *observation) retryAfter() time.Duration { return time.Duration(o.RetryAfter) * time.Second }

// certificateEnds is zero if no certificate was seen.
func (o *observation) certificateEnds() time.Time {
	if o.probe.Certificate == nil {
		return time.Time{}
	}
	return o.probe.Certificate.NotAfter.UTC()
}

// observe is what a request has shown that did not bring what it was for. A discreet observation
// says nothing of other hosts.
func observe(err error, discreet bool) *observation {
	o := &observation{discreet: discreet}
	switch e := innermost(err).(type) {
	case *api.TokenError:
		o.status(e.Status, e.RetryAfter)
		o.ErrorCode, o.Description, o.reason, o.NoClientSecret = &e.Code, e.Description, e.Reason(), e.NoSecret && e.Code == "invalid_client"
		o.LeftOut, o.ambiguous = e.Omitted, e.Ambiguous
	case *api.StatusError:
		o.status(e.Status, e.RetryAfter)
		o.Message, o.reason, o.LeftOut, o.page = e.Message, e.Reason(), e.Omitted, e.Page
	case *api.EnvelopeError:
		o.outcome, o.Failure, o.inBody, o.emptied = outcomeRefused, failureAnswer, true, e.Emptied
		o.Message, o.ResponseCode, o.reason, o.LeftOut = e.Message, e.Code, e.Reason(), e.Omitted
	case *api.BodyError:
		o.outcome, o.Failure, o.page = outcomeForeign, failureAnswer, e.Page
		o.Message, o.Reason, o.reason, o.LeftOut = e.Words, "sent "+e.Detail, api.ReasonOf(e.Words), e.Omitted
		o.token, o.TokenType, o.noList = e.Token, e.TokenType, e.NoList
		if errors.Is(e.Err, io.ErrUnexpectedEOF) {
			o.outcome, o.cut = outcomeDropped, true
		}
	case *api.RedirectError:
		o.outcome, o.Failure, o.redirects, o.redirect = outcomeForeign, failureAnswer, true, e.Kind
		o.Reason = "redirects elsewhere, which is not followed"
		if target := e.Target(); target != "" {
			o.Reason = "redirects to " + target + ", which is not followed"
		}
	case *api.LimitError:
		o.outcome, o.Failure, o.Reason = outcomeForeign, failureAnswer, "sent an answer that is too long"
	case *jsonscan.SyntaxError:
		o.outcome, o.Failure, o.Reason = outcomeForeign, failureAnswer, "sent an answer that is "+e.Error()
	case *api.TransportError:
		o.transport(e)
	case *api.RequestError, *config.DomainError, *session.MissingError:
		o.outcome, o.Reason = outcomeUnusable, e.Error()
	case *api.GateError:
		o.outcome, o.Reason = outcomeWithheld, clauseOf(err)
	default:
		o.outcome, o.Failure = outcomeBroken, api.CauseOther.String()
		o.Reason = clauseOf(err)
	}
	if errors.Is(err, context.Canceled) {
		o.outcome, o.Failure = outcomeStopped, failureStopped
	}
	return o
}

// clauseOf is what an error says of itself, as the end of a sentence.
func clauseOf(err error) string { return redact.OneLine(problem.Explain(err).Text, maxClause) }

// maxClause is how many characters an error may have to say.
const maxClause = 400

// status notes an answer that is no success.
func (o *observation) status(status int, retryAfter time.Duration) {
	o.outcome, o.Failure = outcomeOf(status), failureAnswer
	if o.outcome == outcomeBusy || o.outcome == outcomeFailing {
		o.Failure = failureStatus
	}
	o.probe.Status, o.RetryAfter = status, int64(retryAfter/time.Second)
}

// outcomeOf is what a status says that is no success.
func outcomeOf(status int) outcome {
	switch {
	case status == 429:
		return outcomeBusy
	case status == 511:
		return outcomePortal
	case status >= 500, status == 408:
		return outcomeFailing
	case status == 404, status == 405, status == 410, status == 501, status < 400:
		return outcomeMissing
	}
	return outcomeRefused
}

// transport notes a request without an answer.
func (o *observation) transport(e *api.TransportError) {
	o.cause, o.way = e.Cause(), e.Way
	o.Failure, o.Reason = o.cause.String(), e.Reason()
	if o.discreet {
		o.Reason = e.Brief()
	}
	o.outcome = outcomeOfWay(o.cause, e.Way)
	o.cut = o.outcome == outcomeSilent && e.Way.Stage == api.StageAnswer
}

// outcomeOfWay is how a request ended that brought no answer.
func outcomeOfWay(cause api.Cause, way api.Way) outcome {
	switch {
	case cause == api.CauseCancelled:
		return outcomeStopped
	case cause == api.CauseProxy:
		return outcomeProxy
	case way.Certificate != nil:
		return outcomeCertificate
	case cause.IsTLS():
		return outcomeHandshake
	case way.Stage == api.StageHandshake:
		return outcomeHandshake
	case cause == api.CauseTimeout && way.Stage >= api.StageConnection:
		return outcomeSilent
	case cause == api.CauseDropped, cause == api.CauseOther:
		return outcomeDropped
	}
	return outcomeNoWay
}

// innermost is the typed error in another one that says most, or that itself.
func innermost(err error) error {
	return cmp.Or(
		as[*api.GateError](err), as[*api.TokenError](err), as[*api.StatusError](err), as[*api.EnvelopeError](err), as[*api.BodyError](err),
		as[*api.LimitError](err), as[*api.RedirectError](err), as[*api.TransportError](err), as[*jsonscan.SyntaxError](err),
		as[*api.RequestError](err), as[*config.DomainError](err), as[*session.MissingError](err), err,
	)
}

func as[E error](err error) error {
	if e, ok := errors.AsType[E](err); ok {
		return e
	}
	return nil
}

// hostOf is the host and port of a URL, "" if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// facts are the observation as people and JSON get it.
func (o *observation) facts() Detail {
	var d Detail
	text, err := json.Marshal(o)
	if err != nil || d.UnmarshalJSON(text) != nil { // there is no value that cannot be written
		return Detail{}
	}
	for _, c := range o.comparisons { // the steps of the control by their ids
		d = append(d, NewFact(c.step, string(c.own)+", "+c.summary))
	}
	return append(d, o.hostFacts()...)
}

// hostFacts are the facts of the last request to a host, if one was sent.
func (o *observation) hostFacts() (d Detail) {
	p := o.probe
	add := func(known bool, name string, value any) {
		if known {
			d = append(d, NewFact(name, value))
		}
	}
	add(p.Request != "", "request", p.Request)
	add(p.Request != "" && p.Status > 0, "status", p.Status)
	add(p.Protocol != "", "protocol", p.Protocol)
	add(o.tries > 1, "tries", o.tries)
	add(p.RedirectTo != "", "redirect_to", p.RedirectTo)
	o.addProxy(add)
	o.addAddresses(add)
	add(p.Resolve > 0, "resolve_ms", p.Resolve.Milliseconds())
	add(p.Connect > 0, "connect_ms", p.Connect.Milliseconds())
	add(p.TLS > 0, "tls", tls.VersionName(p.TLS))
	add(p.TLS > 0, "tls_ms", p.Handshake.Milliseconds())
	add(p.Request != "" && p.Status > 0, "first_byte_ms", p.FirstByte.Milliseconds())
	o.addCertificate(add)
	add(p.SkewWithin > 0, FactClockSkew, p.Skew.Round(100*time.Millisecond).Seconds())
	return d
}

// addProxy adds whether a proxy was asked, and which one where the reader may know.
func (o *observation) addProxy(add func(known bool, name string, value any)) {
	add(o.probe.Request != "" || o.way.Proxy != nil, "proxy", o.probe.Proxy || o.way.Proxy != nil)
	if proxy := o.way.Proxy; proxy != nil && !o.discreet {
		add(true, "proxy_host", proxy.Kind+" "+proxy.Host)
		add(proxy.Status > 0, "proxy_status", proxy.Status)
		add(proxy.Reply != "", "proxy_reply", proxy.Reply)
	}
}

// addAddresses adds where a host is, and which of its addresses did not answer.
func (o *observation) addAddresses(add func(known bool, name string, value any)) {
	if o.discreet {
		return
	}
	address := o.probe.Address
	var failed []string
	for _, dialled := range o.way.Dialled {
		if dialled.Connected && o.way.Proxy == nil {
			address = cmp.Or(address, dialled.Address)
		}
		if dialled.Silent() && o.way.Proxy == nil {
			failed = append(failed, dialled.Address)
		}
	}
	add(address != "" && o.way.Proxy == nil, "address", address)
	add(len(failed) > 0, "addresses_without_answer", failed)
}

// addCertificate adds whose certificate was shown, and what is wrong with it.
func (o *observation) addCertificate(add func(known bool, name string, value any)) {
	if fault := o.way.Certificate; fault != nil && !o.discreet {
		add(true, "certificate_fault", fault.Kind.String())
		add(fault.Subject != "", "certificate_subject", fault.Subject)
		add(fault.Issuer != "", "certificate_issuer", fault.Issuer)
		add(fault.Signer != fault.Issuer, "certificate_signer", fault.Signer)
		add(true, "certificate_names", append([]string{}, fault.Names...))
		add(fault.Of != "", "certificate_of", fault.Of)
		add(!o.certificateEnds().IsZero(), "certificate_ends", o.certificateEnds())
		return
	}
	p := o.probe
	if p.Certificate == nil || o.discreet && p.TLS == 0 { // a refused certificate may belong to another host
		return
	}
	issuer := p.Certificate.Issuer
	add(true, "certificate_issuer", redact.OneLine(cmp.Or(issuer.CommonName, issuer.String()), 200))
	add(true, "certificate_names", certificateNames(p.Certificate))
	add(true, "certificate_ends", o.certificateEnds())
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
