// Package traffic remembers the last requests of the program, which arrive already redacted.
package traffic

import (
	"slices"
	"sync"
	"time"

	"gatehouse/api"
)

// Kept is how many entries are remembered.
const Kept = 1000

// Log remembers the last requests, and what the program said meanwhile. It is
// filled from any goroutine and read by a screen. The zero Log is empty.
type Log struct {
	mu      sync.Mutex
	entries []Entry // a ring: the entry of a number is at number%Kept
	next    int     // the number of the next entry
	from    time.Time
	version int           // one more with each change
	changed chan struct{} // closed by the next change; nil: nobody waits for it
}

// Entry is one line of a log: a request, or a note of the program.
type Entry struct {
	Number   int // one more than that of the entry before
	At       time.Time
	Exchange *api.Exchange // nil: a note
	Text     string        // of a note
	Bad      bool          // the note is of something that went wrong
}

// Add remembers a request: the function to observe with.
func (l *Log) Add(x api.Exchange) {
	l.add(Entry{At: x.Start, Exchange: &x})
}

// Note remembers what became of the session, such as a renewal. The text must hold no
// secret.
func (l *Log) Note(at time.Time, text string, bad bool) {
	l.add(Entry{At: at, Text: text, Bad: bad})
}

// Clear forgets everything, also what began before a moment and has not ended yet: when
// another person signs in.
func (l *Log) Clear(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries, l.next, l.from = nil, 0, now
	l.tell()
}

func (l *Log) add(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.At.Before(l.from) {
		return
	}
	e.Number = l.next
	l.next++
	if len(l.entries) < Kept {
		l.entries = append(l.entries, e)
	} else {
		l.entries[e.Number%Kept] = e
	}
	l.tell()
}

// tell ends every wait for a change.
func (l *Log) tell() {
	l.version++
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// Requests returns the requests that are remembered, the newest first. They are
// shared: they are not to be changed.
func (l *Log) Requests() []*api.Exchange {
	entries, _, _ := l.All()
	var requests []*api.Exchange
	for _, e := range slices.Backward(entries) {
		if e.Exchange != nil {
			requests = append(requests, e.Exchange)
		}
	}
	return requests
}

// All returns what is remembered, the oldest first, the version it is of, and when
// the log was begun again.
func (l *Log) All() (entries []Entry, version int, begun time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := max(l.next-Kept, 0) % Kept
	return slices.Concat(l.entries[oldest:], l.entries[:oldest]), l.version, l.from
}

// After returns a channel that is closed when the log is another than at a
// version.
func (l *Log) After(version int) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.version != version {
		changed := make(chan struct{})
		close(changed)
		return changed
	}
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.changed
}

// Entry is the entry with a number, if it is still remembered.
func (l *Log) Entry(number int) (Entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if number < 0 || number >= l.next || number < l.next-len(l.entries) {
		return Entry{}, false
	}
	return l.entries[number%Kept], true
}
