package check

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/text/human"
	"gatehouse/session"
)

// domainSteps returns a step for each domain of the person; none before the sign-in.
func domainSteps(r *run) (steps []*step) {
	if r.person() == nil {
		return nil
	}
	for _, name := range r.domains() {
		s := &step{
			id:    DomainPrefix + name,
			limit: stepLimit,
			run:   func(ctx context.Context, r *run) Check { return checkDomain(ctx, r, name) },
		}
		if name == r.primary() {
			s.needs = []string{Gateway}
		}
		steps = append(steps, s)
	}
	return steps
}

// askWantedGateway checks the gateway of the domain that the person asks for, without a token.
func askWantedGateway(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.GatewayURL(r.Domain)
	c := r.host(ctx, GatewayPart, address, err)
	if c.State == OK {
		c.State = Info
		c.Summary = c.Summary.With("shares not asked for without a sign-in")
	}
	return c
}

// checkDomain asks the gateway of a domain for the shares of the person, with the fresh token
// (interface section 4.2). If that fails, it also asks without a token.
func checkDomain(ctx context.Context, r *run, name string) Check {
	address, err := r.person().GatewayURL(name)
	if err != nil {
		return unusable(err)
	}
	c := readShares(ctx, r.person(), name, hostOf(address))
	hasFailed := c.found.outcome != outcomeAnswered && c.found.outcome != outcomeNone
	if hasFailed {
		r.addProbe(ctx, &c, address)
	}
	c.found.AskedFor = "the shares of " + r.Email + " in " + name
	return c
}

// addProbe adds to a refusal or a failure what the same gateway answers without a token. This shows
// whether only this person is affected, or everybody.
func (r *run) addProbe(ctx context.Context, c *Check, address string) {
	probe := r.host(ctx, GatewayPart, address, nil).seen()
	c.found.StatusWithoutToken = probe.probe.Status
	status := c.found.probe.Status
	c.found.probe, c.found.tries = probe.probe, probe.tries
	c.found.probe.Request, c.found.probe.Status = "", status
	if c.found.way.Host == "" {
		c.found.way = probe.way
	}
}

// readShares counts the shares of the signed-in user of a service in a domain. host is the gateway of
// the domain.
func readShares(ctx context.Context, service *session.Service, domain, host string) Check {
	body, _, err := service.Glance(ctx, domain)
	if isUnauthorized(err) { // a fresh token may be refused once
		body, _, err = service.Glance(ctx, domain)
	}
	switch {
	case as[*session.NotReachedError](err) != nil, as[*session.UnknownDomainError](err) != nil:
		return Check{
			State:   Skipped,
			Summary: Summary{"not one of their domains"},
			found:   &observation{},
		}
	case err != nil:
		return refusedShares(host, observe(err, service.Discreet()))
	}
	defer body.Close()
	var beginning prefix
	counted, err := CountShares(io.TeeReader(body, &beginning), MaxCounted)
	if err != nil {
		return asked(host, observe(body.Unreadable(err), service.Discreet()))
	}
	c := countedShares(ctx, host, counted, body.Received())
	switch {
	case c.found.outcome != outcomeAnswered:
	case counted.Shares == 0:
		return besideNone(host, c, body, beginning)
	case counted.Beside.IsCodeOfFault():
		c.State = Warn
		c.found.ResponseCode, _ = body.Words(counted.Beside.Code)
		c.found.Message, c.found.LeftOut = body.Words(counted.Beside.Words)
		c.Summary = c.Summary.goingOn(", ", "with "+answerInShort(0, c.found))
	}
	return c
}

// besideNone returns the check of an empty list, with the message of the gateway beside it. If that
// message refuses access, the check is a refusal, because a refusal has no list. beginning is the
// beginning of the body.
func besideNone(host string, c Check, body *api.Body, beginning []byte) Check {
	words, omitted := body.Said(beginning)
	if slices.Contains(successes, strings.ToLower(withoutStop(words))) {
		words = ""
	}
	if err := body.RefusedBeside(words); err != nil {
		return refusedShares(host, observe(err, c.found.discreet))
	}
	c.found.Message, c.found.LeftOut = words, omitted
	return c
}

// successes are the words of a gateway, in lower case, that only say that all is well.
var successes = []string{"ok", "success", "successful", "done"}

// prefix is an [io.Writer] that keeps the first maxPrefix bytes.
type prefix []byte

// maxPrefix is more than an empty list takes, with everything that a gateway says beside it.
const maxPrefix = 4 << 10

// Write implements [io.Writer].
func (p *prefix) Write(text []byte) (int, error) {
	*p = append(*p, text[:min(len(text), maxPrefix-len(*p))]...)
	return len(text), nil
}

// isUnauthorized reports whether a host refused the token (401).
func isUnauthorized(err error) bool {
	refused, ok := errors.AsType[*api.StatusError](err)
	return ok && refused.Status == http.StatusUnauthorized
}

// refusedShares returns the check of a gateway that sent no list.
func refusedShares(host string, o *observation) Check {
	c := asked(host, o)
	if o.outcome != outcomeRefused {
		return c
	}
	if c.Status == 0 {
		c.Status = http.StatusOK // that of an envelope which refuses
	}
	c.Summary = Summary{"no access (" + refusalInShort(c.Status, o) + ")"}
	return c
}

// countedShares returns the check of a gateway that sent a list, or part of one. received is how many
// bytes were read.
func countedShares(ctx context.Context, host string, counted ShareCount, received int64) Check {
	o := &observation{
		outcome: outcomeAnswered,
		Shares:  new(counted.Shares),
		Bytes:   json.Number(counted.Size),
	}
	c := Check{
		State:   OK,
		Host:    host,
		Status:  http.StatusOK,
		Summary: Summary{counted.InWords()},
		found:   o,
	}
	switch {
	case counted.More && received >= MaxCounted:
		o.Counted = "the first " + human.Bytes(MaxCounted) + ": there are more"
	case counted.More:
		c.State = Fail
		o.outcome, o.Failure = outcomeDropped, failureAnswer
		o.Reason = "the list ended early after " + human.Count(counted.Shares, "share", "shares")
		c.Summary = Summary{o.Reason}
		if ctx.Err() != nil {
			o.outcome, o.Failure = outcomeSilent, api.CauseTimeout.String()
		}
		o.Bytes, o.cut = "", true
	case counted.Shares == 0:
		c.State = Info
	}
	return c
}
