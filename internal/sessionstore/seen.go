package sessionstore

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/session"
)

const (
	maxSeen     = 100_000 // rows that are remembered
	maxReplaced = 4       // earlier sign-ins of a row that are remembered
)

// Seen remembers which generations a process has read of the rows. So it notices an older copy
// of a row that was put back into the store, whose seal is as good as that of the newer one.
// It is safe for concurrent use.
type Seen struct {
	mu   sync.Mutex
	rows map[ID]seen
}

// signIn names a sign-in. Clocks cannot order those of two servers.
type signIn [sha256.Size]byte

type seen struct {
	current    signIn
	generation uint64
	replaced   []signIn
}

// NewSeen has seen nothing.
func NewSeen() *Seen { return &Seen{rows: map[ID]seen{}} }

// note notes a record, unless it is older than one that was noted.
func (s *Seen) note(id ID, r *session.Record) bool {
	current := signInOf(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.rows[id]
	switch {
	case known && before.current == current && r.Generation < before.generation, slices.Contains(before.replaced, current):
		return false
	case !known && len(s.rows) >= maxSeen:
		for other := range s.rows { // any one
			delete(s.rows, other)
			break
		}
	case known && before.current != current:
		before.replaced = append(slices.Clone(before.replaced), before.current)
		before.replaced = before.replaced[max(0, len(before.replaced)-maxReplaced):]
	}
	s.rows[id] = seen{current, r.Generation, before.replaced}
	return true
}

func signInOf(r *session.Record) signIn {
	return sha256.Sum256(joined([]string{r.SignedInAt.UTC().Format(time.RFC3339Nano), strings.ToLower(r.Username), r.AuthorityURL, r.ClientID}))
}
