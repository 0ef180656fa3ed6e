package check

import (
	"context"
	"errors"
	"strings"
	"sync"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/session"
)

// askControl asks the same hosts with the program's own session: it looks up the address of
// its user and counts their shares in the same domains. It reports the first step that ends
// differently for the user and for the person.
func askControl(ctx context.Context, r *run) Check {
	status := r.service.Session.Status()
	if _, err := r.service.Session.Token(ctx); err != nil {
		return r.noControl(err)
	}
	if strings.EqualFold(status.Username, r.Email) {
		return Check{State: Info, Summary: "you are signed in as the same person: nothing to compare", Detail: Detail{NewFact("signed_in_as", status.Username)}}
	}
	own := append([]Check{r.lookUpOwn(ctx, status.Username), {ID: SignIn, State: OK, Summary: "signed in"}}, r.glanceAll(ctx)...)
	return compare(status.Username, r.known, own)
}

// control holds the steps that were repeated with the session of the program.
type control struct {
	who       string
	own       []Check
	differsAt string // the id of the first step at which they and the person differ
}

// state is how a step came out, "" if they did not take it.
func (c control) state(id string) State { return find(c.own, id).State }

// noControl is the check without a session, which is not there or cannot be used now.
func (r *run) noControl(err error) Check {
	if errors.Is(err, session.ErrSignedOut) || as[*session.EndedError](err) != nil {
		return Check{State: Skipped, Summary: "no session to compare with"}
	}
	return failed("", err)
}

// lookUpOwn looks up the address of the user of the program.
func (r *run) lookUpOwn(ctx context.Context, username string) Check {
	if objection(username) != "" {
		return Check{ID: Lookup, State: Skipped, Summary: "the user name is not an e-mail address"}
	}
	answer, err := r.service.Lookup(ctx, username)
	if err != nil {
		c := failed("", err)
		c.ID = Lookup
		return c
	}
	return Check{ID: Lookup, State: OK, Summary: answer.PrimaryDomain}
}

// glanceAll asks the gateways that the person's check asked, a few at a time.
func (r *run) glanceAll(ctx context.Context) []Check {
	names := []string{r.primary()}
	if r.person() != nil {
		names = r.domains()
	}
	found := make([]Check, len(names))
	var all sync.WaitGroup
	room := make(chan struct{}, mostAtOnce)
	for i, name := range names {
		if name == "" {
			continue
		}
		all.Go(func() { // ends with ctx
			room <- struct{}{}
			defer func() { <-room }()
			found[i] = recovered(ctx, r, step{run: func(ctx context.Context, r *run) Check { return r.glance(ctx, name) }})
			found[i].ID = DomainPrefix + name
		})
	}
	all.Wait()
	return found
}

// glance asks one gateway with the session of the program, if its token is for that domain.
func (r *run) glance(ctx context.Context, name string) Check {
	body, _, err := r.service.Glance(ctx, name)
	if as[*session.NotReachedError](err) != nil || as[*session.UnknownDomainError](err) != nil {
		return Check{State: Skipped, Summary: "not one of their domains"}
	}
	if errors.Is(err, api.ErrUnauthorized) || errors.Is(err, api.ErrForbidden) {
		return Check{State: Fail, Summary: failed("", err).Summary}
	}
	if err != nil {
		return failed("", err)
	}
	defer body.Close()
	counted, err := CountShares(body, MostCounted)
	if err != nil {
		return failed("", body.Unreadable(err))
	}
	return Check{State: OK, Summary: sharesText(counted)}
}

// compare puts the checks of the program's user beside the person's.
func compare(username string, person, own []Check) Check {
	c := Check{State: OK, Detail: Detail{NewFact("signed_in_as", username)}}
	c.found = &finding{}
	f := &c.found.control
	f.who = username
	compared := 0
	for _, mine := range own {
		if mine.ID == "" {
			continue
		}
		f.own = append(f.own, mine)
		c.Detail = append(c.Detail, NewFact(mine.ID, string(mine.State)+", "+mine.Summary))
		theirs := find(person, mine.ID)
		if !isComparable(mine.State, theirs.State) {
			continue
		}
		compared++
		if f.differsAt == "" && works(mine.State) != works(theirs.State) {
			c.State = Info
			f.differsAt = mine.ID
			c.Detail = append(c.Detail, NewFact("differs_at", mine.ID))
			c.Summary = nameOf(mine.ID) + " works for " + username + ", not for this person"
			if !works(mine.State) {
				c.Summary = nameOf(mine.ID) + " works for this person, not for " + username
			}
		}
	}
	switch {
	case c.Summary != "":
	case compared == 0:
		c.State, c.Summary = Info, "no request in common"
	default:
		c.Summary = "same result for " + username
	}
	return c
}

// isComparable reports whether two outcomes can be put beside each other. That something
// could not be completed for the user says nothing about what works for the
// person.
func isComparable(mine, theirs State) bool {
	switch mine {
	case Unknown:
		return theirs == Fail || theirs == Unknown
	case Skipped:
		return false
	}
	return works(theirs) || theirs == Fail || theirs == Unknown
}

// nameOf is a check as people call it.
func nameOf(id string) string {
	if name, ok := strings.CutPrefix(id, DomainPrefix); ok {
		return hostname.Readable(name)
	}
	return id
}
