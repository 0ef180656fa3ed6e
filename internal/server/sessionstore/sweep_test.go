package sessionstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/server/sessionstore"
)

const month = 31 * 24 * time.Hour

// swept sweeps a store, and checks whether it doubts its clock and what is left of a row and a ticket
// that have ended by it.
func swept(t *testing.T, s sessionstore.Store, kept bool) {
	t.Helper()
	err := s.Sweep(t.Context())
	if _, doubts := errors.AsType[*sessionstore.ClockError](err); doubts != kept || err != nil && !doubts {
		t.Errorf("sweeping: %v", err)
	}
	left, err := s.SealedWith(t.Context())
	if err != nil || (left[""] == 2) != kept || (left[""] == 0) == kept {
		t.Errorf("%d are left, %v", left[""], err)
	}
}

// putBoth puts a row that ends in a month and a ticket that ends in a week.
func putBoth(t *testing.T, s sessionstore.Store, c *clock) {
	t.Helper()
	row := rowOf(sessionstore.ID{1}, c)
	row.Ends = c.now().Add(30 * 24 * time.Hour)
	must(t, s.Put(t.Context(), row, 0))
	must(t, s.Put(t.Context(), sessionstore.Row{Kind: sessionstore.Ticket, ID: sessionstore.ID{2}, Sealed: []byte("ticket"), Ends: c.now().Add(7 * 24 * time.Hour)}, 0))
}

func TestAClockThatIsSetForwardDeletesNothingUntilItHasHeld(t *testing.T) {
	for name, open := range map[string]func(c *clock) *sessionstore.Local{
		"memory":    func(c *clock) *sessionstore.Local { return sessionstore.NewMemory(c.now) },
		"directory": func(c *clock) *sessionstore.Local { return openDirectory(t, temporary(t), c) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			s, began, set := open(c), c.now(), time.Duration(0)
			s.SetElapsed(func() time.Duration { return c.now().Sub(began) - set })
			setBy := func(by time.Duration) { c.pass(by); set += by }
			putBoth(t, s, c)
			if wait, err := s.Try(t.Context(), []sessionstore.ID{{3}}, 1, time.Hour); wait != 0 || err != nil {
				t.Fatal(wait, err)
			}
			setBy(month)
			for range 3 {
				swept(t, s, true)
				c.pass(10 * time.Minute)
			}
			setBy(-month)
			must(t, s.Sweep(t.Context())) // the clock is right again, and the ticket has not ended
			if _, err := s.Get(t.Context(), sessionstore.Session, sessionstore.ID{1}); err != nil {
				t.Error(err)
			}
			setBy(2 * month)
			swept(t, s, true)
			c.pass(40 * time.Hour)
			setBy(-month) // and still a month ahead, of which nobody knows how long it holds
			swept(t, s, true)
			c.pass(71 * time.Hour)
			swept(t, s, true)
			c.pass(time.Hour)
			swept(t, s, false)
		})
	}
}

func TestARestartWithAnotherClockDeletesNothingUntilThatHasHeld(t *testing.T) {
	path, c := temporary(t), newClock()
	// restarted is a server that starts after some time by its clock, and has run for ten minutes.
	restarted := func(after time.Duration) *sessionstore.Local {
		t.Helper()
		c.pass(after)
		s := openDirectory(t, path, c)
		c.pass(10 * time.Minute)
		return s
	}
	s := restarted(0)
	putBoth(t, s, c)
	must(t, s.Sweep(t.Context()))
	for _, after := range []time.Duration{month, time.Hour, 20 * time.Hour} {
		must(t, s.Close())
		s = restarted(after)
		swept(t, s, true)
	}
	must(t, s.Close())
	s = restarted(-month) // the clock is right again
	must(t, s.Sweep(t.Context()))
	must(t, s.Close())
	s = restarted(month)
	swept(t, s, true)
	for range 4 { // not more than a day apart, with or without a restart
		c.pass(18 * time.Hour)
		must(t, s.Close())
		s = restarted(0)
		_ = s.Sweep(t.Context())
	}
	swept(t, s, false)
}

func TestWhatANewerProgramNotesOfItsSweepsStaysAndDamageIsReplaced(t *testing.T) {
	for content, stays := range map[string]bool{`{"version":2,"last":5}`: true, `{"ver`: false} {
		path, c := temporary(t), newClock()
		file := filepath.Join(path, "swept")
		must(t, os.WriteFile(file, []byte(content), 0o600))
		must(t, openDirectory(t, path, c).Sweep(t.Context()))
		if now, err := os.ReadFile(file); err != nil || (string(now) == content) != stays {
			t.Errorf("of %s there is %s, %v", content, now, err)
		}
	}
	path := temporary(t)
	must(t, os.WriteFile(filepath.Join(path, "swept"), []byte(`{"version":1,"last":"2026-01-01T00:00:00Z","jumped":"2026-02-28T12:00:00Z","ahead":5000000000000000}`+"\n"), 0o600))
	c := newClock()
	s := openDirectory(t, path, c)
	doubt, is := errors.AsType[*sessionstore.ClockError](s.Sweep(t.Context()))
	if !is || doubt.Ahead < 57*24*time.Hour || !doubt.Until.Equal(c.now().Add(72*time.Hour)) {
		t.Errorf("what the first version has noted is read as %v", doubt)
	}
}

func TestWhatHasEndedByOneOfTwoClocksIsKept(t *testing.T) {
	d := newDatabase(t)
	c := &clock{at: time.Now()}
	putBoth(t, d, c)
	d.pass(t, month) // as if its clock were set, with that of this machine as it was
	d.SetClock(func() time.Time { return c.now().Add(-month) })
	swept(t, d, true)
	d.SetClock(func() time.Time { return c.now().Add(time.Hour) })
	swept(t, d, false)
}

func TestTheOperatorIsToldOnceOfEachDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var set atomic.Int64 // by how much the clock was set, as the sweeper reads it
		m := sessionstore.NewMemory(func() time.Time { return time.Now().Add(time.Duration(set.Load())) })
		began := time.Now()
		m.SetElapsed(func() time.Duration { return time.Since(began) })
		var told []error
		end := sessionstore.SweepNowAndThen(m, func(err error) { told = append(told, err) })
		defer end()
		for step, want := range []int{0, 1, 1, 2} {
			if step%2 == 1 {
				set.Add(int64(month))
			}
			<-time.After(time.Hour)
			synctest.Wait()
			if len(told) != want {
				t.Errorf("after %d hours: %v", step+1, told)
			}
		}
	})
}
