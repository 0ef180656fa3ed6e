package testkit

import (
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// Link makes a symbolic link, and skips the test where a system has none: Windows keeps them from
// people without the right to make one, and Wine shows a link as the file that it leads to.
func Link(t testing.TB, target, link string) {
	t.Helper()
	err := os.Symlink(target, link)
	if err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("this user may not make symbolic links: ", err)
	}
	info, err := os.Lstat(link)
	if err != nil && !UnderWine() {
		t.Fatal(err)
	}
	if UnderWine() && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
		_ = os.Remove(link)
		t.Skip("Wine does not tell a symbolic link from the file that it leads to")
	}
}

// DiskFull and ReadOnly are the errors of this system for a disk that is full, and for one that can
// only be read: Windows has ERROR_DISK_FULL and ERROR_WRITE_PROTECT.
var DiskFull, ReadOnly = func() (full, readOnly syscall.Errno) {
	if runtime.GOOS == "windows" {
		return 112, 19
	}
	return syscall.ENOSPC, syscall.EROFS
}()

// HasModes tells whether the mode of a file decides who may read it. On Windows access lists do.
const HasModes = runtime.GOOS != "windows"

// SkipUnderWine skips a test of something that Windows has and Wine has not.
func SkipUnderWine(t testing.TB, lacks string) {
	t.Helper()
	if UnderWine() {
		t.Skip("Wine", lacks)
	}
}

// SkipOnWindows skips a test of something that Windows has not.
func SkipOnWindows(t testing.TB, lacks string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows", lacks)
	}
}
