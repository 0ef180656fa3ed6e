package files

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestTheSystemIsUnderstood(t *testing.T) {
	for number, want := range map[error]error{
		syscall.EACCES: ErrReadOnly, syscall.EROFS: ErrReadOnly, syscall.EEXIST: ErrExists, syscall.ENOSPC: ErrNoSpace, syscall.EDQUOT: ErrNoSpace,
	} {
		if err := classify(&fs.PathError{Op: "open", Path: "x", Err: number}); !errors.Is(err, want) || !errors.Is(err, number) {
			t.Errorf("%v becomes %v", number, err)
		}
	}
}
