package files_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"gatehouse/internal/files"
)

// withoutLocks makes the system refuse every lock of this thread, as a file system of a network
// without a lock daemon does. It cannot be undone.
func withoutLocks(number syscall.Errno) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FLOCK, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(number)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

func TestADirectoryWithoutLocksIsCalledThat(t *testing.T) {
	for _, number := range []syscall.Errno{syscall.ENOLCK, syscall.EOPNOTSUPP} {
		failed := make(chan error)
		go func() {
			runtime.LockOSThread() // which ends with the goroutine
			if err := withoutLocks(number); err != nil {
				failed <- errors.Join(exec.ErrNotFound, err)
				return
			}
			_, err := files.Lock(t.Context(), filepath.Join(t.TempDir(), "main.lock"))
			if err == nil {
				err = os.ErrInvalid
			}
			failed <- err
		}()
		err := <-failed
		if errors.Is(err, exec.ErrNotFound) {
			t.Skipf("this system filters no calls: %v", err)
		}
		if !errors.Is(err, files.ErrNoLocks) || !errors.Is(err, number) {
			t.Errorf("the error is %v", err)
		}
	}
}
