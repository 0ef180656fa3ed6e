package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"gatehouse/api"
)

// step is one check: what it needs, what it does, and how it came out.
type step struct {
	id    string
	needs []string      // ids of steps that must have succeeded before
	after []string      // ids of steps that must have ended before; [DomainPrefix] is all domains
	limit time.Duration // how long it may take
	// run does the work. It fills in everything except ID and MS.
	run func(ctx context.Context, r *run) Check
	// then is called when the step has ended, and returns more steps that follow it in causal
	// order. It may be nil.
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

// execute runs steps, which are in causal order, and returns their checks. Steps run in parallel as
// far as needs and after allow. It waits for each step no longer than its limit and the grace. Only
// the work of the steps happens on other goroutines, so progress and then are called on this one.
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
			end(s, Check{
				State:   Skipped,
				Summary: Summary{"not possible without " + cmp.Or(KindOf(because).gives, because)},
				Because: because,
			})
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
		go func() { // ends with the step's limit and the grace
			outcomes <- ended{s, s.perform(ctx, work)}
		}()
	}
}

// nextOf returns the first step that can begin, or nil if there is none: all steps that it waits for
// have ended, and not too many domains are being asked.
func nextOf(steps []*step) *step {
	runningDomains := 0
	for _, s := range steps {
		if s.isDomain() && s.check.State == Running {
			runningDomains++
		}
	}
	isPending := func(id string) bool {
		return slices.ContainsFunc(steps, func(s *step) bool {
			isMeant := s.id == id || id == DomainPrefix && s.isDomain()
			return isMeant && !s.hasEnded()
		})
	}
	for _, s := range steps {
		hasBegun := s.check.State != ""
		hasRoom := !s.isDomain() || runningDomains < maxAtOnce
		hasToWait := slices.ContainsFunc(slices.Concat(s.needs, s.after), isPending)
		if !hasBegun && hasRoom && !hasToWait {
			return s
		}
	}
	return nil
}

// endedOf returns the checks that have ended, in causal order.
func endedOf(steps []*step) (checks []Check) {
	for _, s := range steps {
		if s.hasEnded() {
			checks = append(checks, s.check)
		}
	}
	return checks
}

// obstacle returns the id of the check because of which a step cannot be done, or "". If that check
// was skipped itself, it is the one because of which it was.
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

// isStoppedBy reports whether a check that a step needs did not find what the step needs it for. A
// host that answers with an error or has a wrong clock stops nothing: it may still do what matters.
func (s *step) isStoppedBy(c Check) bool {
	seen := c.seen()
	switch {
	case c.ID == Lookup:
		return seen.PrimaryDomain == ""
	case c.ID == SignIn && s.id == Device: // a password that may have been refused is not sent again
		return seen.outcome != outcomeAnswered && !seen.blocks()
	case c.ID == SignIn:
		return seen.outcome != outcomeAnswered
	}
	return seen.blocks()
}

// blocks reports whether the host cannot be asked for anything else either.
func (o *observation) blocks() bool {
	return o.outcome == outcomeUnusable || o.outcome >= outcomeNoWay && o.outcome <= outcomeHandshake
}

// perform runs a step and measures how long it takes. It returns when the step does, and no later
// than the limit and the grace.
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
	if !isHost(s.id) { // the time of a request to a host was noted with its answer, see hostMemory
		c.noteWait(took)
	}
	return c
}

// Slow is how long an answer may take before it is a warning.
const Slow = time.Second

// noteWait notes how long an answer took, and makes a slow one a warning.
func (c *Check) noteWait(took time.Duration) {
	o := c.seen()
	if o.outcome == outcomeSilent { // the wait may have been that of an earlier request
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

// unfinished returns the check of a step whose context has ended: either somebody stopped it, or it
// was late.
func unfinished(ctx context.Context, late outcome) Check {
	if errors.Is(ctx.Err(), context.Canceled) {
		o := &observation{outcome: outcomeStopped, Failure: failureStopped}
		return unknown(o, "stopped before it was completed")
	}
	o := &observation{outcome: late, Failure: api.CauseTimeout.String()}
	return unknown(o, "not completed in time")
}

// unknown returns a check that could not be completed.
func unknown(o *observation, summary string) Check {
	return Check{State: Unknown, Summary: Summary{summary}, found: o}
}

// recovered returns the check that run makes. After a panic that is a check which could not be
// completed; the value of the panic is not shown, as it may have a secret.
func recovered(run func() Check) (c Check) {
	defer func() {
		if recover() != nil {
			c = unknown(&observation{outcome: outcomeBroken}, "ended by an internal error")
		}
	}()
	return run()
}
