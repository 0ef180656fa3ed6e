//go:build unix

package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/files"
)

// Tests here run this test binary once more: as a process that kills itself, or one that is stopped.
const (
	crashVariable  = "GATEHOUSE_TEST_CRASH"
	frozenVariable = "GATEHOUSE_TEST_FROZEN"
)

func TestMain(m *testing.M) {
	if task := os.Getenv(crashVariable); task != "" {
		os.Exit(runVictim(task))
	}
	if task := os.Getenv(frozenVariable); task != "" {
		os.Exit(runFrozen(task))
	}
	os.Exit(m.Run())
}

// crash is what becomes of a process: the work it does and the point at which
// it is killed.
type crash struct {
	Authority, Path, Key string
	SignIn               bool
	Point                int // from 1; 0: none, and the points are printed
}

// runVictim does the work of a crash, in a process of its own.
func runVictim(task string) int {
	var c crash
	if err := json.Unmarshal([]byte(task), &c); err != nil {
		return 2
	}
	ring := newFakeKeyring()
	v := sealedVault(c.Path, ring)
	ring.values[keyringService+"/"+v.sealer.(*keeperSealer).account] = c.Key
	now := newClock()
	a := &authority{Server: &httptest.Server{URL: c.Authority}}
	knife := &knife{at: c.Point}
	v.disk = knife.disk(v.disk)
	s := NewService(ServiceOptions{Profile: a.profile(), Base: knifeTransport{knife}, Vault: v, Now: now.Now}).Session
	var err error
	if c.SignIn {
		err = s.SignIn(context.Background(), credentials)
	} else if err = s.Restore(context.Background()); err == nil {
		now.Advance(25 * time.Hour)
		knife.passed = nil // reading is no point to die at
		_, err = s.Token(context.Background())
	}
	if _, ended := errors.AsType[*EndedError](err); err != nil && !ended {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, point := range knife.passed {
		fmt.Println(point)
	}
	return 0
}

// knife kills the process at a point that is counted.
type knife struct {
	at     int
	passed []string
}

func (k *knife) point(name string) {
	k.passed = append(k.passed, name)
	if len(k.passed) == k.at {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func (k *knife) around(name string, do func() error) error {
	k.point("before " + name)
	err := do()
	k.point("after " + name)
	return err
}

// disk is one whose steps are points, and each piece of what is written.
func (k *knife) disk(real files.Disk) files.Disk {
	return files.Disk{
		Create: func(dir, pattern string) (f files.Temporary, err error) {
			err = k.around("create", func() error { f, err = real.Create(dir, pattern); return err })
			return knifeFile{f, k}, err
		},
		Rename:  func(from, to string) error { return k.around("rename", func() error { return real.Rename(from, to) }) },
		Remove:  func(name string) error { return k.around("remove", func() error { return real.Remove(name) }) },
		SyncDir: func(dir string) error { return k.around("sync directory", func() error { return real.SyncDir(dir) }) },
	}
}

type knifeFile struct {
	files.Temporary
	*knife
}

// pieces is in how many steps a file is written.
const pieces = 4

func (f knifeFile) WriteAt(data []byte, at int64) (written int, err error) {
	for piece := range slices.Chunk(data, len(data)/pieces+1) {
		f.point("write")
		n, err := f.Temporary.WriteAt(piece, at+int64(written))
		if written += n; err != nil {
			return written, err
		}
	}
	return written, nil
}

func (f knifeFile) Truncate(size int64) error {
	return f.around("truncate", func() error { return f.Temporary.Truncate(size) })
}
func (f knifeFile) Sync() error  { return f.around("sync", f.Temporary.Sync) }
func (f knifeFile) Close() error { return f.around("close", f.Temporary.Close) }

type knifeTransport struct{ *knife }

func (t knifeTransport) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	err = t.around("request", func() error { answer, err = http.DefaultTransport.RoundTrip(r); return err })
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(&knifeReader{body, t.knife})
	return answer, err
}

// knifeReader gives an answer in pieces.
type knifeReader struct {
	rest []byte
	*knife
}

func (r *knifeReader) Read(into []byte) (int, error) {
	r.point("read the answer")
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(into[:min(len(into), 100)], r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
