package paint

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// tty notes what is written to it, and can be slow.
type tty struct {
	mu     sync.Mutex
	writes []string
	at     []time.Time
	err    error
	// free lets one write after the other through; nil lets all.
	free chan struct{}
}

func (t *tty) Write(b []byte) (int, error) {
	if t.free != nil {
		<-t.free
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writes, t.at = append(t.writes, string(b)), append(t.at, time.Now())
	return len(b), t.err
}

// since returns what was written after so many writes.
func (t *tty) since(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.writes[n:]...)
}

func numbered(n int) Frame { return frameOf(20, 1, fmt.Sprintf("frame %04d", n)) }

func startPainter(t *testing.T, out *tty, o Options) *Painter {
	t.Helper()
	p := Start(out, o)
	p.Enter()
	synctest.Wait()
	return p
}

func TestKeysAreAnsweredAtOnceAndAFloodIsThinnedOut(t *testing.T) {
	for _, tt := range []struct {
		name   string
		urgent bool
		gap    time.Duration
		most   int // frames in a second of 1,000
	}{
		{"keys", true, 0, 63},
		{"messages", false, 0, 63},
		{"keys over a network", true, time.Second / 10, 63},
		{"messages over a network", false, time.Second / 10, 13},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out := &tty{}
				p := startPainter(t, out, Options{Gap: tt.gap})
				defer p.Close(t.Context())
				began := len(out.since(0))
				for n := range 3 { // some soon after the other: as answers to a key
					p.Show(numbered(n), tt.urgent)
					synctest.Wait()
					if got := len(out.since(began)); got != n+1 {
						t.Fatalf("%d frames are painted of %d", got, n+1)
					}
				}
				for n := range 1000 {
					p.Show(numbered(n), tt.urgent)
					<-time.After(time.Millisecond)
				}
				<-time.After(time.Second)
				synctest.Wait()
				painted := out.since(began + 3)
				if len(painted) < tt.most/2 || len(painted) > tt.most {
					t.Errorf("%d frames are painted, want about %d", len(painted), tt.most)
				}
				if last := painted[len(painted)-1]; p.screen.lines[0] != "frame 0999" || !strings.HasSuffix(last, "9") {
					t.Errorf("the last frame is %q, painted with %q", p.screen.lines[0], last)
				}
			})
		})
	}
}

func TestAKeyDoesNotWaitForTheGapOfOtherFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &tty{}
		p := startPainter(t, out, Options{Gap: time.Hour})
		defer p.Close(t.Context())
		for n := range 10 {
			p.Show(numbered(n), false)
			synctest.Wait()
		}
		began := len(out.since(0))
		p.Show(numbered(10), true)
		synctest.Wait()
		if painted := out.since(began); len(painted) != 1 {
			t.Errorf("painted is %q", painted)
		}
	})
}

func TestATerminalThatDoesNotReadHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &tty{free: make(chan struct{})}
		p := startPainter(t, out, Options{}) // which waits for the terminal now
		for n := range 100_000 {
			p.Show(numbered(n), true)
			p.Copy(fmt.Sprint(n))
		}
		replaced := p.Replace("") // which must wait until all is painted
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p.Leave(ctx) // must end with the context
		p.Enter()

		close(out.free)
		<-time.After(time.Minute)
		synctest.Wait()
		if got := out.since(0); replaced || len(got) != 3 || !strings.Contains(got[1], "]52;c;OTk5OTk=") || !strings.Contains(got[2], "99999") {
			t.Errorf("%d writes: %.300q", len(got), got)
		}
		p.Close(t.Context())
		if got := out.since(3); len(got) != 1 || !strings.Contains(got[0], "\x1b[?1049l") {
			t.Errorf("in the end: %q", got)
		}
	})
}

func TestNothingIsWrittenToATerminalThatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &tty{}
		p := startPainter(t, out, Options{Ask: "?"})
		p.Show(numbered(1), true)
		synctest.Wait()
		p.Leave(t.Context())
		left := len(out.since(0))
		p.Show(numbered(2), true)
		p.Copy("text")
		<-time.After(time.Minute)
		if got := out.since(left); len(got) > 0 {
			t.Errorf("%q is written", got)
		}
		p.Enter()
		synctest.Wait()
		got := strings.Join(out.since(left), "")
		if !strings.HasPrefix(got, "\x1b[22;2t") || strings.Contains(got, "?\x1b") || !strings.Contains(got, "\x1b[2J\x1b[1Hframe 0002") {
			t.Errorf("taken over again with %q", got)
		}
		p.Close(t.Context())
		p.Enter()
		p.Show(numbered(3), true)
		p.Close(t.Context())
		if all := out.since(0); !strings.HasSuffix(all[len(all)-1], "\x1b[23;2t") {
			t.Errorf("after the end: %q", all[len(all)-1])
		}
	})
}

func TestWhatIsCopiedLastOfAllStillArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &tty{}
		p := startPainter(t, out, Options{})
		p.mu.Lock() // the goroutine sees both at once
		p.clipboard, p.wanted = "copy", closed
		p.mu.Unlock()
		p.Close(t.Context())
		if got := out.since(1); len(got) != 2 || got[0] != "copy" {
			t.Errorf("%q is written", got)
		}
	})
}

func TestAFrameThatMayNotHaveComeIsDrawnAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &tty{err: errors.New("broken")}
		p := startPainter(t, out, Options{})
		defer p.Close(t.Context())
		p.Show(numbered(1), true)
		synctest.Wait()
		replaced := p.Replace("") // it may not be there
		out.err = nil
		began := len(out.since(0))
		p.Show(numbered(2), true)
		synctest.Wait()
		p.Replace(numbered(3).Content)
		p.Show(numbered(3), true) // which is there already
		synctest.Wait()
		if got := out.since(began); replaced || len(got) != 1 || !strings.Contains(got[0], "frame 0002") {
			t.Errorf("%q is written", got)
		}
	})
}

func TestAPanicIsToldAndTheTerminalStillPutBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan struct{}, 1)
		out := &tty{}
		p := Start(panicking{out}, Options{Panicked: func() { told <- struct{}{} }})
		p.Enter()
		p.Show(numbered(1), true)
		<-told
		p.Close(t.Context())
		if all := out.since(0); !strings.HasSuffix(all[len(all)-1], "\x1b[23;2t") {
			t.Errorf("in the end: %q", all)
		}
	})
}

// panicking is a terminal with a mistake in it.
type panicking struct{ *tty }

func (p panicking) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "frame") {
		panic("canary")
	}
	return p.tty.Write(b)
}
