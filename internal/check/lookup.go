package check

import (
	"context"
	"errors"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
)

// lookUp asks the global service for the primary domain (interface section 4.4).
func lookUp(ctx context.Context, r *run) Check {
	asked := hostOf(r.service.Profile.GlobalURL)
	if !isAddress(r.Email) {
		return Check{State: Fail, Code: UnknownAddress, Summary: "not an e-mail address", Detail: Detail{{FactFailure, FailureAddress}}}
	}
	answer, err := r.service.Lookup(ctx, r.Email)
	if none, ok := errors.AsType[*api.NoDomainError](err); ok {
		return Check{
			State: Fail, Code: UnknownAddress, Host: asked, Status: 200,
			Summary: "no primary domain for this address",
			Detail: Detail{
				{"asked_for", "the primary domain of " + none.Email},
				{"answered", "the address without a domain"},
			},
		}
	}
	if err != nil {
		return withHost(failed(err), asked)
	}
	name, err := config.CheckDomain(answer.PrimaryDomain)
	if err != nil {
		return Check{State: Unknown, Host: asked, Status: 200, Summary: "the domain of the answer is not a host name"}
	}
	r.primary = name
	return Check{
		State: OK, Host: asked, Status: 200,
		Summary: hostname.Readable(name) + " is the primary domain",
		Detail:  Detail{{FactPrimaryDomain, name}},
	}
}
