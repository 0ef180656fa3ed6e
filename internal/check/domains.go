package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/session"
)

// maxDomains is how many domains of a person are asked for their shares.
const maxDomains = 20

// domains are those of the claims that are asked: the primary one first, then in the
// claim's order, and the one that the person asks for in any case. The token goes to no
// others: without claims there are none.
func (r *run) domains() []string {
	all := r.person().Session.Status().Claims.AllDomains()
	asked := slices.Clone(all[:min(len(all), maxDomains)])
	if slices.Contains(all, r.Domain) && !slices.Contains(asked, r.Domain) {
		asked[len(asked)-1] = r.Domain
	}
	return asked
}

// domainSteps are the checks of the person's domains.
func domainSteps(r *run) (steps []*step) {
	if r.person() == nil {
		return nil
	}
	for _, name := range r.domains() {
		s := &step{id: DomainPrefix + name, limit: domainLimit, run: func(ctx context.Context, r *run) Check { return checkDomain(ctx, r, name) }}
		if name == r.primary() {
			s.needs = []string{Gateway}
		}
		steps = append(steps, s)
	}
	return steps
}

// checkDomain asks the gateway of a domain for the person's shares, with the fresh token
// and once (interface section 4.2).
func checkDomain(ctx context.Context, r *run, name string) Check {
	address, err := r.person().GatewayURL(name)
	if err != nil {
		return failed("", err)
	}
	c := readShares(ctx, r.person(), name, hostOf(address))
	if c.State != OK {
		c = r.withoutCredentials(ctx, c, address)
	}
	c.found.AskedFor = "the shares of " + r.Email + " in " + name
	return c
}

// readShares counts the shares of the user of a service.
func readShares(ctx context.Context, service *session.Service, name, host string) Check {
	body, _, err := service.Glance(ctx, name)
	refused, isRefused := errors.AsType[*api.StatusError](err)
	if isRefused && refused.Status == http.StatusUnauthorized { // a refusal of a fresh token counts when it is repeated
		body, _, err = service.Glance(ctx, name)
		refused, isRefused = errors.AsType[*api.StatusError](err)
	}
	switch {
	case as[*session.NotReachedError](err) != nil, as[*session.UnknownDomainError](err) != nil:
		return Check{State: Skipped, Summary: "not one of their domains", found: &finding{}}
	case isRefused && (refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden):
		return Check{
			State: Fail, Code: NoAccess, Host: host, Status: refused.Status,
			Summary: fmt.Sprintf("no access (%d)", refused.Status),
			found:   &finding{Message: refused.Message},
		}
	case err != nil:
		return failed(host, err)
	}
	defer body.Close()
	counted, err := CountShares(body, MostCounted)
	if err != nil {
		return failed(host, body.Unreadable(err))
	}
	f := &finding{Shares: new(counted.Shares), Bytes: json.Number(counted.Size)}
	c := Check{State: OK, Host: host, Status: http.StatusOK, Summary: sharesText(counted), found: f}
	switch {
	case counted.More && body.Received() >= MostCounted:
		f.Counted = "the first " + human.Bytes(MostCounted) + ": there are more"
	case counted.More:
		c.State, c.Summary = Unknown, "the list ended early after "+human.Count(counted.Shares, "share", "shares")
		f.Bytes, f.Failure = "", failureAnswer
		if ctx.Err() != nil {
			f.Failure = api.CauseTimeout.String()
		}
	}
	return c
}

// sharesText is a count for people: "12 shares, 1.1 TB".
func sharesText(c ShareCount) string {
	text := c.String() + " shares"
	if c.Shares == 1 && !c.More {
		text = "1 share"
	}
	if c.Size != "" && c.Shares > 0 {
		text += ", " + c.SizeText()
	}
	return text
}

// withoutCredentials adds to a refusal or a failure what the same gateway answers without
// a token: whether it is this person or everybody.
func (r *run) withoutCredentials(ctx context.Context, c Check, address string) Check {
	probe := r.host(ctx, Gateway, address, nil)
	if c.State == Unknown && probe.State == Fail && probe.Code != Clock {
		host := *probe.finding() // others have it too
		host.Message, host.RetryAfter = c.found.Message, c.found.RetryAfter
		probe.found = &host
		probe.MS, probe.Detail = 0, nil
		c = probe
	}
	c.found.StatusWithoutToken = probe.Status
	return c
}
