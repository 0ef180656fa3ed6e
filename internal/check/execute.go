package check

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// maxAtOnce is how many gateways of the person's domains are asked at the same time.
const maxAtOnce = 4

// task is a step and how far it is.
type task struct {
	step
	begun, ended bool
	check        Check
}

// execution runs the steps of one check.
type execution struct {
	ctx      context.Context
	work     *run
	progress func(Check)
	tasks    []*task // in causal order
}

// execute runs steps side by side as far as their order allows, and returns their checks
// in causal order. It waits for each step no longer than its limit and the grace. Everything
// but the steps themselves happens on its goroutine.
func execute(ctx context.Context, work *run, steps []step, progress func(Check)) []Check {
	e := &execution{ctx: ctx, work: work, progress: progress}
	e.insert(0, steps)
	results, running := make(chan *task), 0
	for {
		for t := e.next(); t != nil; t = e.next() {
			t.begun = true
			if c, isOver := e.unneeded(t); isOver {
				e.end(t, c)
				continue
			}
			if t.id == Control {
				work.known = e.checks()
			}
			progress(Check{ID: t.id, State: Running})
			running++
			go func() { // ends with the step's limit and the grace
				t.check = e.measured(t.step)
				results <- t
			}()
		}
		if running == 0 {
			return e.checks()
		}
		t := <-results
		running--
		e.end(t, t.check)
	}
}

func (e *execution) insert(at int, steps []step) {
	for i, s := range steps {
		e.tasks = slices.Insert(e.tasks, at+i, &task{step: s})
	}
}

// checks are those that have ended, in causal order.
func (e *execution) checks() (ended []Check) {
	for _, t := range e.tasks {
		if t.ended {
			ended = append(ended, t.check)
		}
	}
	return ended
}

// next is the first task whose turn has come, nil if there is none.
func (e *execution) next() *task {
	for _, t := range e.tasks {
		if !t.begun && e.isReady(t) {
			return t
		}
	}
	return nil
}

// isReady reports whether everything before a step has ended, and there is room for it.
func (e *execution) isReady(t *task) bool {
	if strings.HasPrefix(t.id, DomainPrefix) && e.domainsRunning() >= maxAtOnce {
		return false
	}
	for _, id := range slices.Concat(t.needs, t.after) {
		for _, before := range e.tasks {
			if before.is(id) && !before.ended {
				return false
			}
		}
	}
	return true
}

func (t *task) is(id string) bool {
	return t.id == id || id == DomainPrefix && strings.HasPrefix(t.id, DomainPrefix)
}

func (e *execution) domainsRunning() (n int) {
	for _, t := range e.tasks {
		if t.is(DomainPrefix) && t.begun && !t.ended {
			n++
		}
	}
	return n
}

// unneeded is the check of a task that need not be run: something else has failed, or the
// time is over.
func (e *execution) unneeded(t *task) (c Check, isOver bool) {
	if because := e.obstacle(t); because != "" {
		return Check{State: Skipped, Summary: "not possible without " + because, Because: because}, true
	}
	return unfinished(e.ctx, "not started in time"), e.ctx.Err() != nil
}

// measured runs a step and says how long it took.
func (e *execution) measured(s step) Check {
	started := e.work.now()
	c := perform(e.ctx, e.work, s)
	took := e.work.now().Sub(started)
	c.MS = took.Milliseconds()
	if unreachable[s.id] == "" { // the flight to a host has measured it
		c.noteWait(took)
	}
	return c
}

// obstacle is the id of the check for which a step cannot be done, "" if there is none:
// the first cause, not what was skipped for it.
func (e *execution) obstacle(t *task) string {
	for _, before := range e.tasks {
		if !slices.Contains(t.needs, before.id) {
			continue
		}
		switch c := before.check; {
		case c.State == Skipped && c.Because != "":
			return c.Because
		case c.State == Skipped, c.isObstacle():
			return before.id
		case c.State == Unknown && (before.id == Lookup || t.id == Claims): // its answer is part of what is asked
			return before.id
		}
	}
	return ""
}

// isObstacle reports whether nothing further can be asked after a check. A host that
// answers, with an error or a wrong clock, may still do what matters.
func (c Check) isObstacle() bool { return c.State == Fail && c.Code != Clock && !isServerError(c) }

func (e *execution) end(t *task, c Check) {
	c.ID, t.ended = t.id, true
	if c.Detail == nil {
		c.Detail = c.finding().facts()
	}
	t.check = c
	e.progress(c)
	if t.then == nil || c.State == Skipped {
		return
	}
	e.insert(slices.Index(e.tasks, t)+1, t.then(e.work))
}

// Slow is how long an answer may take before it is a warning.
const Slow = time.Second

// noteWait makes a slow answer a warning.
func (c *Check) noteWait(took time.Duration) {
	if c.Status > 0 && took > Slow && (c.State == OK || c.State == Info) {
		c.State, c.Code, c.waited = Warn, LooksFine, took
		c.Summary += " · slow: " + human.Took(took)
	}
}

// perform runs a step. It returns when the step does, or with the limit and the grace.
func perform(ctx context.Context, work *run, s step) Check {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	answer := make(chan Check, 1)
	go func() { answer <- recovered(ctx, work, s) }() // ends with ctx, as all requests do
	select {
	case check := <-answer:
		return check
	case <-ctx.Done():
	}
	select {
	case check := <-answer:
		return check
	case <-time.After(graceLimit):
		return unfinished(ctx, "not completed in time")
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

// recovered runs a step whose panic is one check that could not be completed. Its value
// may have a secret, so it is not shown.
func recovered(ctx context.Context, work *run, s step) (check Check) {
	defer func() {
		if recover() != nil {
			check = Check{State: Unknown, Summary: "ended by an internal error"}
		}
	}()
	return s.run(ctx, work)
}
