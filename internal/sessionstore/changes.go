package sessionstore

import (
	"context"
	"sync"
	"time"
)

// waitLimit is how long [Sessions.Wait] waits at most.
const waitLimit = 2 * time.Second

// changes wakes those who wait for the change of a row; the zero value is ready.
type changes struct {
	mu   sync.Mutex
	next chan struct{} // closed with the next change; nil if nobody waits
}

// tell wakes all who wait.
func (c *changes) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}

// wait waits for a change, within limits.
func (c *changes) wait(ctx context.Context) {
	c.mu.Lock()
	if c.next == nil {
		c.next = make(chan struct{})
	}
	next := c.next
	c.mu.Unlock()
	limit := time.NewTimer(waitLimit)
	defer limit.Stop()
	select {
	case <-next:
	case <-limit.C:
	case <-ctx.Done():
	}
}
