package check

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/redact"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// signIn sends the password to the authority, once (interface section 4.1). The session is
// one of its own, in memory: nobody is signed out by it, and no vault is written.
func signIn(ctx context.Context, r *run) Check {
	if hostname.EmailObjection(r.Email) != "" {
		return Check{State: Skipped, Because: Lookup, Summary: "not possible: this is not an e-mail address"}
	}
	profile := r.service.Profile
	address, _ := profile.AuthorityURL(profile.Authority, r.primary())
	host := hostOf(address)
	person := r.service.Aside()
	asked := "a token for the password of " + r.Email
	if err := person.Session.SignIn(ctx, session.SignIn{Username: r.Email, Password: r.Password, PrimaryDomain: r.primary()}); err != nil {
		c := refusedSignIn(host, err)
		c.found.AskedFor = asked
		return c
	}
	r.inside.Store(person)
	status := person.Session.Status()
	c := Check{State: OK, Host: host, Status: http.StatusOK, Summary: "accepted", found: &finding{
		AskedFor: asked, LifeSeconds: new(int64(status.Life / time.Second)), Renewable: new(status.Renewable),
	}}
	if status.Life > 0 {
		c.Summary += "; token valid " + human.InWords(status.Life)
	}
	if status.Renewable {
		c.Summary += ", renewable for 30 days"
	} else {
		c.Summary += ", not renewable"
	}
	return c
}

// refusedSignIn judges a sign-in without a token. Only two answers say what is wrong.
func refusedSignIn(host string, err error) Check {
	c := failed(host, err)
	refused, ok := errors.AsType[*api.TokenError](err)
	if !ok || isTrouble(refused.Status) {
		return c
	}
	switch {
	case as[*session.WrongPasswordError](err) != nil:
		c.State, c.Code, c.Summary = Fail, WrongPassword, "the sign-in was rejected ("+refused.Code+")"
	case refused.Code == "invalid_client", refused.Code == "unauthorized_client":
		c.State, c.Code, c.Summary = Fail, ClientRefused, "this client was rejected ("+refused.Code+")"
	default:
		return c
	}
	c.found.Failure = ""
	if refused.NoSecret && refused.Code == "invalid_client" {
		c.Summary += ": it has no client secret"
		c.found.NoClientSecret = true
	}
	return c
}

// checkClaims compares what the token says with what was looked up (interface section 2.2).
func checkClaims(_ context.Context, r *run) Check {
	status := r.person().Session.Status()
	claims := status.Claims
	if !claims.Present {
		return Check{
			State: Unknown, Summary: "the token is not a JWT, so its claims cannot be read",
			found: &finding{Failure: failureAnswer},
		}
	}
	f := finding{
		readable: true, PrimaryDomain: claims.PrimaryDomain, OtherDomains: claims.Domains, NotDomains: r.unrepeated(claims.Rejected),
		ScopesAskedFor: strings.Fields(r.service.Profile.Scope), ScopesGranted: r.unrepeated(claims.Scopes()),
		Renewable:       new(status.Renewable),
		DomainsNotAsked: len(claims.AllDomains()) - len(r.domains()),
	}
	if at := status.ExpiresAt.UTC(); at.Year() < 10_000 { // JSON has no later ones
		f.ExpiresAt = at
	}
	c := Check{found: &f}
	c.State, c.Code, c.Summary = r.judgeClaims(claims)
	if f.DomainsNotAsked > 0 {
		c.Summary += "; " + human.Count(f.DomainsNotAsked, "domain is", "domains are") + " not asked"
	}
	if f.DomainsNotRead = claims.Unread; f.DomainsNotRead > 0 {
		c.Summary += "; " + human.Count(f.DomainsNotRead, "domain is", "domains are") + " not read"
	}
	return c
}

// unrepeated are texts of the answer to a password, masked where they repeat it.
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

func (r *run) judgeClaims(claims session.Claims) (State, Code, string) {
	primary := hostname.Readable(claims.PrimaryDomain)
	switch {
	case claims.PrimaryDomain == "" && len(claims.Rejected) > 0:
		return Unknown, "", "the primary domain of the token is no domain"
	case claims.PrimaryDomain == "":
		return Fail, NoPrimaryDomain, "the token names no primary domain"
	case r.primary() != "" && r.primary() != claims.PrimaryDomain:
		return Fail, OtherPrimaryDomain, "the token says " + primary + ", the look-up says " + hostname.Readable(r.primary())
	}
	summary := "primary domain " + primary
	if r.primary() != "" {
		summary = "same primary domain as the look-up"
	}
	if n := len(claims.Domains); n > 0 {
		summary += "; " + human.Count(n, "other domain", "other domains")
	}
	switch wanted := r.Domain; {
	case wanted == "" || wanted == claims.PrimaryDomain || isGUID(wanted):
		return OK, "", summary
	case slices.Contains(claims.Domains, wanted):
		return Warn, OtherDomains, summary + "; " + hostname.Readable(wanted) + " is not the primary one"
	default:
		return Warn, OtherDomains, summary + "; " + hostname.Readable(wanted) + " is " + notNamed(claims)
	}
}

// notNamed says where a domain is missing.
func notNamed(claims session.Claims) string {
	if claims.Unread > 0 {
		return "not among the domains that were read"
	}
	return "not in the token"
}
