package records

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxRowsPerCheck and bytesAtOnce limit what is worked on between two checks of the
// context, and by one goroutine while another may have nothing to do.
const maxRowsPerCheck, bytesAtOnce = 256, 2 << 20

// rowsPerCheck is how many rows are worked on between two checks of the context.
func (t *Table) rowsPerCheck() int { return t.rowsAtOnce(maxRowsPerCheck) }

// rowsAtOnce is how many rows are worked on at once: at most so many, and fewer
// where they are long.
func (t *Table) rowsAtOnce(most int) int {
	mean := len(t.body) / max(1, t.Len())
	return max(1, min(most, bytesAtOnce/max(1, mean)))
}

// workers are some goroutines. A panic in one of them comes out of Wait, on the
// goroutine of whoever called, who can still end the program in order.
type workers struct {
	running sync.WaitGroup
	panic   atomic.Pointer[any] // what the first that panicked did so with
}

func (w *workers) Go(work func()) {
	w.running.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				w.panic.CompareAndSwap(nil, &value)
			}
		}()
		work()
	})
}

func (w *workers) Wait() {
	w.running.Wait()
	if value := w.panic.Load(); value != nil {
		panic(*value)
	}
}

// inParallel calls work for each of the numbers below n, on all processors, and
// returns when all is done. Before each call it looks at the context: when that
// ends, so does the work, and its error is returned.
func inParallel(ctx context.Context, n int, work func(i int)) error {
	return shared(ctx, runtime.GOMAXPROCS(0), n, work)
}

// inBackground is inParallel for what nobody waits for: one processor is left free
// for the work that somebody does wait for.
func inBackground(ctx context.Context, n int, work func(i int)) error {
	return shared(ctx, max(1, runtime.GOMAXPROCS(0)-1), n, work)
}

func shared(ctx context.Context, most, n int, work func(i int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var (
		taken   atomic.Int64
		stopped atomic.Bool
		all     workers
	)
	for range min(most, n) {
		all.Go(func() {
			for i := int(taken.Add(1)) - 1; i < n && !stopped.Load(); i = int(taken.Add(1)) - 1 {
				if ctx.Err() != nil {
					stopped.Store(true)
					return
				}
				work(i)
				// Otherwise a goroutine that answers a key waits up to 10 ms for a processor.
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	if stopped.Load() {
		return ctx.Err()
	}
	return nil
}

// maxRowsPerTurn is how many rows one goroutine takes at a time where it keeps what
// it learns: enough to make the taking cost nothing.
const maxRowsPerTurn = 16 * maxRowsPerCheck

// runner is inParallel or inBackground.
type runner func(ctx context.Context, n int, work func(i int)) error

// gather calls visit for each position of the selection, several at once. Each
// goroutine has a state of its own; all of them are returned.
func gather[S any](ctx context.Context, run runner, s selection, visit func(state *S, position int)) ([]*S, error) {
	var (
		states, idle []*S
		access       sync.Mutex
	)
	take := func() *S {
		access.Lock()
		defer access.Unlock()
		if len(idle) == 0 {
			states = append(states, new(S))
			return states[len(states)-1]
		}
		state := idle[len(idle)-1]
		idle = idle[:len(idle)-1]
		return state
	}
	rowsPerTurn := s.table.rowsAtOnce(maxRowsPerTurn)
	turns := (s.size + rowsPerTurn - 1) / rowsPerTurn
	err := run(ctx, turns, func(turn int) {
		state := take()
		for position := turn * rowsPerTurn; position < min((turn+1)*rowsPerTurn, s.size); position++ {
			visit(state, position)
		}
		access.Lock()
		defer access.Unlock()
		idle = append(idle, state)
	})
	return states, err
}

// inTurn calls visit for each position of the selection, one after the other.
func inTurn(ctx context.Context, s selection, visit func(position int)) error {
	rowsPerCheck := s.table.rowsPerCheck()
	for position := range s.size {
		if position%rowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		visit(position)
	}
	return nil
}
