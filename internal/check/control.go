package check

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
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
	own := append([]Check{r.lookUpOwn(ctx, status.Username)}, r.glanceAll(ctx)...)
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
	c := Check{State: Skipped, Summary: "the user name is not an e-mail address"}
	if objection(username) == "" {
		if answer, err := r.service.Lookup(ctx, username); err != nil {
			c = failed("", err)
		} else {
			c = Check{State: OK, Summary: answer.PrimaryDomain}
		}
	}
	c.ID = Lookup
	return c
}

// glanceAll asks the gateways that the person's check asked, a few at a time.
func (r *run) glanceAll(ctx context.Context) []Check {
	var names []string
	if r.person() != nil {
		names = r.domains()
	} else if r.primary() != "" {
		names = []string{r.primary()}
	}
	found := make([]Check, len(names))
	var all errgroup.Group
	all.SetLimit(maxAtOnce)
	for i, name := range names {
		all.Go(func() error { // ends with ctx
			found[i] = recovered(ctx, r, step{run: func(ctx context.Context, r *run) Check { return readShares(ctx, r.service, name, "") }})
			found[i].ID = DomainPrefix + name
			return nil
		})
	}
	_ = all.Wait()
	return found
}

// compare puts the checks of the program's user beside the person's. The summary names the steps
// that both took, and those that did not work and the user did not take: they signed in earlier.
func compare(username string, person, own []Check) Check {
	found := &finding{control: control{who: username, own: own}}
	c := Check{State: OK, Detail: Detail{NewFact("signed_in_as", username)}, found: found}
	var work, fail, alone []string
	for _, ours := range own {
		c.Detail = append(c.Detail, NewFact(ours.ID, string(ours.State)+", "+ours.Summary))
		theirs := find(person, ours.ID).State
		switch name := checkName(ours.ID); {
		case !isComparable(ours.State, theirs):
		case works(ours.State) && works(theirs):
			work = append(work, name)
		case ours.State == Fail && theirs == Fail:
			fail = append(fail, name)
		case !works(ours.State) && !works(theirs): // one of them is unknown
			alone = append(alone, name)
		case found.control.differsAt == "":
			found.control.differsAt = ours.ID
			c.Detail = append(c.Detail, NewFact("differs_at", ours.ID))
			c.State, c.Summary = Info, name+" works for "+username+", not for this person"
			if theirs == Unknown {
				c.Summary = name + " works for " + username + "; for this person it is not known"
			} else if !works(ours.State) {
				c.Summary = name + " works for this person, not for " + username
			}
		}
	}
	for _, theirs := range person {
		if theirs.State.Failed() && !isComparable(found.control.state(theirs.ID), theirs.State) {
			alone = append(alone, checkName(theirs.ID))
		}
	}
	if c.Summary == "" {
		c.State, c.Summary = alike(username, work, fail, alone)
	}
	return c
}

// alike says which steps work for both, which for neither, and which were not compared.
func alike(username string, work, fail, alone []string) (State, string) {
	state := OK
	if len(work)+len(fail) == 0 || len(alone) > 0 {
		state = Info
	}
	var parts []string
	add := func(says string, names []string) {
		if len(names) > 0 {
			parts = append(parts, says+": "+human.List(names))
		}
	}
	add("works for "+username+" too", work)
	add("does not work for "+username+" either", fail)
	add("not compared", alone)
	return state, cmp.Or(strings.Join(parts, "; "), "no request in common")
}

// isComparable reports whether two outcomes can be put beside each other. That something could
// not be completed for the user says nothing about what works for the person.
func isComparable(ours, theirs State) bool {
	return ours != Skipped && ours != "" && (theirs.Failed() || ours != Unknown && works(theirs))
}

// nameOf is a check as people call it.
func nameOf(id string) string {
	if name, ok := strings.CutPrefix(id, DomainPrefix); ok {
		return hostname.Readable(name)
	}
	return id
}
