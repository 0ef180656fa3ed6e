//go:build linux

package sshload

import (
	"context"
	"flag"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

var (
	sessions = flag.Int("sessions", 20, "how many visitors are connected at once")
	busy     = flag.Int("busy", 200, "how many of them press keys, at most")
	pause    = flag.Duration("pause", time.Second, "time between two keys of a visitor")
	period   = flag.Duration("period", time.Second, "how long they do so, and how long all are idle before")
	life     = flag.Duration("life", 0, "life of access tokens (default: that of the demo)")
)

// atOnce is how many visitors connect at the same time.
const atOnce = 8

// patience is how long any one step may take.
const patience = time.Minute

// settling is how long the server has to clear up after those who left.
const settling = 2 * time.Second

// BenchmarkSSHLoad has many visitors sign in to a service in a process of its own and look
// at the shares of a domain, each on a connection of its own, and measures what that costs
// the server. The visitors run on the same machine, so rates and times have their part in them.
func BenchmarkSSHLoad(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the visitors' share of the machine
	for b.Loop() {
		measure(b, startServer(b, serviceOf(b, *life), append(unlimited, "--anyone", "--expose-sign-in")...))
	}
}

func measure(b *testing.B, s *server) {
	ctx := b.Context()
	leaveAll(b, arrive(ctx, b, s, 1)) // what is made once is not the next one's
	waitFor(ctx, settling)
	before := s.parts()

	began := time.Now()
	visitors := arrive(ctx, b, s, *sessions)
	b.ReportMetric(float64(len(visitors)), "sessions")
	b.ReportMetric(float64(len(visitors))/time.Since(began).Seconds(), "sessions/s")
	reportTimes(b, "first-frame", visitors.firstFrames())

	spent := s.processor()
	waitFor(ctx, *period)
	b.ReportMetric(100*(s.processor()-spent).Seconds()/period.Seconds(), "idle-%-of-a-core")
	for name, now := range s.parts() {
		b.ReportMetric((now-before[name])/float64(len(visitors)), name+"/session")
	}

	spent, began = s.processor(), time.Now()
	times := visitors[:min(len(visitors), *busy)].press(ctx, b)
	b.ReportMetric(100*(s.processor()-spent).Seconds()/time.Since(began).Seconds(), "busy-%-of-a-core")
	reportTimes(b, "key", times)

	leaveAll(b, visitors)
	reportLeft(ctx, b, s)
}

// reportLeft has as many visitors come and go once more. What there is more of then than
// before has been left behind; after the first crowd the runtime keeps descriptors of
// goroutines and of memory for the next one.
func reportLeft(ctx context.Context, b *testing.B, s *server) {
	waitFor(ctx, settling)
	memory, heap, goroutines := s.resident(), s.heap(), s.goroutines()
	leaveAll(b, arrive(ctx, b, s, *sessions))
	waitFor(ctx, settling)
	b.ReportMetric(memory/1e6, "MB-without")
	b.ReportMetric(100*s.resident()/memory-100, "memory-left-%")
	b.ReportMetric(100*s.heap()/heap-100, "heap-left-%")
	b.ReportMetric(100*s.goroutines()/goroutines-100, "goroutines-left-%")
}

// crowd is all visitors of a server.
type crowd []*visitor

// arrive has visitors come and go to the shares of a domain, a few at a time.
func arrive(ctx context.Context, b *testing.B, s *server, n int) crowd {
	b.Helper()
	visitors := make(crowd, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i := range visitors {
		group.Go(func() (err error) {
			ctx, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			if visitors[i], err = visit(ctx, "", s.address); err != nil {
				return err
			}
			return visitors[i].browse(ctx)
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	return visitors
}

func leaveAll(b *testing.B, visitors crowd) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	for _, v := range visitors {
		group.Go(func() error { return v.leave(ctx) })
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
}

func (c crowd) firstFrames() []time.Duration {
	var times []time.Duration
	for _, v := range c {
		times = append(times, v.firstFrame)
	}
	return times
}

// press has each visitor press a key now and then, and returns how long it took until
// something came to the screens.
func (c crowd) press(ctx context.Context, b *testing.B) []time.Duration {
	b.Helper()
	times := make([][]time.Duration, len(c))
	group, ctx := errgroup.WithContext(ctx)
	end := time.Now().Add(*period)
	for i, v := range c {
		group.Go(func() error {
			waitFor(ctx, rand.N(*pause))
			for n := 0; n == 0 || time.Now().Before(end); n++ {
				pressed := time.Now()
				took, err := v.press(ctx, []string{"\x1b[B", "\x1b[A"}[n%2])
				if err != nil {
					return err
				}
				times[i] = append(times[i], took)
				waitFor(ctx, *pause-time.Since(pressed))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	return slices.Concat(times...)
}

// waitFor lets time pass.
func waitFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func reportTimes(b *testing.B, what string, times []time.Duration) {
	slices.Sort(times)
	for percent, name := range map[int]string{50: "p50", 99: "p99"} {
		at := min(len(times)*percent/100, len(times)-1)
		b.ReportMetric(float64(times[at].Microseconds())/1000, what+"-"+name+"-ms")
	}
}
