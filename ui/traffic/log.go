// Package traffic keeps the latest requests of the program. They have been redacted before.
package traffic

import (
	"slices"
	"sync"
	"time"

	"gatehouse/api"
)

// Kept is the number of entries that a log keeps.
const Kept = 1000

// Log keeps the latest requests, and notes on what became of the session. Any goroutine may use it.
// The zero Log is empty.
type Log struct {
	mu      sync.Mutex
	entries []Entry       // a ring: an entry is at its number modulo Kept
	next    int           // number of the next entry
	from    time.Time     // when the log was cleared last; earlier entries are not taken
	version int           // increases with each change
	changed chan struct{} // closed by the next change; nil if nobody waits for it
}

// Entry is one line of a log: a request, or a note.
type Entry struct {
	Number   int // one more than that of the entry before
	At       time.Time
	Exchange *api.Exchange // nil for a note
	Text     string        // of a note
	Bad      bool          // the note is about something that went wrong
}

// Add adds a request. It is the function with which a client observes its requests.
func (l *Log) Add(x api.Exchange) {
	l.add(Entry{At: x.Start, Exchange: &x})
}

// Note adds what became of the session, such as a renewal. The text must not contain a secret.
func (l *Log) Note(at time.Time, text string, bad bool) {
	l.add(Entry{At: at, Text: text, Bad: bad})
}

// Clear removes all entries, for another person who signs in. Requests that began before now are
// not added when they end.
func (l *Log) Clear(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries, l.next, l.from = nil, 0, now
	l.tell()
}

// add adds an entry with the next number, in place of the oldest one if there is no room.
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

// tell tells those who wait that there is a change. l.mu is held.
func (l *Log) tell() {
	l.version++
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// Requests returns the requests of the log, the newest first. The caller must not change them.
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

// All returns the entries of the log, the oldest first, its version, and when it was cleared last.
func (l *Log) All() (entries []Entry, version int, begun time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := max(l.next-Kept, 0) % Kept
	return slices.Concat(l.entries[oldest:], l.entries[:oldest]), l.version, l.from
}

// After returns a channel that is closed as soon as the log has another version.
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

// Entry returns the entry with a number. ok is false if the log does not have it.
func (l *Log) Entry(number int) (e Entry, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := l.next - len(l.entries)
	if number < oldest || number >= l.next {
		return Entry{}, false
	}
	return l.entries[number%Kept], true
}
