package lists

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxRowsAtOnce and bytesAtOnce limit what is worked on between two checks of the
// context, and by one goroutine while another may have nothing to do.
const maxRowsAtOnce, bytesAtOnce = 256, 2 << 20

// rowsAtOnce is how many rows are worked on between two checks of the context: fewer
// where they are long.
func (t *Table) rowsAtOnce() int {
	mean := len(t.body) / max(1, t.Len())
	return max(1, min(maxRowsAtOnce, bytesAtOnce/max(1, mean)))
}

// inChunks calls work for stretches of n positions, on all processors, and
// returns when all is done. Before each call it looks at the context: when that
// ends, so does the work, and its error is returned. A panic in work comes out of
// inChunks, where the caller can still end the program in order.
func (t *Table) inChunks(ctx context.Context, n int, work func(first, end int)) error {
	var (
		size    = t.rowsAtOnce()
		taken   atomic.Int64
		running sync.WaitGroup
		panicky atomic.Pointer[any] // what the first panic has to say
	)
	for range max(1, min(runtime.GOMAXPROCS(0), n/size+1)) {
		running.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					panicky.CompareAndSwap(nil, &value)
				}
			}()
			for ctx.Err() == nil {
				first := int(taken.Add(int64(size))) - size
				if first >= n {
					return
				}
				work(first, min(first+size, n))
				// Otherwise a goroutine that answers a key waits up to 10 ms for a processor.
				runtime.Gosched()
			}
		})
	}
	running.Wait()
	if value := panicky.Load(); value != nil {
		panic(*value)
	}
	return ctx.Err()
}
