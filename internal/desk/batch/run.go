package batch

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"gatehouse/internal/text/human"
)

const (
	// maxAsks is how often one address is asked about while the service wants no more
	// requests. Its last answer counts.
	maxAsks = 5
	// firstPause is how long all wait where the service does not say; it doubles with each
	// ask of an address.
	firstPause = time.Second
	// maxPause is how long all wait at most, whatever the service says.
	maxPause = 24 * time.Hour
	// grace is how long requests in flight may take after an interrupt.
	grace = 10 * time.Second
)

// Answer is the answer to the question about one address.
type Answer[T any] struct {
	Value   T
	Outcome Outcome
	// Err is why the service gave no answer, nil where Value tells everything.
	Err error
	// Busy means that the service answered 429: all workers pause for Wait, and then this
	// address is asked about again. Wait is 0 where the service does not say for how long.
	Busy bool
	Wait time.Duration
}

// Options say how a batch is run.
type Options[T any] struct {
	// Ask asks about one address, from several goroutines at once. Its context ends some
	// time after an interrupt; what it returns then is dropped.
	Ask  func(ctx context.Context, email string) Answer[T]
	Jobs int     // how many ask at once, at least 1
	Rate float64 // questions a second together; 0: no limit
	// Known is what is known at the start of the address with an index: those that are Open are
	// asked about. nil: all are.
	Known func(i int) Outcome
	// Take is called with each answer as soon as it is there. Its error ends the batch.
	Take func(i int, a Answer[T]) error
	// Progress is called at the start, each second and at the end; it may be nil.
	Progress func(Progress)
}

// Run asks about the addresses of a list that are not known. All callbacks except Ask are called on
// the goroutine that called Run. When ctx ends, no more questions are asked, those in flight get a
// few seconds, and Run returns the error of ctx. It returns an error of Take at once.
func Run[T any](ctx context.Context, list *List, o Options[T]) error {
	r := &run[T]{
		Options: o,
		list:    list,
		limit:   rate.NewLimiter(rate.Inf, 1),
		results: make(chan result[T]),
		begun:   time.Now(),
	}
	if o.Rate > 0 {
		r.limit.SetLimit(rate.Limit(o.Rate))
	}
	r.progress.Total = list.Len()
	var open []int32
	for i := range list.Addresses {
		if known := r.known(i); known == Open {
			open = append(open, int32(i))
		} else {
			r.progress.count(known, list.Count(i))
		}
	}
	r.before = r.progress.Done

	asking, stop := context.WithCancel(ctx) // asking begins no more questions when it ends
	flight, abandon := context.WithCancel(context.WithoutCancel(ctx))
	todo := make(chan int32, len(open))
	for _, i := range open {
		todo <- i
	}
	close(todo)
	var workers sync.WaitGroup
	for range min(max(o.Jobs, 1), len(open)) {
		workers.Go(func() { r.work(asking, flight, todo) })
	}
	go func() { // ends when the workers do, at the latest with flight
		workers.Wait()
		close(r.results)
	}()
	defer func() {
		stop()
		abandon()
		for range r.results { // which can no longer be taken
		}
	}()
	return r.take(ctx, abandon)
}

type run[T any] struct {
	Options[T]
	list    *List
	limit   *rate.Limiter
	gate    gate
	results chan result[T] // closed when the workers have ended

	begun    time.Time
	before   int // how many were known then
	progress Progress
}

// result is what a worker has found out, or the value of its panic.
type result[T any] struct {
	index    int
	answer   Answer[T]
	panicked any
}

func (r *run[T]) known(i int) State {
	if r.Known == nil {
		return Open
	}
	return r.Known(i).State
}

// take passes answers on until the workers have ended. The error is that of ctx only if it has kept
// addresses from being asked about.
func (r *run[T]) take(ctx context.Context, abandon func()) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	interrupted := ctx.Done()
	var patience <-chan time.Time
	r.report()
	for {
		select {
		case result, more := <-r.results:
			switch {
			case !more:
				r.report()
				if r.progress.Done < r.progress.Total {
					return ctx.Err()
				}
				return nil
			case result.panicked != nil:
				panic(result.panicked) // where the caller expects one
			}
			r.progress.count(result.answer.Outcome.State, r.list.Count(result.index))
			if err := r.Take(result.index, result.answer); err != nil {
				return err
			}
		case <-tick.C:
			r.report()
		case <-interrupted:
			interrupted, patience = nil, time.After(grace)
			r.progress.Ending = true
			r.report()
		case <-patience:
			abandon()
		}
	}
}

