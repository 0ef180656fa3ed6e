package check

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/jsonscan"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/redact"
	"gatehouse/session"
)

// outcome is how far a request got, and what kind of answer it brought.
type outcome uint8

// The outcomes. From outcomeBusy on, the host has answered over HTTP.
const (
	outcomeNone        outcome = iota // nothing was asked
	outcomeStopped                    // somebody ended the check
	outcomeLate                       // the time for the check was over before the answer
	outcomeBroken                     // this program failed
	outcomeUnusable                   // the profile names no host that can be asked
	outcomeWithheld                   // this program refused to send a password
	outcomeNoWay                      // there was no connection
	outcomeProxy                      // a proxy refused or failed
	outcomeCertificate                // the certificate was refused
	outcomeHandshake                  // the host was connected, and the TLS handshake failed
	outcomeSilent                     // the host was connected, and gave no answer in time
	outcomeDropped                    // the host closed the connection, or sent no HTTP
	outcomeBusy                       // 429
	outcomePortal                     // 511: the network asks for a sign-in
	outcomeFailing                    // 5xx, 408
	outcomeForeign                    // not an answer of the service: a page, a redirect
	outcomeMissing                    // 404 and the like: nothing is there
	outcomeRefused                    // the service refuses the person or the request
	outcomeAnswered                   // what was asked for
)

// answered reports whether the host has answered over HTTP.
func (o outcome) answered() bool { return o >= outcomeBusy }

// observation is what a step saw, in typed values. The verdict reads nothing else. People and JSON
// get it as a [Detail] with the fields that have a name in JSON and are not zero, in this order. A
// field is a pointer if its zero value is a fact as well.
type observation struct {
	outcome      outcome
	cause        api.Cause     // of a request without an answer
	way          api.Way       // of the last request, as far as it is known
	reason       api.Reason    // why the service refuses, as far as its words say so
	waited       time.Duration // for an answer that was slow or did not come
	probe        api.Probe     // the answer of a host, and how long its parts took
	tries        int           // how often a host was asked
	elsewhere    bool          // a host fails for one path, and answers for another
	discreet     bool          // its readers must not learn where the host is
	page         bool          // a refusal is an HTML page, which may not be from the service
	redirects    bool          // the answer is a redirect, which was not followed
	redirect     api.RedirectKind
	inBody       bool // the body of an answer refuses, although its status is a success
	emptied      bool // an empty list came with words that refuse
	noList       bool // the answer is a message in place of a list
	token        api.TokenFault
	blankForPlus bool     // a look-up answered for the address with blanks in place of "+"
	ambiguous    []string // characters in the id and the secret of the client, see [api.ClientHint]

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

	Remembered bool `json:"remembered,omitzero"` // another look-up has met it shortly before
	// Failure is why there was no useful answer: the word of an [api.Cause], or a failure below.
	Failure      string       `json:"failure,omitzero"`
	Reason       string       `json:"reason,omitzero"`  // the failure as the end of a sentence
	Message      string       `json:"message,omitzero"` // of a gateway, a global service or a page
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
	Counted string      `json:"counted,omitzero"` // which part of a long list was counted, in words
	cut     bool        // the answer ended early

	TokenType     string   `json:"token_type,omitzero"` // that is not Bearer
	LifeSeconds   *int64   `json:"life_seconds,omitzero"`
	LifeSaid      string   `json:"life_said,omitzero"` // expires_in as sent, if it is no life of a token
	PrimaryDomain string   `json:"primary_domain,omitzero"`
	DomainID      string   `json:"domain_id,omitzero"`
	DeviceID      string   `json:"device_id,omitzero"`
	OtherDomains  []string `json:"other_domains,omitempty"`
	NotDomains    []string `json:"not_domains,omitempty"`     // texts among the domains that are none
	Several       []string `json:"primary_domains,omitempty"` // that one look-up named

	Claims []string `json:"claims,omitempty"` // the names of all claims, where none has the primary domain

	ExpiresAt      time.Time `json:"expires_at,omitzero"`
	ScopesAskedFor []string  `json:"scopes_asked_for,omitzero"`
	ScopesGranted  []string  `json:"scopes_granted,omitempty"`
	Renewable      *bool     `json:"renewable,omitzero"`

	Complete           *bool `json:"complete,omitzero"` // whether a login with an undocumented code gave all
	NoClientSecret     bool  `json:"no_client_secret,omitzero"`
	DomainsNotAsked    int   `json:"domains_not_asked,omitzero"`
	DomainsNotRead     int   `json:"domains_not_read,omitzero"` // beyond session.MaxDomains
	StatusWithoutToken int   `json:"status_without_token,omitzero"`

	Subject  string        `json:"subject,omitzero"` // the address in the token, if it is another one
	readable bool          // the claims of the token can be read
	begins   time.Time     // when the token begins, if that is later than now
	early    time.Duration // how long that is from now
	lacks    []string      // members that the result of a device login lacks
	ended    bool          // the token had ended when its claims were read

	// These are of the control, which compares the person with the signed-in user.

	User string `json:"signed_in_as,omitzero"`
	// DiffersAt is the id of the first step at which the user and the person differ.
	DiffersAt   string   `json:"differs_at,omitzero"`
	WorksToo    []string `json:"works_too,omitempty"` // ids of steps that work for both
	FailsToo    []string `json:"fails_too,omitempty"` // ids of steps that fail for both
	worksHere   bool     // the step DiffersAt works for the user, and not for the person
	comparisons []comparison
}

