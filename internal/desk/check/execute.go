package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"gatehouse/api"
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

func (s *step) isDomain() bool {
	_, ok := DomainOf(s.id)
	return ok
}

func (s *step) hasEnded() bool { return s.check.State != "" && s.check.State != Running }

// maxAtOnce is how many gateways of the person's domains are asked at the same time.
const maxAtOnce = 4

// ended is a step that has ended, with its check.
type ended struct {
	step  *step
	check Check
}

// execute runs steps, which are in causal order, side by side as far as their order allows, and
// returns their checks. It waits for each step no longer than its limit and the grace. Everything
// but the steps themselves happens on its goroutine.
func execute(ctx context.Context, work *run, steps []*step, progress func(Check)) []Check {
	outcomes, running := make(chan ended), 0
	end := func(s *step, c Check) {
		c.ID = s.id
		if c.Detail == nil {
			c.Detail = c.seen().facts()
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
			end(s, Check{State: Skipped, Summary: "not possible without " + cmp.Or(KindOf(because).gives, because), Because: because})
			continue
		}
		if ctx.Err() != nil {
			end(s, unfinished(ctx, outcomeLate))
			continue
		}
		if s.id == Control {
			work.known = endedOf(steps)
		}
		s.check = Check{ID: s.id, State: Running}
		progress(s.check)
		running++
		go func() { outcomes <- ended{s, s.perform(ctx, work)} }() // ends with the step's limit and the grace
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
		case s.isStoppedBy(c):
			return c.ID
		}
	}
	return ""
}

// isStoppedBy reports whether a check that a step needs leaves it without what it needs. A host
// that answers, with an error or a wrong clock, may still do what matters.
func (s *step) isStoppedBy(c Check) bool {
	seen := c.seen()
	switch {
	case c.ID == Lookup:
		return seen.PrimaryDomain == ""
	case c.ID == SignIn && s.id == Device: // a password that may have been refused is not sent once more
		return seen.outcome != outcomeAnswered && !seen.blocks()
	case c.ID == SignIn:
		return seen.outcome != outcomeAnswered
	}
	return seen.blocks()
}

// blocks reports whether nothing further can be asked of a host.
func (o *observation) blocks() bool {
	return o.outcome == outcomeUnusable || o.outcome >= outcomeNoWay && o.outcome <= outcomeHandshake
}

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
			c = unfinished(ctx, outcomeLate)
		}
	}
	took := work.now().Sub(started)
	c.MS = took.Milliseconds()
	if c.found != nil {
		c.found.discreet = work.isDiscreet()
	}
	if !isHost(s.id) { // the flight to a host has measured it
		c.noteWait(took)
	}
	return c
}

// Slow is how long an answer may take before it is a warning.
const Slow = time.Second

// noteWait notes how long an answer took, and makes a slow one a warning.
func (c *Check) noteWait(took time.Duration) {
	o := c.seen()
	if o.outcome == outcomeSilent { // one that is remembered has waited before
		o.waited = max(o.waited, took)
		return
	}
	o.waited = 0
	if !o.outcome.answered() || took <= Slow {
		return
	}
	o.waited = took
	if c.State == OK || c.State == Info {
		c.State = Warn
	}
}

// unfinished is a check that ended with its context: somebody stopped it, or it was late.
func unfinished(ctx context.Context, late outcome) Check {
	if errors.Is(ctx.Err(), context.Canceled) {
		return unknown(&observation{outcome: outcomeStopped, Failure: failureStopped}, "stopped before it was completed")
	}
	return unknown(&observation{outcome: late, Failure: api.CauseTimeout.String()}, "not completed in time")
}

// unknown is a check that could not be completed.
func unknown(o *observation, summary string) Check {
	return Check{State: Unknown, Summary: summary, found: o}
}

// recovered is the check that run makes. A panic is one that could not be completed; its value
// may have a secret, so it is not shown.
func recovered(run func() Check) (c Check) {
	defer func() {
		if recover() != nil {
			c = unknown(&observation{outcome: outcomeBroken}, "ended by an internal error")
		}
	}()
	return run()
}
