package check

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/human"
	"gatehouse/session"
)

// checkProfile looks at the profile alone: whether there is what a check of this address
// needs.
func checkProfile(_ context.Context, r *run) Check {
	p := r.service.Profile
	// Any domain shows whether the URLs hold together; the person's may not be known yet.
	const domain = "domain.example"
	_, err := p.AuthorityURL(p.Authority, domain)
	if err == nil {
		_, err = p.GatewayURL(domain)
	}
	if err != nil {
		return Check{State: Fail, Code: BadProfile, Summary: err.Error()}
	}
	c := Check{State: OK, Summary: fmt.Sprintf("%s · %s authority", p.Name, p.Authority), found: &finding{
		AuthorityURL: p.Value(authorityKeys[p.Authority]), BaseURL: p.BaseURL, GlobalURL: p.GlobalURL, ClientID: p.ClientID, CAFile: p.CAFile,
	}}
	if !r.Password.IsEmpty() && p.ClientSecret.IsEmpty() {
		c.State, c.Code = Warn, BadProfile
		c.Summary += " · no client secret, so the authority may refuse all sign-ins"
	}
	return c
}

// authorityKeys are the keys of the profile that have the URLs of its authorities.
var authorityKeys = map[string]string{
	config.AuthorityMain: "auth_url", config.AuthorityDomain: "domain_auth_url", config.AuthorityTest: "auth_test_url",
}

// Host looks at one host of a profile, or of a domain that the service named. kind is [Global],
// [Authority] or [Gateway], which decides the code of a host that cannot be reached, and the URL has
// no {domain} left. It sends no credential, and has five seconds.
func Host(ctx context.Context, service *session.Service, kind, baseURL string) Check {
	ctx, cancel := context.WithTimeout(ctx, hostLimit)
	defer cancel()
	tries := askHost(ctx, service.Probe, places[kind](baseURL), probePause)
	c := judgeHost(kind, tries, service.Discreet())
	c.Host = hostOf(baseURL)
	return c
}

// places are what the hosts are asked for; package api says why.
var places = map[string]func(baseURL string) api.Place{Global: api.GlobalPlace, Authority: api.TokenPlace, Gateway: api.GatewayPlace}

const (
	maxTries   = 3
	probePause = 300 * time.Millisecond
)

// try is one request to a host.
type try struct {
	probe api.Probe
	err   error
}

