package sshd

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// ebbPause is how long visitors may have been gone before their memory is given back,
// so that a coming and going costs one collection a second at most.
const ebbPause = time.Second

// ebb gives the memory of visitors who have left back to the system. The runtime would
// keep it for hours on a server at which little happens. The zero ebb is ready to use.
type ebb struct {
	mu   sync.Mutex
	open int         // connections
	most int         // that were open since memory was given back
	due  *time.Timer // nil: no giving back is due
	over bool

	free func() // nil: the runtime's
}

// now is told how many connections are open.
func (e *ebb) now(open int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open, e.most = open, max(e.most, open)
	if open <= e.most/2 && e.due == nil && !e.over {
		e.due = time.AfterFunc(ebbPause, e.giveBack)
	}
}

func (e *ebb) giveBack() {
	e.mu.Lock()
	e.due, e.most = nil, e.open
	e.mu.Unlock()
	if e.free != nil {
		e.free()
		return
	}
	runtime.GC() // what sync.Pools hold outlives one collection
	debug.FreeOSMemory()
}

// stop has no more memory given back.
func (e *ebb) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	if e.due != nil {
		e.due.Stop()
	}
}
