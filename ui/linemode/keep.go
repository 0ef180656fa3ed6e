package linemode

import (
	"cmp"
	"context"
	"strings"

	"gatehouse/session"
	"gatehouse/ui/signin"
	"gatehouse/ui/token"
)

// keptFor is what a session can be kept for.
func (c *conversation) keptFor() signin.Key { return *cmp.Or(c.options.Key, &signin.Key{}) }

// keeping asks whether the session is to be kept, where that can be chosen.
func (c *conversation) keeping() (bool, error) {
	if !c.service.Session.CanKeep() {
		return false, nil
	}
	key := c.keptFor()
	return c.yes(strings.TrimSpace("Keep you signed in for this "+key.Kind()+" "+key.Names()[0]), []string{
		"With yes, the next connection with this " + key.Kind() + " needs no password, until the session ends or you forget it.",
	})
}

// yes asks a question to which an empty line is a no.
func (c *conversation) yes(text string, help []string) (bool, error) {
	for {
		answer, err := c.ask(question{text: text + "? Type yes, or nothing for no", help: help})
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "yes", "y":
			return true, nil
		case "", "no", "n":
			return false, nil
		}
		c.say("Type yes or no.")
	}
}

// sessionFacts is what is known of the session, and of its keeping where that can be chosen.
func (c *conversation) sessionFacts(s session.Status) []token.Fact {
	facts := token.Facts(s, c.options.Now())
	if !c.service.Session.CanKeep() {
		return facts
	}
	return append(facts[:len(facts)-1], token.Keeping(s, c.options.Key)...)
}

// forgetItem forgets the kept session.
func (c *conversation) forgetItem() item {
	return item{"Forget the session that is kept for your " + c.keptFor().Kind(), c.forgetKept}
}

func (c *conversation) forgetKept() error {
	if !c.service.Session.Status().Saved {
		c.say("The session is not kept.")
		return nil
	}
	sure, err := c.yes("Forget the kept session", []string{"At the next connection you sign in with the password. Until you leave you stay signed in."})
	if err != nil || !sure {
		return err
	}
	err = c.await(stillWaiting, func(ctx context.Context) error { return c.service.Session.Forget(ctx) })
	switch {
	case c.ctx.Err() != nil:
		return errQuit
	case err != nil:
		c.explain(err)
		c.events.take() // they say the same
		return nil
	}
	c.say("The kept session is forgotten. You stay signed in until you leave.")
	return nil
}
