package sshd

import (
	"os"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// releaseDelay is how long after visitors came or went memory is released. By then the garbage
	// of their first screens can be collected.
	releaseDelay = 15 * time.Second

	// The bounds and the step of GOGC, and the number of visitors at which it is one step.
	minGCPercent    = 40
	maxGCPercent    = 200
	gcPercentStep   = 20
	visitorsAtAStep = 2000

	// With fewer than ballastBelow visitors there is ballast, and with dropBallastAt none. Between
	// them it stays as it is, so that one visitor does not make and drop it.
	ballastBelow  = 50
	dropBallastAt = 100
	ballastBytes  = 16 << 20
)

// memoryRelease returns memory to the operating system when a tenth of the visitors have come or
// gone. The runtime alone would keep for minutes what they have left. The zero value is ready to
// use.
type memoryRelease struct {
	mu        sync.Mutex
	next      *time.Timer // of the next release; nil if none is due
	changes   int         // visitors who came or went since the last release
	gcPercent int         // GOGC as it was set last; 0 if it was not set
	ballast   []byte      // unused memory, which makes the collector run less often
	ended     bool
	free      func() // releases memory; nil for the runtime's
}

// visitorsChanged counts a visitor who came or went; open is how many there are now.
func (m *memoryRelease) visitorsChanged(open int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changes++
	if os.Getenv("GOGC") == "" {
		m.tuneCollector(open)
	}
	if m.ended {
		return
	}
	mayWait := m.changes <= 2*open // beyond that a release is due even if visitors keep changing
	isWorthIt := m.changes > open/10
	switch {
	case m.next != nil && mayWait:
		m.next.Reset(releaseDelay)
	case m.next == nil && isWorthIt:
		m.next = time.AfterFunc(releaseDelay, m.release)
	}
}

// tuneCollector sets how much garbage may wait, as a share of what is in use: 200 % with few
// visitors, down to 40 % with a thousand. With the default of 100 % each of a thousand visitors
// would take 50 KB more; with 40 % for a few, a quarter of the time of a reconnection would go
// into collecting.
func (m *memoryRelease) tuneCollector(open int) {
	percent := visitorsAtAStep / max(open, 1) * gcPercentStep
	percent = min(max(percent, minGCPercent), maxGCPercent)
	if percent != m.gcPercent {
		m.gcPercent = percent
		debug.SetGCPercent(percent)
	}
	switch {
	case m.ballast == nil && open < ballastBelow:
		m.ballast = make([]byte, ballastBytes)
	case open >= dropBallastAt:
		m.ballast = nil
	}
}

// release returns memory to the operating system.
func (m *memoryRelease) release() {
	m.mu.Lock()
	m.next, m.changes = nil, 0
	m.mu.Unlock()
	if m.free != nil {
		m.free()
		return
	}
	debug.FreeOSMemory()
}

// stop prevents further releases.
func (m *memoryRelease) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	if m.next != nil {
		m.next.Stop()
	}
}
