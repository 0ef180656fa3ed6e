package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// garbage is how much a server may have beside what is in use, in percent: visitors who
	// look at their screen hold what they need, and those who come leave much behind.
	garbage = 50
	// leastGarbage is how much it may have however little is in use, in bytes. A few visitors
	// hold ten megabytes or so, and half of that is left behind by six who come back: without
	// it the collector takes a fifth of what a server computes for them.
	leastGarbage = 32 << 20
)

// tuneCollector keeps the collector at [garbageFor] what is in use, from one collection to
// the next, for as long as the process runs.
var tuneCollector = sync.OnceFunc(func() {
	before := garbage
	debug.SetGCPercent(before)
	afterEachCollection(func() {
		if now := garbageFor(liveBytes()); now != before {
			before = now
			debug.SetGCPercent(now)
		}
	})
})

// garbageFor is how much garbage there may be beside so many bytes that are in use, in percent.
func garbageFor(live uint64) int {
	return max(garbage, int(100*leastGarbage/max(live, 1<<20)))
}

// liveBytes is what the last collection has left.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 1 << 62 // which no longer exists: nothing is known of what is in use
	}
	return sample[0].Value.Uint64()
}

// afterEachCollection calls a function after each collection, on a goroutine of the runtime.
func afterEachCollection(do func()) {
	collected := new(struct{ _ [4]*byte }) // with pointers, so that it is not one of several in a block
	runtime.AddCleanup(collected, func(do func()) {
		do()
		afterEachCollection(do)
	}, do)
}
