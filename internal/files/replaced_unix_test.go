//go:build unix

package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// whileReplaced reads a file again and again while each of the makers in turn makes one that
// is renamed over it.
func whileReplaced(t *testing.T, check func(data []byte, err error), makers ...func(path string) error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := regular(path); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		var err error
		for n := 0; n < 300 && err == nil; n++ {
			next := path + strconv.Itoa(n)
			if err = makers[n%len(makers)](next); err == nil {
				err = rename(next, path)
			}
		}
		ended <- err
	}()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		default:
			check(Read(path, 100))
		}
	}
}

func regular(path string) error { return os.WriteFile(path, []byte("content"), 0o600) }

func TestAFileIsReadWhileItIsReplaced(t *testing.T) {
	reads, refused := 0, 0
	var last error
	whileReplaced(t, func(data []byte, err error) {
		reads++
		if err != nil || string(data) != "content" {
			refused, last = refused+1, err
		}
	}, regular)
	if refused > 0 {
		t.Errorf("%d of %d reads beside a rename were refused, the last one: %v", refused, reads, last)
	}
}

func TestALinkThatTakesTurnsWithAFileIsNotFollowed(t *testing.T) {
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	whileReplaced(t, func(data []byte, err error) {
		if err == nil && string(data) != "content" {
			t.Errorf("read %q", data)
		}
	}, regular, func(path string) error { return os.Symlink(target, path) })
}

// The holder before may have put another file in its place, between opening it and the lock on it.
func TestAFileOfOneProcessIsTheOneThatHasItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	release, err := lockOpened(path, f)
	if err != nil {
		t.Fatalf("nothing happened to it: %v", err)
	}
	release()
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := stillNamed(path, f); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it has another name: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lockOpened(path, f); err == nil {
		t.Error("another file has its name")
	}
	next, release, err := AppendAlone(path)
	if err != nil {
		t.Fatalf("the file that has its name now: %v", err)
	}
	release()
	_ = next.Close()
}

// Each of them puts a file in place of the one that it has read, with a sign more.
func TestWhoChangesAFileAloneLosesNothingOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const workers, changes = 4, 15
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for made := 0; made < changes && t.Context().Err() == nil; {
				f, release, err := AppendAlone(path)
				if err != nil { // another one has it, or has just replaced it
					runtime.Gosched()
					continue
				}
				before, err := io.ReadAll(f)
				err = errors.Join(err, f.Close(), Replace(path, append(before, 'x')))
				release()
				if err != nil {
					t.Error(err)
					return
				}
				made++
			}
		})
	}
	all.Wait()
	if after, err := os.ReadFile(path); err != nil || len(after) != workers*changes {
		t.Errorf("%d of %d changes are there, %v", len(after), workers*changes, err)
	}
}
