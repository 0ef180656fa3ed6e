package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// onItsThread runs a function on a thread that ends with it, after something was done to that thread
// which cannot be undone.
func onItsThread(t *testing.T, change func() error, run func() error) error {
	t.Helper()
	var unchanged error
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // which ends with the goroutine
		if unchanged = change(); unchanged != nil {
			result <- nil
			return
		}
		result <- run()
	}()
	err := <-result
	if unchanged != nil {
		t.Skipf("this system does not allow it: %v", unchanged)
	}
	return err
}

// refused runs a function while the system refuses a call.
func refused(t *testing.T, call uint32, number syscall.Errno, run func() error) error {
	t.Helper()
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(number)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return onItsThread(t, func() error {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
		mode, filters := uintptr(unix.SECCOMP_MODE_FILTER), uintptr(unsafe.Pointer(&program))
		return unix.Prctl(unix.PR_SET_SECCOMP, mode, filters, 0, 0)
	}, run)
}

// asNobody runs a function as a user to whom none of the files belong, with the groups of that user.
func asNobody(t *testing.T, run func() error) error {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	return onItsThread(t, func() error {
		// The functions of package syscall change all threads.
		if _, _, number := syscall.RawSyscall(syscall.SYS_SETGROUPS, 0, 0, 0); number != 0 {
			return number
		}
		if _, _, number := syscall.RawSyscall(syscall.SYS_SETRESGID, nobody, nobody, nobody); number != 0 {
			return number
		}
		if _, _, number := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody); number != 0 {
			return number
		}
		return nil
	}, run)
}

const nobody = 65534

// A file system of a network without a lock daemon refuses every lock.
func TestADirectoryWithoutLocksIsCalledThat(t *testing.T) {
	for number, none := range map[syscall.Errno]bool{
		syscall.ENOLCK: true, syscall.EOPNOTSUPP: true, syscall.EPERM: false,
	} {
		for name, lock := range map[string]func(path string) error{
			"a lock": func(path string) error { _, err := Lock(t.Context(), path); return err },
			"a file": func(path string) error { _, _, err := AppendAlone(path); return err },
		} {
			dir := t.TempDir()
			err := refused(t, syscall.SYS_FLOCK, number, func() error { return lock(filepath.Join(dir, "main.lock")) })
			if !errors.Is(err, number) || errors.Is(err, ErrNoLocks) != none {
				t.Errorf("%s, refused with %v: %v", name, number, err)
			}
			if left := openBelow(t, dir); len(left) > 0 {
				t.Errorf("%s, refused with %v: open are %v", name, number, left)
			}
		}
	}
}

func TestWithoutLinksAFileStillReplacesNone(t *testing.T) {
	dir := t.TempDir()
	path, missing := filepath.Join(dir, "x.csv"), filepath.Join(dir, "missing")
	write := func(w io.Writer) error { _, err := io.WriteString(w, "ours"); return err }
	withoutLinks := func(run func() error) error {
		t.Helper()
		return refused(t, syscall.SYS_LINKAT, syscall.EPERM, run)
	}

	err := withoutLinks(func() error { return publishNew(missing, path) })
	if left, _ := os.ReadDir(dir); !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
		t.Errorf("without a file that gets the name: %v, left are %v", err, left)
	}
	if err := withoutLinks(func() error { return Export(t.Context(), path, false, write) }); err != nil {
		t.Error(err)
	}
	if got := content(t, path); got != "ours" {
		t.Errorf("the file holds %q", got)
	}
	err = withoutLinks(func() error {
		return Export(t.Context(), path+".2", false, func(w io.Writer) error {
			return errors.Join(os.WriteFile(path+".2", []byte("theirs"), 0o600), write(w))
		})
	})
	if got := content(t, path+".2"); !errors.Is(err, ErrExists) || got != "theirs" {
		t.Errorf("a file that appeared in between holds %q: %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
	if left := openBelow(t, dir); len(left) > 0 {
		t.Errorf("open are %v", left)
	}
}

func TestADirectoryThatCannotBeMadeSaysWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "file")
	err := refused(t, syscall.SYS_MKDIRAT, syscall.EROFS, func() error { return System().Write(path, nil) })
	if !IsReadOnly(err) {
		t.Errorf("got %v", err)
	}
}

// A disk that cannot say that all is on it has not replaced the file.
func TestAFileIsReplacedByOneThatIsOnTheDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path)
	for name, replace := range map[string]func() error{
		"Replace": func() error { return Replace(path, []byte("new")) },
		"Write":   func() error { return System().Write(path, []byte("new")) },
	} {
		if err := refused(t, syscall.SYS_FSYNC, syscall.EIO, replace); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", name, err)
		}
		requireKept(t, path)
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
			t.Errorf("%s: left are %v, %v", name, left, err)
		}
	}
}

