package api

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// stopFor is what a patience sees of a process that was stopped: its next look is that much late.
func (p *patience) stopFor(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = p.since.Add(-d)
}

// lasts waits until a patience runs out.
func lasts(t *testing.T, limit time.Duration, meanwhile func(*patience)) (took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		ended, end := context.WithCancel(t.Context())
		p := &patience{left: limit, out: end}
		began := time.Now()
		p.start()
		meanwhile(p)
		<-ended.Done()
		took = time.Since(began)
	})
	return took
}

func TestPatienceLastsAsLongAsTheProcessRuns(t *testing.T) {
	const limit = 30 * time.Second
	after := func(d time.Duration, do func(*patience)) func(*patience) {
		return func(p *patience) {
			<-time.After(d)
			do(p)
		}
	}
	stopped := func(p *patience) { p.stopFor(time.Hour) }
	for name, tt := range map[string]struct {
		meanwhile func(*patience)
		want      time.Duration
	}{
		"it runs":                       {func(*patience) {}, limit},
		"it is stopped at once":         {stopped, limit + tick},
		"it is stopped near to the end": {after(limit-tick/2, stopped), limit + grace},
		"nobody waits for a while": {func(p *patience) {
			if left := p.stop(); left != limit {
				t.Errorf("left is %v", left)
			}
			<-time.After(time.Hour)
			p.start()
		}, limit + time.Hour},
		"nobody waits for a while in the middle": {after(limit/3, func(p *patience) {
			for range 2 {
				if left := p.stop(); left != limit-limit/3 {
					t.Errorf("left is %v", left)
				}
				<-time.After(time.Hour)
			}
			p.start()
		}), limit + 2*time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			if took := lasts(t, limit, tt.meanwhile); took != tt.want {
				t.Errorf("it lasted %v, want %v", took, tt.want)
			}
		})
	}
}

func TestReadingAnAnswerDoesNotCountTheTimeForWhichTheProcessWasStopped(t *testing.T) {
	p := &patience{left: time.Minute, out: func() {}}
	p.start()
	p.stopFor(time.Hour)
	if left := p.stop(); left != time.Minute {
		t.Errorf("left is %v", left)
	}
}

func TestAProcessThatHardlyRunsDoesNotWaitForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended, end := context.WithCancel(t.Context())
		p := &patience{left: time.Second, out: end}
		p.start()
		for n := 0; ended.Err() == nil; n++ {
			if n > 2*maxStops {
				t.Fatal("it waits on")
			}
			p.stopFor(time.Second)
			<-time.After(tick)
			synctest.Wait()
		}
		if p.stops != maxStops {
			t.Errorf("it was stopped %d times", p.stops)
		}
	})
}

// A look or a stop that comes when nobody waits any more counts nothing.
func TestPatienceThatHasEndedStaysAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outs := 0
		p := &patience{left: tick * 5, out: func() { outs++ }}
		p.start()
		<-time.After(2 * tick)
		for _, end := range []func(){func() { p.stop() }, p.look, func() { p.stop() }} {
			end()
			<-time.After(tick + tick/2) // less than what a stop of the process takes
			synctest.Wait()
			if p.left != 3*tick || p.stops != 0 || outs != 0 {
				t.Errorf("left are %v after %d stops, it has run out %d times", p.left, p.stops, outs)
			}
		}
		p.start()
		<-time.After(4*tick + tick/2)
		synctest.Wait()
		if left := p.stop(); left != 0 || outs != 1 {
			t.Errorf("left are %v, it has run out %d times", left, outs)
		}
	})
}
