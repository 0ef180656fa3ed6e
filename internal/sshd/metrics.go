package sshd

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	runtimemetrics "runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// metrics count what a server does. The text format of Prometheus is a line for a
// number, which its client library would be much weight for.
type metrics struct {
	open, total, panics atomic.Int64
	in, out             atomic.Int64
	seconds             atomic.Int64 // of connections that have ended, in nanoseconds
	refusals            labelled     // by reason, before a handshake
	auth                labelled     // by result
	requests            labelled     // by kind, that were refused
	endings             labelled     // by reason
}

// labelled is a counter for each of a few words that the program itself says.
type labelled struct {
	mu     sync.Mutex
	counts map[string]int64
}

func (l *labelled) add(word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts = make(map[string]int64)
	}
	l.counts[word]++
}

func (l *labelled) each(yield func(word string, count int64)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, word := range slices.Sorted(maps.Keys(l.counts)) {
		yield(word, l.counts[word])
	}
}

func (m *metrics) began() {
	m.open.Add(1)
	m.total.Add(1)
}

func (m *metrics) ended(v *visit) {
	m.open.Add(-1)
	m.in.Add(v.conn.in.Load())
	m.out.Add(v.conn.out.Load())
	m.seconds.Add(int64(time.Since(v.began)))
	m.endings.add(v.why().word)
}

// write writes all numbers in the text format of Prometheus.
func (m *metrics) write(w io.Writer) {
	number := func(name, kind, help string, value any) {
		describe(w, name, kind, help)
		fmt.Fprintf(w, "%s %v\n", name, value)
	}
	family := func(name, help, label string, l *labelled) {
		describe(w, name, "counter", help)
		l.each(func(word string, count int64) { fmt.Fprintf(w, "%s{%s=%q} %d\n", name, label, word, count) })
	}
	number("gatehouse_ssh_connections_open", "gauge", "Connections that are open.", m.open.Load())
	number("gatehouse_ssh_connections_total", "counter", "Connections that were let in.", m.total.Load())
	family("gatehouse_ssh_refusals_total", "Connections that were refused at the door.", "reason", &m.refusals)
	family("gatehouse_ssh_auth_total", "Attempts to authenticate.", "result", &m.auth)
	family("gatehouse_ssh_refused_requests_total", "Requests of clients that were refused.", "kind", &m.requests)
	family("gatehouse_ssh_ends_total", "Connections that have ended.", "reason", &m.endings)
	number("gatehouse_ssh_connection_seconds_total", "counter", "How long connections lasted that have ended.", time.Duration(m.seconds.Load()).Seconds())
	number("gatehouse_ssh_received_bytes_total", "counter", "Bytes of connections that have ended, from clients.", m.in.Load())
	number("gatehouse_ssh_sent_bytes_total", "counter", "Bytes of connections that have ended, to clients.", m.out.Load())
	number("go_goroutines", "gauge", "Goroutines that exist.", runtime.NumGoroutine())
	number("go_memstats_heap_alloc_bytes", "gauge", "Bytes of memory that are in use, or not yet collected.", heapBytes())
	number("gatehouse_ssh_panics_total", "counter", "Connections that ended with a panic.", m.panics.Load())
}

func heapBytes() uint64 {
	heap := []runtimemetrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	runtimemetrics.Read(heap)
	return heap[0].Value.Uint64()
}

func describe(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}
