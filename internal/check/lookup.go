package check

import (
	"context"
	"net/http"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
)

// Sections of the documentation of the service, as details name them.
const (
	bySection     = "the documentation of the service, section "
	byOAuth       = "OAuth 2.0 (RFC 6749, section 5.2); the documentation of the service lists no errors of this endpoint"
	byNobody      = "not documented"
	emptyDomain   = "the address, with no domain"
	byEmptyDomain = bySection + "2.3; it does not document the answer for an unknown address"
)

// lookUp asks the global service for the primary domain (interface section 4.4).
func lookUp(ctx context.Context, r *run) Check {
	host := hostOf(r.service.Profile.GlobalURL)
	if reason := objection(r.Email); reason != "" {
		return Check{
			State: Fail, Code: UnknownAddress, Summary: "not an e-mail address: " + reason,
			found: &finding{Failure: failureAddress, Reason: reason},
		}
	}
	answer, err := r.service.Lookup(ctx, r.Email)
	c := Check{Host: host, Status: http.StatusOK}
	switch {
	case as[*api.NoDomainError](err) != nil:
		c.State, c.Code, c.Summary = Fail, UnknownAddress, "no primary domain for this address"
		c.found = &finding{Answered: emptyDomain, KnownBy: byEmptyDomain}
	case err != nil:
		c = failed(host, err)
	default:
		c.takeDomain(r, answer.PrimaryDomain)
	}
	c.found.AskedFor = "the primary domain of " + r.Email
	return c
}

// takeDomain judges the primary domain that a look-up answered.
func (c *Check) takeDomain(r *run, answer string) {
	name, err := config.CheckDomain(answer)
	if err != nil {
		c.State, c.Summary = Unknown, "the answer names an invalid domain"
		c.found = &finding{Answered: answer, Failure: failureAnswer}
		return
	}
	r.looked.Store(&name)
	c.State, c.Summary = OK, hostname.Readable(name)+" is the primary domain"
	c.found = &finding{PrimaryDomain: name, KnownBy: bySection + "2.3"}
	if r.Domain != "" && r.Domain != name && !isGUID(r.Domain) {
		c.State, c.Code = Warn, OtherDomains
		c.Summary += ", not " + hostname.Readable(r.Domain)
	}
}
