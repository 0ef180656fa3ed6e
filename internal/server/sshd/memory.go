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
	percent int         // of what is kept may wait as garbage, 0 for the default
	ballast []byte      // counts as kept, so that more garbage may wait; nobody reads it
	ended   bool
	free    func() // nil for the runtime's
}

// moved counts a visitor who came or went; open is how many there are now.
func (m *memoryRelease) moved(open int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.moves++
	if os.Getenv("GOGC") == "" {
		m.collect(open)
	}
	switch {
	case m.next != nil && !m.ended && m.moves <= 2*open: // or it would never be due while they come and go
		m.next.Reset(releaseDelay)
	case m.next == nil && !m.ended && m.moves > open/10:
		m.next = time.AfterFunc(releaseDelay, m.release)
	}
}

// collect sets how much garbage may wait: about 40 % of what a thousand visitors keep, up to 200 %
// of what few keep. With the default of 100 % each of a thousand takes 50 KB more; with 40 % for
// few, collecting takes a quarter of the time of a reconnection.
func (m *memoryRelease) collect(open int) {
	if percent := min(max(2000/max(open, 1)*20, 40), 200); percent != m.percent { // in steps of 20
		m.percent = percent
		debug.SetGCPercent(percent)
	}
	if m.ballast == nil && open < 50 {
		m.ballast = make([]byte, 16<<20)
	} else if open >= 100 {
		m.ballast = nil
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
