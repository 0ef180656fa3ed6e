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
	// maxAsks is how often an address is asked about while the service is busy. The last answer
	// counts.
	maxAsks = 5
	// firstPause is how long all workers pause if a busy service does not say for how long. The
	// pause doubles each time that an address is asked about again.
	firstPause = time.Second
	// maxPause is the longest pause, whatever the service says.
	maxPause = 24 * time.Hour
	// grace is how long requests in flight may take after an interrupt.
	grace = 10 * time.Second
)

// Answer is the answer to the question about one address.
type Answer[T any] struct {
	Value   T
	Outcome Outcome
	// Err is why the service gave no answer; nil if it did.
	Err error
	// Busy means that the service answered 429: all workers pause for Wait, and then this address
	// is asked about again. Wait is 0 if the service does not say for how long.
	Busy bool
	Wait time.Duration
}

// Options say how a batch is run.
type Options[T any] struct {
	// Ask asks about one address. It is called from several goroutines at once. Its context ends
	// some time after an interrupt; an answer that is returned then is dropped.
	Ask func(ctx context.Context, email string) Answer[T]
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Rate is the maximum number of questions a second of all workers together; 0 for no limit.
	Rate float64
	// Known returns what is known of the address with an index at the start. Those that are Open
	// are asked about. If it is nil, all are.
	Known func(i int) Outcome
	// Take is called with each answer as soon as it has come. Its error ends the batch.
	Take func(i int, a Answer[T]) error
	// Progress is called at the start, every second, and at the end; it may be nil.
	Progress func(Progress)
}

// Run asks about the addresses of a list that are not known. All functions of the options except
// Ask are called on the goroutine that called Run. When ctx ends, no more questions are asked,
// those in flight get a few seconds, and Run returns the error of ctx. It returns an error of Take
// at once.
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
	todo := r.todo()
	asking, stop := context.WithCancel(ctx) // until it ends, questions are asked
	flight, abandon := context.WithCancel(context.WithoutCancel(ctx))
	var workers sync.WaitGroup
	for range min(max(o.Jobs, 1), len(todo)) {
		workers.Go(func() { r.work(asking, flight, todo) })
	}
	go func() { // ends with the workers, at the latest when flight ends
		workers.Wait()
		close(r.results)
	}()
	defer func() {
		stop()
		abandon()
		for range r.results { // they are dropped, so that the workers can end
		}
	}()
	return r.take(ctx, abandon)
}

// todo are the indexes of the addresses that are not known, in a closed channel. All others are
// counted.
func (r *run[T]) todo() <-chan int32 {
	r.progress.Total = r.list.Len()
	var open []int32
	for i := range r.list.Addresses {
		if known := r.known(i); known == Open {
			open = append(open, int32(i))
		} else {
			r.progress.count(known, r.list.Count(i))
		}
	}
	r.before = r.progress.Done
	todo := make(chan int32, len(open))
	for _, i := range open {
		todo <- i
	}
	close(todo)
	return todo
}

// run is a batch that is being run.
type run[T any] struct {
	Options[T]
	list    *List
	limit   *rate.Limiter
	gate    gate
	results chan result[T] // closed when the workers have ended

	begun    time.Time
	before   int // lines that were known at the start
	progress Progress
}

// result is what a worker has found out, or the value of its panic.
type result[T any] struct {
	index    int
	answer   Answer[T]
	panicked any
}

// known is the state of the address with an index at the start.
func (r *run[T]) known(i int) State {
	if r.Known == nil {
		return Open
	}
	return r.Known(i).State
}

// take passes answers on until the workers have ended. A panic of a worker goes on here, where the
// caller of Run expects it. The error is that of ctx only if some addresses have not been asked
// about.
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
				panic(result.panicked)
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

// askOne asks about an address until the service is not busy, at most maxAsks times. answered is
// false if the batch ends first.
func (r *run[T]) askOne(
	asking, flight context.Context, email string,
) (answer Answer[T], answered bool) {
	for ask := 1; ; ask++ {
		if r.mayAsk(asking) != nil {
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

// mayAsk waits until a question may be asked. The gate may have closed while the limiter waited, so
// it is asked twice.
func (r *run[T]) mayAsk(asking context.Context) error {
	if err := r.gate.wait(asking); err != nil {
		return err
	}
	if err := r.limit.Wait(asking); err != nil {
		return err
	}
	return r.gate.wait(asking)
}

// minPassed is how long a batch must have run before its pace is known.
const minPassed = time.Second / 2

// report reports the progress.
func (r *run[T]) report() {
	if r.Progress == nil {
		return
	}
	r.progress.Waiting = r.gate.left()
	if passed := time.Since(r.begun); passed >= minPassed {
		r.progress.PerSecond = float64(r.progress.Done-r.before) / passed.Seconds()
	}
	r.Progress(r.progress)
}

// gate makes all workers wait while it is closed.
type gate struct {
	mu    sync.Mutex
	until time.Time
}

// close closes the gate for a time from now, unless it is closed for longer already.
func (g *gate) close(wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(wait); until.After(g.until) {
		g.until = until
	}
}

// left is how long the gate stays closed; 0 if it is open.
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
	// Done is the number of lines that have ended, with those that were known at the start. Failed
	// and Unknown are how many of them ended in these states.
	Done, Failed, Unknown int
	// PerSecond is the number of lines that end in a second; 0 if that is not known yet.
	PerSecond float64
	// Waiting is how long all workers still pause, as a busy service has asked.
	Waiting time.Duration
	// Ending means that there was an interrupt, and only requests in flight go on.
	Ending bool
}

// count counts the lines with an address that ended in a state.
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
		parts = append(parts, p.pace()+"/s")
	}
	switch {
	case p.Ending:
		parts = append(parts, "ending after the requests in flight")
	case p.Waiting > 0:
		wait := p.Waiting + time.Second - 1 // rounded up
		parts = append(parts, "waiting "+human.Span(wait)+", as the service asks")
	case p.PerSecond > 0 && p.Done < p.Total:
		parts = append(parts, human.Span(p.left())+" left")
	}
	return strings.Join(parts, " · ")
}

// pace is the number of lines that end in a second, in words.
func (p Progress) pace() string {
	const minWhole = 100 // from here on without a decimal
	if p.PerSecond >= minWhole {
		return human.Number(int(p.PerSecond))
	}
	return strconv.FormatFloat(p.PerSecond, 'f', 1, 64)
}

// left is about how long the batch still takes.
func (p Progress) left() time.Duration {
	const maxSeconds = 1e9 // a [time.Duration] cannot be much longer
	seconds := min(float64(p.Total-p.Done)/p.PerSecond, maxSeconds)
	return time.Duration(seconds * float64(time.Second))
}
