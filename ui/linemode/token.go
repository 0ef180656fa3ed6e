package linemode

import (
	"bytes"
	"context"

	"gatehouse/session"
)

// token says what the session holds (interface sections 2.1, 2.2 and 5).
func (c *conversation) token() error {
	c.tokenFacts()
	return c.menu("What about the access token?", []item{
		{"Read its claims, which are decoded and not verified", c.claims},
		{"Renew it now", c.renew},
		{"Hear again whose it is and how long it lives", func() error { c.tokenFacts(); return nil }},
	})
}

func (c *conversation) tokenFacts() {
	s, now := c.service.Session.Status(), c.options.Now()
	c.say("User: %s. Authority: %s.", s.Username, s.Authority)
	switch {
	case s.ExpiresAt.IsZero():
		c.say("The authority does not say when the token expires.")
	case !now.Before(s.ExpiresAt):
		c.say("The token expired on %s.", moment(s.ExpiresAt))
	default:
		c.say("The token expires in %s, on %s.", span(s.ExpiresAt.Sub(now)), moment(s.ExpiresAt))
	}
	switch {
	case s.State == session.Ended:
		c.say("It is not renewed: the session is over.")
	case s.Renewable:
		c.say("It is renewed by itself, for another %s.", span(s.RefreshEndsAt.Sub(now)))
	default:
		c.say("It cannot be renewed: no refresh token was issued.")
	}
	if !s.SignedInAt.IsZero() {
		c.say("You signed in %s ago, on %s.", span(now.Sub(s.SignedInAt)), moment(s.SignedInAt))
	}
	if s.Saved && s.Store != "memory" {
		c.say("The session is kept in the store %s.", s.Store)
	} else {
		c.say("The session is kept in memory only and ends with this program.")
	}
}

func (c *conversation) claims() error {
	claims := c.service.Session.Status().Claims
	if !claims.Present {
		c.say("This access token is not a JWT that can be read, so it shows no claims.")
		return nil
	}
	c.say("The claims, decoded and not verified:")
	return c.read(fields(bytes.TrimSpace(claims.JSON)))
}

// renew renews the token; what comes of it is among the news.
func (c *conversation) renew() error {
	if !c.service.Session.Status().Renewable {
		c.say("It cannot be renewed: no refresh token was issued.")
		return nil
	}
	c.say("Renewing the access token.")
	_, err := await(c, saying("Still waiting for the answer."), func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.service.Session.Renew(ctx)
	})
	if err != nil && c.ctx.Err() != nil {
		return errQuit
	}
	return nil
}
