package lists

import (
	"fmt"
	"sync"
	"sync/atomic"

	"gatehouse/internal/text/problem"
)

// Budget bounds the memory that lists take together: their bodies and the places of their
// records. Any number of goroutines may use it. The zero Budget counts without a limit.
type Budget struct {
	// Limit is in bytes, 0 for any number. It is set before the budget is used.
	Limit int64

	held, refused atomic.Int64
}

// Held is how many bytes are taken.
func (b *Budget) Held() int64 { return b.held.Load() }

// Refused is how many lists got a [*FullError].
func (b *Budget) Refused() int64 { return b.refused.Load() }

// Share begins the share of one list. A nil Budget gives shares without a limit.
func (b *Budget) Share() *Share { return &Share{budget: b} }

// Share is what one list takes of a [Budget] until its owner releases it.
type Share struct {
	budget *Budget

	mutex    sync.Mutex
	taken    int64
	released bool
}

// take adds bytes to the share, or gives them back. It does nothing for a nil Share.
func (s *Share) take(n int64) error {
	if s == nil || s.budget == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.released {
		return nil // nobody waits for the rest of the list
	}
	if held := s.budget.held.Add(n); n > 0 && s.budget.Limit > 0 && held > s.budget.Limit {
		s.budget.held.Add(-n)
		s.budget.refused.Add(1)
		return &FullError{Limit: s.budget.Limit}
	}
	s.taken += n
	return nil
}

// Release gives back what the share has taken, once: the list is not used any more.
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

// FullError says that the [Budget] has no memory left for a list.
type FullError struct{ Limit int64 }

func (e *FullError) Error() string {
	return fmt.Sprintf("there is no memory left for this list: the open lists on this server may take %d MiB together", e.Limit>>20)
}

func (e *FullError) Explain() problem.Explanation {
	return problem.Explanation{Text: e.Error(), Hint: "Try again in a while, or choose a shorter list; a command with -o ndjson needs none of that memory."}
}
