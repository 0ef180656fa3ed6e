package sessionstore

import (
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	"gatehouse/session"
)

// maxSeen is how many rows are remembered.
const maxSeen = 100_000

// Seen remembers which generations a process has read of the rows. So it notices an older copy
// of a row that was put back into the store, whose seal is as good as that of the newer one.
// It is safe for concurrent use.
type Seen struct {
	mu   sync.Mutex
	rows map[ID]seen
}

// signIn names a sign-in.
type signIn [sha256.Size]byte

// seen is what was seen of a row: the generation of its current sign-in and, over all its
// sign-ins, the highest generation and the latest time. Neither of the two orders sign-ins
// alone: a row that was deleted begins again with generation 1, and the clock of another
// server may be behind.
type seen struct {
	current             signIn
	generation, highest uint64
	latest              time.Time
}

// NewSeen has seen nothing.
func NewSeen() *Seen { return &Seen{rows: map[ID]seen{}} }

// note notes a record, and reports whether it is no older than those seen before. One that this
// process has written counts whatever its clock said.
func (s *Seen) note(id ID, r *session.Record, written bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, known := s.rows[id]
	current := signInOf(r)
	older := r.Generation < now.generation
	if current != now.current {
		older = r.Generation <= now.highest && !r.SignedInAt.After(now.latest)
	}
	if older && !written {
		return false
	}
	if !known && len(s.rows) >= maxSeen {
		for other := range s.rows { // any one
			delete(s.rows, other)
			break
		}
	}
	now.current, now.generation, now.highest = current, r.Generation, max(now.highest, r.Generation)
	if r.SignedInAt.After(now.latest) {
		now.latest = r.SignedInAt
	}
	s.rows[id] = now
	return true
}

func signInOf(r *session.Record) signIn {
	return sha256.Sum256(joined([]string{
		r.SignedInAt.UTC().Format(time.RFC3339Nano),
		strings.ToLower(r.Username),
		r.AuthorityURL,
		r.ClientID,
	}))
}
