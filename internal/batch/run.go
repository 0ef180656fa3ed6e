package batch

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxAsks is how often one address is asked about while the service wants no more
	// requests. Its last answer counts.
	maxAsks = 5
	// firstPause is how long all wait where the service does not say; it doubles with each
	// ask of an address.
	firstPause = time.Second
	// grace is how long what is in flight may take after an interrupt.
	grace = 10 * time.Second
)

// Answer is the answer to the question about one address.
type Answer struct {
	Element []byte // JSON in one line
	// Busy means that the service answered 429: nobody asks anything for Wait, and then this
	// address is asked about again. Wait is 0 where the service does not say for how long.
	Busy bool
	Wait time.Duration
}

// Options say how a batch is run.
type Options struct {
	// Ask asks about one address, from several goroutines at once. Its context ends some
	// time after an interrupt; what it returns then is dropped.
	Ask  func(ctx context.Context, email string) Answer
	Jobs int     // how many ask at once, at least 1
	Rate float64 // questions a second together; 0: no limit
	// AskAgain asks about those again that have failed.
	AskAgain bool
	// Known is called with each element as soon as it is in the journal, and at the start
	// with those that were there, in the order of the list; nil for nobody. Its error ends
	// the batch.
	Known func(element []byte) error
	// Progress is called at the start, each second and at the end; nil for nobody.
	Progress func(Progress)
}

// Run asks about the addresses of a journal that have no element. All callbacks but Ask come
// from the goroutine that called Run. When ctx ends nothing more is asked, what is in flight
// gets some seconds to end, and the error is that of ctx. It ends in the same way with
// [ErrMoved] when the journal is no longer in its place. Other errors are those of the journal
// and of Known.
func Run(ctx context.Context, j *Journal, o Options) error {
	r := &run{journal: j, options: o, limit: rate.NewLimiter(rate.Inf, 1), results: make(chan result)}
	if o.Rate > 0 {
		r.limit.SetLimit(rate.Limit(o.Rate))
	}
	if err := r.start(); err != nil {
		return err
	}
	return cmp.Or(r.ask(ctx), j.Sync())
}

type run struct {
	journal *Journal
	options Options
	limit   *rate.Limiter
	todo    []int32      // indexes of addresses
	next    atomic.Int64 // of todo
	gate    gate
	results chan result

	progress Progress
	pace     pace
}

// result is what a worker has found out, or the value of its panic.
type result struct {
	index    int
	element  []byte
	panicked any
}

// start sorts the addresses into those that are known and those to ask about.
func (r *run) start() error {
	r.progress.Total = r.journal.Len()
	for i := range r.journal.Len() {
		o := r.journal.Outcome(i)
		if o.State == Open || r.options.AskAgain && o.State.IsFailure() {
			r.todo = append(r.todo, int32(i))
			continue
		}
		r.count(o.State)
		if r.options.Known == nil {
			continue
		}
		element, err := r.journal.Element(i)
		if err == nil {
			err = r.options.Known(element)
		}
		if err != nil {
			return err
		}
	}
	r.progress.Before = r.progress.Done
	return nil
}

func (r *run) count(s State) {
	r.progress.Done++
	if s.IsFailure() {
		r.progress.Failed++
	}
}

// ask runs the workers and takes their results.
func (r *run) ask(ctx context.Context) error {
	asking, stop := context.WithCancel(ctx) // asking begins no more questions when it ends
	flight, abandon := context.WithCancel(context.WithoutCancel(ctx))
	done := r.startWorkers(asking, flight)
	defer func() {
		stop()
		abandon()
		for range r.drain(done) {
		}
	}()

	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	r.report()
	interrupted := ctx.Done()
	var patience <-chan time.Time
	var moved error
	finish := func() {
		stop()
		patience = time.After(grace)
		r.progress.Ending = true
		r.report()
	}
	for {
		select {
		case result := <-r.results:
			if err := r.take(result); err != nil {
				return err
			}
		case <-tick.C:
			if err := r.journal.Sync(); err != nil && moved == nil {
				if !errors.Is(err, ErrMoved) {
					return err
				}
				moved = err
				finish()
			}
			r.report()
		case <-interrupted:
			interrupted = nil
			finish()
		case <-patience:
			abandon()
		case <-done:
			r.report()
			return cmp.Or(moved, r.unfinished(ctx))
		}
	}
}

// startWorkers starts them. done is closed when all have ended, at the latest with flight.
func (r *run) startWorkers(asking, flight context.Context) (done chan struct{}) {
	var workers sync.WaitGroup
	for range min(max(r.options.Jobs, 1), len(r.todo)) {
		workers.Go(func() { r.work(asking, flight) })
	}
	done = make(chan struct{})
	go func() { // ends when the workers do
		workers.Wait()
		close(done)
	}()
	return done
}

// drain lets workers end that nobody listens to any more.
func (r *run) drain(done <-chan struct{}) func(func(result) bool) {
	return func(yield func(result) bool) {
		for {
			select {
			case dropped := <-r.results:
				if !yield(dropped) {
					return
				}
			case <-done:
				return
			}
		}
	}
}

// unfinished is the error of the context if it has kept addresses from being asked about.
func (r *run) unfinished(ctx context.Context) error {
	if r.progress.Done < r.progress.Total {
		return ctx.Err()
	}
	return nil
}

// take keeps a result.
func (r *run) take(result result) error {
	if result.panicked != nil {
		panic(result.panicked) // where the caller expects one
	}
	o, err := r.journal.add(result.index, result.element)
	if err != nil {
		return err
	}
	r.count(o.State)
	if r.options.Known == nil {
		return nil
	}
	return r.options.Known(result.element)
}

// work asks about one address after the other.
func (r *run) work(asking, flight context.Context) {
	defer func() {
		if value := recover(); value != nil {
			select {
			case r.results <- result{panicked: value}:
			case <-flight.Done():
			}
		}
	}()
	for asking.Err() == nil {
		n := int(r.next.Add(1)) - 1
		if n >= len(r.todo) {
			return
		}
		index := int(r.todo[n])
		element := r.askOne(asking, flight, r.journal.list.Addresses[index])
		if element == nil {
			return
		}
		select {
		case r.results <- result{index: index, element: element}:
		case <-flight.Done():
			return
		}
	}
}

// askOne asks about an address until there is an answer other than that the service is
// busy, or one too many of those. It is nil if the batch ends first.
func (r *run) askOne(asking, flight context.Context, email string) []byte {
	for ask := 1; ; ask++ {
		if r.gate.wait(asking) != nil || r.limit.Wait(asking) != nil || r.gate.wait(asking) != nil {
			return nil
		}
		answer := r.options.Ask(flight, email)
		switch {
		case flight.Err() != nil:
			return nil
		case !answer.Busy || ask == maxAsks:
			return answer.Element
		}
		r.gate.close(cmp.Or(answer.Wait, firstPause<<(ask-1)))
	}
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
	for {
		left := g.left()
		if left == 0 {
			return ctx.Err()
		}
		timer := time.NewTimer(left)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}
