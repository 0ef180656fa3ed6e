package check

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
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
		return Check{State: Skipped, Summary: Summary{"no session to compare with"}}
	case err != nil:
		c := asked("", observe(err, r.isDiscreet()))
		c.State = Unknown // it is not the person's
		return c
	case strings.EqualFold(status.Username, r.Email):
		return Check{
			State:   Info,
			Summary: Summary{"you are signed in as the same person: nothing to compare"},
			found:   &observation{User: status.Username},
		}
	}
	looked := Check{State: Skipped, Summary: Summary{"the user name is not an e-mail address"}}
	if hostname.EmailObjection(status.Username) == "" {
		answer, err := r.service.Lookup(ctx, status.Username)
		looked = Check{State: OK, Summary: Summary{answer}}
		if err != nil {
			looked = asked("", observe(err, r.isDiscreet()))
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

// comparison is a step as it came out for the program's user.
type comparison struct {
	step    string // the id of its check
	own     State
	summary Summary
}

// compare puts the checks of the program's user beside the person's, and finds the first step that
// works for one of them alone. What could not be completed for the user says nothing of the person.
func compare(username string, person, own []Check) Check {
	o := &observation{User: username}
	for _, ours := range own {
		o.comparisons = append(o.comparisons, comparison{ours.ID, ours.State, ours.Summary})
		theirs := find(person, ours.ID)
		switch {
		case !isDecided(ours.State), !isDecided(theirs.State):
		case works(ours.State) && works(theirs.State):
			o.WorksToo = append(o.WorksToo, ours.ID)
		case works(ours.State) == works(theirs.State):
			o.FailsToo = append(o.FailsToo, ours.ID)
		case o.DiffersAt == "":
			o.DiffersAt, o.worksHere = ours.ID, works(ours.State)
		}
	}
	return Check{State: Info, Summary: Summary{o.comparison()}, found: o}
}

// comparison says what the control has shown.
func (o *observation) comparison() string {
	names := func(ids []string) string {
		var list []string
		for _, id := range ids {
			list = append(list, checkName(id))
		}
		return human.List(list)
	}
	verb := func(ids []string, one, more string) string {
		if len(ids) > 1 {
			return more
		}
		return one
	}
	switch {
	case o.DiffersAt != "" && o.worksHere:
		return checkName(o.DiffersAt) + " works for " + o.User + ", not for this person"
	case o.DiffersAt != "":
		return checkName(o.DiffersAt) + " works for this person, not for " + o.User
	case len(o.FailsToo) > 0:
		return names(o.FailsToo) + verb(o.FailsToo, " fails", " fail") + " for " + o.User + ", too"
	case len(o.WorksToo) > 0:
		return names(o.WorksToo) + verb(o.WorksToo, " works", " work") + " for " + o.User + ", too"
	}
	return "no step to compare"
}

// isDecided reports whether a check says that something works or does not.
func isDecided(s State) bool { return works(s) || s == Fail }
