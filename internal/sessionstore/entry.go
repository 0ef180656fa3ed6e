package sessionstore

import (
	"crypto/rand"
	"time"
)

// entry is a row with what a store of one server has to know about its claim. Its methods
// are the rules of [Sessions]; they change nothing where they return an error.
type entry struct {
	Row
	claim string // names the claim; empty if there is none. Row.Claimed is its end
	// doubtful means that the token of this generation may have been sent by somebody who
	// did not say what became of it.
	doubtful bool
	finished string // the claim that this generation was saved with
}

// newClaim names a claim.
func newClaim() string { return rand.Text() }

// claimed reports whether somebody may send the token.
func (e *entry) claimed(now time.Time) bool { return e.claim != "" && now.Before(e.Claimed) }

// save is [Sessions.Save]; e is nil where there is no row.
func (e *entry) save(r Row, over uint64, now time.Time) (entry, error) {
	switch {
	case e == nil && over != 0, e != nil && e.Generation != over, r.Generation <= over:
		return entry{}, ErrOutdated
	case e == nil:
		return entry{Row: Row{ID: r.ID, Generation: r.Generation, Sealed: r.Sealed, Place: r.Place, RefreshEnds: r.RefreshEnds, Doubts: r.Doubts}}, nil
	case e.claimed(now):
		return entry{}, ErrClaimed
	}
	return e.next(r, r.Doubts), nil
}

// next is the row with another session; the place stays.
func (e *entry) next(r Row, doubts int) entry {
	return entry{Row: Row{ID: e.ID, Generation: r.Generation, Sealed: r.Sealed, Place: e.Place, RefreshEnds: r.RefreshEnds, Doubts: doubts}}
}

// take is [Sessions.Claim], with the name of the claim. takenOver is whether an earlier claim
// has passed its deadline.
func (e *entry) take(generation uint64, now time.Time, life time.Duration, claim string) (next entry, c Claim, takenOver bool, err error) {
	switch {
	case e == nil:
		return entry{}, Claim{}, false, ErrNoRow
	case e.Generation != generation:
		return entry{}, Claim{}, false, ErrOutdated
	case e.claimed(now):
		return entry{}, Claim{}, false, &claimedError{e.Claimed.Sub(now)}
	}
	next, takenOver = *e, e.claim != ""
	next.claim, next.Claimed = claim, now.Add(life)
	if takenOver {
		next.doubtful = true
		next.Doubts++
	}
	return next, Claim{ID: e.ID, Generation: generation, Token: next.claim, InDoubt: next.doubtful}, takenOver, nil
}

// finish is [Sessions.Finish].
func (e *entry) finish(c Claim, r Row) (next entry, again bool, err error) {
	switch {
	case e == nil, c.Token == "", r.Generation <= c.Generation:
		return entry{}, false, ErrOutdated
	case e.finished == c.Token && e.Generation == r.Generation:
		return *e, true, nil
	case e.claim != c.Token || e.Generation != c.Generation:
		return entry{}, false, ErrOutdated
	}
	next = e.next(r, e.Doubts)
	next.finished = c.Token
	return next, false, nil
}

// release is [Sessions.Release]. What was in doubt stays so.
func (e *entry) release(c Claim) (entry, error) {
	if e == nil || c.Token == "" || e.claim != c.Token || e.Generation != c.Generation {
		return entry{}, ErrOutdated
	}
	next := *e
	next.claim, next.Claimed = "", time.Time{}
	return next, nil
}

// over reports whether the row may be deleted: its session cannot be renewed any more. A
// row without an end stays.
func (e *entry) over(now time.Time) bool {
	return !e.RefreshEnds.IsZero() && !now.Before(e.RefreshEnds) && !e.claimed(now)
}

// countKeys counts the row by the keys that its parts are sealed with.
func (e *entry) countKeys(counts map[string]int) {
	session, place := KeyOf(e.Sealed), KeyOf(e.Place)
	counts[session]++
	if len(e.Place) > 0 && place != session {
		counts[place]++
	}
}

// tries are the times of the latest tries of a subject, the oldest first.
type tries []time.Time

// between leaves those after a time until now. Those later than now were written while the clock
// was wrong, and would count until it is as late.
func (t tries) between(start, now time.Time) tries {
	for len(t) > 0 && !t[0].After(start) {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1].After(now) {
		t = t[: len(t)-1 : len(t)-1] // what is added stands elsewhere: the file may be being written
	}
	return t
}
