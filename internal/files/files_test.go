package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAFileIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "file")
	for _, text := range []string{"first", "second, and longer"} {
		if err := System().Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(path, len(text)); err != nil || string(got) != text {
			t.Errorf("it holds %q, %v", got, err)
		}
		if _, err := Read(path, len(text)-1); !errors.Is(err, ErrTooLarge) {
			t.Errorf("beyond the limit: %v", err)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestAFailedWriteLeavesTheFileAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "file")
	if err := System().Write(path, []byte("before")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	disk := System()
	disk.Rename = func(string, string) error { return full }
	if err := disk.Write(path, []byte("after")); !errors.Is(err, full) {
		t.Errorf("Write: %v", err)
	}
	if got, err := Read(path, 10); err != nil || string(got) != "before" {
		t.Errorf("it holds %q, %v", got, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestTheRoomOfAFileIsNoPartOfIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"short", "longer than the room that was taken"} {
		r, err := System().Reserve(path, 10)
		if err == nil {
			err = r.Commit([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("it holds %q, %v", got, err)
		}
	}
}

func TestAFileSetAsideIsNeverReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "file")
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for _, text := range []string{"one", "two"} {
		if err := System().Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		aside, err := System().SetAside(path, now)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Read(aside, 10); err != nil || string(got) != text {
			t.Errorf("%s holds %q, %v", aside, got, err)
		}
	}
	if _, err := Read(path, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if asides, err := filepath.Glob(path + ".aside-*"); err != nil || len(asides) != 2 {
		t.Errorf("set aside are %v, %v", asides, err)
	}
}

func TestWhatIsLeftOfAFileIsRemovedAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "main.age")
	others := []string{
		".main.age.notes.tmp", ".main.age.x.age.123.tmp", ".other.age.123.tmp", "main.age.aside-20261121T080000Z.txt", "main.age.aside-notes", "main.age.lock",
		"notes.tmp", "other.age.aside-20261121T080000Z", "other.main.age.aside-20261121T080000Z",
	}
	kept := []string{"main.age", "main.age.aside-20261121T080000Z", "main.age.aside-20261121T080000Z-2"}
	for _, name := range slices.Concat(others, kept, []string{".main.age.1.tmp", ".main.age.4294967295.tmp"}) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		remove func(path string) error
		want   []string
	}{{System().Sweep, slices.Sorted(slices.Values(slices.Concat(others, kept)))}, {System().Delete, others}, {System().Delete, others}} {
		if err := step.remove(path); err != nil {
			t.Fatal(err)
		}
		var left []string
		entries, err := os.ReadDir(dir)
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		if diff := cmp.Diff(step.want, left); err != nil || diff != "" {
			t.Errorf("%v (-want +left):\n%s", err, diff)
		}
	}
}

func TestALockIsForOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "file.lock")
	unlock, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 3*lockPoll)
	defer cancel()
	if _, err := Lock(short, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the second lock: %v", err)
	}
	unlock()
	unlock, err = Lock(t.Context(), path)
	if err != nil {
		t.Fatalf("after the first one was given back: %v", err)
	}
	unlock()
}

// steps is a disk that notes what is done, and a file of it what is done to it.
type steps struct {
	Temporary
	done *[]string
}

func (s steps) note(step string) { *s.done = append(*s.done, step) }

func (s steps) WriteAt(p []byte, at int64) (int, error) {
	s.note("write " + strconv.Itoa(len(p)))
	return s.Temporary.WriteAt(p, at)
}

func (s steps) Truncate(size int64) error {
	s.note("truncate")
	return s.Temporary.Truncate(size)
}

func (s steps) Sync() error {
	s.note("sync")
	return s.Temporary.Sync()
}

func (s steps) Close() error {
	s.note("close")
	return s.Temporary.Close()
}

// After a loss of power there is the old content or the new one: what a name says is on the disk before
// it, and the name before anybody is told.
func TestAFileIsOnTheDiskBeforeItHasItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.age")
	var done []string
	system, disk := System(), System()
	disk.Create = func(dir, pattern string) (Temporary, error) {
		f, err := system.Create(dir, pattern)
		return steps{f, &done}, err
	}
	disk.Rename = func(from, to string) error {
		done = append(done, "rename")
		return system.Rename(from, to)
	}
	disk.SyncDir = func(dir string) error {
		done = append(done, "sync the directory")
		return system.SyncDir(dir)
	}
	publish := []string{"truncate", "sync", "close", "rename", "sync the directory"}

	if err := disk.Write(path, []byte("sealed")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append([]string{"write 6"}, publish...), done); diff != "" {
		t.Errorf("to write it (-want +got):\n%s", diff)
	}
	done = nil
	room, err := disk.Reserve(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"write 100", "sync"}, done); diff != "" { // some disks say only then that they are full
		t.Errorf("to have its room (-want +got):\n%s", diff)
	}
	done = nil
	if err := room.Commit([]byte("next")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append([]string{"write 4"}, publish...), done); diff != "" {
		t.Errorf("to write it there (-want +got):\n%s", diff)
	}
}

// full is a file on a disk that is full, which some disks say only when all is to be on it.
type full struct{ Temporary }

func (full) Sync() error { return errDiskFull }

var errDiskFull = errors.New("the disk is full")

func TestRoomThatThereIsNotIsGivenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.age")
	disk := System()
	disk.Create = func(dir, pattern string) (Temporary, error) {
		f, err := System().Create(dir, pattern)
		return full{f}, err
	}
	if _, err := disk.Reserve(path, 100); !errors.Is(err, errDiskFull) {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