// seen returns what the check saw; an empty observation if it saw nothing.
func (c Check) seen() *observation {
	if c.found == nil {
		return &observation{}
	}
	return c.found
}

// These are the failures that are not an [api.Cause].
const (
	failureStatus  = "status"  // an answer of 429 or from 500 on
	failureAnswer  = "answer"  // an answer that is not as the interface defines it
	failureAddress = "address" // the text is not an e-mail address
	failureStopped = "stopped" // somebody ended the check
)

// code returns the error code of the token endpoint, or the code of a device login.
func (o *observation) code() string {
	if o.ErrorCode == nil {
		return ""
	}
	return *o.ErrorCode
}

// words returns what the service says in its own words, which may be no more than a code.
func (o *observation) words() string { return cmp.Or(o.Description, o.Message) }

// sentence returns what the service says in its own words, or "" if that is no more than a code.
func (o *observation) sentence() string {
	if api.IsBareCode(o.words()) {
		return ""
	}
	return o.words()
}

// retryAfter returns how long the host asks to wait; zero for not at all.
func (o *observation) retryAfter() time.Duration { return time.Duration(o.RetryAfter) * time.Second }

// certificateEnds returns when the certificate of the host ends, in UTC; zero if there was none.
func (o *observation) certificateEnds() time.Time {
	if o.probe.Certificate == nil {
		return time.Time{}
	}
	return o.probe.Certificate.NotAfter.UTC()
}

