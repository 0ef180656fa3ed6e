package sshd

import (
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// releaseDelay is how long after visitors came or went memory is released: by then those who came
// have dropped what is drawn at first.
const releaseDelay = 15 * time.Second

// memoryRelease returns memory to the operating system when a tenth of the visitors have come or
// gone. The runtime alone keeps what they left behind for minutes. The zero value is ready to use.
type memoryRelease struct {
	mu      sync.Mutex
	next    *time.Timer // nil if none is due
	moves   int         // visitors who came or went since the last one
	few     bool        // the garbage of few visitors is collected rarely
	ballast []byte      // counts as kept, so that more garbage may wait; nobody reads it
	ended   bool
	free    func() // nil for the runtime's
}

// moved counts a visitor who came or went; open is how many there are now.
func (m *memoryRelease) moved(open int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.moves++
	if few := open < 50 || m.few && open < 100; few != m.few && os.Getenv("GOGC") == "" {
		m.few = few
		percent := 40 // of what is kept; with the default of 100 each of 1,000 takes 50 KB more
		m.ballast = nil
		if few { // that is little memory, and collecting it a quarter of the time of a reconnection
			percent, m.ballast = 200, make([]byte, 16<<20)
		}
		debug.SetGCPercent(percent)
	}
	switch {
	case m.next != nil && !m.ended && m.moves <= 2*open: // or it would never be due while they come and go
		m.next.Reset(releaseDelay)
	case m.next == nil && !m.ended && m.moves > open/10:
		m.next = time.AfterFunc(releaseDelay, m.release)
	}
}

func (m *memoryRelease) release() {
	m.mu.Lock()
	m.next, m.moves = nil, 0
	m.mu.Unlock()
	if m.free != nil {
		m.free()
		return
	}
	debug.FreeOSMemory()
}

// stop ends the releases.
func (m *memoryRelease) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	if m.next != nil {
		m.next.Stop()
	}
}
