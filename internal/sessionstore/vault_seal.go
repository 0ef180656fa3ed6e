package sessionstore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/files"
	"gatehouse/session"
)

// errOlder means that a row is older than one that was seen.
var errOlder = fmt.Errorf("%w", session.ErrForged)

// seal makes the row of a record.
func (v *Vault) seal(r *session.Record) (Row, error) {
	saved := *r
	saved.InDoubt = false // the store knows that by the claim
	clear, err := session.EncodeRecord(&saved)
	if err != nil {
		return Row{}, err
	}
	sealed, err := v.o.Keys.Seal(clear, v.boundTo(r.Generation)...)
	return Row{ID: v.id, Generation: r.Generation, Sealed: sealed, Ends: r.SignedInAt.Add(session.RefreshLife)}, err
}

// open opens a row, and refuses one that is older than what was seen before.
func (v *Vault) open(row Row) (*session.Record, error) {
	v.change(func() { v.doubts = row.Doubts })
	clear, err := v.o.Keys.Open(row.Sealed, v.boundTo(row.Generation)...)
	switch {
	case errors.Is(err, ErrUnknownKey):
		return nil, fmt.Errorf("%w: %s", session.ErrKeyMissing, KeyOf(row.Sealed))
	case files.IsNewer(err):
		return nil, err
	case err != nil:
		return nil, session.ErrForged
	}
	r, err := session.DecodeRecord(clear)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Generation != row.Generation:
		return nil, session.ErrForged
	case !v.o.Seen.check(v.id, r):
		return nil, errOlder
	}
	v.change(func() {
		if v.kept != nil && v.kept.SameSignIn(r) && v.kept.Generation > r.Generation {
			return // a renewal has saved it meanwhile
		}
		v.kept = r
		if v.left != nil && v.left.Generation < r.Generation {
			v.left = nil // it has ended
		}
	})
	return r, nil
}

// boundTo is what the session of a generation is bound to.
func (v *Vault) boundTo(generation uint64) []string {
	return append(v.bound[:len(v.bound):len(v.bound)], fmt.Sprint(generation))
}

// placeOf is what the place is bound to.
func (v *Vault) placeOf(kept *session.Record) []string {
	name := signInOf(kept)
	return []string{"place", string(v.id[:]), hex.EncodeToString(name[:])}
}

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

// check reports whether a record that was read is no older than those seen before, and notes it.
func (s *Seen) check(id ID, r *session.Record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, current := s.rows[id], signInOf(r)
	switch {
	case before.current == current && r.Generation < before.generation,
		before.current != current && r.Generation <= before.highest && !r.SignedInAt.After(before.latest):
		return false
	}
	s.set(id, r, current)
	return true
}

// note notes a record that this process has written, whatever its clock said.
func (s *Seen) note(id ID, r *session.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(id, r, signInOf(r))
}

// set notes a record; the caller holds the lock.
func (s *Seen) set(id ID, r *session.Record, current signIn) {
	now, known := s.rows[id]
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
}

func signInOf(r *session.Record) signIn {
	return sha256.Sum256(joined([]string{r.SignedInAt.UTC().Format(time.RFC3339Nano), strings.ToLower(r.Username), r.AuthorityURL, r.ClientID}))
}