// askHost asks a host once, and up to three times if it fails in a way that may be over in
// a moment, the last time for its base URL: that shows whether it fails for everything.
// After a 429 or a time-out it is left alone.
func askHost(ctx context.Context, ask func(context.Context, api.Place) (api.Probe, error), place api.Place, pause time.Duration) (tries []try) {
	for {
		if len(tries) == maxTries-1 {
			place = place.Root()
		}
		probe, err := ask(ctx, place)
		last := try{probe, err}
		tries = append(tries, last)
		if len(tries) == maxTries || !last.isWorthRepeating() {
			return tries
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		if ctx.Err() != nil {
			return tries
		}
	}
}

// passing are causes that may be over in a moment, and else mean that a host is down.
var passing = []api.Cause{api.CauseDropped, api.CauseOther, api.CauseProxy}

func (t try) isWorthRepeating() bool {
	if t.err == nil {
		return t.probe.Status >= 500
	}
	e, ok := errors.AsType[*api.TransportError](t.err)
	return ok && (slices.Contains(passing, e.Cause()) || e.Cause() == api.CauseResolution)
}

// judgeHost says what the requests to a host have shown, of which there is at least one. A
// discreet one says nothing of where the host is.
func judgeHost(kind string, tries []try, discreet bool) Check {
	last := tries[len(tries)-1]
	c := Check{State: OK, Status: last.probe.Status, found: &finding{
		probe: last.probe, tries: len(tries), discreet: discreet, RetryAfter: int64(last.probe.RetryAfter / time.Second),
	}}
	var said []string
	if last.err != nil {
		said = []string{c.noAnswer(kind, tries)}
	} else {
		said = c.answer(kind, tries)
	}
	if len(said) > 0 && c.State.Failed() {
		c.found.Reason = said[0]
	}
	if last.err == nil || last.probe.TLS != 0 {
		said = append(said, c.certificate(last.probe), c.clock(last.probe))
	}
	said = slices.DeleteFunc(said, func(part string) bool { return part == "" })
	c.Summary = strings.Join(append([]string{last.probe.Host}, said...), " · ")
	return c
}

// fail makes a check one that failed, unless it is already.
func (c *Check) fail(code Code) {
	if c.State != Fail {
		c.State, c.Code = Fail, code
	}
}

// warn makes a check one with a warning, unless it is worse.
func (c *Check) warn(code Code) {
	if c.State == OK || c.State == Info {
		c.State, c.Code = Warn, code
	}
}

// noAnswer judges a host that did not answer the last request, and says why not.
func (c *Check) noAnswer(kind string, tries []try) string {
	last := tries[len(tries)-1]
	e, ok := errors.AsType[*api.TransportError](last.err)
	if !ok {
		c.fail(BadProfile)
		return last.err.Error()
	}
	c.State = Unknown
	cause := e.Cause()
	c.found.Failure = cause.String()
	switch {
	case cause.IsTLS() && last.probe.Certificate != nil && last.probe.TLS == 0:
		c.found.Failure = api.CauseCertificate.String()
		c.fail(Certificate)
	case cause == api.CauseName, cause == api.CauseRefused, cause == api.CauseNoWay, cause.IsTLS(),
		len(tries) == maxTries && slices.Contains(passing, cause):
		c.fail(unreachable[kind])
	}
	return e.Reason()
}

// answer judges an answer of HTTP, and says what is remarkable about it.
func (c *Check) answer(kind string, tries []try) (said []string) {
	first, last := tries[0].probe, tries[len(tries)-1].probe
	switch {
	case last.Status >= 500 && len(tries) == maxTries:
		c.found.Failure = failureStatus
		c.fail(unreachable[kind])
		return []string{fmt.Sprintf("failed %d times out of %d (%d)", len(tries), maxTries, last.Status)}
	case isTrouble(last.Status):
		c.State, c.found.Failure = Unknown, failureStatus
		return []string{answered(last.Status, last.RetryAfter)}
	case len(tries) == maxTries && last.Request != first.Request:
		c.State, c.found.Failure, c.Status = Unknown, failureStatus, first.Status
		status := sometimes(first.Status > 0, fmt.Sprintf(" (%d)", first.Status))
		return []string{"no usable answer" + status + " to " + first.Request + ", but the host answers other requests"}
	}
	if last.TLS == 0 {
		said = append(said, "answers without TLS")
	}
	if len(tries) > 1 {
		c.State = Info
		said = append(said, fmt.Sprintf("answered at try %d", len(tries)))
	}
	if last.RedirectTo != "" {
		c.State = Info
		said = append(said, "redirects to "+last.RedirectTo)
	}
	return said
}

// When a certificate or a clock is worth a warning, and when a clock is a failure: tokens
// of five minutes more or less are refused by common services.
const (
	certificateWarning = 21 * 24 * time.Hour
	clockWarning       = time.Minute
	clockFailure       = 5 * time.Minute
	// clockShown is from when a difference is part of the summary; less is not certain, as
	// Date has whole seconds.
	clockShown = time.Second
)

// certificate judges a certificate that was accepted.
func (c *Check) certificate(p api.Probe) string {
	if p.Certificate == nil || p.TLS == 0 {
		return ""
	}
	ends := p.Certificate.NotAfter.UTC()
	if ends.Sub(p.At) >= certificateWarning {
		return "certificate valid until " + human.Date(ends) + " · " + tls.VersionName(p.TLS)
	}
	c.warn(Certificate)
	return "certificate expires on " + human.Date(ends)
}

// clock judges the clock of the host.
func (c *Check) clock(p api.Probe) string {
	text, state := ClockDifference(p.Skew, p.SkewWithin)
	switch {
	case text == "":
		return ""
	case state == Fail:
		c.fail(Clock)
	case state == Warn:
		c.warn(Clock)
	}
	return "clock " + text
}

// ClockDifference judges a clock that is ahead of this machine's, as far as that is certain, and
// says by how much it differs: "10m 2s behind". It is "" for less than what can be seen.
func ClockDifference(ahead, within time.Duration) (text string, state State) {
	certain := ahead.Abs() - within
	switch span := human.Span(ahead.Abs().Round(time.Second)); {
	case certain < clockShown:
		return "", OK
	case ahead > 0:
		text = span + " ahead"
	default:
		text = span + " behind"
	}
	switch {
	case certain > clockFailure:
		return text, Fail
	case certain > clockWarning:
		return text, Warn
	}
	return text, OK
}

// hostLife is how long the outcome of a host counts for further addresses, and troubleLife
// one of a host that did not do well, which may be over in a moment.
const (
	hostLife    = 30 * time.Second
	troubleLife = 5 * time.Second
)

// flightLimit is how long a host may take. Whoever waits for it can still say what it saw.
const flightLimit = hostLimit - 500*time.Millisecond

// hostMemory remembers what the hosts answered, by kind and base URL. Every host is asked by one
// flight at a time, which goes on if the address that began it is given up.
type hostMemory struct {
	now     func() time.Time
	flights singleflight.Group
	mu      sync.Mutex
	known   map[string]hostAnswer
}

type hostAnswer struct {
	check Check
	until time.Time
}

func newHostMemory(now func() time.Time) *hostMemory {
	return &hostMemory{now: now, known: map[string]hostAnswer{}}
}

// ask returns the outcome of a host, from memory or from probe, whose context does not end
// with ctx. If ctx ends first, the check is unknown.
func (m *hostMemory) ask(ctx context.Context, key string, probe func(context.Context) Check) Check {
	if ctx.Err() == nil { // or nobody would wait for it
		flight := m.flights.DoChan(key, func() (any, error) { return m.answer(ctx, key, probe), nil })
		select {
		case landed := <-flight:
			return landed.Val.(Check)
		case <-ctx.Done():
		}
	}
	return unfinished(ctx, "not completed in time")
}

// answer is the outcome of a host for everybody who waits for it.
func (m *hostMemory) answer(ctx context.Context, key string, probe func(context.Context) Check) Check {
	now := m.now()
	m.mu.Lock()
	maps.DeleteFunc(m.known, func(_ string, a hostAnswer) bool { return !now.Before(a.until) })
	known, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return known.check
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightLimit)
	defer cancel()
	c := recovered(func() Check { return probe(ctx) })
	c.noteWait(m.now().Sub(now))
	life := hostLife
	switch {
	case c.Status == http.StatusTooManyRequests: // who waits as it asked gets another answer
		life = 0
	case !works(c.State):
		life = troubleLife
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[key] = hostAnswer{c, now.Add(life)}
	return c
}

// host probes a host, or remembers what it answered to another address.
func (r *run) host(ctx context.Context, kind, baseURL string, err error) Check {
	if err != nil {
		return Check{State: Fail, Code: BadProfile, Summary: err.Error()}
	}
	return r.hosts.ask(ctx, kind+" "+baseURL, func(ctx context.Context) Check {
		return Host(ctx, r.service, kind, baseURL)
	})
}

func checkGlobal(ctx context.Context, r *run) Check {
	return r.host(ctx, Global, r.service.Profile.GlobalURL, nil)
}

// checkAuthority looks at the authority that signs the person in.
func checkAuthority(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.AuthorityURL(r.service.Profile.Authority, r.primary())
	return r.host(ctx, Authority, address, err)
}

// checkGateway looks at the gateway of the primary domain. That of another domain is asked
// only when the claims name it: what a person types is not a host that the service named.
func checkGateway(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.GatewayURL(r.primary())
	return r.host(ctx, Gateway, address, err)
}
