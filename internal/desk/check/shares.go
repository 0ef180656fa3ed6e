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

// domainSteps are the checks of the person's domains.
func domainSteps(r *run) (steps []*step) {
	if r.person() == nil {
		return nil
	}
	for _, name := range r.domains() {
		s := &step{id: DomainPrefix + name, limit: stepLimit, run: func(ctx context.Context, r *run) Check { return checkDomain(ctx, r, name) }}
		if name == r.primary() {
			s.needs = []string{Gateway}
		}
		steps = append(steps, s)
	}
	return steps
}

// askWantedGateway looks at the gateway of the domain that the person asks for, without a token.
func askWantedGateway(ctx context.Context, r *run) Check {
	address, err := r.service.Profile.GatewayURL(r.Domain)
	c := r.host(ctx, GatewayPart, address, err)
	if c.State == OK {
		c.State = Info
		c.Summary += " · shares not asked for without a sign-in"
	}
	return c
}

// checkDomain asks the gateway of a domain for the person's shares, with the fresh token
// and once (interface section 4.2).
func checkDomain(ctx context.Context, r *run, name string) Check {
	address, err := r.person().GatewayURL(name)
	if err != nil {
		return unusable(err)
	}
	c := readShares(ctx, r.person(), name, hostOf(address))
	if c.found.outcome != outcomeAnswered && c.found.outcome != outcomeNone {
		r.addProbe(ctx, &c, address)
	}
	c.found.AskedFor = "the shares of " + r.Email + " in " + name
	return c
}

// addProbe adds to a refusal or a failure what the same gateway answers without a token: whether
// it is this person or everybody.
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

// readShares counts the shares of the user of a service.
func readShares(ctx context.Context, service *session.Service, name, host string) Check {
	body, _, err := service.Glance(ctx, name)
	if isUnauthorized(err) { // a refusal of a fresh token counts when it is repeated
		body, _, err = service.Glance(ctx, name)
	}
	switch {
	case as[*session.NotReachedError](err) != nil, as[*session.UnknownDomainError](err) != nil:
		return Check{State: Skipped, Summary: "not one of their domains", found: &observation{}}
	case err != nil:
		return refusedShares(host, observe(err, service.Discreet()))
	}
	defer body.Close()
	var beginning prefix
	counted, err := CountShares(io.TeeReader(body, &beginning), MostCounted)
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
		c.Summary += ", with " + answerInShort(0, c.found)
	}
	return c
}

// besideNone is an empty list with what the gateway says beside it. Words that refuse make it a
// refusal: nobody gets a list together with them.
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

// successes are what a gateway says beside a list that is as it should be.
var successes = []string{"ok", "success", "successful", "done"}

// prefix keeps the beginning of what is written to it.
type prefix []byte

// maxPrefix is more than an empty list takes, with all that may stand beside it.
const maxPrefix = 4 << 10

// Write implements [io.Writer].
func (p *prefix) Write(text []byte) (int, error) {
	*p = append(*p, text[:min(len(text), maxPrefix-len(*p))]...)
	return len(text), nil
}

func isUnauthorized(err error) bool {
	refused, ok := errors.AsType[*api.StatusError](err)
	return ok && refused.Status == http.StatusUnauthorized
}

// refusedShares is a list that the gateway did not give.
func refusedShares(host string, o *observation) Check {
	c := asked(host, o)
	if o.outcome == outcomeRefused {
		if c.Status == 0 {
			c.Status = http.StatusOK // of an envelope
		}
		c.Summary = "no access (" + refusalInShort(c.Status, o) + ")"
	}
	return c
}

// countedShares is a list that came, whole or in part.
func countedShares(ctx context.Context, host string, counted ShareCount, received int64) Check {
	o := &observation{outcome: outcomeAnswered, Shares: new(counted.Shares), Bytes: json.Number(counted.Size)}
	c := Check{State: OK, Host: host, Status: http.StatusOK, Summary: counted.InWords(), found: o}
	switch {
	case counted.More && received >= MostCounted:
		o.Counted = "the first " + human.Bytes(MostCounted) + ": there are more"
	case counted.More:
		c.State, c.Summary = Fail, "the list ended early after "+human.Count(counted.Shares, "share", "shares")
		o.Bytes, o.Failure, o.cut = "", failureAnswer, true
		o.outcome, o.Reason = outcomeDropped, c.Summary
		if ctx.Err() != nil {
			o.Failure, o.outcome = api.CauseTimeout.String(), outcomeSilent
		}
	case counted.Shares == 0:
		c.State = Info
	}
	return c
}
