package sessionstore

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"slices"
	"time"

	"gatehouse/session"
)

// entry is what a [Local] stores under one name: a session, a ticket or the tries of a subject. The
// JSON is the format of its file. Its methods are the rules of [Store]; they leave the entry as
// it is and return the next one. An entry that is nil is none.
type entry struct {
	Version int    `json:"version"`
	Name    string `json:"id"` // in hex

	// Of a session. Doubtful means that an earlier owner may have sent the token of this generation;
	// Finished is the claim that this generation was saved with.
	Generation  uint64    `json:"generation,omitempty"`
	Claim       string    `json:"claim,omitempty"`
	Claimed     time.Time `json:"claimed_until,omitzero"`
	Doubtful    bool      `json:"doubtful,omitempty"`
	Doubts      int       `json:"doubts,omitempty"`
	Finished    string    `json:"finished,omitempty"`
	RefreshEnds time.Time `json:"refresh_ends,omitzero"`
	Place       []byte    `json:"place,omitempty"`

	Sealed []byte      `json:"sealed,omitempty"` // of a session or a ticket
	Tries  []time.Time `json:"tries,omitempty"`  // the oldest first
	Ends   time.Time   `json:"ends,omitzero"`    // of a ticket, or of the latest try
}

// entryVersion is the version of the format of an entry.
const entryVersion = 1

// The names of entries end with their kind.
const (
	rowSuffix    = ".session"
	ticketSuffix = ".ticket"
	triesSuffix  = ".tries"
)

func entryName(id ID, suffix string) string { return hex.EncodeToString(id[:]) + suffix }

// nameOf is the name of the entry of a row. A place is in that of its session.
func nameOf(kind Kind, id ID) string {
	if kind == Ticket {
		return entryName(id, ticketSuffix)
	}
	return entryName(id, rowSuffix)
}

// row is the entry as its caller may keep and change it.
func (e *entry) row(kind Kind, id ID) Row {
	return Row{
		Kind: kind, ID: id, Generation: e.Generation, Claimed: e.Claimed, Sealed: bytes.Clone(e.Sealed), Place: bytes.Clone(e.Place),
		Ends: cmp.Or(e.Ends, e.RefreshEnds), Doubts: e.Doubts,
	}
}

// claimed reports whether the owner of a claim may send the token.
func (e *entry) claimed(now time.Time) bool { return e.Claim != "" && now.Before(e.Claimed) }

// ended reports whether the entry may be deleted. One without an end stays.
func (e *entry) ended(now time.Time) bool {
	end := cmp.Or(e.Ends, e.RefreshEnds)
	return !end.IsZero() && !now.Before(end) && !e.claimed(now)
}

// put is [Store.Put].
func (e *entry) put(r Row, over uint64, now time.Time) (*entry, error) {
	switch {
	case r.Kind == Place && e == nil:
		return nil, ErrNoRow
	case r.Kind == Place:
		next := *e
		next.Place = r.Sealed
		return &next, nil
	case r.Kind == Ticket && (e == nil || e.ended(now)):
		return &entry{Version: entryVersion, Name: hex.EncodeToString(r.ID[:]), Sealed: r.Sealed, Ends: r.Ends}, nil
	case r.Kind == Ticket, e == nil && over != 0, e != nil && e.Generation != over, r.Generation <= over:
		return nil, ErrOutdated
	case e != nil && e.claimed(now):
		return nil, ErrClaimed
	}
	next := entryOf(r)
	if e != nil {
		next.Place = e.Place
	}
	return next, nil
}

// entryOf is the entry of a session that is not claimed.
func entryOf(r Row) *entry {
	return &entry{
		Version: entryVersion, Name: hex.EncodeToString(r.ID[:]), Generation: r.Generation, Sealed: r.Sealed, Place: r.Place, RefreshEnds: r.Ends, Doubts: r.Doubts,
	}
}

// take is [Store.Claim].
func (e *entry) take(c Claim, now time.Time, life time.Duration) (*entry, error) {
	switch {
	case e == nil:
		return nil, ErrNoRow
	case e.Generation != c.Generation:
		return nil, ErrOutdated
	case e.claimed(now):
		return nil, &session.ClaimedError{Left: e.Claimed.Sub(now)}
	}
	next := *e
	next.Claim, next.Claimed = c.Token, now.Add(life)
	if e.Claim != "" {
		next.Doubtful = true
		next.Doubts++
	}
	return &next, nil
}

// holds reports whether a claim is that of the entry.
func (e *entry) holds(c Claim) bool {
	return e != nil && c.Token != "" && e.Claim == c.Token && e.Generation == c.Generation
}

// finish is [Store.Finish]. The entry itself means that it was finished before.
func (e *entry) finish(c Claim, r Row) (*entry, error) {
	switch {
	case e != nil && c.Token != "" && e.Finished == c.Token && e.Generation == r.Generation:
		return e, nil
	case !e.holds(c), r.Generation <= c.Generation:
		return nil, ErrOutdated
	}
	next := entryOf(r)
	next.Place, next.Doubts, next.Finished = e.Place, e.Doubts, c.Token
	return next, nil
}

// release is [Store.Release]. A doubt stays.
func (e *entry) release(c Claim) (*entry, error) {
	if !e.holds(c) {
		return nil, ErrOutdated
	}
	next := *e
	next.Claim, next.Claimed = "", time.Time{}
	return &next, nil
}

// triesWithin are the tries of the time before now. Those after now were written while the clock
// was wrong, and would count until it is as late.
func (e *entry) triesWithin(within time.Duration, now time.Time) []time.Time {
	if e == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Tries), func(t time.Time) bool { return !t.After(now.Add(-within)) || t.After(now) })
}
