package check

import (
	"context"

	"gatehouse/internal/config"
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
		return unusable(err)
	}
	c := Check{
		State:   OK,
		Summary: Summary{p.Name, p.Authority + " authority"},
		found: &observation{
			AuthorityURL: p.Value(authorityKeys[p.Authority]),
			BaseURL:      p.BaseURL,
			GlobalURL:    p.GlobalURL,
			ClientID:     p.ClientID,
			CAFile:       p.CAFile,
		},
	}
	if !r.Password.IsEmpty() && p.ClientSecret.IsEmpty() {
		c.State = Warn
		c.Summary = c.Summary.With("no client secret, so the authority may refuse all sign-ins")
	}
	return c
}

// unusable is a check of a host that the profile does not name.
func unusable(err error) Check {
	return Check{
		State:   Fail,
		Summary: Summary{err.Error()},
		found:   &observation{outcome: outcomeUnusable, Reason: err.Error()},
	}
}

// authorityKeys are the keys of the profile that have the URLs of its authorities.
var authorityKeys = map[string]string{
	config.AuthorityMain: "auth_url", config.AuthorityDomain: "domain_auth_url", config.AuthorityTest: "auth_test_url",
}
