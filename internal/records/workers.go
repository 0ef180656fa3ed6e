package records

import (
	"context"
	"sync"
)

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
