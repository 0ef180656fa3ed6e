package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// step is one check: what it needs and does, and how it came out.
type step struct {
	id    string
	needs []string      // what must not have failed before; it begins when these have ended
	after []string      // what must have ended before, however; [DomainPrefix] is all domains
	limit time.Duration // its own deadline
	// run does the work. It fills in everything but ID and MS.
	run func(ctx context.Context, r *run) Check
	// then is called when the step has ended, and returns further steps, which come after it
	// in causal order; nil for none.
	then func(r *run) []*step

	check Check // without a state until the step begins
}

func (s *step) isDomain() bool { return strings.HasPrefix(s.id, DomainPrefix) }

func (s *step) hasEnded() bool { return s.check.State != "" && s.check.State != Running }

// needed are what the checks give to later ones.
var needed = map[string]string{Profile: "a usable profile", Lookup: "a primary domain", SignIn: "a sign-in"}

// maxAtOnce is how many gateways of the person's domains are asked at the same time.
const maxAtOnce = 4

// outcome is how a step has ended.
type outcome struct {
	step  *step
	check Check
}

// execute runs steps, which are in causal order, side by side as far as their order allows, and
// returns their checks. It waits for each step no longer than its limit and the grace. Everything
// but the steps themselves happens on its goroutine.
func execute(ctx context.Context, work *run, steps []*step, progress func(Check)) []Check {
	outcomes, running := make(chan outcome), 0
	end := func(s *step, c Check) {
		c.ID = s.id
		if c.Detail == nil {
			c.Detail = c.finding().facts()
		}
		s.check = c
		progress(c)
		if s.then != nil && c.State != Skipped {
			steps = slices.Insert(steps, slices.Index(steps, s)+1, s.then(work)...)
		}
	}
	for {
		s := nextOf(steps)
		if s == nil && running == 0 {
			return endedOf(steps)
		}
		if s == nil {
			o := <-outcomes
			running--
			end(o.step, o.check)
			continue
		}
		if because := s.obstacle(steps); because != "" {
			end(s, Check{State: Skipped, Summary: "not possible without " + cmp.Or(needed[because], because), Because: because})
			continue
		}
		if ctx.Err() != nil {
			end(s, unfinished(ctx, "not started in time"))
			continue
		}
		if s.id == Control {
			work.known = endedOf(steps)
		}
		s.check = Check{ID: s.id, State: Running}
		progress(s.check)
		running++
		go func() { outcomes <- outcome{s, s.perform(ctx, work)} }() // ends with the step's limit and the grace
	}
}

// nextOf is the first step whose turn has come, nil if there is none: everything before it has
// ended, and there is room for it.
func nextOf(steps []*step) *step {
	domains := 0
	for _, s := range steps {
		if s.isDomain() && s.check.State == Running {
			domains++
		}
	}
	isPending := func(id string) bool {
		return slices.ContainsFunc(steps, func(s *step) bool { return !s.hasEnded() && (s.id == id || id == DomainPrefix && s.isDomain()) })
	}
	for _, s := range steps {
		hasRoom := !s.isDomain() || domains < maxAtOnce
		if s.check.State == "" && hasRoom && !slices.ContainsFunc(slices.Concat(s.needs, s.after), isPending) {
			return s
		}
	}
	return nil
}

// endedOf are the checks that have ended, in causal order.
func endedOf(steps []*step) (checks []Check) {
	for _, s := range steps {
		if s.hasEnded() {
			checks = append(checks, s.check)
		}
	}
	return checks
}

// obstacle is the id of the check for which a step cannot be done, "" if there is none:
// the first cause, not what was skipped for it.
func (s *step) obstacle(steps []*step) string {
	for _, before := range steps {
		switch c := before.check; {
		case !slices.Contains(s.needs, before.id):
		case c.State == Skipped:
			return cmp.Or(c.Because, c.ID)
		case c.isObstacle(), c.State == Unknown && (c.ID == Lookup || s.id == Claims): // its answer is part of what is asked
			return c.ID
		case c.finding().kept: // a password that may not leave for one may not for the other
			return c.ID
		}
	}
	return ""
}

// isObstacle reports whether nothing further can be asked after a check. A host that
// answers, with an error or a wrong clock, may still do what matters.
func (c Check) isObstacle() bool { return c.State == Fail && c.Code != Clock && !isServerError(c) }

// perform runs a step, and says how long it took. It returns when the step does, or with the
// limit and the grace.
func (s *step) perform(ctx context.Context, work *run) (c Check) {
	started := work.now()
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	answer := make(chan Check, 1)
	go func() { // ends with ctx, as all requests do
		answer <- recovered(func() Check { return s.run(ctx, work) })
	}()
	select {
	case c = <-answer:
	case <-ctx.Done():
		select {
		case c = <-answer:
		case <-time.After(graceLimit):
			c = unfinished(ctx, "not completed in time")
		}
	}
	took := work.now().Sub(started)
	c.MS = took.Milliseconds()
	if unreachable[s.id] == "" { // the flight to a host has measured it
		c.noteWait(took)
	}
	return c
}

// Slow is how long an answer may take before it is a warning, and slowFor begins what is said of it.
const (
	Slow    = time.Second
	slowFor = " · slow: "
)

// noteWait makes a slow answer a warning.
func (c *Check) noteWait(took time.Duration) {
	if c.Status > 0 && took > Slow && (c.State == OK || c.State == Info) {
		c.State, c.Code, c.waited = Warn, LooksFine, took
		c.Summary += slowFor + human.Took(took)
	}
}

// stopped is said of what ended because somebody ended it.
const stopped = "stopped before it was completed"

// unfinished is a check that ended with its context: somebody stopped it, or it was late.
func unfinished(ctx context.Context, late string) Check {
	if errors.Is(ctx.Err(), context.Canceled) {
		return Check{State: Unknown, Summary: stopped}
	}
	return Check{State: Unknown, Summary: late}
}

// recovered is the check that run makes. A panic is one that could not be completed; its value
// may have a secret, so it is not shown.
func recovered(run func() Check) (c Check) {
	defer func() {
		if recover() != nil {
			c = Check{State: Unknown, Summary: "ended by an internal error"}
		}
	}()
	return run()
}
