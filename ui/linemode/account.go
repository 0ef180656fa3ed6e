package linemode

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/ui/signin"
)

// restore resumes the saved session, or asks to sign in.
func (c *conversation) restore() error {
	switch err := c.service.Session.Restore(c.ctx); {
	case err == nil:
		c.say("You are signed in as %s.", c.service.Session.Status().Username)
		return c.beginWithCheck()
	case c.ctx.Err() != nil:
		return errQuit
	case !errors.Is(err, session.ErrSignedOut):
		c.explain(err)
	}
	if err := c.beginWithCheck(); err != nil || !c.signedOut() {
		return err
	}
	return c.signInFirst()
}

// beginWithCheck asks what to check before anything else, if the person came for that.
func (c *conversation) beginWithCheck() error {
	if !c.options.Check {
		return nil
	}
	if err := c.check(); !errors.Is(err, errBack) && !errors.Is(err, errStartOver) {
		return err
	}
	return nil
}

func (c *conversation) signedOut() bool { return c.service.Session.Status().State == session.SignedOut }

// signInFirst is signIn before anything else: there is nothing to go back to.
func (c *conversation) signInFirst() error {
	for {
		err := c.signIn()
		if !errors.Is(err, errBack) {
			return err
		}
		c.sayNothingToGoBackTo()
	}
}

// signInAgain is signIn for a person who is or was signed in. The error is errStartOver
// if another user has signed in.
func (c *conversation) signInAgain() error {
	before := c.service.Session.Status()
	if err := c.signIn(); err != nil {
		return err
	}
	after := c.service.Session.Status()
	if before.Username != after.Username || before.Authority != after.Authority {
		c.forget()
		return errStartOver
	}
	return nil
}

// signInForDomains is signInAgain followed by the new list of domains, whoever has signed
// in.
func (c *conversation) signInForDomains() error {
	if err := c.signInAgain(); err != nil {
		return err
	}
	return errStartOver
}

// forget drops what belongs to the user who was signed in.
func (c *conversation) forget() {
	c.reseller, c.key, c.report = "", secret.Text{}, nil
	c.options.Activity.Clear(c.options.Now())
}

// signIn asks for authority, e-mail address and password.
func (c *conversation) signIn() error {
	c.say("Sign in.")
	c.say("Type check in place of the e-mail address to find out why somebody cannot get in, without signing in.")
	authorities := c.service.Profile.Authorities()
	for {
		authority, err := c.authority(authorities)
		if err != nil {
			return err
		}
		err = c.credentials(authority, c.service.Session.Status().Username)
		if !errors.Is(err, errBack) || len(authorities) == 1 {
			return err
		}
	}
}

func (c *conversation) authority(names []string) (string, error) {
	if len(names) == 1 {
		return names[0], nil
	}
	var answers []string
	for _, name := range names {
		answers = append(answers, problem.Sentence(signin.AuthorityTitle(name)))
	}
	chosen, err := c.choose("Who checks your password?", answers)
	if err != nil {
		return "", err
	}
	return names[chosen], nil
}

// credentials asks for an e-mail address and a password until they are accepted.
func (c *conversation) credentials(authority, email string) error {
	for {
		typed, err := c.email(email, wordCheck)
		if err != nil {
			return err
		}
		if typed == wordCheck {
			if err := c.check(); err != nil && !errors.Is(err, errBack) {
				return err
			}
			c.say("Sign in.")
			continue
		}
		email = typed
		c.lookUp(email)
		if err := c.password(authority, email); !errors.Is(err, errBack) {
			return err
		}
	}
}

// wordCheck is typed in place of the own address to check another one.
const wordCheck = "check"

// email asks for an e-mail address. A word may be answered in its place.
func (c *conversation) email(fallback string, word ...string) (string, error) {
	help := []string{"Type the e-mail address that you sign in with, such as ann@harbor.example."}
	for {
		email, err := c.askDefault(question{text: "E-mail address", help: help}, fallback)
		if err != nil {
			return "", err
		}
		if slices.Contains(word, strings.ToLower(email)) {
			return strings.ToLower(email), nil
		}
		if email = signin.Complete(email, c.options.Tips); signin.IsWhole(email) {
			return email, nil
		}
		c.say("This is not an e-mail address. %s", help[0])
	}
}

// lookUp says which domain belongs to the address, before the password is typed. If the
// lookup fails, signing in continues.
func (c *conversation) lookUp(email string) {
	var user api.UserDomain
	still := func() string { return "Still looking up the primary domain." }
	err := c.await(still, func(ctx context.Context) (err error) {
		user, err = c.service.Lookup(ctx, email)
		return err
	})
	text, unknown := signin.LookedUp(user.PrimaryDomain, err)
	if text = sentence(text); unknown {
		text += " Type back to change it."
	}
	if c.ctx.Err() == nil {
		c.say("%s", text)
	}
}

// password asks for the password and signs in with it, once. After a failure the error is
// errBack.
func (c *conversation) password(authority, email string) error {
	password, err := c.askSecret(question{text: "Password, which is not shown", help: []string{
		"Type the password of " + line(email) + ". Type back to change the e-mail address.",
	}})
	if err != nil {
		return err
	}
	keep, err := c.keeping()
	if err != nil {
		return err
	}
	c.say("Signing in.")
	err = c.await(stillWaiting, func(ctx context.Context) error {
		return c.service.Session.SignIn(ctx, session.SignIn{Authority: authority, Username: email, Password: password, Keep: keep})
	})
	switch {
	case c.ctx.Err() != nil:
		return errQuit
	case err != nil:
		c.explain(err)
		if _, away := errors.AsType[*session.VaultError](err); away && keep {
			c.say("The password was not sent. Answer no to sign in without keeping the session.")
		}
		return errBack
	}
	c.sayEvents()
	c.describeSession(c.service.Session.Status())
	return nil
}

// describeSession says what is unusual about a new session.
func (c *conversation) describeSession(s session.Status) {
	if !s.Renewable {
		c.say("The session cannot be renewed: no refresh token was issued.")
	}
	if !s.Claims.Present {
		c.say("The access token is not a readable JWT, so it names no domains.")
	}
	for _, rejected := range s.Claims.Rejected {
		c.say("Left out a domain of the token that is not a host name: %s", hostname.Readable(rejected))
	}
}

// signOut forgets the session.
func (c *conversation) signOut() error {
	if err := c.service.Session.SignOut(c.ctx); err != nil && c.ctx.Err() != nil {
		return errQuit
	}
	c.sayEvents() // they include errors
	c.forget()
	return errStartOver
}