// observe returns what the error of a request shows. A discreet observation does not reveal where the
// host is.
func observe(err error, discreet bool) *observation {
	o := &observation{discreet: discreet}
	switch e := innermost(err).(type) {
	case *api.TokenError:
		o.tokenRefusal(e)
	case *api.StatusError:
		o.status(e.Status, e.RetryAfter)
		o.Message, o.LeftOut = e.Message, e.Omitted
		o.reason, o.page = e.Reason(), e.Page
	case *api.EnvelopeError:
		o.outcome, o.Failure = outcomeRefused, failureAnswer
		o.inBody, o.emptied = true, e.Emptied
		o.Message, o.LeftOut = e.Message, e.Omitted
		o.ResponseCode, o.reason = e.Code, e.Reason()
	case *api.BodyError:
		o.foreign("sent " + e.Detail)
		o.Message, o.LeftOut = e.Words, e.Omitted
		o.reason, o.page = api.ReasonOf(e.Words), e.Page
		o.token, o.TokenType, o.noList = e.Token, e.TokenType, e.NoList
		if errors.Is(e.Err, io.ErrUnexpectedEOF) {
			o.outcome, o.cut = outcomeDropped, true
		}
	case *api.RedirectError:
		to := "elsewhere"
		if target := e.Target(); target != "" {
			to = "to " + target
		}
		o.foreign("redirects " + to + ", which is not followed")
		o.redirects, o.redirect = true, e.Kind
	case *api.LimitError:
		o.foreign("sent an answer that is too long")
	case *jsonscan.SyntaxError:
		o.foreign("sent an answer that is " + e.Error())
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

// clauseOf returns the text of an error as the end of a sentence.
func clauseOf(err error) string { return redact.OneLine(problem.Explain(err).Text, maxClause) }

// maxClause is how many characters of the text of an error are shown.
const maxClause = 400

// foreign sets the outcome of an answer that is not one of the service. reason says why, as the end
// of a sentence that begins with the host.
func (o *observation) foreign(reason string) {
	o.outcome, o.Failure, o.Reason = outcomeForeign, failureAnswer, reason
}

// tokenRefusal sets what a refusal of the token endpoint shows.
func (o *observation) tokenRefusal(e *api.TokenError) {
	o.status(e.Status, e.RetryAfter)
	o.ErrorCode = &e.Code
	o.Description, o.LeftOut = e.Description, e.Omitted
	o.reason, o.ambiguous = e.Reason(), e.Ambiguous
	o.NoClientSecret = e.NoSecret && e.Code == "invalid_client"
}

// status sets the outcome of an answer whose status is no success.
func (o *observation) status(status int, retryAfter time.Duration) {
	o.outcome, o.Failure = outcomeOf(status), failureAnswer
	if o.outcome == outcomeBusy || o.outcome == outcomeFailing {
		o.Failure = failureStatus
	}
	o.probe.Status, o.RetryAfter = status, int64(retryAfter/time.Second)
}

// outcomeOf returns the outcome for a status that is no success.
func outcomeOf(status int) outcome {
	switch status {
	case http.StatusTooManyRequests:
		return outcomeBusy
	case http.StatusNetworkAuthenticationRequired:
		return outcomePortal
	case http.StatusRequestTimeout:
		return outcomeFailing
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return outcomeMissing
	}
	switch {
	case status >= http.StatusInternalServerError:
		return outcomeFailing
	case status < http.StatusBadRequest:
		return outcomeMissing
	}
	return outcomeRefused
}

// transport sets what a request without an answer shows.
func (o *observation) transport(e *api.TransportError) {
	o.cause, o.way = e.Cause(), e.Way
	o.Failure, o.Reason = o.cause.String(), e.Reason()
	if o.discreet {
		o.Reason = e.Brief()
	}
	o.outcome = outcomeOfWay(o.cause, e.Way)
	o.cut = o.outcome == outcomeSilent && e.Way.Stage == api.StageAnswer
}

// outcomeOfWay returns the outcome of a request without an answer.
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

// innermost returns the typed error within err that says most, or err itself.
func innermost(err error) error {
	return cmp.Or(
		as[*api.GateError](err),
		as[*api.TokenError](err),
		as[*api.StatusError](err),
		as[*api.EnvelopeError](err),
		as[*api.BodyError](err),
		as[*api.LimitError](err),
		as[*api.RedirectError](err),
		as[*api.TransportError](err),
		as[*jsonscan.SyntaxError](err),
		as[*api.RequestError](err),
		as[*config.DomainError](err),
		as[*session.MissingError](err),
		err,
	)
}

// as returns the error of type E within err, or nil.
func as[E error](err error) error {
	if e, ok := errors.AsType[E](err); ok {
		return e
	}
	return nil
}

// hostOf returns the host and port of a URL, or "".
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// facts returns the observation as people and JSON get it.
func (o *observation) facts() Detail {
	var d Detail
	text, err := json.Marshal(o)
	if err != nil || d.UnmarshalJSON(text) != nil { // cannot fail
		return Detail{}
	}
	for _, c := range o.comparisons { // the name of the fact is the id of the step
		d = append(d, NewFact(c.step, string(c.own)+", "+c.summary.String()))
	}
	return append(d, o.hostFacts()...)
}

// addFact adds a fact, if it is known.
type addFact func(isKnown bool, name string, value any)

// hostFacts returns the facts about the last request to a host, if one was sent.
func (o *observation) hostFacts() (d Detail) {
	p := o.probe
	add := addFact(func(isKnown bool, name string, value any) {
		if isKnown {
			d = append(d, NewFact(name, value))
		}
	})
	isAnswered := p.Request != "" && p.Status > 0
	add(p.Request != "", "request", p.Request)
	add(isAnswered, "status", p.Status)
	add(p.Protocol != "", "protocol", p.Protocol)
	add(o.tries > 1, "tries", o.tries)
	add(p.RedirectTo != "", "redirect_to", p.RedirectTo)
	o.addProxy(add)
	o.addAddresses(add)
	add(p.Resolve > 0, "resolve_ms", p.Resolve.Milliseconds())
	add(p.Connect > 0, "connect_ms", p.Connect.Milliseconds())
	add(p.TLS > 0, "tls", tls.VersionName(p.TLS))
	add(p.TLS > 0, "tls_ms", p.Handshake.Milliseconds())
	add(isAnswered, "first_byte_ms", p.FirstByte.Milliseconds())
	o.addCertificate(add)
	add(p.SkewWithin > 0, FactClockSkew, p.Skew.Round(100*time.Millisecond).Seconds())
	return d
}

// addProxy adds whether a proxy was asked, and, unless the observation is discreet, which one.
func (o *observation) addProxy(add addFact) {
	proxy := o.way.Proxy
	add(o.probe.Request != "" || proxy != nil, "proxy", o.probe.Proxy || proxy != nil)
	if proxy != nil && !o.discreet {
		add(true, "proxy_host", proxy.Kind+" "+proxy.Host)
		add(proxy.Status > 0, "proxy_status", proxy.Status)
		add(proxy.Reply != "", "proxy_reply", proxy.Reply)
	}
}

// addAddresses adds the address of a host, and those that did not answer. Through a proxy they are
// not known.
func (o *observation) addAddresses(add addFact) {
	if o.discreet || o.way.Proxy != nil {
		return
	}
	address := o.probe.Address
	var silent []string
	for _, dialled := range o.way.Dialled {
		if dialled.Connected {
			address = cmp.Or(address, dialled.Address)
		}
		if dialled.Silent() {
			silent = append(silent, dialled.Address)
		}
	}
	add(address != "", "address", address)
	add(len(silent) > 0, "addresses_without_answer", silent)
}

// addCertificate adds whose certificate the host showed, and what is wrong with it.
func (o *observation) addCertificate(add addFact) {
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
	mayBeOfOther := p.TLS == 0 // a certificate that was refused
	if p.Certificate == nil || o.discreet && mayBeOfOther {
		return
	}
	const maxIssuer = 200 // characters
	issuer := cmp.Or(p.Certificate.Issuer.CommonName, p.Certificate.Issuer.String())
	add(true, "certificate_issuer", redact.OneLine(issuer, maxIssuer))
	add(true, "certificate_names", certificateNames(p.Certificate))
	add(true, "certificate_ends", o.certificateEnds())
}

// certificateNames returns the names and addresses of the hosts that a certificate is for, at most 20.
// In JSON it is never null.
func certificateNames(c *x509.Certificate) []string {
	const (
		maxNames = 20
		maxName  = 260 // characters
	)
	names := []string{}
	for _, name := range c.DNSNames {
		names = append(names, redact.OneLine(name, maxName))
	}
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names[:min(len(names), maxNames)]
}