// work asks about one address after the other.
func (r *run[T]) work(asking, flight context.Context, todo <-chan int32) {
	defer func() {
		if value := recover(); value != nil {
			r.results <- result[T]{panicked: value}
		}
	}()
	for i := range todo {
		answer, answered := r.askOne(asking, flight, r.list.Addresses[i])
		if !answered {
			return
		}
		r.results <- result[T]{index: int(i), answer: answer}
	}
}

// askOne asks about an address until there is an answer other than that the service is
// busy, or one too many of those. answered is false if the batch ends first.
func (r *run[T]) askOne(asking, flight context.Context, email string) (answer Answer[T], answered bool) {
	for ask := 1; ; ask++ {
		if r.gate.wait(asking) != nil || r.limit.Wait(asking) != nil || r.gate.wait(asking) != nil {
			return answer, false
		}
		answer = r.Ask(flight, email)
		switch {
		case flight.Err() != nil:
			return answer, false
		case !answer.Busy || ask == maxAsks:
			return answer, true
		}
		r.gate.close(min(cmp.Or(answer.Wait, firstPause<<(ask-1)), maxPause))
	}
}

// report tells the progress.
func (r *run[T]) report() {
	if r.Progress == nil {
		return
	}
	r.progress.Waiting = r.gate.left()
	if passed := time.Since(r.begun); passed >= time.Second/2 {
		r.progress.PerSecond = float64(r.progress.Done-r.before) / passed.Seconds()
	}
	r.Progress(r.progress)
}

// gate makes all workers wait.
type gate struct {
	mu    sync.Mutex
	until time.Time
}

// close keeps the gate closed for a time from now, at least.
func (g *gate) close(wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(wait); until.After(g.until) {
		g.until = until
	}
}

// left is how long the gate stays closed, 0 if it is open.
func (g *gate) left() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(time.Until(g.until), 0)
}

// wait returns when the gate is open or ctx has ended.
func (g *gate) wait(ctx context.Context) error {
	for left := g.left(); left > 0 && ctx.Err() == nil; left = g.left() {
		select {
		case <-ctx.Done():
		case <-time.After(left):
		}
	}
	return ctx.Err()
}

// Progress is how far a batch is, in lines of its list.
type Progress struct {
	Total int
	Done  int // of Total, those included that were known before
	// Failed and Unknown are how many of Done failed, and could not be found out.
	Failed, Unknown int
	// PerSecond is how many are finished a second, 0 if that is not known yet.
	PerSecond float64
	// Waiting is how long all workers still pause, as the service asked.
	Waiting time.Duration
	Ending  bool // after an interrupt: only requests in flight are waited for
}

// count counts lines whose address is finished.
func (p *Progress) count(s State, lines int) {
	p.Done += lines
	switch s {
	case Failed:
		p.Failed += lines
	case Unknown:
		p.Unknown += lines
	}
}

// String is the progress in one line: "1,204 of 5,000 · 12 fail · 9.8/s · 6m 27s left".
func (p Progress) String() string {
	parts := []string{human.Number(p.Done) + " of " + human.Number(p.Total)}
	if p.Failed > 0 {
		parts = append(parts, Failed.Counted(p.Failed))
	}
	if p.Unknown > 0 {
		parts = append(parts, Unknown.Counted(p.Unknown))
	}
	if p.PerSecond > 0 {
		pace := human.Number(int(p.PerSecond))
		if p.PerSecond < 100 {
			pace = strconv.FormatFloat(p.PerSecond, 'f', 1, 64)
		}
		parts = append(parts, pace+"/s")
	}
	switch {
	case p.Ending:
		parts = append(parts, "ending after the requests in flight")
	case p.Waiting > 0:
		parts = append(parts, "waiting "+human.Span(p.Waiting+time.Second-1)+", as the service asks")
	case p.PerSecond > 0 && p.Done < p.Total:
		seconds := min(float64(p.Total-p.Done)/p.PerSecond, 1e9) // more is no Duration
		parts = append(parts, human.Span(time.Duration(seconds*float64(time.Second)))+" left")
	}
	return strings.Join(parts, " · ")
}
