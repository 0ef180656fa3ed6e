package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

func TestAFileIsReadBesideThoseThatReplaceIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "file")
	if err := System().Write(path, []byte("content")); err != nil {
		t.Fatal(err)
	}
	const readers, times = 4, 50
	for range times {
		var working sync.WaitGroup
		working.Go(func() {
			if err := System().Write(path, []byte("content")); err != nil {
				t.Error(err)
			}
		})
		for range readers {
			working.Go(func() {
				if data, err := Read(path, 100); string(data) != "content" || err != nil {
					t.Errorf("%q, %v", data, err)
				}
			})
		}
		working.Wait()
	}
}

// Another process has a file for itself alone while it replaces it.
func TestAReaderWaitsForAFileThatIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "file")
	if err := System().Write(path, []byte("content")); err != nil {
		t.Fatal(err)
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	const alone = 0
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, alone, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := Read(path, 100)
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond): // far less than it waits
	}
	if err := windows.CloseHandle(handle); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestATemporaryFileCanBeRemovedWhileItIsOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	r, err := System().Reserve(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := System().Sweep(path); err != nil {
		t.Error(err)
	}
	if err := r.Commit([]byte("late")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was removed replaces the file: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestErrorsOfWindowsReadAsPartsOfSentences(t *testing.T) {
	_, missing := os.Open(filepath.Join(t.TempDir(), "none", "file"))
	for _, tc := range []struct {
		err  error
		want string
		is   error
	}{
		{missing, "no such file or directory", fs.ErrNotExist},
		{&fs.PathError{Err: errorAccessDenied}, "permission denied", fs.ErrPermission},
		{&fs.PathError{Err: syscall.ERROR_FILE_EXISTS}, "file exists", fs.ErrExist},
		{&fs.PathError{Err: errorFunction}, "is a directory", errorFunction},
		{&fs.PathError{Err: errors.New("The disk is gone.\r\n")}, "the disk is gone", nil},
	} {
		got := Reason(tc.err)
		if got.Error() != tc.want || tc.is != nil && !errors.Is(got, tc.is) {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.want)
		}
	}
}
