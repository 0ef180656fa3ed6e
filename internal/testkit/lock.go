package testkit

import (
	"sync"
	"testing"
	"time"
)

// RequireWaits wants each call to wait for whoever holds a lock. The calls have names for people.
func RequireWaits(t *testing.T, lock sync.Locker, calls map[string]func()) {
	t.Helper()
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			done := make(chan struct{})
			lock.Lock()
			go func() { // ends with the call, for which the test waits
				defer close(done)
				call()
			}()
			select {
			case <-done:
				t.Error("it does not wait")
			case <-time.After(50 * time.Millisecond): // much longer than any of them takes
			}
			lock.Unlock()
			<-done
		})
	}
}
