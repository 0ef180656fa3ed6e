package files

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
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
	var asides []string
	for _, text := range []string{"one", "two", "three"} {
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
		asides = append(asides, strings.TrimPrefix(aside, path))
	}
	if _, err := Read(path, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	want := []string{".aside-20261121T080000Z", ".aside-20261121T080000Z-2", ".aside-20261121T080000Z-3"}
	if diff := gocmp.Diff(want, asides); diff != "" {
		t.Errorf("(-want +set aside):\n%s", diff)
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
		if diff := gocmp.Diff(step.want, left); err != nil || diff != "" {
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
	if diff := gocmp.Diff(append([]string{"write 6"}, publish...), done); diff != "" {
		t.Errorf("to write it (-want +got):\n%s", diff)
	}
	done = nil
	room, err := disk.Reserve(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]string{"write 100", "sync"}, done); diff != "" { // some disks say only then that they are full
		t.Errorf("to have its room (-want +got):\n%s", diff)
	}
	done = nil
	if err := room.Commit([]byte("next")); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(append([]string{"write 4"}, publish...), done); diff != "" {
		t.Errorf("to write it there (-want +got):\n%s", diff)
	}
}

// errBroken is the error of a step that fails.
var errBroken = errors.New("the disk is broken")

// brokenAt is a disk where one step fails, and a file of it.
type brokenAt struct {
	Temporary
	step string
}

func (b brokenAt) fails(step string) error {
	if b.step == step {
		return errBroken
	}
	return nil
}

func (b brokenAt) disk() Disk {
	system := System()
	return Disk{
		Create: func(dir, pattern string) (Temporary, error) {
			if err := b.fails("create"); err != nil {
				return nil, err
			}
			f, err := system.Create(dir, pattern)
			return brokenAt{f, b.step}, err
		},
		Rename: func(from, to string) error {
			if err := b.fails("rename"); err != nil {
				return err
			}
			return system.Rename(from, to)
		},
		Remove:  system.Remove,
		SyncDir: func(dir string) error { return cmp.Or(b.fails("sync the directory"), system.SyncDir(dir)) },
	}
}

func (b brokenAt) WriteAt(p []byte, at int64) (int, error) {
	if err := b.fails("write"); err != nil {
		return 0, err
	}
	return b.Temporary.WriteAt(p, at)
}

func (b brokenAt) Truncate(size int64) error {
	return cmp.Or(b.fails("truncate"), b.Temporary.Truncate(size))
}

func (b brokenAt) Sync() error { return cmp.Or(b.fails("sync"), b.Temporary.Sync()) }

func (b brokenAt) Close() error { return cmp.Or(b.Temporary.Close(), b.fails("close")) }

func TestAStepThatFailsIsToldAndLeavesTheOldFileAlone(t *testing.T) {
	steps := []string{"create", "write", "truncate", "sync", "close", "rename", "sync the directory"}
	for _, step := range steps {
		for name, replace := range map[string]func(disk Disk, path string) error{
			"in one": func(disk Disk, path string) error { return disk.Write(path, []byte("after")) },
			"with its room": func(disk Disk, path string) error {
				room, err := disk.Reserve(path, 100)
				if err != nil {
					return err
				}
				return room.Commit([]byte("after"))
			},
		} {
			path, want := filepath.Join(t.TempDir(), "made", "file"), "before"
			if err := System().Write(path, []byte(want)); err != nil {
				t.Fatal(err)
			}
			if err := replace(brokenAt{step: step}.disk(), path); !errors.Is(err, errBroken) {
				t.Errorf("%s, %s: %v", step, name, err)
			}
			if step == "sync the directory" {
				want = "after" // which a loss of power may undo
			}
			if got := content(t, path); got != want {
				t.Errorf("%s, %s: it holds %q", step, name, got)
			}
			if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
				t.Errorf("%s, %s: left are %v, %v", step, name, left, err)
			}
		}
	}
}

func TestRoomThatThereIsNotIsGivenBack(t *testing.T) {
	for _, step := range []string{"create", "write", "sync"} {
		path := filepath.Join(t.TempDir(), "main.age")
		if _, err := (brokenAt{step: step}).disk().Reserve(path, 100); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", step, err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
			t.Errorf("%s: left are %v, %v", step, left, err)
		}
	}
}

func TestRoomThatIsNotNeededIsGivenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.age")
	for step, want := range map[string]error{"none": nil, "close": errBroken} {
		room, err := (brokenAt{step: step}).disk().Reserve(path, 100)
		if err != nil {
			t.Fatal(err)
		}
		if err := room.Discard(); !errors.Is(err, want) {
			t.Errorf("%s: %v", step, err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
			t.Errorf("%s: left are %v, %v", step, left, err)
		}
	}
}

