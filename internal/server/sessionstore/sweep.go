package sessionstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"gatehouse/internal/text/human"
)

// A sweep deletes for good what has ended, by a clock that may be wrong. So a second witness has to
// agree: for a [Local] the time of the sweep before, and for a [Postgres] the clock of this machine.

const (
	// sweepEvery is how often a server sweeps its store.
	sweepEvery = 10 * time.Minute
	// maxAhead is how far the two may differ: what has not ended by the one ends soon.
	maxAhead = 24 * time.Hour
	// clockTrial is how long a clock that was set forward has to go on before sweeps go by it. It is
	// longer than a weekend, in which nobody reads the log, and costs no more than some room.
	clockTrial = 3 * 24 * time.Hour
)

// ClockError means that a sweep has left sessions and tickets that have ended by the clock, as that
// may be wrong.
type ClockError struct {
	// Ahead is how far the clock is ahead: of the last sweep or, if Until is zero, of this machine's.
	Ahead time.Duration
	// Until is when sweeps go by the clock, if it is not set again.
	Until time.Time
}

func (e *ClockError) Error() string {
	ahead := human.InWords(e.Ahead)
	if e.Until.IsZero() {
		return "the clock of the database is " + ahead + " ahead of this machine's: what has ended by only one of them is kept"
	}
	return "the clock was set forward, or no server has run, by " + ahead + ": sessions and tickets that have ended are kept until " +
		human.Moment(e.Until.UTC()) + " and deleted then if the clock stays as it is"
}

// SweepNowAndThen sweeps a store until the caller ends it. Each time that a clock begins to be
// doubted, warn is told with a *[ClockError].
func SweepNowAndThen(s Store, warn func(error)) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var sweeping sync.WaitGroup
	sweeping.Go(func() {
		var told *ClockError
		for wait(ctx, time.After(sweepEvery)) {
			err := s.Sweep(ctx) // the next one does what this could not
			doubt, _ := errors.AsType[*ClockError](err)
			if doubt != nil && (told == nil || !told.Until.Equal(doubt.Until)) {
				warn(doubt)
			}
			told = doubt
		}
	})
	return func() {
		cancel()
		sweeping.Wait()
	}
}

// sweepsVersion is the version of the format of [sweeps].
const sweepsVersion = 1

// sweeps is what a [Local] knows of its sweeps. The JSON is the format of a file.
type sweeps struct {
	Version int       `json:"version"`
	Last    time.Time `json:"last"`
	// Jumped is when the clock was found to be ahead, by itself; zero if it is not doubted.
	Jumped time.Time     `json:"jumped,omitzero"`
	Ahead  time.Duration `json:"ahead,omitzero"`
}

// after is what is known at a sweep, some time after the last one by a clock that nobody sets.
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

// doubt is why nothing may be deleted, nil if the clock is not doubted.
func (s sweeps) doubt() *ClockError {
	if s.Jumped.IsZero() {
		return nil
	}
	return &ClockError{Ahead: s.Ahead, Until: s.Jumped.Add(clockTrial)}
}

// sweepClock is the part of a [Local] that knows what time has passed.
type sweepClock struct {
	sweeps
	elapsed func() time.Duration // since the store was opened, whatever the clock is set to
	at      time.Duration        // of the last sweep
}

// beginSweeping sets the clock of sweeps up. Nothing is known where no server has swept before.
func (l *Local) beginSweeping() {
	begun := l.now()
	l.clock = sweepClock{elapsed: func() time.Duration { return l.now().Sub(begun) }}
	l.clock.sweeps, _ = l.home.sweeps()
	if l.clock.Last.IsZero() {
		l.clock.Last = begun.Round(0)
	}
}

// judgeClock notes a sweep, and says why it may not delete.
func (l *Local) judgeClock() *ClockError {
	l.mu.Lock()
	defer l.mu.Unlock()
	elapsed := l.clock.elapsed()
	l.clock.sweeps, l.clock.at = l.clock.after(elapsed-l.clock.at, l.now()), elapsed
	_ = l.home.noteSweeps(l.clock.sweeps) // the next process doubts more where this cannot be written
	return l.clock.doubt()
}
