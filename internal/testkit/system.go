package testkit

import (
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// Link makes a symbolic link, or skips the test if that is not possible: on Windows a person needs
// a right for it, and Wine does not tell a link from the file that it leads to.
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
// only be read.
var DiskFull, ReadOnly = func() (full, readOnly syscall.Errno) {
	const (
		errorDiskFull     = 112 // of Windows
		errorWriteProtect = 19
	)
	if runtime.GOOS == "windows" {
		return errorDiskFull, errorWriteProtect
	}
	return syscall.ENOSPC, syscall.EROFS
}()

// HasModes reports whether the mode of a file decides who may read it. On Windows, access lists do.
const HasModes = runtime.GOOS != "windows"

// SkipUnderWine skips a test under Wine. lacks says why, such as "has no access lists".
func SkipUnderWine(t testing.TB, lacks string) {
	t.Helper()
	if UnderWine() {
		t.Skip("Wine", lacks)
	}
}

// SkipOnWindows skips a test on Windows. lacks says why, such as "has no signals".
func SkipOnWindows(t testing.TB, lacks string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows", lacks)
	}
}
