package cli

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/session"
)

// setupPart is a part of an installation: a key of the profile whose URL can be tried.
type setupPart struct {
	key, title string
	kind       string // as [check.Host] takes it
	otherwise  string // what an answer means that is not the part's
}

var (
	globalPart  = setupPart{"global_url", "Global service", check.Global, "no look-up"}
	gatewayPart = setupPart{"base_url", "Client gateway", check.Gateway, "not known to be a gateway"}

	authorityParts = map[string]setupPart{
		config.AuthorityMain:   {"auth_url", "Main authority", check.Authority, "no token endpoint"},
		config.AuthorityDomain: {"domain_auth_url", "Authority of the domain", check.Authority, "no token endpoint"},
		config.AuthorityTest:   {"auth_test_url", "Development authority", check.Authority, "no token endpoint"},
	}
)

const domainMark = "{domain}"

// needsDomain reports whether a URL can be tried only for a domain.
func needsDomain(address string) bool { return strings.Contains(address, domainMark) }

// answered reports whether a host is good to be used, as far as [setupDialogue.try] has found out.
func answered(found check.Check) bool {
	return found.State != check.Fail && found.State != check.Unknown
}

// tryLimit is how long a part may take to answer.
const tryLimit = 10 * time.Second

// try asks a part without a credential: what its host is like, and whether it answers as the
// part does. While the domain of a URL is not known the outcome is skipped.
func (c *setupDialogue) try(ctx context.Context, p setupPart, address string) check.Check {
	if needsDomain(address) {
		if c.domain == "" {
			return check.Check{State: check.Skipped, Summary: "depends on the domain: tried when you sign in"}
		}
		address = strings.ReplaceAll(address, domainMark, c.domain)
	}
	service, err := c.trialService()
	if err != nil {
		return check.Check{State: check.Fail, Summary: err.Error()}
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	found := check.Host(ctx, service, p.kind, address)
	if !answered(found) {
		return found
	}
	if err := p.ask(ctx, service, address); err != nil {
		p.judge(&found, err)
	}
	return found
}

// nobody is the address used in trial requests. No service needs to know it.
const nobody = "nobody@example.com"

// ask asks what the part is for. It returns nil if the answer is one that the interface shows.
func (p setupPart) ask(ctx context.Context, service *session.Service, address string) error {
	switch p.kind {
	case check.Authority:
		return service.TryAuthority(ctx, address)
	case check.Global:
		_, err := service.Lookup(ctx, nobody)
		if _, unknown := errors.AsType[*api.NoDomainError](err); unknown {
			return nil
		}
		return err
	}
	body, err := service.TryGateway(ctx, address, nobody)
	if err == nil {
		body.Close()
		return errors.New("answered without a token")
	}
	refused, ok := errors.AsType[*api.StatusError](err)
	if ok && (refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden || refused.Status == http.StatusBadRequest && refused.Message != "") {
		return nil
	}
	return err
}

// judge says what an error means of the part. Only 401 is documented of a gateway that gets
// no token, so another answer proves nothing.
func (p setupPart) judge(found *check.Check, err error) {
	what := err.Error()
	if _, after, ok := strings.Cut(what, found.Host); ok { // without the operation and the host
		what = strings.TrimLeft(after, ": ")
	}
	_, failed := errors.AsType[*api.TransportError](err)
	switch {
	case failed, errors.Is(err, api.ErrServer), errors.Is(err, api.ErrRateLimited):
		found.State = check.Unknown
	case p.kind == check.Gateway:
		found.State, what = check.Unknown, p.otherwise+": "+what
	default:
		found.State, what = check.Fail, p.otherwise+": "+what
	}
	found.Summary = found.Host + " · " + what
}

// primaryDomain asks the global service for the primary domain of the person.
func (c *setupDialogue) primaryDomain(ctx context.Context) (string, error) {
	service, err := c.trialService()
	if err != nil {
		return "", err
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	answer, err := service.Lookup(ctx, c.email)
	if err != nil {
		return "", err
	}
	return config.CheckDomain(answer.PrimaryDomain) // it becomes part of a URL
}

// trialService makes a service from the values known so far. It has no session.
func (c *setupDialogue) trialService() (*session.Service, error) {
	const unknown = "https://unknown.invalid"
	values := map[string]string{
		"auth_url": unknown, "base_url": unknown, "global_url": c.values[globalPart.key], "client_id": "unknown", "profile": "setup", "store": config.StoreMemory,
		"ca_file": c.before["ca_file"],
	}
	profile, err := config.Resolve(config.Sources{File: os.DevNull, LookupEnv: func(name string) (string, bool) {
		value, ok := values[strings.ToLower(strings.TrimPrefix(name, "GATEHOUSE_"))]
		return value, ok
	}})
	if err != nil {
		return nil, err
	}
	return c.service(profile, session.NewMemoryVault(), nil, nil), nil
}
