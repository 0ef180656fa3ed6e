package sessionstore

import (
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	"gatehouse/session"
)

// maxSeen is how many rows a [Seen] remembers.
const maxSeen = 100_000

// Seen remembers which generations of rows a process has read. It detects an older copy of a row
// that somebody put back into the store: the copy's seal is valid. It is safe for concurrent use.
type Seen struct {
	mu   sync.Mutex
	rows map[ID]seen
}

// signIn is the hash of what distinguishes a sign-in from all others.
type signIn [sha256.Size]byte

// seen is what was seen of a row: the generation of its current sign-in and, over all its sign-ins,
// the highest generation and the latest time. It takes both to order sign-ins, as a row that was
// deleted starts again with generation 1, and the clock of another server may be slow.
type seen struct {
	current             signIn
	generation, highest uint64
	latest              time.Time
}

// NewSeen makes a Seen that has seen no row.
func NewSeen() *Seen { return &Seen{rows: map[ID]seen{}} }

// observe remembers a record that was read from a row, or written to it, and reports whether it is
// no older than the records seen before. A written record is never too old.
func (s *Seen) observe(id ID, r *session.Record, written bool) bool {
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
		for other := range s.rows { // whichever comes first
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

// signInOf is the sign-in that a record comes from. It stays the same when the session is renewed.
func signInOf(r *session.Record) signIn {
	return sha256.Sum256(joined([]string{
		r.SignedInAt.UTC().Format(time.RFC3339Nano),
		strings.ToLower(r.Username),
		r.AuthorityURL,
		r.ClientID,
	}))
}
