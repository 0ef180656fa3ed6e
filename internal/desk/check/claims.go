package check

import (
	"context"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// checkClaims compares what the token says with what was looked up (interface section 2.2).
func checkClaims(_ context.Context, r *run) Check {
	status := r.person().Session.Status()
	claims := status.Claims
	o := &observation{
		outcome:        outcomeAnswered,
		ScopesAskedFor: strings.Fields(r.service.Profile.Scope),
		Renewable:      new(status.Renewable),
	}
	const endOfJSONTimes = 10_000 // the first year that JSON cannot hold
	if at := status.ExpiresAt.UTC(); !at.IsZero() && at.Year() < endOfJSONTimes {
		o.ExpiresAt, o.ended = at, !at.After(r.now())
	}
	r.noteTimes(o, claims)
	if at := claims.Subject; strings.Contains(at, "@") && !strings.EqualFold(at, r.Email) {
		o.Subject = r.unrepeated([]string{redact.OneLine(at, maxShown)})[0]
	}
	o.ScopesGranted = r.unrepeated(shown(r.said.Load().Scopes))
	if !claims.Present {
		said := Summary{"the token is not a JWT, so its claims cannot be read"}
		if missing := o.scopesMissing(); len(missing) > 0 {
			said = said.noting("not granted: " + strings.Join(missing, ", "))
		}
		return Check{State: Warn, Summary: said, found: o}
	}
	o.readable = true
	o.PrimaryDomain = claims.PrimaryDomain
	o.OtherDomains = claims.Domains
	o.NotDomains = r.unrepeated(shown(claims.Rejected))
	if len(o.ScopesGranted) == 0 {
		o.ScopesGranted = r.unrepeated(claims.Scopes())
	}
	if o.PrimaryDomain == "" && len(o.NotDomains) == 0 {
		o.Claims = r.unrepeated(shown(claims.Names()))
	}
	o.DomainsNotAsked = max(len(claims.AllDomains())-len(r.domains()), 0)
	c := Check{found: o}
	c.State, c.Summary = r.judgeClaims(o)
	if o.DomainsNotRead = claims.Unread; o.DomainsNotRead > 0 {
		count := human.Count(o.DomainsNotRead, "domain is", "domains are")
		c.Summary = c.Summary.noting(count + " not read")
	}
	if o.DomainsNotAsked > 0 {
		count := human.Count(o.DomainsNotAsked, "domain is", "domains are")
		c.Summary = c.Summary.noting(count + " not asked")
	}
	return c
}

// noteTimes notes if, by its claims, the token has expired long ago or is not valid yet, whatever
// the answer of the authority says about its life.
func (r *run) noteTimes(o *observation, claims session.Claims) {
	if !claims.Expiry.IsZero() && claims.Expiry.Before(r.now().Add(-clockFailure)) {
		o.ExpiresAt, o.ended = claims.Expiry.UTC(), true
	}
	if begins := claims.ValidFrom(); begins.After(r.now().Add(clockWarning)) {
		o.begins, o.early = begins.UTC(), begins.Sub(r.now())
	}
}

// shown returns the first few values from outside, each as one short line.
func shown(values []string) (list []string) {
	const maxValues = 20
	for _, value := range values[:min(len(values), maxValues)] {
		list = append(list, redact.OneLine(value, maxValue))
	}
	return list
}

// judgeClaims returns the state of the check of the claims, and its summary.
func (r *run) judgeClaims(o *observation) (State, Summary) {
	state, summary := r.judgePrimary(o)
	note := func(text string) {
		summary = summary.noting(text)
		if state == OK {
			state = Warn
		}
	}
	if len(o.NotDomains) > 0 && o.PrimaryDomain != "" {
		note("cannot be read as a domain: " + strings.Join(o.NotDomains, ", "))
	}
	if o.Subject != "" {
		note("the token is of another address, " + o.Subject)
	}
	if o.early > 0 {
		note("it begins in " + human.InWords(o.early.Round(time.Second)))
	}
	if o.ended && !o.ExpiresAt.IsZero() {
		note("it ended at " + momentText(o.ExpiresAt))
	}
	if missing := o.scopesMissing(); len(missing) > 0 {
		note("not granted: " + strings.Join(missing, ", "))
	}
	return state, summary
}

// judgePrimary compares the domains of the token with the look-up and the domain that the person
// asks for. It returns a state and a summary.
func (r *run) judgePrimary(o *observation) (State, Summary) {
	switch {
	case o.PrimaryDomain == "" && len(o.NotDomains) > 0:
		unread := strings.Join(o.NotDomains, ", ")
		return Warn, Summary{"the token names as domains what cannot be read as one: " + unread}
	case o.PrimaryDomain == "" && r.primary() != "": // that one is asked instead
		return Warn, Summary{"the token names no primary domain"}
	case o.PrimaryDomain == "":
		return Fail, Summary{"the token names no primary domain"}
	}
	primary := hostname.Readable(o.PrimaryDomain)
	if r.primary() != "" && r.primary() != o.PrimaryDomain {
		lookedUp := hostname.Readable(r.primary())
		return Fail, Summary{"the token says " + primary + ", the look-up says " + lookedUp}
	}
	summary := Summary{"primary domain " + primary}
	if r.primary() != "" {
		summary = Summary{"same primary domain as the look-up"}
	}
	if n := len(o.OtherDomains); n > 0 {
		summary = summary.noting(human.Count(n, "other domain", "other domains"))
	}
	switch wanted := r.Domain; {
	case !r.asksOtherDomain() || wanted == o.PrimaryDomain:
		return OK, summary
	case slices.Contains(o.OtherDomains, wanted):
		return Warn, summary.noting(hostname.Readable(wanted) + " is not the primary one")
	default:
		return Warn, summary.noting(hostname.Readable(wanted) + " is " + o.notNamed())
	}
}

// notNamed says where a domain does not occur.
func (o *observation) notNamed() string {
	if o.DomainsNotRead > 0 {
		return "not among the domains that were read"
	}
	return "not in the token"
}

// unrepeated masks those texts of an answer that repeat the password.
func (r *run) unrepeated(texts []string) (list []string) {
	var typed redact.Secrets
	typed.Add(r.Password.Reveal())
	for _, text := range texts {
		if typed.In(text) {
			text = secret.Mask
		}
		list = append(list, text)
	}
	return list
}

// scopesMissing lists the scopes that were asked for and not granted, going by the answer with the
// token, or else by the token itself. If neither names scopes, none counts as missing. The scope of
// a renewal is left out, as its effect is seen directly.
func (o *observation) scopesMissing() (missing []string) {
	if len(o.ScopesGranted) == 0 {
		return nil
	}
	for _, scope := range o.ScopesAskedFor {
		if !slices.Contains(o.ScopesGranted, scope) && scope != scopeOfRenewal {
			missing = append(missing, scope)
		}
	}
	return missing
}

// scopeOfRenewal is the scope that brings a refresh token (interface section 4.1).
const scopeOfRenewal = "offline_access"

// maxDomains is how many domains of a person are asked for their shares.
const maxDomains = 20

// domains lists the domains that are asked with the token: the first ones of the claims, beginning
// with the primary one, and in any case the one that the person asks for. If the token names no
// domain that can be read, it is the one of the look-up.
func (r *run) domains() []string {
	all := r.person().Session.Status().Claims.AllDomains()
	if len(all) == 0 && r.primary() != "" {
		r.person().AllowDomain(r.primary())
		return []string{r.primary()}
	}
	asked := slices.Clone(all[:min(len(all), maxDomains)])
	if slices.Contains(all, r.Domain) && !slices.Contains(asked, r.Domain) {
		asked[len(asked)-1] = r.Domain
	}
	return asked
}
