package check

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/session"
)

// signIn sends the password to the authority, once (interface section 4.1). It uses a separate session
// in memory, so it signs nobody out and writes no vault.
func signIn(ctx context.Context, r *run) Check {
	if hostname.EmailObjection(r.Email) != "" {
		return Check{
			State:   Skipped,
			Because: Lookup,
			Summary: Summary{"not possible: this is not an e-mail address"},
		}
	}
	profile := r.service.Profile
	address, _ := profile.AuthorityURL(profile.Authority, r.primary())
	host := hostOf(address)
	person := r.service.Aside()
	askedFor := "a token for the password of " + r.Email
	said := &session.TokenAnswer{}
	err := person.Session.SignIn(ctx, session.SignIn{
		Username:      r.Email,
		Password:      r.Password,
		PrimaryDomain: r.primary(),
		Answer:        said,
	})
	if err != nil {
		c := refusedSignIn(host, err, r.isDiscreet())
		c.found.AskedFor = askedFor
		return c
	}
	r.inside.Store(person)
	r.said.Store(said)
	status := person.Session.Status()
	c := Check{
		State:   OK,
		Host:    host,
		Status:  http.StatusOK,
		Summary: Summary{acceptedInWords(said.Life, status)},
		found: &observation{
			outcome:     outcomeAnswered,
			AskedFor:    askedFor,
			LifeSeconds: new(int64(status.Life / time.Second)),
			Renewable:   new(status.Renewable),
		},
	}
	if !isLife(said.Life) {
		c.State, c.found.LifeSaid = Warn, said.Life
	}
	return c
}

// acceptedInWords says in a few words what a sign-in brought: for how long the token is valid, and
// whether it can be renewed. life is the life of the token as the authority wrote it.
func acceptedInWords(life string, status session.Status) string {
	text := "accepted"
	if !isLife(life) {
		text += "; expires_in is " + life
	}
	if status.Life > 0 {
		text += "; token valid " + human.InWords(status.Life)
	}
	if status.Renewable {
		return text + ", renewable"
	}
	return text + ", not renewable"
}

// isLife reports whether the life of a token, as an authority wrote it, is a positive number of
// seconds, or is missing.
func isLife(said string) bool {
	seconds, err := json.Number(said).Float64()
	return said == "" || said == "null" || err == nil && seconds > 0
}

// refusedSignIn returns the check of a sign-in that got no token.
func refusedSignIn(host string, err error, discreet bool) Check {
	o := observe(err, discreet)
	if as[*session.WrongPasswordError](err) != nil {
		o.outcome, o.reason = outcomeRefused, api.ReasonCredentials
	}
	if o.code() != "" && o.outcome == outcomeMissing { // an error code of OAuth, whatever the status
		o.outcome = outcomeRefused
	}
	c := asked(host, o)
	if o.outcome == outcomeRefused {
		c.Summary = Summary{"refused (" + refusalInShort(c.Status, o) + ")"}
	}
	if o.NoClientSecret {
		c.Summary = c.Summary.goingOn(": ", "it has no client secret")
	}
	return c
}
