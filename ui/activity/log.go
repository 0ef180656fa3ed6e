package activity

import (
	"sync"
	"sync/atomic"

	"gatehouse/api"
)

// kept is how many requests are remembered.
const kept = 1000

// Log remembers the last requests. It is filled by the transport, from any
// goroutine, and read by the screen.
type Log struct {
	mu        sync.Mutex
	exchanges []api.Exchange
	// total is changed under the lock and read without, for each frame asks.
	total atomic.Int64
}

// Add remembers a request: the function to observe with.
func (l *Log) Add(e api.Exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.exchanges) < kept {
		l.exchanges = append(l.exchanges, e)
	} else {
		l.exchanges[l.total.Load()%kept] = e
	}
	l.total.Add(1)
}

// Total is how many requests there were in all; it changes with each one.
func (l *Log) Total() int { return int(l.total.Load()) }

// Latest returns the remembered requests, the newest first.
func (l *Log) Latest() []api.Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	latest := make([]api.Exchange, 0, len(l.exchanges))
	for i := range len(l.exchanges) {
		latest = append(latest, l.exchanges[(l.Total()-1-i)%kept])
	}
	return latest
}
