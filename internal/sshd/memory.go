package sshd

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// releasePause is how long visitors may have been gone before their memory is given back,
// so that a coming and going costs one collection a second at most.
const releasePause = time.Second

// memoryRelease gives the memory of visitors who have left back to the system, when half
// of them have. Left alone the runtime keeps it: after 300 sessions 296 MB for two and a
// half minutes and more, where 52 MB are left two seconds after a release. The zero
// value is ready to use.
type memoryRelease struct {
	mu      sync.Mutex
	open    int         // connections
	most    int         // that were open since memory was given back
	due     *time.Timer // nil: no release is due
	stopped bool

	free func() // nil: the runtime's
}

// connections is told how many of them are open.
func (m *memoryRelease) connections(open int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open, m.most = open, max(m.most, open)
	if open <= m.most/2 && m.due == nil && !m.stopped {
		m.due = time.AfterFunc(releasePause, m.release)
	}
}

func (m *memoryRelease) release() {
	m.mu.Lock()
	m.due, m.most = nil, m.open
	m.mu.Unlock()
	if m.free != nil {
		m.free()
		return
	}
	runtime.GC() // what sync.Pools hold outlives one collection
	debug.FreeOSMemory()
}

// stop has no more memory given back.
func (m *memoryRelease) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
	if m.due != nil {
		m.due.Stop()
	}
}
