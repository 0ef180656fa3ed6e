package check

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// mostAtOnce is how many gateways of the person's domains are asked at the same time.
const mostAtOnce = 4

// task is a step and how far it is.
type task struct {
	step
	begun, ended bool
	check        Check
}

// execution runs the steps of one check. Everything but the steps themselves happens on
// the goroutine of execute.
type execution struct {
	ctx      context.Context
	work     *run
	grace    time.Duration
	progress func(Check)
	tasks    []*task // in causal order
	results  chan result
	running  int
}

type result struct {
	task  *task
	check Check
}

// execute runs steps side by side as far as their order allows, and returns their checks
// in causal order. It waits for each step no longer than its limit and the grace.
func execute(ctx context.Context, work *run, steps []step, grace time.Duration, progress func(Check)) []Check {
	e := &execution{ctx: ctx, work: work, grace: grace, progress: progress, results: make(chan result)}
	for _, s := range steps {
		e.tasks = append(e.tasks, &task{step: s})
	}
	for e.begin(); e.running > 0; e.begin() {
		done := <-e.results
		e.running--
		e.end(done.task, done.check)
	}
	return e.checks()
}

// checks are those that have ended, in causal order.
func (e *execution) checks() []Check {
	var ended []Check
	for _, t := range e.tasks {
		if t.ended {
			ended = append(ended, t.check)
		}
	}
	return ended
}

// begin starts every step whose turn has come, and ends those that need not be started,
// until nothing changes.
func (e *execution) begin() {
	for again := true; again; {
		again = false
		for _, t := range e.tasks {
			if t.begun || !e.isReady(t) {
				continue
			}
			again = true
			e.start(t)
			break // the list may have changed
		}
	}
}

// isReady reports whether everything before a step has ended, and there is room for it.
func (e *execution) isReady(t *task) bool {
	if strings.HasPrefix(t.id, DomainPrefix) && e.domainsRunning() >= mostAtOnce {
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

func (e *execution) start(t *task) {
	t.begun = true
	if because := e.obstacle(t); because != "" {
		e.end(t, Check{State: Skipped, Summary: "not possible without " + because, Because: because})
		return
	}
	if e.ctx.Err() != nil {
		e.end(t, unbegun(e.ctx))
		return
	}
	if t.id == Control {
		e.work.known = e.checks()
	}
	e.progress(Check{ID: t.id, State: Running})
	e.running++
	go func() { // ends with the step's limit and the grace
		started := e.work.now()
		check := perform(e.ctx, e.work, t.step, e.grace)
		took := e.work.now().Sub(started)
		check.MS = took.Milliseconds()
		if _, isHost := unreachable[t.id]; !isHost { // the flight to a host has measured it
			check.noteWait(took)
		}
		e.results <- result{t, check}
	}()
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
		c.Detail = Detail{}
	}
	t.check = c
	e.progress(c)
	if t.then == nil || c.State == Skipped {
		return
	}
	at := slices.Index(e.tasks, t) + 1
	for i, s := range t.then(e.work) {
		e.tasks = slices.Insert(e.tasks, at+i, &task{step: s})
	}
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
func perform(ctx context.Context, work *run, s step, grace time.Duration) Check {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	answer := make(chan Check, 1)
	go func() { answer <- recovered(ctx, work, s) }() // ends with ctx, as all requests do
	select {
	case check := <-answer:
		return check
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case check := <-answer:
		return check
	case <-late.C:
		return unfinished(ctx)
	}
}

// stopped is said of what ended because somebody ended it.
const stopped = "stopped before it was completed"

// unfinished is a check that ended with its context: its time was over, or somebody
// stopped it.
func unfinished(ctx context.Context) Check {
	if errors.Is(ctx.Err(), context.Canceled) {
		return Check{State: Unknown, Summary: stopped}
	}
	return Check{State: Unknown, Summary: "not completed in time"}
}

// unbegun is a check whose turn came when the context of all had ended.
func unbegun(ctx context.Context) Check {
	if errors.Is(ctx.Err(), context.Canceled) {
		return unfinished(ctx)
	}
	return Check{State: Unknown, Summary: "not begun in time"}
}

// recovered runs a step whose panic is one check that could not be completed. Its value
// may have a secret, so it is not shown.
func recovered(ctx context.Context, work *run, s step) (check Check) {
	defer func() {
		if recover() != nil {
			check = Check{State: Unknown, Summary: "ended by a mistake in the program"}
		}
	}()
	return s.run(ctx, work)
}