// Another process that holds the lock takes it for that of one that has died.
func TestRoomThatWasSweptReplacesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.age")
	write(t, path)
	for name, end := range map[string]func(*Reservation) error{
		"it is not needed": (*Reservation).Discard,
		"it is needed":     func(r *Reservation) error { return r.Commit([]byte("after")) },
	} {
		room, err := System().Reserve(path, 100)
		if err != nil {
			t.Fatal(err)
		}
		if err := System().Sweep(path); err != nil {
			t.Fatal(err)
		}
		if err := end(room); (err == nil) != (name == "it is not needed") {
			t.Errorf("%s: %v", name, err)
		}
		requireKept(t, path)
	}
}

func TestAFileThatCannotBeRemovedIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.age")
	stays := errors.New("it cannot be removed")
	for _, step := range []string{"write", "sync", "rename"} {
		at := filepath.Join(t.TempDir(), "main.age")
		broken := brokenAt{step: step}.disk()
		broken.Remove = func(string) error { return stays }
		room, err := broken.Reserve(at, 1)
		if err == nil {
			err = room.Commit(nil)
		}
		if !errors.Is(err, errBroken) || !errors.Is(err, stays) {
			t.Errorf("%s: %v", step, err)
		}
		if err := broken.Write(at, nil); !errors.Is(err, errBroken) || !errors.Is(err, stays) {
			t.Errorf("%s: %v", step, err)
		}
	}
	disk := brokenAt{step: "rename"}.disk()
	disk.Remove = func(string) error { return stays }
	if err := disk.Write(path, nil); !errors.Is(err, errBroken) || !errors.Is(err, stays) {
		t.Errorf("a file that did not get its name: %v", err)
	}
	room, err := disk.Reserve(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := room.Discard(); !errors.Is(err, stays) {
		t.Errorf("a file that is not needed: %v", err)
	}
	left := func() int {
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	before := left()
	once := true
	disk.Remove = func(name string) error {
		if once {
			once = false
			return stays
		}
		return os.Remove(name)
	}
	if err := disk.Sweep(path); !errors.Is(err, stays) || left() != before-1 {
		t.Errorf("one of %d: %v, left are %d", before, err, left())
	}
	if err := System().Delete(path); err != nil || left() != 0 {
		t.Errorf("all of them: %v, left are %d", err, left())
	}
	if err := System().Delete(filepath.Join(path, "none", "file")); err != nil {
		t.Errorf("where there is no directory: %v", err)
	}
}

func TestAFileThatCannotBeSetAsideStaysWhereItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.age")
	if aside, err := System().SetAside(path, time.Now()); !errors.Is(err, fs.ErrNotExist) || aside != "" {
		t.Errorf("none: %q, %v", aside, err)
	}
	write(t, path)
	broken := brokenAt{step: "rename"}.disk()
	if aside, err := broken.SetAside(path, time.Now()); !errors.Is(err, errBroken) || aside != "" {
		t.Errorf("on a broken disk: %q, %v", aside, err)
	}
	requireKept(t, path)
}

// Nothing of a file is taken into memory but what is asked for.
func TestAFileOfATerabyteIsTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path)
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skipf("this file system has no such files: %v", err)
	}
	if _, err := Read(path, 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

// Between the look at a name and the opening of it something else may take it.
func TestWhatIsNoFileIsRefusedOnceItIsOpen(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := MakePrivate(dir); !errors.Is(err, ErrNotRegular) {
		t.Errorf("got %v", err)
	}
}

func TestAReasonIsAnErrorWithoutItsPath(t *testing.T) {
	const words = "file exists" // on each system
	err := Reason(&fs.PathError{Op: "open", Path: "/x", Err: syscall.EEXIST})
	if !errors.Is(err, fs.ErrExist) || err.Error() != words {
		t.Errorf("of a path: %v", err)
	}
	if err := Reason(fs.ErrClosed); err != fs.ErrClosed {
		t.Errorf("of none: %v", err)
	}
}

func TestTwoErrorsAreOneThatIsBoth(t *testing.T) {
	if err := Both(fs.ErrExist, fs.ErrClosed); !errors.Is(err, fs.ErrExist) || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("both: %v", err)
	}
	if err := Both(nil, fs.ErrClosed); err != fs.ErrClosed {
		t.Errorf("the second: %v", err)
	}
	if err := Both(fs.ErrExist, nil); err != fs.ErrExist {
		t.Errorf("the first: %v", err)
	}
	if err := Both(nil, nil); err != nil {
		t.Errorf("none: %v", err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func requireKept(t *testing.T, path string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != "kept" {
		t.Errorf("%s holds %q now, %v", filepath.Base(path), data, err)
	}
}
