package lists

import (
	"fmt"
	"sync"
	"sync/atomic"

	"gatehouse/internal/text/problem"
)

// Budget limits the memory that all lists take together, for their bodies and the positions of
// their records. Any number of goroutines may use it. The zero Budget counts without a limit.
type Budget struct {
	// Limit is in bytes; 0 is no limit. It must be set before the budget is used.
	Limit int64

	held, refused atomic.Int64
}

// Held returns how many bytes are taken.
func (b *Budget) Held() int64 { return b.held.Load() }

// Refused returns how many lists have failed with a [*FullError].
func (b *Budget) Refused() int64 { return b.refused.Load() }

// Share returns an empty share for one list. A nil Budget returns shares without a limit.
func (b *Budget) Share() *Share { return &Share{budget: b} }

// Share is the part of a [Budget] that one list takes until its owner releases it.
type Share struct {
	budget *Budget

	mutex    sync.Mutex
	taken    int64
	released bool
}

// take adds bytes to the share, or gives them back if n is negative. The error is a [*FullError]. A
// nil Share counts nothing.
func (s *Share) take(n int64) error {
	if s == nil || s.budget == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.released {
		return nil // the list is no longer used
	}
	if held := s.budget.held.Add(n); n > 0 && s.budget.Limit > 0 && held > s.budget.Limit {
		s.budget.held.Add(-n)
		s.budget.refused.Add(1)
		return &FullError{Limit: s.budget.Limit}
	}
	s.taken += n
	return nil
}

// Release gives back all that the share has taken. The list must not be used any more. To release
// again does nothing.
func (s *Share) Release() {
	if s == nil || s.budget == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.released {
		s.released = true
		s.budget.held.Add(-s.taken)
	}
}

// FullError means that the [Budget] has no memory left for a list. Limit is in bytes.
type FullError struct{ Limit int64 }

func (e *FullError) Error() string {
	return fmt.Sprintf("there is no memory left for this list:"+
		" the open lists on this server may take %d MiB together", e.Limit>>20)
}

// Explain says what to do about it.
func (e *FullError) Explain() problem.Explanation {
	return problem.Explanation{
		Text: e.Error(),
		Hint: "Try again in a while, or choose a shorter list.",
		Help: problem.HelpStream,
	}
}
