package check

import (
	"context"
	"net/http"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
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
	askedFor := "a token for the password of " + r.Email
	if err := person.Session.SignIn(ctx, session.SignIn{Username: r.Email, Password: r.Password, PrimaryDomain: r.primary()}); err != nil {
		c := refusedSignIn(host, err, r.isDiscreet())
		c.found.AskedFor = askedFor
		return c
	}
	r.inside.Store(person)
	status := person.Session.Status()
	c := Check{State: OK, Host: host, Status: http.StatusOK, Summary: "accepted", found: &observation{
		outcome: outcomeAnswered, AskedFor: askedFor, LifeSeconds: new(int64(status.Life / time.Second)), Renewable: new(status.Renewable),
	}}
	if status.Life > 0 {
		c.Summary += "; token valid " + human.InWords(status.Life)
	}
	if status.Renewable {
		c.Summary += ", renewable"
	} else {
		c.Summary += ", not renewable"
	}
	return c
}

// refusedSignIn is a sign-in without a token.
func refusedSignIn(host string, err error, discreet bool) Check {
	o := observe(err, discreet)
	if as[*session.WrongPasswordError](err) != nil {
		o.outcome, o.reason = outcomeRefused, api.ReasonCredentials
	}
	if o.code() != "" && o.outcome == outcomeMissing { // in whatever status an error of OAuth came
		o.outcome = outcomeRefused
	}
	c := asked(host, o)
	if o.outcome == outcomeRefused {
		c.Summary = "refused (" + refusalInShort(c.Status, o) + ")"
	}
	if o.NoClientSecret {
		c.Summary += ": it has no client secret"
	}
	return c
}
