package session

import (
	"errors"
	"runtime/debug"
)

// errPanic means that a panic ended a renewal. The panic's value may hold a secret and is not
// repeated.
var errPanic = errors.New("an internal error ended it")

// recovered runs work and turns its panic into an error. Renewals need it: nobody else
// recovers a panic on their goroutine, and it would end a server with all its visitors.
func (s *Session) recovered(work func() error) (err error) {
	defer func() {
		if recover() == nil {
			return
		}
		err = errPanic
		if s.panicked != nil {
			s.panicked(string(debug.Stack()))
		}
	}()
	return work()
}
