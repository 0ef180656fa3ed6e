package check

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/redact"
)

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

// maxNames is how many names of a certificate are listed.
const maxNames = 20

// inconclusive ends the summary of a host that may be fine.
const inconclusive = ": inconclusive"

// judgeHost says what the requests to a host have shown, of which there is at least one. A
// discreet one says nothing of where the host is.
func judgeHost(kind string, tries []try, discreet bool) Check {
	last := tries[len(tries)-1]
	c := Check{State: OK, Status: last.probe.Status}
	f := finding{probe: last.probe, tries: len(tries), discreet: discreet}
	parts := []string{last.probe.Host}
	if last.err != nil {
		parts = append(parts, c.noAnswer(kind, tries, &f))
	} else {
		parts = append(parts, c.answer(kind, tries, &f)...)
	}
	if len(parts) > 1 && (c.State == Fail || c.State == Unknown) {
		f.Reason = strings.TrimSuffix(parts[1], inconclusive)
	}
	if last.err == nil || last.probe.TLS != 0 {
		parts = append(parts, c.certificate(last.probe), c.clock(last.probe))
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	c.Summary = strings.Join(parts, " · ")
	c.found, c.Detail = &f, f.facts()
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
func (c *Check) noAnswer(kind string, tries []try, f *finding) string {
	last := tries[len(tries)-1]
	e, ok := errors.AsType[*api.TransportError](last.err)
	if !ok {
		c.fail(BadProfile)
		return last.err.Error()
	}
	c.State = Unknown
	why, cause := e.Reason(), e.Cause()
	f.Failure = cause.String()
	switch cause {
	case api.CauseName, api.CauseRefused, api.CauseNoWay:
		c.fail(unreachable[kind])
	case api.CauseTimeout:
		if last.probe.Connect > 0 {
			why = "connected, but " + why
		}
	case api.CauseDropped, api.CauseOther, api.CauseCancelled:
		f.Failure = failureAnswer
	}
	switch {
	case cause.IsTLS() && last.probe.Certificate != nil && last.probe.TLS == 0:
		f.Failure = api.CauseCertificate.String()
		c.fail(Certificate)
		return why
	case cause.IsTLS(), len(tries) == maxTries && slices.Contains(passing, cause):
		c.fail(unreachable[kind])
	}
	if len(tries) > 1 {
		why += fmt.Sprintf(", asked %d times", len(tries))
	}
	return why
}

// answer judges an answer of HTTP.
func (c *Check) answer(kind string, tries []try, f *finding) []string {
	first, last := tries[0], tries[len(tries)-1].probe
	doubt := func(text string) []string {
		c.State, f.Failure = Unknown, failureStatus
		return []string{text + inconclusive}
	}
	switch {
	case last.Status == http.StatusTooManyRequests && last.RetryAfter > 0:
		return doubt("busy (429), asked to wait " + human.Span(last.RetryAfter))
	case last.Status == http.StatusTooManyRequests:
		return doubt("busy (429)")
	case last.Status >= 500 && len(tries) == maxTries:
		f.Failure = failureStatus
		c.fail(unreachable[kind])
		return []string{fmt.Sprintf("%d to every request, asked %d times", last.Status, len(tries))}
	case last.Status >= 500:
		return doubt(fmt.Sprintf("answered %d", last.Status))
	case len(tries) == maxTries && last.Request != first.probe.Request:
		c.Status = first.probe.Status
		return doubt(first.outcome() + " to " + first.probe.Request + ", but the host answers other requests")
	}
	var parts []string
	if last.TLS == 0 {
		parts = append(parts, "answers without TLS")
	}
	if len(tries) > 1 {
		c.State = Info
		parts = append(parts, "first "+first.outcome()+", then an answer")
	}
	if last.RedirectTo != "" {
		c.State = Info
		parts = append(parts, "redirects to "+last.RedirectTo)
	}
	return parts
}

// outcome is what came of a request, in a word or two.
func (t try) outcome() string {
	if t.err != nil {
		return failed("", t.err).Summary
	}
	return fmt.Sprint(t.probe.Status)
}

// certificate judges a certificate that was accepted.
func (c *Check) certificate(p api.Probe) string {
	if p.Certificate == nil || p.TLS == 0 {
		return ""
	}
	ends := p.Certificate.NotAfter.UTC()
	left := ends.Sub(p.At)
	if left >= certificateWarning {
		return "certificate valid until " + human.Date(ends) + " · " + tls.VersionName(p.TLS)
	}
	c.warn(Certificate)
	when := "within a day"
	if days := int(left.Hours() / 24); days > 0 {
		when = "in " + human.Count(days, "day", "days")
	}
	return "certificate expires " + when + ", " + human.Date(ends)
}

// clock judges the clock of the host.
func (c *Check) clock(p api.Probe) string {
	text, state := ClockDifference(p.Skew, p.SkewWithin)
	switch state {
	case Fail:
		c.fail(Clock)
	case Warn:
		c.warn(Clock)
	}
	if text == "" {
		return ""
	}
	return "clock " + text
}

// ClockDifference judges a clock that is ahead of this machine's, as far as that is certain, and
// says by how much it differs: "10m 2s behind". It is "" for less than what can be seen.
func ClockDifference(ahead, within time.Duration) (text string, state State) {
	switch certain := ahead.Abs() - within; {
	case certain > clockFailure:
		return skewed(ahead), Fail
	case certain > clockWarning:
		return skewed(ahead), Warn
	case certain < clockShown:
		return "", OK
	}
	return skewed(ahead), OK
}

func skewed(d time.Duration) string {
	switch span := human.Span(d.Abs().Round(time.Second)); {
	case d.Abs() < time.Minute:
		return fmt.Sprintf("%+.1f s", d.Seconds())
	case d > 0:
		return span + " ahead"
	default:
		return span + " behind"
	}
}

func issuer(c *x509.Certificate) string {
	return redact.OneLine(cmp.Or(c.Issuer.CommonName, c.Issuer.String()), 200)
}

// certificateNames are the hosts that a certificate is for.
func certificateNames(c *x509.Certificate) []string {
	names := []string{}
	for _, name := range c.DNSNames {
		names = append(names, redact.OneLine(name, 260))
	}
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names[:min(len(names), maxNames)]
}
