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
	"gatehouse/internal/text/human"
	"gatehouse/session"
)

// Host checks one host of a profile, or of a domain that the service named. part decides what the
// host is asked for. The URL must have no {domain}. No credential is sent. The check ends with ctx.
func Host(ctx context.Context, service *session.Service, part ServicePart, baseURL string) Check {
	tries := askHost(ctx, service.Probe, part.place(baseURL), probePause)
	c := judgeHost(tries, service.Discreet())
	c.Host = hostOf(baseURL)
	return c
}

const (
	maxTries   = 3
	probePause = 300 * time.Millisecond
)

// try is one request to a host.
type try struct {
	probe api.Probe
	err   error
}

// askHost asks a host once, or up to three times with pauses if it fails in a way that may pass. The
// last request is for its base URL, which shows whether the host fails for everything. After a 429
// or a timeout the host is not asked again.
func askHost(
	ctx context.Context, ask func(context.Context, api.Place) (api.Probe, error),
	place api.Place, pause time.Duration,
) (tries []try) {
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

// passing are the causes of trouble that may pass in a moment, beside the causes at name servers.
var passing = []api.Cause{api.CauseDropped, api.CauseOther, api.CauseProxy}

// isWorthRepeating reports whether another try may come out better.
func (t try) isWorthRepeating() bool {
	if t.err == nil {
		return t.probe.Status >= http.StatusInternalServerError
	}
	e, isTransport := errors.AsType[*api.TransportError](t.err)
	if !isTransport || e.Way.Certificate != nil {
		return false
	}
	return slices.Contains(passing, e.Cause()) || e.Cause().IsOfNameServers()
}

// judgeHost returns what the requests to a host have shown; there is at least one. A discreet check
// does not reveal where the host is.
func judgeHost(tries []try, discreet bool) Check {
	last := tries[len(tries)-1]
	o := &observation{outcome: outcomeAnswered}
	if last.err != nil {
		o = observe(last.err, discreet)
	}
	o.probe = last.probe
	o.way = last.probe.Way
	o.tries = len(tries)
	o.discreet = discreet
	o.RetryAfter = int64(last.probe.RetryAfter / time.Second)
	c := asked(last.probe.Host, o)
	c.Status = last.probe.Status
	said := []string(c.Summary)
	if last.err == nil {
		said = c.answer(tries)
	}
	if c.State.Failed() && len(said) > 0 {
		o.Reason = said[0]
	}
	if last.err == nil || last.probe.TLS != 0 {
		said = append(said, c.certificate(last.probe)...)
		said = append(said, c.clock(last.probe)...)
	}
	c.Summary = append(Summary{last.probe.Host}, said...)
	return c
}

// answer judges an answer of HTTP: it sets the state of the check, and returns what is remarkable.
func (c *Check) answer(tries []try) (said []string) {
	first, last, o := tries[0].probe, tries[len(tries)-1].probe, c.found
	c.State = OK
	switch {
	case last.Status == http.StatusTooManyRequests:
		c.State, o.outcome, o.Failure = Unknown, outcomeBusy, failureStatus
		return []string{answeredStatus(o)}
	case last.Status == http.StatusNetworkAuthenticationRequired:
		c.State, o.outcome, o.Failure = Fail, outcomePortal, failureStatus
		return []string{answeredStatus(o)}
	case last.Status >= 500:
		c.State, o.outcome, o.Failure = Fail, outcomeFailing, failureStatus
		return []string{attempts(len(tries), last.Status)}
	case len(tries) == maxTries && last.Request != first.Request:
		c.State, o.outcome, o.Failure = Fail, outcomeFailing, failureStatus
		c.Status, o.elsewhere = first.Status, true
		status := ""
		if first.Status > 0 {
			status = " (" + statusInWords(first.Status) + ")"
		}
		return []string{"no usable answer" + status + " to " + first.Request +
			", but the host answers other requests"}
	}
	if last.TLS == 0 {
		said = append(said, "answers without TLS")
	}
	if len(tries) > 1 {
		c.State = Info
		said = append(said, "answered at try "+human.Number(len(tries)))
	}
	if last.RedirectTo != "" {
		c.State, o.redirects = Info, true
		said = append(said, "redirects to "+last.RedirectTo)
	}
	if silent := o.silentIPv6(); len(silent) > 0 {
		c.warn()
		said = append(said, "no answer over IPv6 from "+strings.Join(silent, ", "))
	}
	return said
}

// silentIPv6 lists the IPv6 addresses that were tried and did not answer.
func (o *observation) silentIPv6() []string { return o.silentAddresses(true) }

// silentAddresses lists the addresses of one kind that were tried and did not answer. It lists none
// if the reader must not learn addresses.
func (o *observation) silentAddresses(ofIPv6 bool) (silent []string) {
	if o.way.Proxy != nil || o.discreet {
		return nil
	}
	for _, dialled := range o.way.Dialled {
		if dialled.IPv6 == ofIPv6 && dialled.Silent() {
			silent = append(silent, dialled.Address)
		}
	}
	return silent
}

// warn sets the state of a check to a warning, unless it is worse.
func (c *Check) warn() {
	if c.State == OK || c.State == Info {
		c.State = Warn
	}
}

// The limits for certificates and clocks.
const (
	// certificateWarning is the time before the end of a certificate from which that is a warning.
	certificateWarning = 21 * 24 * time.Hour
	// clockWarning is the difference of a clock that is a warning.
	clockWarning = time.Minute
	// clockFailure is the difference of a clock with which common services refuse tokens.
	clockFailure = 5 * time.Minute
	// clockShown is the least difference that is shown. Less is not certain, as Date has whole
	// seconds.
	clockShown = time.Second
)

// certificate judges a certificate that was accepted, and returns the parts for the summary.
func (c *Check) certificate(p api.Probe) []string {
	if p.Certificate == nil || p.TLS == 0 {
		return nil
	}
	ends := p.Certificate.NotAfter.UTC()
	if ends.Sub(p.At) >= certificateWarning {
		return []string{"certificate valid until " + human.Date(ends), tls.VersionName(p.TLS)}
	}
	c.warn()
	return []string{"certificate expires on " + human.Date(ends)}
}

// clock judges the clock of the host, and returns the part for the summary, if there is one.
func (c *Check) clock(p api.Probe) []string {
	text, state := ClockDifference(p.Skew, p.SkewWithin)
	if text == "" {
		return nil
	}
	if state == Fail || state == Warn { // whether it keeps people out is seen at sign-in and shares
		c.warn()
	}
	return []string{"clock " + text}
}

// ClockDifference judges a clock that is ahead of this machine's by a time that is known to within
// another one. It says by how much the clock differs, "10m 2s behind", or "" if it is not certain
// that it differs.
func ClockDifference(ahead, within time.Duration) (text string, state State) {
	certain := ahead.Abs() - within // the least by which it differs
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

// How long the outcome of a host counts for other addresses.
const (
	hostLife    = 30 * time.Second
	troubleLife = 5 * time.Second // of a host that is in trouble, which may pass
)

// hostMemory remembers what the hosts answered, by part of the service and base URL. Every host is
// asked by one request at a time, which goes on even if the check that began it is given up.
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

// ask returns the outcome of a host, from memory or from probe. If ctx ends first, the check is
// unknown, and probe goes on for others until the limit.
func (m *hostMemory) ask(
	ctx context.Context, key string, limit time.Duration, probe func(context.Context) Check,
) Check {
	if ctx.Err() == nil {
		flight := m.flights.DoChan(key, func() (any, error) {
			return m.answer(ctx, key, limit, probe), nil
		})
		select {
		case landed := <-flight:
			return landed.Val.(Check)
		case <-ctx.Done():
		}
	}
	return unfinished(ctx, outcomeLate)
}

// answer returns the outcome of a host for all who wait for it, and remembers it.
func (m *hostMemory) answer(
	ctx context.Context, key string, limit time.Duration, probe func(context.Context) Check,
) Check {
	now := m.now()
	m.mu.Lock()
	maps.DeleteFunc(m.known, func(_ string, a hostAnswer) bool { return !now.Before(a.until) })
	known, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return known.check
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	c := recovered(func() Check { return probe(ctx) })
	ended := m.now()
	waited := ended.Sub(now)
	c.noteWait(waited)
	life := hostLife
	switch {
	case c.Status == http.StatusTooManyRequests: // the next answer may be another one
		life = 0
	case c.seen().isSilence(waited):
		life = silenceLife
	case !works(c.State):
		life = troubleLife
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[key] = hostAnswer{c, ended.Add(life)}
	return c
}

// host checks a host, or returns what it answered for another address. err says why there is no base
// URL, or is nil.
func (r *run) host(ctx context.Context, part ServicePart, baseURL string, err error) Check {
	if err != nil {
		return unusable(err)
	}
	// The request ends a little before the check, so that its outcome is not lost.
	limit := min(stepLimit, r.patience())
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline))
	}
	limit -= 2 * graceLimit
	key := fmt.Sprint(part, " ", baseURL)
	c := r.hosts.ask(ctx, key, limit, func(ctx context.Context) Check {
		return Host(ctx, r.service, part, baseURL)
	})
	own := *c.seen() // other checks have the same observation
	c.found = &own
	return c
}

func checkGlobal(ctx context.Context, r *run) Check {
	return r.host(ctx, GlobalPart, r.service.Profile.GlobalURL, nil)
}

// checkAuthority looks at the authority that signs the person in.
func checkAuthority(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.AuthorityURL(r.service.Profile.Authority, r.primary())
	return r.host(ctx, AuthorityPart, address, err)
}

// checkGateway looks at the gateway of the primary domain.
func checkGateway(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.GatewayURL(r.primary())
	return r.host(ctx, GatewayPart, address, err)
}
