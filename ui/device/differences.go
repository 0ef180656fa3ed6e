package device

import (
	"fmt"
	"time"

	"gatehouse/ui/screen"
)

// Difference is a member that two results differ in, as people read it. The texts come
// from outside; a value is "" where the result has no such member.
type Difference struct{ Path, First, Second string }

// Differences are what [Compare] finds.
type Differences struct {
	// Matter are those that may tell why one login went another way, in the order of
	// the results.
	Matter []Difference
	// Identity is how many there are that any two people have.
	Identity int
	// Note says what was not compared, "" if all of it was.
	Note string
}

// Compare finds the differences between two results without their tokens. It takes up to
// a second for long ones.
func Compare(first, second []byte, now time.Time) Differences {
	pairs, cut := diff(first, second)
	found := Differences{}
	if cut {
		found.Note = onlyBeginning
	}
	for _, r := range asRows(pairs, now) {
		switch {
		case r.identity:
			found.Identity++
		case r.differs():
			found.Matter = append(found.Matter, Difference{r.path, r.left, r.right})
		}
	}
	return found
}

// String says how many differences there are.
func (d Differences) String() string { return mattering(len(d.Matter)) + ofIdentity(d.Identity) }

// mattering says how many differences matter.
func mattering(count int) string {
	return screen.Count(count, "difference that matters", "differences that matter")
}

// ofIdentity says behind that how many any two people have, "" for none.
func ofIdentity(count int) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(", %s of identity: names, ids, addresses, quotas, times", screen.Number(count))
}

// onlyBeginning is said where a result is longer than what is compared.
const onlyBeginning = "only the beginning is compared"
