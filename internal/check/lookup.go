package check

import (
	"context"
	"net/http"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
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
		c.found = &finding{Answered: "the address, with no domain"}
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
	c.found = &finding{PrimaryDomain: name}
	if r.Domain != "" && r.Domain != name && !isGUID(r.Domain) {
		c.State, c.Code = Warn, OtherDomains
		c.Summary += ", not " + hostname.Readable(r.Domain)
	}
}
