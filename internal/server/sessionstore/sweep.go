package sessionstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"gatehouse/internal/text/human"
)

// A sweep deletes what has ended, by a clock that may be wrong, and cannot be undone. So a second
// clock has to agree: for a [Local] the time of the last sweep and what has passed since, and for a
// [Postgres] the clock of this machine.

const (
	// sweepEvery is how often a server sweeps its store.
	sweepEvery = 10 * time.Minute
	// maxAhead is how far the two clocks may differ. What has ended by one of them alone ends
	// within that time.
	maxAhead = 24 * time.Hour
	// clockTrial is how long a clock that was set forward has to stay so before sweeps go by it. It
	// is longer than a weekend, in which nobody reads the log; until then some room is wasted.
	clockTrial = 3 * 24 * time.Hour
)

// ClockError means that a sweep has kept sessions and tickets that have ended by the clock, as the
// clock may be wrong.
type ClockError struct {
	// Ahead is how far the clock is ahead of what it should show after the last sweep or, if Until
	// is zero, of this machine's clock.
	Ahead time.Duration
	// Until is from when sweeps go by the clock, if it is not set back; zero for a database.
	Until time.Time
}

func (e *ClockError) Error() string {
	ahead := human.InWords(e.Ahead)
	if e.Until.IsZero() {
		return "the clock of the database is " + ahead +
			" ahead of this machine's: what has ended by only one of them is kept"
	}
	return "the clock was set forward, or no server has run, by " + ahead +
		": sessions and tickets that have ended are kept until " + human.Moment(e.Until.UTC()) +
		" and deleted then if the clock stays as it is"
}

// SweepNowAndThen sweeps a store every [sweepEvery] until end is called, which waits for a sweep
// that is running. It calls warn with a *[ClockError] each time that a clock begins to be
// doubted; other errors are left to the next sweep.
func SweepNowAndThen(s Store, warn func(error)) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var sweeping sync.WaitGroup
	sweeping.Go(func() {
		var lastDoubt *ClockError
		for wait(ctx, time.After(sweepEvery)) {
			doubt, _ := errors.AsType[*ClockError](s.Sweep(ctx))
			isNew := doubt != nil && (lastDoubt == nil || !lastDoubt.Until.Equal(doubt.Until))
			if isNew {
				warn(doubt)
			}
			lastDoubt = doubt
		}
	})
	return func() {
		cancel()
		sweeping.Wait()
	}
}

// sweepsVersion is the version of the format of [sweeps].
const sweepsVersion = 1

// sweeps is what a [Local] remembers of its sweeps. Its JSON is the format of a file.
type sweeps struct {
	Version int       `json:"version"`
	Last    time.Time `json:"last"`
	// Jumped is when, by the doubted clock itself, it was found to be Ahead; zero if it is not
	// doubted.
	Jumped time.Time     `json:"jumped,omitzero"`
	Ahead  time.Duration `json:"ahead,omitzero"`
}

// after returns what is known at the next sweep. now is the time by the clock, and passed the time
// since the last sweep by the monotonic clock, which nobody can set.
func (s sweeps) after(passed time.Duration, now time.Time) sweeps {
	next := s
	next.Version, next.Last = sweepsVersion, now.Round(0)
	moved := next.Last.Sub(s.Last) - passed
	if moved.Abs() > maxAhead {
		next.Ahead, next.Jumped = s.Ahead+moved, next.Last
	}
	if next.Ahead <= maxAhead || next.Last.Sub(next.Jumped) >= clockTrial {
		next.Ahead, next.Jumped = 0, time.Time{}
	}
	return next
}

// doubt is why sessions and tickets may not be deleted; nil if the clock is not doubted.
func (s sweeps) doubt() *ClockError {
	if s.Jumped.IsZero() {
		return nil
	}
	return &ClockError{Ahead: s.Ahead, Until: s.Jumped.Add(clockTrial)}
}

// sweepClock is the part of a [Local] that judges whether its clock can be trusted.
type sweepClock struct {
	sweeps
	elapsed   func() time.Duration // since the store was opened, by the monotonic clock
	lastSweep time.Duration        // what elapsed was at the last sweep
}

// beginSweeping initializes the clock of sweeps. The first server of a store trusts its clock.
func (l *Local) beginSweeping() {
	begun := l.now()
	l.clock = sweepClock{elapsed: func() time.Duration { return l.now().Sub(begun) }}
	l.clock.sweeps, _ = l.backend.loadSweeps()
	if l.clock.Last.IsZero() {
		l.clock.Last = begun.Round(0)
	}
}

// checkClock remembers that a sweep begins, and returns why it may not delete sessions and tickets.
func (l *Local) checkClock() *ClockError {
	l.mu.Lock()
	defer l.mu.Unlock()
	elapsed := l.clock.elapsed()
	l.clock.sweeps = l.clock.after(elapsed-l.clock.lastSweep, l.now())
	l.clock.lastSweep = elapsed
	_ = l.backend.saveSweeps(l.clock.sweeps) // where that fails, the next process doubts its clock more
	return l.clock.doubt()
}