func TestADirectoryThatIsNotOnTheDiskIsToldOfOurOwn(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		disk Disk
		want error
	}{"our own": {System(), syscall.EIO}, "one that a person chose": {chosen(), nil}} {
		err := refused(t, syscall.SYS_FSYNC, syscall.EIO, func() error { return tt.disk.SyncDir(dir) })
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := System().SyncDir(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

// opensOf counts how often a directory itself is opened, which only a sync of it needs.
func opensOf(t *testing.T, dir string, during func() error) (opens int) {
	t.Helper()
	watch, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Skipf("this system does not watch directories: %v", err)
	}
	defer unix.Close(watch)
	if _, err := unix.InotifyAddWatch(watch, dir, unix.IN_OPEN|unix.IN_ONLYDIR); err != nil {
		t.Fatal(err)
	}
	if err := during(); err != nil {
		t.Error(err)
	}
	events := make([]byte, 64<<10)
	n, err := unix.Read(watch, events)
	for at := 0; err == nil && at < n; {
		event := (*unix.InotifyEvent)(unsafe.Pointer(&events[at]))
		if event.Mask&unix.IN_ISDIR != 0 && event.Len == 0 {
			opens++
		}
		at += unix.SizeofInotifyEvent + int(event.Len)
	}
	return opens
}

// The name of a file is on the disk when its directory is.
func TestTheNameOfAFileIsPutOnTheDisk(t *testing.T) {
	nothing := func(io.Writer) error { return nil }
	for name, write := range map[string]func(path string) error{
		"Write":      func(path string) error { return System().Write(path, []byte("new")) },
		"AppendLine": func(path string) error { return System().AppendLine(path, []byte("new")) },
		"Replace":    func(path string) error { return Replace(path, []byte("new")) },
		"Export":     func(path string) error { return Export(t.Context(), path+".2", false, nothing) },
	} {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := opensOf(t, dir, func() error { return write(path) }); got != 1 {
			t.Errorf("%s: the directory is synced %d times", name, got)
		}
	}
}

func TestAFileThatCannotKeepItsModeIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path)
	err := refused(t, syscall.SYS_FCHMOD, syscall.EPERM, func() error { return Replace(path, []byte("new")) })
	if !errors.Is(err, syscall.EPERM) {
		t.Errorf("got %v", err)
	}
	requireKept(t, path)
}

// The files of a process have modes that cannot be changed.
func TestAModeThatStaysIsAnError(t *testing.T) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		t.Skipf("this system does not show processes: %v", err)
	}
	defer f.Close()
	if err := MakePrivate(f); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file that everybody can read: %v", err)
	}
	if err := secureDir("/proc/self/task"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a directory that everybody can read: %v", err)
	}
	if err := Export(t.Context(), "/proc/self/x.csv", false, nil); err == nil {
		t.Error("a file was written where there can be none")
	}
}

func TestWhatBelongsToRootIsTrustedByOthers(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o711), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		mode           os.FileMode
		uid, gid       int
		secret, public error
	}{
		"of root, for the group of root":  {0o440, 0, 0, fs.ErrPermission, fs.ErrPermission},
		"of root, for our group":          {0o440, 0, nobody, nil, nil},
		"of root, for everybody":          {0o444, 0, 0, ErrReadable, nil},
		"of us":                           {0o400, nobody, nobody, nil, nil},
		"of us, for a group of others":    {0o440, nobody, 12345, ErrReadable, nil},
		"of us, and of a group of others": {0o400, nobody, 12345, nil, nil},
		"of us, for root's":               {0o440, nobody, 0, nil, nil},
		"of somebody else, for our group": {0o440, 12345, nobody, ErrForeignOwner, ErrForeignOwner},
	} {
		path := secretAt(t, dir, 0o755, test.mode)
		if err := os.Chown(path, test.uid, test.gid); err != nil {
			t.Skip(err)
		}
		err := asNobody(t, func() error { _, err := ReadMounted(path, 10); return err })
		if !errors.Is(err, test.secret) {
			t.Errorf("a secret %s: %v, want %v", name, err, test.secret)
		}
		err = asNobody(t, func() error { _, err := ReadTrusted(path, 10); return err })
		if !errors.Is(err, test.public) {
			t.Errorf("no secret, %s: %v, want %v", name, err, test.public)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if left := openBelow(t, dir); len(left) > 0 {
		t.Errorf("open are %v", left)
	}
}

func TestAFileThatCannotKeepItsOwnerIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o711), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "file")
	write(t, path)
	for name, owner := range map[string]struct{ uid, gid int }{"of root": {0, nobody}, "of the group of root": {nobody, 0}} {
		if err := os.Chown(path, owner.uid, owner.gid); err != nil {
			t.Skip(err)
		}
		err := asNobody(t, func() error { return Replace(path, []byte("new")) })
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
		requireKept(t, path)
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%s: left are %v, %v", name, left, err)
		}
		if left := openBelow(t, dir); len(left) > 0 {
			t.Errorf("%s: open are %v", name, left)
		}
	}
}

// A file system of a network may say only at the end that it has not kept what was written.
func TestASpoolThatCannotBeClosedSaysSo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var spool Spool
	if _, err := spool.Write(make([]byte, spooledInMemory+1)); err != nil {
		t.Fatal(err)
	}
	err := refused(t, unix.SYS_CLOSE, syscall.EIO, spool.Close)
	if !errors.Is(err, syscall.EIO) {
		t.Errorf("error %v", err)
	}
}

// A secret for a group is one for this process if that is its own group, one of its further groups,
// or that of root.
func TestASecretForAGroupOfThisProcessIsRead(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another group")
	}
	const own, further, other = 12345, 12346, 12347
	inGroups := func() error {
		list := []uint32{further}
		first := uintptr(unsafe.Pointer(&list[0]))
		if _, _, number := syscall.RawSyscall(syscall.SYS_SETGROUPS, 1, first, 0); number != 0 {
			return number
		}
		if _, _, number := syscall.RawSyscall(syscall.SYS_SETRESGID, own, own, own); number != 0 {
			return number
		}
		return nil
	}
	for group, want := range map[int]error{0: nil, own: nil, further: nil, other: ErrReadable} {
		path := filepath.Join(t.TempDir(), "secret")
		err := errors.Join(os.WriteFile(path, []byte("x"), 0o400), os.Chown(path, 0, group), os.Chmod(path, 0o440))
		if err != nil {
			t.Fatal(err)
		}
		err = onItsThread(t, inGroups, func() error {
			_, err := ReadMounted(path, 10)
			return err
		})
		if !errors.Is(err, want) {
			t.Errorf("for the group %d: %v, want %v", group, err, want)
		}
	}
}
