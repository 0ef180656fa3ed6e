package check

import (
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
	_, err := r.service.Session.Token(ctx)
	switch {
	case errors.Is(err, session.ErrSignedOut) || as[*session.EndedError](err) != nil:
		return Check{State: Skipped, Summary: "no session to compare with"}
	case err != nil:
		return failed("", err)
	case strings.EqualFold(status.Username, r.Email):
		return Check{State: Info, Summary: "you are signed in as the same person: nothing to compare", Detail: Detail{NewFact(factUser, status.Username)}}
	}
	looked := Check{State: Skipped, Summary: "the user name is not an e-mail address"}
	if hostname.EmailObjection(status.Username) == "" {
		answer, err := r.service.Lookup(ctx, status.Username)
		looked = Check{State: OK, Summary: answer}
		if err != nil {
			looked = failed("", err)
		}
	}
	looked.ID = Lookup
	return compare(status.Username, r.known, append([]Check{looked}, r.glanceAll(ctx)...))
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
			found[i] = recovered(func() Check { return readShares(ctx, r.service, name, "") })
			found[i].ID = DomainPrefix + name
			return nil
		})
	}
	_ = all.Wait()
	return found
}

// The facts of the control, beside one for each step that was repeated: its state and summary.
const (
	factUser    = "signed_in_as"
	factDiffers = "differs_at" // the id of the first step at which the user and the person differ
)

// compare puts the checks of the program's user beside the person's, and finds the first step that
// works for one of them alone. What could not be completed for the user says nothing of the person.
func compare(username string, person, own []Check) Check {
	c := Check{State: Info, Detail: Detail{NewFact(factUser, username)}}
	var alike []string
	for _, ours := range own {
		c.Detail = append(c.Detail, NewFact(ours.ID, string(ours.State)+", "+ours.Summary))
		theirs, name := find(person, ours.ID), checkName(ours.ID)
		switch {
		case !isDecided(ours.State), !isDecided(theirs.State) && (theirs.State != Unknown || !works(ours.State)):
		case works(ours.State) == works(theirs.State):
			alike = append(alike, name)
		case c.Summary == "":
			c.Detail = append(c.Detail, NewFact(factDiffers, ours.ID))
			c.Summary = name + " works for " + username + ", not for this person"
			if works(theirs.State) {
				c.Summary = name + " works for this person, not for " + username
			} else if theirs.State == Unknown {
				c.Summary = name + " works for " + username + "; for this person it is not known"
			}
		}
	}
	switch {
	case c.Summary != "":
	case len(alike) == 0:
		c.Summary = "no step to compare"
	default:
		c.Summary = "same outcome for " + username + ": " + human.List(alike)
	}
	return c
}

// isDecided reports whether a check says that something works or does not.
func isDecided(s State) bool { return works(s) || s == Fail }

// controlOutcome is how a step came out for the program's user, "" if they did not take it, as the
// control of a report says it.
func controlOutcome(checks []Check, id string) (user string, state State) {
	detail := find(checks, Control).Detail
	before, _, _ := strings.Cut(detail.Text(id), ", ")
	return detail.Text(factUser), State(before)
}
