package check

import (
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

	begun, ended bool
	check        Check
}

func (s *step) isDomain() bool { return strings.HasPrefix(s.id, DomainPrefix) }

// maxAtOnce is how many gateways of the person's domains are asked at the same time.
const maxAtOnce = 4

// execution runs the steps of one check.
type execution struct {
	ctx      context.Context
	work     *run
	progress func(Check)
	steps    []*step // in causal order
}

// execute runs steps side by side as far as their order allows, and returns their checks
// in causal order. It waits for each step no longer than its limit and the grace. Everything
// but the steps themselves happens on its goroutine.
func execute(ctx context.Context, work *run, steps []*step, progress func(Check)) []Check {
	e := &execution{ctx, work, progress, steps}
	results, running := make(chan *step), 0
	for {
		for s := e.next(); s != nil; s = e.next() {
			s.begun = true
			if because := e.obstacle(s); because != "" {
				e.end(s, Check{State: Skipped, Summary: "not possible without " + because, Because: because})
				continue
			}
			if ctx.Err() != nil {
				e.end(s, unfinished(ctx, "not started in time"))
				continue
			}
			if s.id == Control {
				work.known = e.checks()
			}
			progress(Check{ID: s.id, State: Running})
			running++
			go func() { // ends with the step's limit and the grace
				s.check = e.perform(s)
				results <- s
			}()
		}
		if running == 0 {
			return e.checks()
		}
		s := <-results
		running--
		e.end(s, s.check)
	}
}

// next is the first step whose turn has come, nil if there is none: everything before it has
// ended, and there is room for it.
func (e *execution) next() *step {
	domains := 0
	for _, s := range e.steps {
		if s.isDomain() && s.begun && !s.ended {
			domains++
		}
	}
	for _, s := range e.steps {
		if s.begun || s.isDomain() && domains >= maxAtOnce {
			continue
		}
		if !slices.ContainsFunc(slices.Concat(s.needs, s.after), e.isPending) {
			return s
		}
	}
	return nil
}

// isPending reports whether a step has not ended, or a domain's if the id is [DomainPrefix].
func (e *execution) isPending(id string) bool {
	return slices.ContainsFunc(e.steps, func(s *step) bool { return !s.ended && (s.id == id || id == DomainPrefix && s.isDomain()) })
}

// checks are those that have ended, in causal order.
func (e *execution) checks() (ended []Check) {
	for _, s := range e.steps {
		if s.ended {
			ended = append(ended, s.check)
		}
	}
	return ended
}

// obstacle is the id of the check for which a step cannot be done, "" if there is none:
// the first cause, not what was skipped for it.
func (e *execution) obstacle(s *step) string {
	for _, before := range e.steps {
		if !slices.Contains(s.needs, before.id) {
			continue
		}
		switch c := before.check; {
		case c.State == Skipped && c.Because != "":
			return c.Because
		case c.State == Skipped, c.isObstacle():
			return before.id
		case c.State == Unknown && (before.id == Lookup || s.id == Claims): // its answer is part of what is asked
			return before.id
		}
	}
	return ""
}

// isObstacle reports whether nothing further can be asked after a check. A host that
// answers, with an error or a wrong clock, may still do what matters.
func (c Check) isObstacle() bool { return c.State == Fail && c.Code != Clock && !isServerError(c) }

func (e *execution) end(s *step, c Check) {
	c.ID, s.ended = s.id, true
	if c.Detail == nil {
		c.Detail = c.finding().facts()
	}
	s.check = c
	e.progress(c)
	if s.then != nil && c.State != Skipped {
		e.steps = slices.Insert(e.steps, slices.Index(e.steps, s)+1, s.then(e.work)...)
	}
}

// perform runs a step, and says how long it took. It returns when the step does, or with the
// limit and the grace.
func (e *execution) perform(s *step) Check {
	started := e.work.now()
	ctx, cancel := context.WithTimeout(e.ctx, s.limit)
	defer cancel()
	answer := make(chan Check, 1)
	go func() { // ends with ctx, as all requests do
		answer <- recovered(func() Check { return s.run(ctx, e.work) })
	}()
	var c Check
	select {
	case c = <-answer:
	case <-ctx.Done():
		select {
		case c = <-answer:
		case <-time.After(graceLimit):
			c = unfinished(ctx, "not completed in time")
		}
	}
	took := e.work.now().Sub(started)
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
