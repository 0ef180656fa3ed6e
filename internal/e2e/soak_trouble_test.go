//go:build linux

package e2e

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// kind is a kind of trouble with a vault.
type kind string

const (
	full    kind = "full"    // a file takes all the room
	locked  kind = "locked"  // another process has the lock
	stopped kind = "stopped" // a process is frozen
	killed  kind = "killed"  // a process is, outside of a renewal: one inside may lose the session
)

// trouble fills or locks a directory, and stops and kills the processes that use it.
type trouble struct {
	t     *testing.T
	dir   string
	kinds []kind

	mu        sync.Mutex
	processes []*os.Process
	past      []episode
}

// episode is a trouble and when it was.
type episode struct {
	kind
	begin, end time.Time
}

// newTrouble makes the directory: on a small file system of its own, where that is allowed.
func newTrouble(t *testing.T, dir string) *trouble {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	v := &trouble{t: t, dir: dir, kinds: []kind{locked, stopped, killed}}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k,mode=700"); err == nil {
		t.Cleanup(func() {
			if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		})
		v.kinds = append(v.kinds, full)
	} else {
		t.Logf("no file system of its own, so it is never full: %v", err)
	}
	if *soakKinds != "" {
		v.kinds = nil
		for _, name := range strings.Split(*soakKinds, ",") {
			v.kinds = append(v.kinds, kind(name))
		}
	}
	return v
}

// run makes trouble until the context ends, half of it while a renewal is in flight.
func (v *trouble) run(ctx context.Context, s *soak) {
	for ctx.Err() == nil {
		var held chan struct{}
		kind := v.kinds[int(s.between(0, time.Duration(len(v.kinds))))]
		if kind != killed && s.chance(50) {
			select {
			case held = <-s.inFlight:
			case <-time.After(15 * time.Second):
			case <-ctx.Done():
			}
		} else {
			pause(ctx, s.between(0, 6*time.Second))
		}
		begin := time.Now()
		undo := v.begin(kind, s)
		if held != nil {
			close(held)
		}
		if kind != killed {
			pause(ctx, s.between(100*time.Millisecond, 8*time.Second))
		}
		undo()
		v.mu.Lock()
		v.past = append(v.past, episode{kind, begin, time.Now()})
		v.mu.Unlock()
		pause(ctx, s.between(0, 3*time.Second))
	}
}

// begin makes one trouble, until undo is called.
func (v *trouble) begin(kind kind, s *soak) (undo func()) {
	switch kind {
	case full:
		return v.fill()
	case locked:
		undo, _ := v.lock()
		return undo
	case killed:
		unlock, alone := v.lock()
		defer unlock()
		if alone {
			v.signal(syscall.SIGKILL, int(s.between(0, 1000)))
		}
		return func() {}
	case stopped:
		process := v.signal(syscall.SIGSTOP, int(s.between(0, 1000)))
		return func() { _ = process.Signal(syscall.SIGCONT) }
	default:
		v.t.Errorf("no kind of trouble is called %q", kind)
		return func() {}
	}
}

func (v *trouble) must(err error) {
	if err != nil {
		v.t.Error(err)
	}
}

// fill writes until the disk is full.
func (v *trouble) fill() (undo func()) {
	name := filepath.Join(v.dir, "filler")
	f, err := os.Create(name)
	v.must(err)
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	return func() { v.must(errors.Join(f.Close(), os.Remove(name))) }
}

// lock takes the lock of the vault, if that is to be had soon.
func (v *trouble) lock() (undo func(), ok bool) {
	ctx, cancel := context.WithTimeout(v.t.Context(), time.Second)
	defer cancel()
	names, _ := filepath.Glob(filepath.Join(v.dir, "*.age.lock"))
	for _, name := range names {
		lock := flock.New(name) // not of package files: the directory is another user's
		if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err == nil {
			return func() { v.must(lock.Unlock()) }, true
		}
	}
	return func() {}, false
}

// signal sends a signal to one of the processes, which may have ended.
func (v *trouble) signal(signal syscall.Signal, which int) *os.Process {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.processes) == 0 {
		return &os.Process{}
	}
	process := v.processes[which%len(v.processes)]
	_ = process.Signal(signal)
	return process
}

func (v *trouble) add(process *os.Process) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.processes = append(v.processes, process)
}

func (v *trouble) remove(process *os.Process) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.processes = slices.DeleteFunc(v.processes, func(p *os.Process) bool { return p == process })
}

// overlaps reports whether a process ran during a trouble of one of these kinds, or of any.
func (v *trouble) overlaps(r soakRun, kinds ...kind) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.ContainsFunc(v.past, func(e episode) bool {
		return (kinds == nil || slices.Contains(kinds, e.kind)) && e.begin.Before(r.end) && r.begin.Before(e.end)
	})
}

// counts is how often there was each trouble.
func (v *trouble) counts() map[kind]int {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := map[kind]int{}
	for _, e := range v.past {
		n[e.kind]++
	}
	return n
}
