package check

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/redact"
)

// lookUp asks the global service for the primary domain (interface section 4.4).
func lookUp(ctx context.Context, r *run) Check {
	if reason := hostname.EmailObjection(r.Email); reason != "" {
		return Check{ // nothing is known of the person
			State:   Skipped,
			Summary: Summary{"not an e-mail address: " + reason},
			found:   &observation{Failure: failureAddress, Reason: reason},
		}
	}
	host := hostOf(r.service.Profile.GlobalURL)
	began := r.now()
	name, err := r.lookups.Ask(ctx, r.Email)
	c := r.lookedUp(host, name, err)
	c.found.waited = r.now().Sub(began)
	if silent, ok := errors.AsType[*SilentError](err); ok {
		c.found.waited, c.found.Remembered = silent.Waited, true
		c.Summary = c.Summary.noting("not asked again: another look-up failed shortly before")
	}
	c.found.AskedFor = "the primary domain of " + r.Email
	return c
}

// lookedUp is what a look-up has shown.
func (r *run) lookedUp(host, name string, err error) Check {
	c := Check{State: Fail, Host: host, Status: http.StatusOK, found: &observation{outcome: outcomeAnswered}}
	if as[*api.NoDomainError](err) != nil {
		c.Summary = Summary{"no primary domain for this address"}
		c.found.Answered = "the address, with no domain"
		return c
	}
	if other, ok := as[*api.OtherAddressError](err).(*api.OtherAddressError); ok {
		c.found.AnsweredFor = redact.OneLine(other.Answered, maxShown)
		c.found.Answered = redact.OneLine(other.Answered+","+other.Domain, maxValue)
		c.Summary = Summary{"answered for " + c.found.AnsweredFor}
		return c
	}
	if misread, ok := as[*api.BlankForPlusError](err).(*api.BlankForPlusError); ok {
		c.found.outcome, c.found.Failure, c.found.blankForPlus = outcomeForeign, failureAnswer, true
		c.found.AnsweredFor = redact.OneLine(misread.Answered, maxShown)
		c.found.Reason = "read the + as a blank, and answered for " + quoted(c.found.AnsweredFor)
		c.Summary = Summary{c.found.Reason}
		return c
	}
	if wrong, ok := as[*api.NotDomainError](err).(*api.NotDomainError); ok {
		c.found.outcome, c.found.Failure = outcomeForeign, failureAnswer
		c.found.Answered = redact.OneLine(wrong.Value, maxValue)
		c.found.Reason = "names " + quoted(c.found.Answered) +
			" as the primary domain, which is no domain"
		c.Summary = Summary{c.found.Reason}
		return c
	}
	if several, ok := as[*api.SeveralDomainsError](err).(*api.SeveralDomainsError); ok {
		c.found.outcome, c.found.Failure = outcomeForeign, failureAnswer
		for _, domain := range several.Domains {
			c.found.Several = append(c.found.Several, redact.OneLine(domain, maxShown))
		}
		c.found.Reason = "names several primary domains: " + human.List(c.found.Several)
		c.Summary = Summary{c.found.Reason}
		return c
	}
	if err != nil {
		return asked(host, observe(err, r.isDiscreet()))
	}
	r.looked.Store(name)
	c.found.PrimaryDomain = name
	c.State, c.Summary = OK, Summary{hostname.Readable(name) + " is the primary domain"}
	if r.asksOtherDomain() && r.Domain != name {
		c.State = Warn
		c.Summary = c.Summary.goingOn(", ", "not "+hostname.Readable(r.Domain))
	}
	return c
}

// ParseDomain returns the domain that a person asks for as a [Request] has it: a host name, an
// id, or nothing. The error is a [*config.DomainError].
func ParseDomain(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" || isGUID(text) {
		return text, nil
	}
	return config.CheckDomain(strings.TrimSuffix(text, "."))
}

// isGUID reports whether a domain is named by its id, as device logins do.
func isGUID(domain string) bool {
	parts := strings.Split(domain, "-")
	lengths := []int{8, 4, 4, 4, 12}
	if len(parts) != len(lengths) {
		return false
	}
	for i, part := range parts {
		if _, err := hex.DecodeString(part); err != nil || len(part) != lengths[i] {
			return false
		}
	}
	return true
}
