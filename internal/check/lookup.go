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
	byOAuth       = "OAuth 2.0 (RFC 6749, section 5.2); the documentation of the service shows no errors of this endpoint"
	byNobody      = "not documented"
	emptyDomain   = "the address, with no domain"
	byEmptyDomain = bySection + "2.3; that an unknown address is answered so is not documented"
)

// lookUp asks the global service for the primary domain (interface section 4.4).
func lookUp(ctx context.Context, r *run) Check {
	host := hostOf(r.service.Profile.GlobalURL)
	asked := "the primary domain of " + r.Email
	if reason := objection(r.Email); reason != "" {
		return Check{State: Fail, Code: UnknownAddress, Summary: "not an e-mail address: " + reason}.
			found(finding{Failure: failureAddress, Reason: reason})
	}
	answer, err := r.service.Lookup(ctx, r.Email)
	if as[*api.NoDomainError](err) != nil {
		return Check{
			State: Fail, Code: UnknownAddress, Host: host, Status: http.StatusOK,
			Summary: "no primary domain is known for this address",
		}.found(finding{AskedFor: asked, Answered: emptyDomain, KnownBy: byEmptyDomain})
	}
	if err != nil {
		c, f := failed(host, err)
		f.AskedFor = asked
		return c.found(f)
	}
	name, err := config.CheckDomain(answer.PrimaryDomain)
	if err != nil {
		return Check{
			State: Unknown, Host: host, Status: http.StatusOK, Summary: "the answer names something that is no domain",
		}.found(finding{AskedFor: asked, Answered: answer.PrimaryDomain, Failure: failureAnswer})
	}
	r.setPrimary(name)
	c := Check{
		State: OK, Host: host, Status: http.StatusOK,
		Summary: hostname.Readable(name) + " is the primary domain",
	}.found(finding{AskedFor: asked, PrimaryDomain: name, KnownBy: bySection + "2.3"})
	if r.Domain != "" && r.Domain != name && !isGUID(r.Domain) {
		c.State, c.Code = Warn, OtherDomains
		c.Summary += ", not " + hostname.Readable(r.Domain)
	}
	return c
}
