package files

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestASpoolKeepsEverythingUntilItIsClosed(t *testing.T) {
	piece := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for _, pieces := range []int{4, 5, 6} { // in memory, and beyond
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		var spool Spool
		for range pieces {
			if n, err := spool.Write(piece); err != nil || n != len(piece) {
				t.Fatalf("%d bytes, error %v", n, err)
			}
		}
		if (spool.file != nil) != (pieces*len(piece) > spooledInMemory) {
			t.Errorf("%d pieces: the file is %v", pieces, spool.file)
		}
		all, err := io.ReadAll(spool.Reader())
		if err != nil || !bytes.Equal(all, bytes.Repeat(piece, pieces)) {
			t.Errorf("%d pieces: %d bytes, error %v", pieces, len(all), err)
		}
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d pieces: left %v, error %v", pieces, left, err)
		}
	}
}

func TestASpoolOnAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no device that is always full: ", err)
	}
	spool := Spool{file: full}
	if _, err := spool.Write([]byte("x")); !isOneOf(err, diskFull) {
		t.Errorf("error %v", err)
	}
	_ = spool.Close()
}

func TestASpoolWithoutAPlaceForItsFile(t *testing.T) {
	testkit.SkipOnWindows(t, "TMPDIR")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	var spool Spool
	defer spool.Close()
	if n, err := spool.Write(make([]byte, spooledInMemory+1)); !errors.Is(err, os.ErrNotExist) || n != 0 {
		t.Errorf("%d bytes, error %v", n, err)
	}
}

func TestASpoolThatCannotWriteSaysWhatToDo(t *testing.T) {
	var s Spool
	defer s.Close()
	if _, err := s.Write(make([]byte, 5<<20)); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	_, err := s.Write([]byte("x"))
	failed, ok := errors.AsType[*ExportError](err)
	if !ok {
		t.Fatalf("%v", err)
	}
	if x := failed.Explain(); x.Text != "could not write a temporary file in "+os.TempDir() || !strings.Contains(x.Hint, "TMPDIR") {
		t.Errorf("%+v", x)
	}
}
