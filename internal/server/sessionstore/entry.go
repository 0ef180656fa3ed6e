package sessionstore

import (
	"cmp"
	"encoding/hex"
	"time"
)

const (
	// entryVersion is the version of the format of an entry.
	entryVersion = 1
	// entryOverhead is how many bytes an entry takes in memory beside its texts and times.
	entryOverhead = 512
)

// entry is what a [Local] stores under one name: a session, a ticket or the tries of a subject. Its
// JSON is the format of the file. An entry is never modified, only replaced; nil means no entry.
type entry struct {
	Version int    `json:"version"`
	Name    string `json:"id"` // in hex

	// Of a session. Doubtful means that an earlier owner of a claim may have sent the refresh token
	// of this generation. Finished is the claim that this generation was saved under.
	Generation  uint64    `json:"generation,omitempty"`
	Claim       string    `json:"claim,omitempty"`
	Claimed     time.Time `json:"claimed_until,omitzero"`
	Doubtful    bool      `json:"doubtful,omitempty"`
	Doubts      int       `json:"doubts,omitempty"`
	Finished    string    `json:"finished,omitempty"`
	RefreshEnds time.Time `json:"refresh_ends,omitzero"`
	Place       []byte    `json:"place,omitempty"`

	// OwnerGone means that the server which made the claim has ended and sends nothing any more.
	OwnerGone bool `json:"-"`

	Sealed []byte      `json:"sealed,omitempty"` // of a session or a ticket
	Tries  []time.Time `json:"tries,omitempty"`  // the oldest first
	Ends   time.Time   `json:"ends,omitzero"`    // of a ticket, or of the latest try
}

// The names of entries end with their kind.
const (
	rowSuffix    = ".session"
	ticketSuffix = ".ticket"
	triesSuffix  = ".tries"
)

// entryName is the name of an entry: the id in hexadecimal digits, and the suffix of its kind.
func entryName(id ID, suffix string) string { return hex.EncodeToString(id[:]) + suffix }

// nameOf is the name of the entry that holds a row. A place is in the entry of its session.
func nameOf(kind Kind, id ID) string {
	if kind == Ticket {
		return entryName(id, ticketSuffix)
	}
	return entryName(id, rowSuffix)
}

// sessionEntry is the entry of a session that is not claimed.
func sessionEntry(r Row, place []byte, doubts int) *entry {
	return &entry{
		Version:     entryVersion,
		Name:        hex.EncodeToString(r.ID[:]),
		Generation:  r.Generation,
		Sealed:      r.Sealed,
		Place:       place,
		RefreshEnds: r.Ends,
		Doubts:      doubts,
	}
}

// claimed reports whether the entry is claimed at that time: the owner of the claim may still send
// the refresh token.
func (e *entry) claimed(now time.Time) bool {
	return e.Claim != "" && !e.OwnerGone && now.Before(e.Claimed)
}

// holds reports whether the entry has exactly this claim, which may have passed its deadline.
func (e *entry) holds(c Claim) bool {
	return e != nil && c.Token != "" && e.Claim == c.Token && e.Generation == c.Generation
}

// ended reports whether the entry may be deleted: its end has passed and nobody claims it. An entry
// without an end never ends.
func (e *entry) ended(now time.Time) bool {
	end := cmp.Or(e.Ends, e.RefreshEnds)
	return !end.IsZero() && !now.Before(end) && !e.claimed(now)
}

// size is about how many bytes an entry takes in memory; 0 for nil.
func (e *entry) size() int {
	if e == nil {
		return 0
	}
	const bytesPerTime = 24
	return entryOverhead + len(e.Sealed) + len(e.Place) + len(e.Tries)*bytesPerTime
}
