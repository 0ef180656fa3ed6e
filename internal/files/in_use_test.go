package files

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestARenameIsTriedAgainWhileAnotherProcessHasTheFileOpen(t *testing.T) {
	sharing, other := errors.New("the file is used by another process"), errors.New("it is gone")
	inUse := func(err error) bool { return errors.Is(err, sharing) }
	for name, c := range map[string]struct {
		failures, tries int
		failure, want   error
	}{
		"at once":           {0, 1, nil, nil},
		"a moment later":    {3, 4, sharing, nil},
		"never":             {1000, inUseTries, sharing, sharing},
		"for other reasons": {1, 1, other, other},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, tries := time.Now(), 0
				err := whileInUse(inUse, func() error {
					if tries++; tries <= c.failures {
						return c.failure
					}
					return nil
				})
				if err != c.want || tries != c.tries {
					t.Errorf("%v after %d tries", err, tries)
				}
				if took := time.Since(begun); took >= time.Second {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}
